//! Many pulses below the static level: does the block walk?

use crate::certify::bench::{Bench, polyline};
use crate::error::RunError;
use serde::Serialize;

/// How many pulses, each of a second: up, on, down, off.
const COUNT: usize = 40;

/// How far a pulse carries the block, the mean of the last twenty of forty.
#[derive(Clone, Debug, Serialize)]
pub struct Pulses {
    /// Under pulses of half the static level, m per pulse.
    pub half: f64,
    /// Under pulses of nine tenths of it, m per pulse.
    pub high: f64,
    /// Places after each pulse of nine tenths.
    #[serde(skip)]
    pub path: Vec<f64>,
}

pub(crate) fn measure(bench: &Bench, breaking: f64) -> Result<Pulses, RunError> {
    let half = walk(bench, 0.5 * breaking)?;
    let high = walk(bench, 0.9 * breaking)?;
    Ok(Pulses { half: per_pulse(&half), high: per_pulse(&high), path: high })
}

fn per_pulse(path: &[f64]) -> f64 {
    (path[COUNT - 1] - path[COUNT / 2 - 1]) / (COUNT / 2) as f64
}

fn walk(bench: &Bench, force: f64) -> Result<Vec<f64>, RunError> {
    let mut points = Vec::new();
    for i in 0..COUNT {
        let t = i as f64;
        points.extend([(t, 0.0), (t + 0.2, force), (t + 0.4, force), (t + 0.6, 0.0)]);
    }
    let system = bench.pushed(1e-3 * bench.mass, vec![("pulses", polyline(&points))])?;
    let ends: Vec<f64> = (1..=COUNT).map(|i| i as f64 - 1e-3).collect();
    bench.places(&system, &ends, &bench.solver())
}
