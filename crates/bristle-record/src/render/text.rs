//! Facts and tables as aligned plain text for the terminal.

use crate::markup::plain;
use crate::record::{Block, Record, Tone, Value, has_unit};
use crate::table::{Cell, Table};

/// Title, summary, facts and tables of a record; figures are left to the files.
///
/// ```text
/// Block on a belt
///
/// ! motion    stick–slip
///   period T  0.314 s
/// ```
pub fn record(record: &Record) -> String {
    let mut out = plain(&record.title) + "\n";
    if !record.summary.is_empty() {
        out += &format!("{}\n", plain(&record.summary));
    }
    out += "\n";
    out += &facts(record);
    for section in &record.sections {
        let tables: Vec<&Table> = section
            .blocks
            .iter()
            .filter_map(|b| if let Block::Table(t) = b { Some(t) } else { None })
            .collect();
        if tables.is_empty() {
            continue;
        }
        out += &format!("\n{}\n", plain(&section.heading));
        for t in tables {
            out += &format!("\n{}", table(t));
        }
    }
    out
}

/// The facts, one line each, verdicts first: a mark of tone, label, value, note.
pub fn facts(record: &Record) -> String {
    let rows: Vec<[String; 4]> = record
        .ordered_facts()
        .map(|f| {
            let mark = match f.tone {
                Tone::Good => "✓",
                Tone::Neutral => " ",
                Tone::Warn => "!",
                Tone::Bad => "✗",
            };
            let value = match &f.value {
                // On a terminal 1.5e-7 is quicker to read and to copy than a power of ten.
                Value::Number { value, unit, digits } if has_unit(unit) => {
                    format!("{} {unit}", crate::number::short(*value, *digits))
                }
                Value::Number { value, digits, .. } => crate::number::short(*value, *digits),
                other => plain(&other.markup()),
            };
            [mark.into(), plain(&f.label), value, plain(&f.note)]
        })
        .collect();
    let widest = |k: usize| rows.iter().map(|r| width(&r[k])).max().unwrap_or(0);
    let (label, value) = (widest(1), widest(2));
    let mut out = String::new();
    for [mark, l, v, note] in &rows {
        let start = format!("{mark} {}  ", pad(l, label, false));
        let whole = format!("{start}{}  {note}", pad(v, value, false));
        if width(whole.trim_end()) <= COLUMNS {
            out += whole.trim_end();
            out.push('\n');
            continue;
        }
        // The value beside the label, the note below both.
        let indent = if label + 4 + SLIM <= COLUMNS { label + 4 } else { 4 };
        let mut lines = wrapped(v, COLUMNS - indent).into_iter();
        let first = lines.next().unwrap_or_default();
        if indent > 4 {
            out += (start + &first).trim_end();
        } else {
            out += &format!("{mark} {l}\n    {first}");
        }
        out.push('\n');
        for line in lines {
            out += &format!("{}{line}\n", " ".repeat(indent));
        }
        for line in wrapped(note, COLUMNS - 4).into_iter().filter(|l| !l.is_empty()) {
            out += &format!("    {line}\n");
        }
    }
    out
}

/// Columns of a terminal everybody has.
const COLUMNS: usize = 80;

/// A column of words is not made narrower than this.
const SLIM: usize = 24;

/// A text in lines of so many columns; a word that is longer stays whole.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.to_owned();
        } else if width(&lines[last]) + 1 + width(word) <= columns {
            lines[last] += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A table with aligned columns and units under the names; numbers are flush right.
pub fn table(table: &Table) -> String {
    let head = table.columns.iter().map(|c| match has_unit(&c.unit) {
        true => format!("{} [{}]", plain(&c.name), c.unit),
        false => plain(&c.name),
    });
    let head: Vec<String> = head.collect();
    let body: Vec<Vec<String>> = table.rows.iter().map(|r| row(r, head.len())).collect();
    let is_number = |k: usize| {
        let mut cells = table.rows.iter().filter_map(|r| r.get(k)).peekable();
        cells.peek().is_some() && cells.all(Cell::is_number)
    };
    let mut widths: Vec<usize> = (0..head.len())
        .map(|k| body.iter().map(|r| width(&r[k])).chain([width(&head[k])]).max().unwrap_or(0))
        .collect();
    // What is too wide for a terminal gives way where there are words, the widest column first.
    let gaps = 2 * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > COLUMNS {
        let words = (0..widths.len()).filter(|&k| !is_number(k) && widths[k] > SLIM);
        let Some(k) = words.max_by_key(|&k| widths[k]) else { break };
        widths[k] -= 1;
    }
    let line = |cells: &[String]| {
        let folded: Vec<Vec<String>> = cells.iter().zip(&widths).map(|(c, w)| wrapped(c, *w)).collect();
        let height = folded.iter().map(Vec::len).max().unwrap_or(1);
        let row = |i: usize| {
            let cell = |k: usize| folded[k].get(i).map_or("", String::as_str);
            let padded: Vec<String> =
                (0..widths.len()).map(|k| pad(cell(k), widths[k], is_number(k))).collect();
            padded.join("  ").trim_end().to_owned() + "\n"
        };
        (0..height).map(row).collect::<String>()
    };
    let mut out = String::new();
    if !table.caption.is_empty() {
        out += &format!("{}\n", plain(&table.caption));
    }
    out += &line(&head);
    out += &line(&widths.iter().map(|w| "─".repeat(*w)).collect::<Vec<_>>());
    for r in &body {
        out += &line(r);
    }
    out
}

fn row(cells: &[Cell], count: usize) -> Vec<String> {
    let text = |c: &Cell| match c {
        Cell::Number { value, digits } => crate::number::significant(*value, *digits),
        other => plain(&other.markup()),
    };
    (0..count).map(|k| cells.get(k).map(text).unwrap_or_default()).collect()
}

/// Terminal columns taken; combining marks take none.
fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

fn pad(text: &str, to: usize, is_right: bool) -> String {
    let fill = " ".repeat(to.saturating_sub(width(text)));
    if is_right { fill + text } else { text.to_owned() + &fill }
}

#[cfg(test)]
mod text_tests {
    use super::*;
    use crate::{Fact, Verdict};

    #[test]
    fn columns_line_up() {
        let mut t = Table::new("Periods", &[("law", ""), ("$T$", "s"), ("", "")]);
        t.row(["LuGre".into(), 0.31416.into(), Verdict::Agrees.into()]);
        t.row(["ż model".into(), 12.5.into()]);
        let expected =
            "Periods\nlaw       T [s]\n───────  ──────  ──────\nLuGre    0.3142  agrees\nż model   12.50\n";
        assert_eq!(table(&t), expected);
    }

    #[test]
    fn nothing_is_wider_than_a_terminal() {
        let mut t = Table::new("", &[("name", ""), ("what it is", ""), ("value", "")]);
        t.row(["a".into(), "word ".repeat(40).trim().into(), 1.5.into()]);
        let mut r = Record::new("Belt");
        let note = "a note that goes on and on ".repeat(5);
        r.facts.push(Fact { note, ..Fact::verdict("contact `pad`", "it slides on and on", Tone::Good) });
        let text = table(&t) + &record(&r);
        assert!(text.lines().all(|l| width(l) <= COLUMNS), "{text}");
        assert_eq!(text.matches("word").count(), 40);
        assert_eq!(text.matches("goes on").count(), 5);
    }

    #[test]
    fn verdicts_come_first() {
        let mut r = Record::new("Belt");
        r.facts.push(Fact::number("period $T$", 0.314, "s"));
        r.facts.push(Fact::verdict("motion", "stick–slip", Tone::Warn));
        assert_eq!(record(&r), "Belt\n\n! motion    stick–slip\n  period T  0.314 s\n");
    }
}
