//! Text of others made fit to be shown: a terminal obeys control characters, and nobody reads a line of a megabyte.

/// Longest piece of a message that quotes its input.
const LONGEST: usize = 600;

/// Whether a character changes how others are shown instead of being shown itself.
pub fn is_hidden(c: char) -> bool {
    // Beside the control characters: marks that reorder or hide text, and line separators.
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The text with hidden characters written out (`\u{1b}`), so that they do nothing.
pub fn printable(text: &str) -> String {
    let escape = |c: char| if is_hidden(c) { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(escape).collect()
}

/// The same for a message, which is cut where it quotes too much. Line ends are kept.
pub fn message(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(printable).collect();
    let text = lines.join("\n");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod text_tests {
    use super::*;

    #[test]
    fn escapes_of_a_terminal_are_written_out() {
        assert_eq!(printable("a\u{1b}[31mb\u{7f}"), "a\\u{1b}[31mb\\u{7f}");
        assert_eq!(printable("Gleitträger µ_s – ²"), "Gleitträger µ_s – ²");
        assert_eq!(printable("\u{202e}evil"), "\\u{202e}evil");
        assert_eq!(message("two\nlines\u{7}"), "two\nlines\\u{7}");
    }

    #[test]
    fn a_long_message_is_cut() {
        assert_eq!(message(&"ä".repeat(10_000)).chars().count(), LONGEST + 1);
    }
}
