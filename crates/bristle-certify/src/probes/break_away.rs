//! Break-away force against the rate of loading.

use crate::CertifyError;
use crate::bench::{LawBench, part};
use bristle_mech::PartKind;
use serde::Serialize;

/// Rates of loading in static levels per second.
pub const RATES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

/// Largest friction force when a spring pulls the block loose.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BreakAway {
    /// One force per rate, N.
    pub force: [f64; 4],
    /// How much less the fastest is than the slowest, as a share of the slowest.
    pub fall: f64,
}

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<BreakAway, CertifyError> {
    let mut force = [0.0; 4];
    for (force, rate) in force.iter_mut().zip(RATES) {
        *force = pull(bench, breaking, rate)?;
    }
    Ok(BreakAway { force, fall: 1.0 - force[3] / force[0] })
}

/// Largest friction force while a spring that rides on a belt is stretched by `rate` static levels per second, up to six
/// of them: a soft bristle needs some way to yield.
pub fn pull(bench: &LawBench, peak: f64, rate: f64) -> Result<f64, CertifyError> {
    let speed = 1.0;
    let tie = part(PartKind::Spring, &[("k", rate * peak / speed)]).naming("between", &["block", "ground"]);
    let parts = vec![
        ("block", part(PartKind::Mass, &[("mass", bench.mass), ("v", speed)])),
        ("belt", part(PartKind::Drive, &[("v", speed)])),
        ("tie", tie),
    ];
    let system = bench.assemble("belt", parts)?;
    bench.largest_force(&system, 0.0, 6.0 / rate, f64::INFINITY)
}
