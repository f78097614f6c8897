//! Does the verdict on holding depend on the method?

use crate::CertifyError;
use crate::bench::{BlockFate, LawBench, signal};
use bristle_mech::SignalKind;
use bristle_solve::{Method, Solver};
use serde::Serialize;

/// A hold under nine tenths of the static level by one method.
#[derive(Clone, Debug, Serialize)]
pub struct ByMethod {
    /// The method.
    pub method: &'static str,
    /// Mean speed from 6 s to 12 s, m/s; nothing if the method gave up or the block broke away.
    pub speed: Option<f64>,
    /// When the block broke away, s, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broke_away: Option<f64>,
    /// Why it gave up.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub trouble: String,
}

impl ByMethod {
    /// Whether two methods saw the same: speeds within a nanometre per second and a hundredth, or a block that broke away
    /// within a hundredth of the same time.
    pub fn agrees_with(&self, other: &ByMethod) -> bool {
        let near = |a: f64, b: f64, floor: f64| (a - b).abs() <= floor + 0.01 * b.abs();
        match (self.speed, other.speed) {
            (Some(a), Some(b)) => near(a, b, 1e-9),
            _ => self.broke_away.zip(other.broke_away).is_some_and(|(a, b)| near(a, b, 0.0)),
        }
    }
}

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Vec<ByMethod>, CertifyError> {
    let push = signal(SignalKind::SmoothStep, &[("to", 0.9 * breaking), ("duration", 3.0)]);
    let system = bench.pushed(bench.mass, vec![("push", push)])?;
    let mut all = Vec::new();
    for method in Method::ALL {
        let solver = Solver { method: *method, max_steps: 60_000, ..Solver::with_tolerance(1e-8) };
        let found = match bench.places_by(&system, &[6.0, 12.0], &solver) {
            Ok(BlockFate::Stayed(x)) => (Some((x[1] - x[0]) / 6.0), None, String::new()),
            Ok(BlockFate::BrokeAway(t)) => (None, Some(t), String::new()),
            Err(CertifyError::Stopped) => return Err(CertifyError::Stopped),
            Err(fault) => (None, None, fault.to_string()),
        };
        let (speed, broke_away, trouble) = found;
        all.push(ByMethod { method: method.name(), speed, broke_away, trouble });
    }
    Ok(all)
}
