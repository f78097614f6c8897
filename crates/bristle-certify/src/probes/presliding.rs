//! The loop of force over displacement before sliding, and whether loops within it close.

use crate::CertifyError;
use crate::bench::LawBench;
use crate::slide::SlipHistory;
use bristle_solve::Output;
use serde::Serialize;

/// Time of each leg, s: slow enough that damping does not show.
const LEG: f64 = 1000.0;

/// A loop that misses its start by less than this share of the force closes.
const CLOSED: f64 = 1e-3;

/// What displacement does before sliding.
#[derive(Clone, Debug, Serialize)]
pub struct Presliding {
    /// Amplitude of the loop, m: one and a half times the deflection that would bear the static level.
    pub amplitude: f64,
    /// Energy lost per loop, J.
    pub loss: f64,
    /// By how much a smaller loop within misses the force it started from, or the large loop's end, over the largest force.
    pub gap: f64,
    /// Whether smaller loops close: the law remembers more than its present state of strain.
    pub closes: bool,
    /// Slips and forces of the large loop with a smaller one within.
    #[serde(skip)]
    pub path: Vec<(f64, f64)>,
}

pub(crate) fn measure(bench: &LawBench, breaking: f64, stiffness: f64) -> Result<Presliding, CertifyError> {
    let a = 1.5 * breaking / stiffness;
    // Out, back, out again to the same place: the plain loop.
    let (plain, ends) = SlipHistory::legs(&[a, -2.0 * a, a, a], LEG);
    let rows = bench.slide_at(&plain, &ends)?;
    let loss = rows[3].work - rows[0].work;
    // The same with a smaller loop half way up.
    let (nested, ends) = SlipHistory::legs(&[a, -2.0 * a, a, -0.5 * a, 0.5 * a, a], LEG);
    let inner = bench.slide_at(&nested, &ends)?;
    let largest = inner.iter().map(|r| r.force.abs()).fold(0.0, f64::max);
    let misses = [inner[4].force - inner[2].force, inner[5].force - rows[3].force];
    let gap = misses.iter().map(|m| m.abs()).fold(0.0, f64::max) / largest.max(1e-300);
    let path = bench.slide(&nested, 6.0 * LEG, &Output::Grid { step: LEG / 60.0 })?;
    let path = path.iter().map(|r| (r.slip, r.force)).collect();
    Ok(Presliding { amplitude: a, loss, gap, closes: gap < CLOSED, path })
}
