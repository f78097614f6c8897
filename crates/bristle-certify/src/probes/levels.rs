//! What the contact bears: in sliding, and at most before it slides.

use crate::CertifyError;
use crate::bench::{LawBench, signal};
use bristle_mech::SignalKind;
use serde::Serialize;

/// Sliding at this speed is sliding, m/s.
pub const SLIDING: f64 = 0.1;

/// A block this fast has broken away, m/s.
pub const LOOSE: f64 = 0.05;

/// The levels of a law on the bench.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Levels {
    /// Normal load, N.
    pub load: f64,
    /// Force in steady sliding at 0.1 m/s, N.
    pub kinetic: f64,
    /// Largest friction force before the block moves at 5 cm/s, while its load grows by a tenth of the kinetic level per
    /// second, N.
    pub breaking: f64,
    /// Stiffness with which the law begins, N/m: the rise of its force over the first thousandths of its deflection; zero
    /// for a law without deflection.
    pub stiffness: f64,
}

/// Measures it on a bench.
pub fn measure(bench: &LawBench) -> Result<Levels, CertifyError> {
    let kinetic = bench.steady_force(SLIDING)?;
    // The block is light, so that load and friction are the same but for a few millionths.
    let system = bench
        .pushed(1e-3 * kinetic, vec![("push", signal(SignalKind::Ramp, &[("slope", 0.1 * kinetic)]))])?;
    let breaking = bench.largest_force(&system, 0.0, 100.0, LOOSE)?;
    Ok(Levels { load: bench.normal(), kinetic, breaking, stiffness: bench.first_stiffness()? })
}
