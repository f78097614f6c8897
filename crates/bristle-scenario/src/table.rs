//! The points of a polyline: written in place, or read from a CSV file.

use crate::error::{Problem, ScenarioError, TableError};
use crate::file;
use crate::read::Reader;
use crate::text::is_hidden;
use bristle_core::units::{Conversion, LARGEST};
use bristle_mech::Spec;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Fills in the points from the file, if one is named, and checks them.
pub fn complete(
    reader: &Reader,
    table: &DeTable,
    whole: &Spanned<DeValue>,
    unit: &str,
    spec: &mut Spec,
) -> Result<(), ScenarioError> {
    let given = |key: &str| table.get(key).is_some();
    let problem = |error| Problem::Table { path: "points in place".to_owned(), error };
    let Some(file) = spec.named("file").first().cloned() else {
        if !given("times") && !given("values") {
            let problem =
                Problem::MissingKey { owner: "signal `polyline`".to_owned(), key: "times".to_owned() };
            let hint = "give `times` and `values`, or a `file`";
            return Err(reader.error(problem, whole.span(), hint));
        }
        let (times, values) = (spec.list("times"), spec.list("values"));
        return check(times, values, |i| i + 1).map_or(Ok(()), |error| {
            let hint = "give as many values as times, two at least, and let the times rise";
            Err(reader.error(problem(error), reader.span_of(table, &["times"]), hint))
        });
    };
    if let Some(key) = ["times", "values"].into_iter().find(|k| given(k)) {
        let problem = Problem::UnknownKey { key: key.to_owned(), owner: "needed beside `file`".to_owned() };
        let hint = "points come from the file or are written in place, not both";
        return Err(reader.error(problem, reader.span_of(table, &[key]), hint));
    }
    let column = spec.named("column").first().map(String::as_str);
    let read = || {
        let text = file::text(&reader.folder.join(&file), file::TABLE)
            .map_err(|reason| TableError::Unreadable { reason })?;
        parse(&text, unit, column)
    };
    let (times, values) = read().map_err(|error| {
        let hint = hint(&error, unit);
        let problem = Problem::Table { path: file.clone(), error };
        reader.error(problem, reader.span_of(table, &["file"]), hint)
    })?;
    spec.lists.retain(|(name, _)| name != "times" && name != "values");
    spec.lists.push(("times".to_owned(), times));
    spec.lists.push(("values".to_owned(), values));
    Ok(())
}

/// A way out.
fn hint(error: &TableError, unit: &str) -> String {
    match error {
        TableError::Heading { .. } => {
            format!(
                "write units in brackets, such as `time [ms]` and `value [{unit}]`, or after a last underscore"
            )
        }
        TableError::ManyColumns { .. } | TableError::NoSuchColumn { .. } => {
            "name the column of values: `column = \"…\"` beside `file`; the first column holds the times"
                .to_owned()
        }
        _ => format!(
            "a table is a CSV file with two columns, rising times and values; a header such as `time [s], value [{unit}]` gives units"
        ),
    }
}

/// Points with the lines they come from.
#[derive(Default)]
struct Points {
    times: Vec<f64>,
    values: Vec<f64>,
    lines: Vec<usize>,
}

/// How the columns of a file are read.
struct Layout {
    /// The first line, and how many cells it has.
    first: usize,
    cells: usize,
    /// Column of the values.
    value: usize,
    /// From the units of the file to SI.
    factors: [Option<Conversion>; 2],
}

/// Times and one column of values under an optional header with units.
fn parse(text: &str, unit: &str, column: Option<&str>) -> Result<(Vec<f64>, Vec<f64>), TableError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let mut points = Points::default();
    let mut layout: Option<Layout> = None;
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|e| TableError::Unreadable { reason: e.to_string() })?;
        let line = record.position().map_or(row + 1, |p| p.line() as usize);
        let Some(layout) = &layout else {
            let (found, is_header) = Layout::of(&record, line, unit, column)?;
            if !is_header {
                points.push(&record, line, &found)?;
            }
            layout = Some(found);
            continue;
        };
        points.push(&record, line, layout)?;
    }
    let Points { times, values, lines } = points;
    let line_of = |i: usize| lines.get(i).copied().unwrap_or(0);
    check(&times, &values, line_of).map_or(Ok((times, values)), Err)
}

impl Layout {
    /// The layout by the first line, and whether that line is a header.
    fn of(
        record: &csv::StringRecord,
        line: usize,
        unit: &str,
        column: Option<&str>,
    ) -> Result<(Layout, bool), TableError> {
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        // A header has no numbers; a first line with one is a line of values.
        let is_header = !record.iter().any(is_number) && !record.iter().all(str::is_empty);
        let headings: Vec<(&str, Option<&str>)> = record.iter().map(heading).collect();
        let names = || headings.iter().map(|h| shown(h.0)).collect::<Vec<_>>().join(", ");
        let cells = record.len();
        let value = match column {
            Some(name) if is_header => {
                let place = headings.iter().skip(1).position(|h| h.0 == name).map(|i| i + 1);
                place.ok_or_else(|| TableError::NoSuchColumn { name: shown(name), names: names() })?
            }
            Some(name) => {
                return Err(TableError::NoSuchColumn { name: shown(name), names: "not named".to_owned() });
            }
            None if cells > 2 => return Err(TableError::ManyColumns { count: cells, names: names() }),
            None => 1,
        };
        let mut layout = Layout { first: line, cells, value, factors: [None; 2] };
        if is_header {
            if cells < 2 {
                return Err(TableError::Gap { line });
            }
            for (slot, place, expected) in [(0, 0, "s"), (1, value, unit)] {
                let given = headings[place].1;
                let heading = |error| TableError::Heading { line, heading: shown(&record[place]), error };
                layout.factors[slot] =
                    given.map(|given| Conversion::between(given, expected)).transpose().map_err(heading)?;
            }
        }
        Ok((layout, is_header))
    }
}

impl Points {
    fn push(&mut self, record: &csv::StringRecord, line: usize, layout: &Layout) -> Result<(), TableError> {
        if record.len() < 2 {
            return Err(TableError::Gap { line });
        }
        if record.len() != layout.cells {
            let (found, first, expected) = (record.len(), layout.first, layout.cells);
            return Err(TableError::Ragged { line, found, first, expected });
        }
        let number = |place: usize, factor: Option<Conversion>| {
            let cell = &record[place];
            if cell.is_empty() {
                return Err(TableError::Gap { line });
            }
            let number = cell.parse::<f64>().ok().filter(|n| n.is_finite());
            let number = number.ok_or_else(|| TableError::NotANumber { line, cell: shown(cell) })?;
            let value = factor.map_or(number, |f| f.apply(number));
            // Measured and computed tables hold very small numbers for zero, which do no harm.
            if value.abs() <= LARGEST && (value.is_normal() || number == 0.0) {
                Ok(value)
            } else {
                Err(TableError::NotComputable { line, cell: shown(cell) })
            }
        };
        let time = number(0, layout.factors[0])?;
        self.values.push(number(layout.value, layout.factors[1])?);
        self.times.push(time);
        self.lines.push(line);
        Ok(())
    }
}

/// A cell as messages show it.
pub(crate) fn shown(cell: &str) -> String {
    let short: String = cell.chars().filter(|c| !is_hidden(*c)).take(60).collect();
    if short.len() < cell.len() { short + "…" } else { short }
}

/// Name and unit of a heading: `force [kN]`, `force (kN)`, `force_kN`, or `force` alone for SI units.
///
/// What looks like a name with something behind it has a unit, and whoever reads the unit refuses what is none:
/// `time ms` and `force/kN` are not read as a second and a newton.
pub(crate) fn heading(cell: &str) -> (&str, Option<&str>) {
    let cell = cell.trim();
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((name, unit)) = cell.strip_suffix(close).and_then(|c| c.split_once(open)) {
            return (name.trim(), Some(unit.trim()));
        }
    }
    let plain = |c: char| c.is_alphanumeric() || c == '.';
    match cell.rfind(|c: char| !plain(c)) {
        Some(place) if cell[place..].starts_with(['_', '/', ' ']) && place + 1 < cell.len() => {
            (cell[..place].trim_end_matches(['_', '/', ' ']), Some(&cell[place + 1..]))
        }
        // Nothing that could be a unit, and not a name alone either.
        Some(_) => (cell, Some(cell)),
        None => (cell, None),
    }
}

/// What is wrong with the points, if anything.
fn check(times: &[f64], values: &[f64], line_of: impl Fn(usize) -> usize) -> Option<TableError> {
    if times.len() != values.len() {
        return Some(TableError::Lengths { times: times.len(), values: values.len() });
    }
    if times.len() < 2 {
        return Some(TableError::TooShort { count: times.len() });
    }
    let bad = times.windows(2).position(|pair| pair[1] <= pair[0])?;
    Some(TableError::Unsorted { line: line_of(bad + 1), time: times[bad + 1], before: times[bad] })
}

#[cfg(test)]
mod table_tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<f64>, Vec<f64>), TableError> {
        parse(text, "N", None)
    }

    #[test]
    fn units_are_read_in_every_usual_heading() {
        for header in [
            "Time (ms),Force (kN)",
            "Time [ms],Force [kN]",
            "time_ms,Force_kN",
            "t_ms,push_force_kN",
            "time / ms,F / kN",
            "\u{feff}Time (ms),\"Force, measured [kN]\"",
            "# made elsewhere\nTime ms,Force kN",
        ] {
            let (times, values) = read(&format!("{header}\n0,0\n500,2\n")).unwrap();
            assert_eq!((times[1], values[1]), (0.5, 2000.0), "{header}");
        }
        let (times, values) = read("time,block.force\n0,0\n500,2\n").unwrap();
        assert_eq!((times[1], values[1]), (500.0, 2.0));
        assert_eq!(read("0,0\n500,2\n").unwrap().1[1], 2.0);
    }

    #[test]
    fn a_heading_whose_unit_is_none_or_another_is_refused() {
        for header in [
            "Time (fortnights),Force",
            "time_x,Force",
            "time,Force_klbs",
            "time,Force [m]",
            "time,Force (s)",
            "time [],Force",
            "time,Force in kilonewtons",
            "time,Force_",
            "time,Force [kN] raw",
            "time,[kN",
            "time_kN,Force_ms",
        ] {
            let error = read(&format!("{header}\n0,0\n500,2\n")).unwrap_err();
            assert!(matches!(error, TableError::Heading { line: 1, .. }), "{header}: {error}");
        }
    }

    #[test]
    fn of_three_columns_one_is_chosen_by_name() {
        let text = "time [s],force [kN],way [m]\n0,1,2\n1,3,4\n";
        assert!(matches!(read(text), Err(TableError::ManyColumns { count: 3, .. })));
        assert_eq!(parse(text, "N", Some("force")).unwrap().1, [1000.0, 3000.0]);
        assert_eq!(parse(text, "m", Some("way")).unwrap().1, [2.0, 4.0]);
        assert!(matches!(parse(text, "N", Some("time")), Err(TableError::NoSuchColumn { .. })));
        assert!(matches!(parse(text, "N", Some("pull")), Err(TableError::NoSuchColumn { .. })));
        assert!(matches!(parse(text, "N", Some("way")), Err(TableError::Heading { .. })));
        assert!(matches!(parse("0,1,2\n1,2,3\n", "N", Some("way")), Err(TableError::NoSuchColumn { .. })));
        assert!(matches!(read("0,1,2\n1,2,3\n"), Err(TableError::ManyColumns { .. })));
        assert!(matches!(read("0,1\n1,2,3\n"), Err(TableError::Ragged { line: 2, found: 3, .. })));
    }

    #[test]
    fn bad_rows_are_named_by_their_line() {
        for (text, line) in
            [("# one\n\ntime,force\n0,0\n\n# two\n2,1\n1,1\n", 8), ("time,force\n0,0\n0,0\n", 3)]
        {
            let error = read(text).unwrap_err();
            assert!(matches!(error, TableError::Unsorted { line: l, .. } if l == line), "{error}");
        }
        for bad in ["nan", "inf", "-inf", "1e999", "five", "1;2", "0x10"] {
            let error = read(&format!("0,0\n1,{bad}\n")).unwrap_err();
            assert!(matches!(error, TableError::NotANumber { line: 2, .. }), "{error}");
        }
        assert!(matches!(read("0,0\n1,\n"), Err(TableError::Gap { line: 2 })));
        assert!(matches!(read("0;0\n1;2\n"), Err(TableError::Gap { line: 1 })));
        assert!(matches!(read("t,F [kN]\n0,0\n1,1e307\n"), Err(TableError::NotComputable { line: 3, .. })));
        assert!(matches!(read("t [ms],F\n0,0\n1e-307,1\n"), Err(TableError::NotComputable { line: 3, .. })));
        assert!(matches!(read("time,force\n0,0\n"), Err(TableError::TooShort { count: 1 })));
        assert!(matches!(read(""), Err(TableError::TooShort { count: 0 })));
    }
}
