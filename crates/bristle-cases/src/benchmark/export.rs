//! The pack as files.

use super::problem::{PackProblem, Solution, problems, solve};
use bristle_record::{
    Axis, Block, Cell, ExtraFile, Line, Plot, PlotGrid, Record, RecordError, Section, Table, render,
};
use bristle_solve::Dynamics;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::Scenario;
use serde_json::{Value, json};
use std::path::Path;

/// A pack ready to be written.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The overview.
    pub record: Record,
    /// A folder per problem.
    pub files: Vec<ExtraFile>,
}

/// Solves every problem and lays out the pack.
///
/// # Errors
/// [`RunError`] names the problem that could not be solved.
pub fn export(progress: &mut dyn Progress) -> Result<Pack, RunError> {
    let mut record = Record::new("A benchmark of friction in motion");
    record.summary =
        "Test problems with parameters, reference solutions and estimates of their errors, for anyone with \
                      another simulator."
            .to_owned();
    let columns = ["problem", "what", "duration", "samples", "reference", "known to"];
    let mut table = Table::new("Problems", &columns.map(|c| (c, "")));
    let (mut files, mut sections) = (vec![ExtraFile::text("README.md", README)], Vec::new());
    for problem in problems() {
        progress.begin(problem.name);
        let solution = solve(problem, progress)?;
        files.extend(folder(problem, &solution)?);
        sections.push(drawn(problem, &solution));
        let worst = solution.errors.iter().copied().fold(0.0, f64::max);
        table.row([
            format!("`{}`", problem.name).into(),
            problem.title.into(),
            format!("{} s", problem.duration).into(),
            solution.data.columns[0].values.len().to_string().into(),
            solution.basis.into(),
            Cell::Number { value: worst, digits: 2 },
        ]);
    }
    record.section("Problems").push(table);
    record.section("Problems").push(Block::paragraph(
        "Each folder holds `README.md` (equations, numbers and what to compare), `problem.json` (the same for programs), \
         `reference.csv` and `scenario.toml`. Solve a problem with your own program, write a CSV file with a column `time` and \
         columns named as in `reference.csv`, and ask `bristle bench score DIR/problem --theirs FILE.csv`.",
    ));
    record.sections.extend(sections);
    Ok(Pack { record, files })
}

const README: &str = "# A benchmark of friction in motion

One folder per problem:

- `README.md`: equations, numbers, start and what to compare,
- `problem.json`: all numbers in SI units, for programs,
- `reference.csv`: the reference solution; `error` in `problem.json` says how far each column may be off,
- `scenario.toml`: the problem as bristle reads it.

Write a CSV file with a column `time` (s) and the reference's columns in SI units, or with their units in brackets in the
heading, at the reference's times; rows at other times may stand between them, two of one time for the sides of an event.
Then

    bristle bench score DIR/belt --theirs mine.csv

tells the largest and the mean error of every column, when it occurs, and how it compares with the reference's own.
";

fn folder(problem: &PackProblem, solution: &Solution) -> Result<Vec<ExtraFile>, RecordError> {
    let name = |file: &str| format!("{}/{file}", problem.name);
    let text = serde_json::to_string_pretty(&described(problem, solution))?;
    Ok(vec![
        ExtraFile::text(name("README.md"), page(problem, solution)),
        ExtraFile::text(name("problem.json"), text + "\n"),
        ExtraFile::text(name("reference.csv"), render::csv::table(&solution.data)?),
        ExtraFile::text(name("scenario.toml"), problem.scenario),
    ])
}

/// The problem for programs.
fn described(problem: &PackProblem, solution: &Solution) -> Value {
    let columns: Vec<Value> = solution.data.columns[1..]
        .iter()
        .zip(&solution.errors)
        .map(|(c, error)| json!({ "name": c.name, "unit": c.unit, "error": error }))
        .collect();
    let mut parameters = serde_json::Map::new();
    if let Ok(scenario) = Scenario::from_text(problem.scenario, problem.name, Path::new(".")) {
        for (card, value) in scenario.system.param_cards().iter().zip(scenario.system.params()) {
            if value.is_finite() {
                parameters.insert(card.path.clone(), json!({ "value": value, "unit": card.unit }));
            }
        }
    }
    json!({
        "name": problem.name,
        "title": problem.title,
        "duration": problem.duration,
        "step": problem.step,
        "basis": solution.basis,
        "columns": columns,
        "parameters": parameters,
    })
}

fn page(problem: &PackProblem, solution: &Solution) -> String {
    let mut table = Table::new("", &[("column", ""), ("unit", ""), ("known to", ""), ("at the end", "")]);
    for (column, error) in solution.data.columns[1..].iter().zip(&solution.errors) {
        let end = column.values.last().copied().unwrap_or(f64::NAN);
        table.row([
            format!("`{}`", column.name).into(),
            column.unit.as_str().into(),
            format!("{error:.1e}").into(),
            format!("{end:.12}").into(),
        ]);
    }
    format!(
        "# {}\n\n{}\n## What to compare\n\n{} s, sampled every {} s. Reference: {}.\n\n{}",
        problem.title,
        problem.about,
        problem.duration,
        problem.step,
        solution.basis,
        render::markdown::table(&table),
    )
}

/// The reference as a figure.
fn drawn(problem: &PackProblem, solution: &Solution) -> Section {
    let time = &solution.data.columns[0].values;
    let plots = solution.data.columns[1..].iter().take(3).map(|column| {
        let id = format!("{}-{}", problem.name, column.name.replace('.', "-"));
        let mut plot = Plot::new(
            id,
            "",
            Axis::new("time", "s"),
            Axis::new(format!("`{}`", column.name), column.unit.as_str()),
        );
        plot.size = [250.0, 170.0];
        plot.push(Line::new("", time.clone(), column.values.clone()));
        plot
    });
    let grid = PlotGrid {
        id: format!("reference-{}", problem.name),
        title: String::new(),
        caption: format!("{}: the reference.", problem.title),
        columns: 3,
        plots: plots.collect(),
        is_x_shared: false,
        is_legend_shared: false,
    };
    Section { heading: format!("`{}`", problem.name), blocks: vec![grid.into()] }
}
