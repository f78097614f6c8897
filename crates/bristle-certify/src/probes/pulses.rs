//! Many pulses below the static level: does the block walk?

use super::hold::LIGHT;
use crate::CertifyError;
use crate::bench::{BlockFate, LawBench, polyline};
use serde::Serialize;

/// How many pulses, each of a second: up, on, down, off.
const COUNT: usize = 40;

/// What pulses do to the block.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Walk {
    /// How far a pulse carries it, m: the mean of the last twenty of forty.
    PerPulse(f64),
    /// It broke away in this pulse.
    BrokeAwayInPulse(usize),
}

/// What many pulses do to the block.
#[derive(Clone, Debug, Serialize)]
pub struct Pulses {
    /// Pulses of half the static level.
    pub half: Walk,
    /// Pulses of nine tenths of it.
    pub high: Walk,
    /// Places after each pulse of nine tenths; empty if the block broke away.
    #[serde(skip)]
    pub path: Vec<f64>,
}

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Pulses, CertifyError> {
    let (half, _) = walk(bench, 0.5 * breaking)?;
    let (high, path) = walk(bench, 0.9 * breaking)?;
    Ok(Pulses { half, high, path })
}

fn walk(bench: &LawBench, force: f64) -> Result<(Walk, Vec<f64>), CertifyError> {
    let mut points = Vec::new();
    for i in 0..COUNT {
        let t = i as f64;
        points.extend([(t, 0.0), (t + 0.2, force), (t + 0.4, force), (t + 0.6, 0.0)]);
    }
    let system = bench.pushed(LIGHT * bench.mass, vec![("pulses", polyline(&points))])?;
    let ends: Vec<f64> = (1..=COUNT).map(|i| i as f64 - 1e-3).collect();
    Ok(match bench.places(&system, &ends, &bench.solver())? {
        BlockFate::BrokeAway(t) => (Walk::BrokeAwayInPulse(1 + t as usize), Vec::new()),
        BlockFate::Stayed(x) => (Walk::PerPulse((x[COUNT - 1] - x[COUNT / 2 - 1]) / (COUNT / 2) as f64), x),
    })
}
