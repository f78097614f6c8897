//! A load below the static level is put on and taken away.

use super::hold::LIGHT;
use crate::CertifyError;
use crate::bench::{BlockFate, LawBench, signal};
use bristle_mech::{SignalKind, Spec};
use serde::Serialize;

/// What is left when a load of nine tenths of the static level is taken away.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Release {
    /// When the block broke away under the load, s, if it did.
    pub broke_away: Option<f64>,
    /// How far the block springs back, m; nothing if it broke away.
    pub spring_back: Option<f64>,
    /// How far it stays displaced, m; nothing if it broke away.
    pub set: Option<f64>,
    /// Load over spring-back at half the static level, N/m; nothing if the block does not spring back.
    pub stiffness: Option<f64>,
}

/// Less than this is not springing back, m.
pub const SPRINGS_BACK: f64 = 1e-10;

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Release, CertifyError> {
    let half = cycle(bench, 0.5 * breaking, 20.0)?.stayed()?;
    let stiffness = (half.spring_back > SPRINGS_BACK).then(|| 0.5 * breaking / half.spring_back);
    Ok(match cycle(bench, 0.9 * breaking, 20.0)? {
        BlockFate::BrokeAway(t) => Release { broke_away: Some(t), spring_back: None, set: None, stiffness },
        BlockFate::Stayed(high) => {
            Release { broke_away: None, spring_back: Some(high.spring_back), set: Some(high.set), stiffness }
        }
    })
}

/// What a load that comes and goes does to the block.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// How far the block springs back, m.
    pub spring_back: f64,
    /// How far it stays displaced, m.
    pub set: f64,
}

/// A load is put on within `ramp` seconds and taken away.
pub fn cycle(bench: &LawBench, force: f64, ramp: f64) -> Result<BlockFate<Cycle>, CertifyError> {
    let step = |to: f64, start: f64| -> Spec {
        signal(SignalKind::SmoothStep, &[("to", to), ("start", start * ramp), ("duration", ramp)])
    };
    let forces = vec![("up", step(force, 0.0)), ("down", step(-force, 1.5))];
    // A light block: bristles ring fast, settle soon, and the slow load hardly excites them.
    let system = bench.pushed(LIGHT * bench.mass, forces)?;
    let places = bench.places(&system, &[1.5 * ramp, 3.5 * ramp], &bench.solver())?;
    Ok(places.map(|x| Cycle { spring_back: x[0] - x[1], set: x[1] }))
}
