//! What each law costs by class of solver and tolerance, with wrong answers found out.

use super::experiments::PublishedExperiment;
use crate::cases::CellComparison;
use bristle_certify::pennestri2016::Reading;
use bristle_record::{Cell, Section, Table, Verdict};
use bristle_solve::Method;
use bristle_study::RunError;
use bristle_study::studies::work_precision::{Benchmark, Trial};
use rayon::prelude::*;

/// A class of solvers, with the member of ours and of the paper.
pub(super) struct Class {
    pub id: &'static str,
    pub label: &'static str,
    pub method: &'static str,
}

pub(super) const CLASSES: [Class; 4] = [
    Class { id: "rk", label: "explicit Runge–Kutta (ode45 | dopri5)", method: "dopri5" },
    Class { id: "adams", label: "Adams (ode113 | adams)", method: "adams" },
    Class { id: "stiff", label: "stiff multistep (ode15s | bdf)", method: "bdf" },
    Class { id: "auto", label: "our default (auto)", method: "auto" },
];

/// Tolerances as the tables write them.
pub(super) const TOLERANCES: [(&str, f64); 3] = [("1e-4", 1e-4), ("1e-6", 1e-6), ("1e-8", 1e-8)];

/// One run of the cost tables.
pub(super) struct CostRun {
    pub experiment: PublishedExperiment,
    pub reading: Reading,
    pub class: usize,
    pub tolerance: usize,
    pub trial: Trial,
}

/// The reading of a law that can be run in this experiment: a coasting contact has no meaning among several.
fn reading_in(experiment: PublishedExperiment, reading: Reading) -> Reading {
    match (experiment, reading) {
        (PublishedExperiment::Stack, Reading::KarnoppCoast) => Reading::KarnoppReset,
        _ => reading,
    }
}

/// Runs all classes, tolerances and laws of all experiments. The order of the result does not depend on threads.
pub(super) fn measure() -> Result<Vec<CostRun>, RunError> {
    let pairs: Vec<(PublishedExperiment, Reading)> = PublishedExperiment::ALL
        .iter()
        .flat_map(|e| Reading::EIGHT.map(|r| (*e, reading_in(*e, r))))
        .collect();
    let of_pair = |(experiment, reading): &(PublishedExperiment, Reading)| -> Result<Vec<CostRun>, RunError> {
        let scenario = experiment.under(*reading)?;
        let error = |source| RunError::Solve { study: reading.id().to_owned(), source };
        let benchmark = Benchmark::new(&scenario.system, experiment.duration()).map_err(error)?;
        let runs: Vec<(usize, usize)> =
            (0..CLASSES.len()).flat_map(|c| (0..TOLERANCES.len()).map(move |t| (c, t))).collect();
        let cost = |&(class, tolerance): &(usize, usize)| {
            let method = Method::named(CLASSES[class].method)?;
            let trial = benchmark.trial(method, TOLERANCES[tolerance].1);
            Some(CostRun { experiment: *experiment, reading: *reading, class, tolerance, trial })
        };
        Ok(runs.par_iter().filter_map(cost).collect())
    };
    let all: Result<Vec<Vec<CostRun>>, RunError> = pairs.par_iter().map(of_pair).collect();
    Ok(all?.into_iter().flatten().collect())
}

/// The largest work among right and wrong answers of the published classes, which counts as 100.
pub(super) fn largest(costs: &[CostRun], experiment: PublishedExperiment) -> f64 {
    let of_paper = costs.iter().filter(|c| c.experiment == experiment && CLASSES[c.class].id != "auto");
    of_paper.map(|c| c.trial.work as f64).fold(1.0, f64::max)
}

/// The share in the paper's table beside ours, if the paper prints one.
fn published<'a>(
    cells: &'a [CellComparison],
    table: &str,
    law: &str,
    class: &str,
    tolerance: &str,
) -> Option<&'a CellComparison> {
    let id = format!("{table}.{law}.{class}.{tolerance}");
    cells.iter().find(|c| c.id == id)
}

/// The paper's cost tables beside ours.
pub(super) fn section(costs: &[CostRun], cells: &[CellComparison]) -> Section {
    let mut section = Section { heading: "Cost (Tables 3, 6 and 7)".to_owned(), blocks: Vec::new() };
    section.push(bristle_record::Block::paragraph(
        "The paper gives seconds of an interpreted program as percentages of the slowest entry; ours are rate \
         evaluations, a Jacobian counting as one per state, as percentages of the dearest entry of the same three \
         classes. × marks a run that ended more than 1 % of the motion off the reference, ! one that did not end. \
         Every run locates its switches and stops at the corners of the load, which is why no multistep method \
         jumps over the 2 N pulse or over Karnopp's break-away here.",
    ));
    for experiment in PublishedExperiment::ALL {
        section.push(shares(costs, cells, experiment));
    }
    for experiment in PublishedExperiment::ALL {
        section.push(counts(costs, experiment));
    }
    section
}

pub(super) fn table_number(experiment: PublishedExperiment) -> &'static str {
    match experiment {
        PublishedExperiment::Belt => "table3",
        PublishedExperiment::Stack => "table6",
        PublishedExperiment::Presliding => "table7",
    }
}

/// One run, if its class is in this build.
fn find(costs: &[CostRun], at: (PublishedExperiment, Reading, usize, usize)) -> Option<&CostRun> {
    let (experiment, reading, class, tolerance) = at;
    costs.iter().find(|c| {
        c.experiment == experiment && c.reading == reading && c.class == class && c.tolerance == tolerance
    })
}

fn shares(costs: &[CostRun], cells: &[CellComparison], experiment: PublishedExperiment) -> Table {
    let table_id = table_number(experiment);
    let caption = format!(
        "Table {}, {}: share of the dearest entry in %, at 1e-4, 1e-6 and 1e-8; published | ours",
        table_id.trim_start_matches("table"),
        experiment.label()
    );
    let mut columns = vec![("law", "")];
    columns.extend(CLASSES.iter().map(|c| (c.label, "")));
    columns.push(("verdict", ""));
    let mut table = Table::new(caption, &columns);
    let most = largest(costs, experiment);
    for reading in Reading::EIGHT.map(|r| reading_in(experiment, r)) {
        let law = reading.law().card().name;
        let mut row: Vec<Cell> = vec![reading.label().into()];
        let mut is_near = Some(true);
        for (class, about) in CLASSES.iter().enumerate() {
            let mut printed = Vec::new();
            let mut ours = Vec::new();
            for (place, (name, _)) in TOLERANCES.iter().enumerate() {
                let share = find(costs, (experiment, reading, class, place))
                    .map(|c| (100.0 * c.trial.work as f64 / most, c.trial.flag().replace('x', "×")));
                let paper = published(cells, table_id, law, about.id, name);
                if about.id != "auto" {
                    printed.push(paper.map_or_else(|| "–".to_owned(), |p| p.published.clone()));
                }
                ours.push(share.as_ref().map_or_else(|| "–".to_owned(), |(s, f)| format!("{}{f}", few(*s))));
                if let (Some(paper), Some((_, flag))) = (paper, share) {
                    let near = paper.verdict == Verdict::Comparable;
                    is_near = is_near.map(|so_far| so_far && near && flag.is_empty());
                } else if about.id != "auto" {
                    is_near = is_near.filter(|so_far| !so_far);
                }
            }
            row.push(if about.id == "auto" {
                ours.join(" ").into()
            } else {
                format!("{} | {}", printed.join(" "), ours.join(" ")).into()
            });
        }
        row.push(match is_near {
            Some(true) => Verdict::Comparable.into(),
            Some(false) => Verdict::Explained.into(),
            None => Verdict::Unknown.into(),
        });
        table.row(row);
    }
    table
}

/// A share in as few digits as tell it apart.
fn few(share: f64) -> String {
    if share >= 10.0 { format!("{share:.0}") } else { format!("{share:.1}") }
}

fn counts(costs: &[CostRun], experiment: PublishedExperiment) -> Table {
    let caption = format!("Rate evaluations, {}, at 1e-4, 1e-6 and 1e-8", experiment.label());
    let mut columns = vec![("law", "")];
    columns.extend(CLASSES.iter().map(|c| (c.method, "")));
    let mut table = Table::new(caption, &columns);
    for reading in Reading::EIGHT.map(|r| reading_in(experiment, r)) {
        let mut row: Vec<Cell> = vec![reading.label().into()];
        for class in 0..CLASSES.len() {
            let one = |t: usize| {
                find(costs, (experiment, reading, class, t)).map_or_else(
                    || "–".to_owned(),
                    |c| format!("{}{}", c.trial.work, c.trial.flag().replace('x', "×")),
                )
            };
            row.push(format!("{} {} {}", one(0), one(1), one(2)).into());
        }
        table.row(row);
    }
    table
}
