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
    let width = |k: usize| rows.iter().map(|r| width(&r[k])).max().unwrap_or(0);
    let (label, value) = (width(1), width(2));
    let mut out = String::new();
    for [mark, l, v, note] in &rows {
        let line = format!("{mark} {}  {}  {note}", pad(l, label, false), pad(v, value, false));
        out += line.trim_end();
        out.push('\n');
    }
    out
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
    let widths: Vec<usize> = (0..head.len())
        .map(|k| body.iter().map(|r| width(&r[k])).chain([width(&head[k])]).max().unwrap_or(0))
        .collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(k, c)| pad(c, widths[k], is_number(k))).collect();
        padded.join("  ").trim_end().to_owned() + "\n"
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
    fn verdicts_come_first() {
        let mut r = Record::new("Belt");
        r.facts.push(Fact::number("period $T$", 0.314, "s"));
        r.facts.push(Fact::verdict("motion", "stick–slip", Tone::Warn));
        assert_eq!(record(&r), "Belt\n\n! motion    stick–slip\n  period T  0.314 s\n");
    }
}
