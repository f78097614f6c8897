//! Frictional lag: the force while speeding up against the force while slowing down.

use crate::CertifyError;
use crate::bench::LawBench;
use crate::slide::SlipHistory;
use serde::Serialize;
use std::f64::consts::TAU;

/// Cycles per second of a slip rate that swings between 1 and 9 mm/s.
pub const FREQUENCIES: [f64; 3] = [1.0, 10.0, 100.0];

const MEAN: f64 = 5e-3;
const SWING: f64 = 4e-3;
const CYCLES: f64 = 5.0;

/// The width of the loop of force over slip rate.
#[derive(Clone, Debug, Serialize)]
pub struct Lag {
    /// Force while speeding up minus force while slowing down, at 5 mm/s, over the kinetic level; one per frequency.
    pub width: [f64; 3],
    /// Slip rates and forces of the last cycle, one loop per frequency.
    #[serde(skip)]
    pub loops: Vec<Vec<(f64, f64)>>,
}

pub(crate) fn measure(bench: &LawBench, kinetic: f64) -> Result<Lag, CertifyError> {
    let (mut width, mut loops) = ([0.0; 3], Vec::new());
    for (width, frequency) in width.iter_mut().zip(FREQUENCIES) {
        let motion = SlipHistory { points: vec![(0.0, MEAN)], sines: vec![[SWING, TAU * frequency, 0.0]] };
        // A contact that has to slide in needs its way whatever the frequency.
        let before = (1e-2 / MEAN * frequency).ceil().max(CYCLES);
        let times: Vec<f64> = (0..=120).map(|i| (before + f64::from(i) / 120.0) / frequency).collect();
        let rows = bench.slide_at(&motion, &times)?;
        *width = (rows[0].force - rows[60].force) / kinetic;
        loops.push(rows.iter().map(|r| (r.v, r.force)).collect());
    }
    Ok(Lag { width, loops })
}
