//! A foreign result beside the reference.

use super::coverage::Coverage;
use super::error::BenchmarkError;
use super::sheet::PackSheet;
use bristle_record::{
    Axis, Cell, Dash, Fact, Legend, Line, Plot, PlotGrid, Record, Section, Table, Tone, Verdict,
};
use bristle_scenario::file;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How far one column is off.
#[derive(Clone, Debug, Serialize)]
pub struct Misfit {
    /// The column.
    pub column: String,
    /// Its unit.
    pub unit: String,
    /// At how many times it was compared.
    pub points: usize,
    /// Largest difference.
    pub largest: f64,
    /// When.
    pub at: f64,
    /// Root mean square of the differences.
    pub rms: f64,
    /// Largest difference over the scale of the column; nothing where all columns of its unit stand still.
    pub share: Option<f64>,
    /// How far the reference may be off, where the largest difference lies.
    pub reference_error: f64,
    /// Whether the reference cannot tell it from the true solution, at any of the reference's times.
    pub is_within_reference: bool,
}

/// A foreign result, scored.
#[derive(Clone, Debug)]
pub struct Score {
    /// The problem.
    pub problem: String,
    /// Columns compared.
    pub misfits: Vec<Misfit>,
    /// Columns of the reference that the foreign result does not have.
    pub missing: Vec<String>,
    /// How much of the reference it covers.
    pub coverage: Coverage,
    /// Whether all of it is as good as the reference: every column, at every time.
    pub is_good: bool,
    /// The report.
    pub record: Record,
}

#[derive(Deserialize)]
struct PackDescription {
    name: String,
    title: String,
    columns: Vec<PackColumn>,
}

#[derive(Deserialize)]
struct PackColumn {
    name: String,
    unit: String,
    error: f64,
}

/// Compares a CSV file with the reference of a problem's folder.
///
/// # Errors
/// [`BenchmarkError`] says which file, line or column is not as it should be.
pub fn score(folder: &Path, theirs: &Path) -> Result<Score, BenchmarkError> {
    let described = described(folder)?;
    let wanted: Vec<(&str, &str)> =
        described.columns.iter().map(|c| (c.name.as_str(), c.unit.as_str())).collect();
    let reference = PackSheet::read(&folder.join("reference.csv"), &wanted)?;
    let foreign = PackSheet::read(theirs, &wanted)?;
    let coverage = Coverage::of(&reference, &foreign);
    let (mut misfits, mut missing, mut plots) = (Vec::new(), Vec::new(), Vec::new());
    for column in &described.columns {
        let (Some(ours), Some(other)) = (reference.column(&column.name), foreign.column(&column.name)) else {
            missing.push(column.name.clone());
            continue;
        };
        let pairs = compared(&reference, ours, &foreign, other);
        if pairs.is_empty() {
            return Err(other_times(theirs, &foreign, &reference));
        }
        misfits.push(misfit(column, scale(&described, &reference, column), &pairs, &coverage));
        plots.extend(draw(column, &pairs));
    }
    let is_good =
        coverage.is_complete() && missing.is_empty() && misfits.iter().all(|m| m.is_within_reference);
    let found = Judged { misfits: &misfits, missing: &missing, coverage: &coverage, is_good };
    let record = record(&described, theirs, &found, plots);
    Ok(Score { problem: described.name, misfits, missing, coverage, is_good, record })
}

/// What was found, for the report.
struct Judged<'a> {
    misfits: &'a [Misfit],
    missing: &'a [String],
    coverage: &'a Coverage,
    is_good: bool,
}

/// A column that varies so little against others of its unit stands still, and is measured with theirs.
const STILL: f64 = 1e-6;

/// What the errors of a column are measured with: its own range, or that of the columns of its unit if it stands still.
fn scale(described: &PackDescription, reference: &PackSheet, column: &PackColumn) -> f64 {
    let range = |c: &PackColumn| {
        let values = reference.column(&c.name).unwrap_or(&[]).iter();
        let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(*y), b.max(*y)));
        (ends.1 - ends.0).max(0.0)
    };
    let of_unit = described.columns.iter().filter(|c| c.unit == column.unit).map(range).fold(0.0, f64::max);
    let own = range(column);
    if own > STILL * of_unit { own } else { of_unit }
}

fn other_times(path: &Path, foreign: &PackSheet, reference: &PackSheet) -> BenchmarkError {
    let ends =
        |s: &PackSheet| (s.time.first().copied().unwrap_or(0.0), s.time.last().copied().unwrap_or(0.0));
    let ((from, to), (start, end)) = (ends(foreign), ends(reference));
    BenchmarkError::OtherTimes { path: path.to_owned(), from, to, start, end }
}

fn described(folder: &Path) -> Result<PackDescription, BenchmarkError> {
    let path = folder.join("problem.json");
    if !folder.join("reference.csv").is_file() || !path.is_file() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut problems: Vec<String> = entries
            .filter(|e| e.path().join("reference.csv").is_file())
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        problems.sort();
        return Err(BenchmarkError::NotAProblem { path: folder.to_owned(), problems });
    }
    let unreadable = |reason: String| BenchmarkError::Unreadable { path: path.clone(), reason };
    let text = file::text(&path, file::SCENARIO).map_err(unreadable)?;
    serde_json::from_str(&text).map_err(|e| unreadable(e.to_string()))
}

/// Time, theirs, ours, and how far ours may be off for being read between samples.
fn compared(reference: &PackSheet, ours: &[f64], foreign: &PackSheet, other: &[f64]) -> Vec<[f64; 4]> {
    let rows = foreign.time.iter().zip(other);
    rows.filter_map(|(t, value)| reference.at(ours, *t).map(|(own, doubt)| [*t, *value, own, doubt]))
        .collect()
}

fn misfit(column: &PackColumn, scale: f64, pairs: &[[f64; 4]], coverage: &Coverage) -> Misfit {
    let mut worst = [0.0, f64::NEG_INFINITY, 0.0];
    let mut squares = 0.0;
    // Only a result that has the reference's times can be told from one that is read between samples; rows it has
    // beside them are held against the reading's own doubt.
    let mut is_within = coverage.is_complete();
    for [t, theirs, own, doubt] in pairs {
        let gap = ((theirs - own).abs() - BETWEEN * doubt).max(0.0);
        squares += gap * gap;
        is_within &= gap <= 2.0 * column.error;
        if gap > worst[1] {
            worst = [*t, gap, *doubt];
        }
    }
    Misfit {
        column: column.name.clone(),
        unit: column.unit.clone(),
        points: pairs.len(),
        largest: worst[1],
        at: worst[0],
        rms: (squares / pairs.len() as f64).sqrt(),
        share: (scale > 0.0).then(|| worst[1] / scale),
        reference_error: column.error + worst[2],
        is_within_reference: is_within,
    }
}

/// So many times the distance from cubic to line is not held against a value between the reference's samples, where a
/// switch may have put a corner.
const BETWEEN: f64 = 4.0;

/// The verdict on a column.
fn judged(m: &Misfit, coverage: &Coverage) -> (Verdict, String) {
    if m.is_within_reference {
        (Verdict::Agrees, "as good as the reference".to_owned())
    } else if !coverage.is_whole() || !coverage.is_dense() {
        (Verdict::Differs, "not judged: it does not cover the reference".to_owned())
    } else if m.share.is_some_and(|s| s <= 1e-3) {
        let times = m.largest / m.reference_error.max(1e-300);
        let text = if times > 2.0 {
            format!("{times:.0e} times the reference's error")
        } else {
            "within a thousandth of the range; its times are not the reference's".to_owned()
        };
        (Verdict::Explained, text)
    } else {
        (Verdict::Differs, "more than a thousandth of the range".to_owned())
    }
}

/// Both curves, and their difference.
fn draw(column: &PackColumn, pairs: &[[f64; 4]]) -> [Plot; 2] {
    let pick = |k: usize| -> Vec<f64> { pairs.iter().map(|p| p[k]).collect() };
    let id = column.name.replace('.', "-");
    let axis = || Axis::new("time", "s");
    let mut curves =
        Plot::new(format!("{id}-both"), "", axis(), Axis::new(format!("`{}`", column.name), &column.unit));
    curves.push(Line { colour: "grey".to_owned(), width: 3.0, ..Line::new("reference", pick(0), pick(2)) });
    curves.push(Line { dash: Dash::Dashed, ..Line::new("theirs", pick(0), pick(1)) });
    let gaps: Vec<f64> =
        pairs.iter().map(|p| (p[1] - p[2]).abs()).map(|g| if g > 0.0 { g } else { f64::NAN }).collect();
    let mut gap = Plot::new(format!("{id}-difference"), "", axis(), Axis::log("difference", &column.unit));
    gap.push(Line::new("", pick(0), gaps));
    for plot in [&mut curves, &mut gap] {
        plot.size = [380.0, 220.0];
    }
    gap.legend = Legend::None;
    [curves, gap]
}

fn record(described: &PackDescription, theirs: &Path, found: &Judged, plots: Vec<Plot>) -> Record {
    let file = theirs.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let mut record = Record::new(format!("`{file}` against `{}`", described.name));
    record.summary = described.title.clone();
    let columns = [
        ("column", ""),
        ("unit", ""),
        ("times", ""),
        ("largest error", ""),
        ("at", "s"),
        ("RMS error", ""),
        ("of the range", ""),
        ("reference known to", ""),
        ("verdict", ""),
    ];
    let mut table = Table::new("Errors", &columns);
    let number = |value: f64| Cell::Number { value, digits: 3 };
    for m in found.misfits {
        let (verdict, text) = judged(m, found.coverage);
        table.row([
            format!("`{}`", m.column).into(),
            m.unit.as_str().into(),
            m.points.to_string().into(),
            number(m.largest),
            number(m.at),
            number(m.rms),
            m.share.map_or_else(|| "–".into(), number),
            number(m.reference_error),
            Cell::Verdict { verdict, text },
        ]);
    }
    record.facts.extend(facts(found));
    record.section("Errors").push(table);
    let grid = PlotGrid {
        id: "score".to_owned(),
        title: String::new(),
        caption: "Left: both results. Right: the size of their difference.".to_owned(),
        columns: 2,
        plots,
        is_x_shared: false,
        is_legend_shared: false,
    };
    record.sections.push(Section { heading: "Curves".to_owned(), blocks: vec![grid.into()] });
    record
}

/// The largest error against its scale, and all that keeps the result from a tick.
fn facts(found: &Judged) -> Vec<Fact> {
    let mut facts = Vec::new();
    let verdicts: Vec<Verdict> = found.misfits.iter().map(|m| judged(m, found.coverage).0).collect();
    let tone = if found.is_good {
        Tone::Good
    } else if verdicts.iter().any(|v| matches!(v, Verdict::Differs)) {
        Tone::Bad
    } else {
        Tone::Warn
    };
    // A column that stands still in the reference is worse than any share if it moves.
    let size = |m: &Misfit| m.share.unwrap_or(if m.is_within_reference { 0.0 } else { f64::INFINITY });
    if let Some(worst) = found.misfits.iter().max_by(|a, b| size(a).total_cmp(&size(b))) {
        let share = worst.share.map_or_else(String::new, |s| format!(", {s:.1e} of its range"));
        let words =
            format!("{:.3e} {} in `{}` at {} s{share}", worst.largest, worst.unit, worst.column, worst.at);
        facts.push(Fact::verdict("largest error", words, tone));
    }
    if let Some(words) = found.coverage.shortfall() {
        let is_judged = found.coverage.is_whole() && found.coverage.is_dense();
        facts.push(Fact::verdict("times", words, if is_judged { Tone::Warn } else { Tone::Bad }));
    }
    if !found.missing.is_empty() {
        facts.push(Fact::verdict("not compared", found.missing.join(", "), Tone::Warn));
    }
    facts
}
