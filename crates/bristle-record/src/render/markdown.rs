//! Tables as Markdown, for manuals and issue trackers.

use crate::markup::plain;
use crate::record::has_unit;
use crate::table::{Cell, Table};

/// A pipe table with the caption above it.
pub fn table(table: &Table) -> String {
    let mut out = String::new();
    if !table.caption.is_empty() {
        out += &format!("{}\n\n", plain(&table.caption));
    }
    let head: Vec<String> = table
        .columns
        .iter()
        .map(|c| if has_unit(&c.unit) { format!("{} [{}]", plain(&c.name), c.unit) } else { plain(&c.name) })
        .collect();
    let is_number = |k: usize| table.rows.iter().filter_map(|r| r.get(k)).all(Cell::is_number);
    let rule: Vec<&str> = (0..head.len()).map(|k| if is_number(k) { "--:" } else { "---" }).collect();
    out += &line(&head);
    out += &format!("|{}|\n", rule.join("|"));
    for row in &table.rows {
        let cells: Vec<String> =
            (0..head.len()).map(|k| row.get(k).map(|c| plain(&c.markup())).unwrap_or_default()).collect();
        out += &line(&cells);
    }
    out
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod markdown_tests {
    use super::*;

    #[test]
    fn pipes_are_escaped_and_numbers_flush_right() {
        let mut t = Table::new("", &[("a|b", ""), ("x", "m")]);
        t.row(["p".into(), 1.0.into()]);
        assert_eq!(table(&t), "| a\\|b | x [m] |\n|---|--:|\n| p | 1.000 |\n");
    }
}
