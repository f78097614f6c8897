//! The points of a polyline: written in place, or read from a CSV file.

use super::error::{Problem, ScenarioError, TableFault};
use super::read::Reader;
use bristle_core::units;
use bristle_mech::Spec;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Fills in the points from the file, if one is named, and checks them.
pub(super) fn complete(
    reader: &Reader,
    table: &DeTable,
    whole: &Spanned<DeValue>,
    unit: &str,
    spec: &mut Spec,
) -> Result<(), ScenarioError> {
    let in_place = !spec.list("times").is_empty();
    let file = spec.named("file").first().cloned();
    let Some(file) = file else {
        if !in_place {
            let problem =
                Problem::MissingKey { owner: "signal `polyline`".to_owned(), key: "times".to_owned() };
            return Err(reader
                .error(problem)
                .at(whole.span())
                .hint("give `times` and `values`, or a `file`"));
        }
        let fault = check(spec.list("times"), spec.list("values"), 0);
        return fault.map_or(Ok(()), |fault| {
            let problem = Problem::Table { path: "points in place".to_owned(), fault };
            Err(reader.error(problem).at(reader.span_of(table, &["times"])))
        });
    };
    let span = reader.span_of(table, &["file"]);
    let fail = |fault| {
        let problem = Problem::Table { path: file.clone(), fault };
        reader
            .error(problem)
            .at(span.clone())
            .hint("a table is a CSV file with two columns, rising times and values; a header such as `time [s], force [N]` gives units")
    };
    let path = reader.folder.join(&file);
    let text = std::fs::read_to_string(&path)
        .map_err(|e| fail(TableFault::Unreadable { reason: super::reason(&e) }))?;
    let (times, values) = parse(&text, unit).map_err(fail)?;
    spec.lists.retain(|(name, _)| name != "times" && name != "values");
    spec.lists.push(("times".to_owned(), times));
    spec.lists.push(("values".to_owned(), values));
    Ok(())
}

/// Two columns of numbers under an optional header with units.
fn parse(text: &str, unit: &str) -> Result<(Vec<f64>, Vec<f64>), TableFault> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut factors = [1.0, 1.0];
    let mut first_line = 1;
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|e| TableFault::Unreadable { reason: e.to_string() })?;
        let line = record.position().map_or(row + 1, |p| p.line() as usize);
        if record.len() < 2 || record.iter().take(2).any(str::is_empty) {
            return Err(TableFault::Gap { line });
        }
        let cells = [&record[0], &record[1]];
        let numbers = cells.map(|cell| cell.parse::<f64>().ok().filter(|n| n.is_finite()));
        match numbers {
            [Some(t), Some(v)] => {
                times.push(t * factors[0]);
                values.push(v * factors[1]);
            }
            _ if row == 0 => {
                first_line = line + 1;
                for (factor, (cell, unit)) in factors.iter_mut().zip(cells.into_iter().zip(["s", unit])) {
                    *factor = header_factor(cell, unit)
                        .ok_or_else(|| TableFault::NotANumber { line, cell: cell.to_owned() })?;
                }
            }
            [t, _] => {
                let cell = if t.is_none() { cells[0] } else { cells[1] };
                return Err(TableFault::NotANumber { line, cell: cell.to_owned() });
            }
        }
    }
    check(&times, &values, first_line).map_or(Ok((times, values)), Err)
}

/// `force [kN]` → 1000; a header without a unit is SI; a number is no header.
fn header_factor(cell: &str, unit: &str) -> Option<f64> {
    if cell.parse::<f64>().is_ok() {
        return None;
    }
    match cell.split_once('[').and_then(|(_, rest)| rest.split_once(']')) {
        Some((given, _)) => units::parse(&format!("1 {given}"), unit).ok(),
        None => Some(1.0),
    }
}

/// What is wrong with the points, if anything.
fn check(times: &[f64], values: &[f64], first_line: usize) -> Option<TableFault> {
    if times.len() != values.len() {
        return Some(TableFault::Lengths { times: times.len(), values: values.len() });
    }
    if times.len() < 2 {
        return Some(TableFault::TooShort { count: times.len() });
    }
    let bad = times.windows(2).position(|pair| pair[1] <= pair[0])?;
    Some(TableFault::Unsorted { line: first_line + bad + 1, time: times[bad + 1], before: times[bad] })
}
