//! Eight friction laws in three mechanisms: a belt, a stack and a block that is shaken below its static friction.

mod cost;
mod experiments;
mod figures;
mod measure;
mod report;

use super::{CaseOutcome, compare_cells};
use bristle_certify::pennestri2016::{PRESLIDING, Reading};
use bristle_core::Card;
use bristle_law::LawKind;
use bristle_solve::Method;
use bristle_solve::Progress;
use bristle_study::Answer;
use bristle_study::RunError;
use bristle_study::advise::features;
use bristle_study::studies::work_precision::compared;
use experiments::PublishedExperiment;
use measure::MeasuredNumbers;
use rayon::prelude::*;

/// Every number of the paper beside an independent recomputation.
const PUBLISHED: &str = include_str!("published.toml");

/// Pennestrì, Rossi, Salvini & Valentini 2016: eight laws compared in accuracy, cost and features.
///
/// Rabinowicz's belt against its closed form, three stacked bodies solved exactly with every contact, and drift
/// below its static friction; each law in each of the ways the paper can be read.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "pennestri2016", cite = "pennestri2016")]
pub struct Pennestri2016;

pub(super) fn reproduce(progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
    let mut numbers = MeasuredNumbers::default();
    progress.begin("belt");
    let belt = measure::runs(PublishedExperiment::Belt, &Reading::ALL)?;
    measure::belt(&belt, &mut numbers)?;
    went_on(progress.at(0.25))?;
    progress.begin("stack");
    let single = |r: &&Reading| !matches!(r, Reading::KarnoppCoast | Reading::KarnoppLiteral);
    let readings: Vec<Reading> = Reading::ALL.iter().filter(single).copied().collect();
    let stack = measure::runs(PublishedExperiment::Stack, &readings)?;
    measure::stack(&stack, &mut numbers)?;
    went_on(progress.at(0.45))?;
    progress.begin("pre-sliding");
    let presliding = measure::runs(PublishedExperiment::Presliding, &Reading::ALL)?;
    measure::presliding(&presliding, &mut numbers)?;
    went_on(progress.at(0.6))?;
    progress.begin("features");
    let probe = |reading: &Reading| {
        let levels = (PRESLIDING.f_d, PRESLIDING.f_s);
        Ok((*reading, features::measure(&reading.spec(&PRESLIDING), Some(levels), f64::NAN)?))
    };
    let found: Result<Vec<_>, RunError> = Reading::LAWS.par_iter().map(probe).collect();
    let found = found?;
    measure::features(&found, &mut numbers);
    went_on(progress.at(0.7))?;
    progress.begin("cost");
    let costs = cost::measure()?;
    measure::costs(&costs, &mut numbers);
    went_on(progress.at(0.95))?;
    progress.begin("work and precision");
    let work = work_precision(progress)?;
    let cells = compare_cells("pennestri2016", PUBLISHED, &numbers.0)?;
    let sources = report::ReportSources {
        belt: &belt,
        stack: &stack,
        presliding: &presliding,
        features: &found,
        costs: &costs,
        numbers: &numbers,
        cells: &cells,
    };
    let mut record = report::record(&sources);
    record.facts.extend(work.facts);
    record.sections.extend(work.sections);
    Ok(CaseOutcome { record, data: report::data(&belt), cells })
}

/// Every method on the belt under a bristle law, a static law and a bristle law of second order.
fn work_precision(progress: &mut dyn Progress) -> Result<Answer, RunError> {
    let belt = PublishedExperiment::Belt.under(Reading::LuGre)?;
    let mut variants = Vec::new();
    for law in [LawKind::LuGre, LawKind::VelocityBased, LawKind::FrDyn2] {
        let name = law.card().name.to_owned();
        variants.push((name, belt.with_law(law)?));
    }
    // Half decades: between two runs the curves are read off by a straight line.
    let tolerances: Vec<f64> = (6..=20).map(|k| 10f64.powf(-0.5 * f64::from(k))).collect();
    compared(&variants, Method::ALL, &tolerances, 50.0, 1e-6, "belt", progress)
}

/// Stops between the experiments if the caller cancels.
fn went_on(goes_on: bool) -> Result<(), RunError> {
    if goes_on { Ok(()) } else { Err(RunError::Stopped) }
}
