//! Does the verdict on holding depend on the method?

use crate::certify::bench::{Bench, signal};
use crate::error::RunError;
use bristle_mech::SignalKind;
use bristle_solve::{Method, Solver};
use serde::Serialize;

/// A hold under nine tenths of the static level by one method.
#[derive(Clone, Debug, Serialize)]
pub struct ByMethod {
    /// The method.
    pub method: &'static str,
    /// Mean speed from 6 s to 12 s, m/s; nothing if the method gave up.
    pub speed: Option<f64>,
    /// Why it gave up.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub trouble: String,
}

pub(crate) fn measure(bench: &Bench, breaking: f64) -> Result<Vec<ByMethod>, RunError> {
    let push = signal(SignalKind::SmoothStep, &[("to", 0.9 * breaking), ("duration", 3.0)]);
    let system = bench.pushed(bench.mass, vec![("push", push)])?;
    let mut all = Vec::new();
    for method in Method::ALL {
        let solver = Solver { method: *method, max_steps: 60_000, ..Solver::with_tolerance(1e-8) };
        let found = match bench.places_by(&system, &[6.0, 12.0], &solver) {
            Ok(x) => (Some((x[1] - x[0]) / 6.0), String::new()),
            Err(RunError::Stopped) => return Err(RunError::Stopped),
            Err(fault) => (None, fault.to_string()),
        };
        all.push(ByMethod { method: method.name(), speed: found.0, trouble: found.1 });
    }
    Ok(all)
}
