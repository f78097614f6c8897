//! A block on a moving belt with LuGre friction and with a dwell time: stability, onset, stick–slip.

mod figures;
mod global;
mod linear;
mod model;
mod motion;
mod report;

use super::{CaseOutcome, compare_cells};
use bristle_core::Card;
use bristle_solve::Progress;
use bristle_study::RunError;
use model::{HieuModel, HieuNumbers};

/// Every number of the paper beside an independent recomputation.
const PUBLISHED: &str = include_str!("published.toml");

/// Hieu & Chung 2021: stability and stick–slip of a block on a belt under two-state friction with dwell time.
///
/// Table 2 for the printed stiffness and for the one that fits it, every other number of section 3, Figures 2–17
/// as ours, and what the paper could not see: a subcritical onset, a bistable band, chaos at low speed.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "hieu2021", cite = "hieu2021")]
pub struct Hieu2021;

pub(super) fn reproduce(progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
    let models = HieuModel::both()?;
    let mut numbers = HieuNumbers::default();
    progress.begin("stability");
    let linear = linear::compute(&models, &mut numbers)?;
    if !progress.at(1.0) {
        return Err(RunError::Stopped);
    }
    progress.begin("motions");
    let motion = motion::compute(&models, &mut numbers, progress)?;
    progress.begin("cycles and attractors");
    let global = global::compute(&models, &mut numbers)?;
    progress.at(1.0);
    let cells = compare_cells("hieu2021", PUBLISHED, &numbers.0)?;
    let sources = report::Sources {
        models: &models,
        linear: &linear,
        motion: &motion,
        global: &global,
        numbers: &numbers,
        cells: &cells,
    };
    let record = report::record(&sources)?;
    let data = motion.runs[0].clone();
    Ok(CaseOutcome { record, cells, data })
}
