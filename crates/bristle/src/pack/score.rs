//! A foreign result beside the reference.

use super::error::PackError;
use super::sheet::Sheet;
use bristle_record::{
    Axis, Cell, Dash, Fact, Legend, Line, Plot, PlotGrid, Record, Section, Table, Tone, Verdict,
};
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
    /// Largest difference over the range of the reference; nothing for a column that does not vary.
    pub share: Option<f64>,
    /// How far the reference may be off, where the largest difference lies.
    pub reference_error: f64,
    /// Whether the reference cannot tell it from the true solution.
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
    /// The report.
    pub record: Record,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    title: String,
    columns: Vec<Column>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
    unit: String,
    error: f64,
}

/// Compares a CSV file with the reference of a problem's folder.
///
/// # Errors
/// [`PackError`] says which file, line or column is not as it should be.
pub fn score(folder: &Path, theirs: &Path) -> Result<Score, PackError> {
    let described = described(folder)?;
    let reference = Sheet::read(&folder.join("reference.csv"))?;
    let foreign = Sheet::read(theirs)?;
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
        misfits.push(misfit(column, ours, &pairs));
        plots.extend(draw(column, &pairs));
    }
    if misfits.is_empty() {
        let names = |sheet: &Sheet| sheet.columns.iter().map(|c| c.0.as_str()).collect::<Vec<_>>().join(", ");
        let (wanted, found) = (names(&reference), names(&foreign));
        return Err(PackError::NothingShared { path: theirs.to_owned(), wanted, found });
    }
    let record = record(&described, theirs, &misfits, &missing, plots);
    Ok(Score { problem: described.name, misfits, missing, record })
}

fn other_times(path: &Path, foreign: &Sheet, reference: &Sheet) -> PackError {
    let ends = |s: &Sheet| (s.time.first().copied().unwrap_or(0.0), s.time.last().copied().unwrap_or(0.0));
    let ((from, to), (start, end)) = (ends(foreign), ends(reference));
    PackError::OtherTimes { path: path.to_owned(), from, to, start, end }
}

fn described(folder: &Path) -> Result<Described, PackError> {
    let path = folder.join("problem.json");
    if !folder.join("reference.csv").is_file() || !path.is_file() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut problems: Vec<String> = entries
            .filter(|e| e.path().join("reference.csv").is_file())
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        problems.sort();
        return Err(PackError::NotAProblem { path: folder.to_owned(), problems });
    }
    let unreadable = |reason: String| PackError::Unreadable { path: path.clone(), reason };
    let text = std::fs::read_to_string(&path).map_err(|e| unreadable(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| unreadable(e.to_string()))
}

/// Time, theirs, ours, and how far ours may be off for being read between samples.
fn compared(reference: &Sheet, ours: &[f64], foreign: &Sheet, other: &[f64]) -> Vec<[f64; 4]> {
    let rows = foreign.time.iter().zip(other);
    rows.filter_map(|(t, value)| reference.at(ours, *t).map(|(own, doubt)| [*t, *value, own, doubt]))
        .collect()
}

fn misfit(column: &Column, ours: &[f64], pairs: &[[f64; 4]]) -> Misfit {
    let mut worst = [0.0, f64::NEG_INFINITY, 0.0];
    let mut squares = 0.0;
    for [t, theirs, own, doubt] in pairs {
        let gap = (theirs - own).abs();
        squares += gap * gap;
        if gap > worst[1] {
            worst = [*t, gap, *doubt];
        }
    }
    let ends = ours.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(*y), b.max(*y)));
    let range = ends.1 - ends.0;
    let reference_error = column.error + worst[2];
    Misfit {
        column: column.name.clone(),
        unit: column.unit.clone(),
        points: pairs.len(),
        largest: worst[1],
        at: worst[0],
        rms: (squares / pairs.len() as f64).sqrt(),
        share: (range > 0.0).then(|| worst[1] / range),
        reference_error,
        is_within_reference: worst[1] <= 2.0 * reference_error,
    }
}

/// Both curves, and their difference.
fn draw(column: &Column, pairs: &[[f64; 4]]) -> [Plot; 2] {
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

fn record(
    described: &Described,
    theirs: &Path,
    misfits: &[Misfit],
    missing: &[String],
    plots: Vec<Plot>,
) -> Record {
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
    for m in misfits {
        let (verdict, text) = if m.is_within_reference {
            (Verdict::Agrees, "as good as the reference".to_owned())
        } else if m.share.is_some_and(|s| s <= 1e-3) {
            (
                Verdict::Explained,
                format!("{:.0e} times the reference's error", m.largest / m.reference_error.max(1e-300)),
            )
        } else {
            (Verdict::Differs, "more than a thousandth of the range".to_owned())
        };
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
    if let Some(worst) =
        misfits.iter().max_by(|a, b| a.share.unwrap_or(0.0).total_cmp(&b.share.unwrap_or(0.0)))
    {
        let tone = if worst.is_within_reference { Tone::Good } else { Tone::Warn };
        let words = format!("{:.3e} {} in `{}` at {} s", worst.largest, worst.unit, worst.column, worst.at);
        record.facts.push(Fact::verdict("largest error", words, tone));
    }
    if !missing.is_empty() {
        record.facts.push(Fact::verdict("not compared", missing.join(", "), Tone::Warn));
    }
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
