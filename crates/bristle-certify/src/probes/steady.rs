//! The steady curve, and how well a slow sweep follows it.

use super::levels::SLIDING;
use crate::CertifyError;
use crate::bench::LawBench;
use crate::slide::SlipHistory;
use serde::Serialize;

/// Slip rates at which the two are compared, m/s.
pub const SPEEDS: [f64; 7] = [1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0];

/// The steady curve.
#[derive(Clone, Debug, Serialize)]
pub struct SteadyCurve {
    /// Force at each slip rate once everything has settled, N.
    pub force: [f64; 7],
    /// Largest difference of a sweep that takes ten seconds to grow by e, over the kinetic level.
    pub error: f64,
    /// More of the curve: slip rates from 10⁻⁵ to 1 m/s and forces.
    #[serde(skip)]
    pub curve: Vec<(f64, f64)>,
}

pub(crate) fn measure(bench: &LawBench) -> Result<SteadyCurve, CertifyError> {
    let mut force = [0.0; 7];
    for (force, v) in force.iter_mut().zip(SPEEDS) {
        *force = bench.steady_force(v)?;
    }
    // From 0.1 mm/s, so that the contact has slid in when the first comparison is made.
    let (start, time) = (1e-4f64, 10.0);
    let when = |v: f64| time * (v / start).ln();
    let points: Vec<(f64, f64)> =
        (0..=400).map(|i| 1e-4 * 10f64.powf(f64::from(i) / 100.0)).map(|v| (when(v), v)).collect();
    let times = SPEEDS.map(|v| when(v).min(points[400].0));
    let rows = bench.slide_at(&SlipHistory::through(points), &times)?;
    let kinetic = bench.steady_force(SLIDING)?;
    let gaps = rows.iter().zip(force).map(|(row, force)| (row.force - force).abs());
    let error = gaps.fold(0.0, f64::max) / kinetic.abs().max(1e-300);
    let speeds = (0..=40).map(|i| 1e-5 * 10f64.powf(f64::from(i) / 8.0));
    let curve: Result<Vec<_>, CertifyError> = speeds.map(|v| Ok((v, bench.steady_force(v)?))).collect();
    Ok(SteadyCurve { force, error, curve: curve? })
}
