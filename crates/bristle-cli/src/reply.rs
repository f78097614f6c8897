//! What a command has to say.

use std::io::{ErrorKind, IsTerminal, Write};

/// The text of an answer; it goes to standard output in one piece.
#[derive(Debug)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// 0 for a whole answer, 1 if a part of it failed, 3 if a number cannot be known, 130 if it was interrupted.
    pub code: u8,
}

/// Exit code of an answer a part of which failed.
pub const FAILED: u8 = 1;

/// Exit code of an answer that says of a number that was asked for that it cannot be known.
pub const UNKNOWN: u8 = 3;

/// Exit code after an interruption.
pub const INTERRUPTED: u8 = 130;

impl Reply {
    /// A whole answer.
    pub fn new(text: String) -> Reply {
        Reply { text, code: 0 }
    }

    /// The same with another exit code.
    pub fn with_code(self, code: u8) -> Reply {
        Reply { code, ..self }
    }

    /// Prints the answer. A reader that has gone away (`bristle list laws | head -1`) is no error; a full disk is.
    pub fn print(self) -> u8 {
        let text =
            if self.text.is_empty() || self.text.ends_with('\n') { self.text } else { self.text + "\n" };
        let text = if has_colour() { coloured(&text) } else { text };
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(std::io::stderr(), "cannot write the answer: {e}");
                2
            }
            _ => self.code,
        }
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Reply::new(text)
    }
}

/// Whether standard output is a terminal that may be coloured.
fn has_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        && std::io::stdout().is_terminal()
}

/// The same with the marks at the start of lines in colour: green, yellow, red.
fn coloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let colour = match line.chars().next() {
            Some('✓') => "32",
            Some('!') => "33",
            Some('✗') => "31",
            _ => {
                out += line;
                continue;
            }
        };
        let mark = line.chars().next().map_or(0, char::len_utf8);
        out += &format!("\u{1b}[1;{colour}m{}\u{1b}[0m{}", &line[..mark], &line[mark..]);
    }
    out
}

#[cfg(test)]
mod reply_tests {
    use super::*;

    #[test]
    fn marks_are_coloured_and_nothing_else() {
        assert_eq!(coloured("✓ a\n  b ✓\n! c"), "\u{1b}[1;32m✓\u{1b}[0m a\n  b ✓\n\u{1b}[1;33m!\u{1b}[0m c");
    }
}
