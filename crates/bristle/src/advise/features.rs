//! What a law can do, measured by small experiments on a single block.

use crate::certify::bench::{Bench, Fate};
use crate::certify::probes::break_away::pull;
use crate::certify::probes::release::{SPRINGS_BACK, cycle};
use crate::certify::probes::shake::per_cycle;
use crate::error::RunError;
use bristle_mech::Spec;

/// What a law was seen to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Speed of creep under half the kinetic level, m/s.
    pub creep: f64,
    /// Whether it holds half the kinetic level without creep.
    pub holds: bool,
    /// Whether it holds a load between the kinetic and the static level, put on slowly.
    pub bears_static: bool,
    /// How far the block springs back when half the kinetic level is taken away, m.
    pub spring_back: f64,
    /// Whether it springs back at all.
    pub has_presliding: bool,
    /// Displacement per cycle under a load that stays below the static level, m.
    pub drift: f64,
    /// Whether that is more than a thousandth of the whole displacement.
    pub drifts: bool,
    /// Largest friction force when a spring pulls the block loose slowly and a hundred times faster, N.
    pub break_away: [f64; 2],
    /// Whether these differ by more than a hundredth.
    pub is_rate_dependent: bool,
}

/// Slower than this counts as rest, m/s.
const REST: f64 = 1e-7;

/// Measures a law with the given kinetic and static level in newtons; `load` is the normal load, or NaN for a law
/// whose levels are forces.
///
/// The block weighs as many kilograms as the kinetic level has newtons, so that every law is tried at the same
/// accelerations.
pub fn measure(law: &Spec, levels: (f64, f64), load: f64) -> Result<Features, RunError> {
    let (kinetic, peak) = levels;
    let bench =
        Bench { law: law.clone(), load, mass: kinetic.max(1e-6), stiffness: 0.0, loose: 1.0, stop: None };
    // A bristle without damping would ring through the whole run.
    let braked = Bench { stiffness: bench.first_stiffness()?, ..bench.clone() };
    let half = creep_and_spring(&braked, 0.5 * kinetic, 1.0)?;
    let (creep, spring_back) = half;
    // Above the kinetic level slowly: some laws break away the earlier the faster they are loaded.
    let high_creep = creep_and_spring(&braked, kinetic + 0.2 * (peak - kinetic), 20.0)?.0;
    // A bristle without damping rings on for long, by a small part of its deflection.
    let rest = REST.max(1e-2 * spring_back.abs());
    let (drift, whole) = per_cycle(&bench, kinetic, 0.25)?;
    let break_away = [pull(&bench, peak, 0.1)?, pull(&bench, peak, 10.0)?];
    Ok(Features {
        creep,
        holds: creep.abs() < rest,
        bears_static: peak > kinetic && high_creep.abs() < rest,
        spring_back,
        has_presliding: spring_back > SPRINGS_BACK,
        drift,
        drifts: drift.abs() > 1e-3 * whole.abs(),
        break_away,
        is_rate_dependent: (break_away[1] - break_away[0]).abs() > 0.01 * break_away[0].abs(),
    })
}

/// Creep under a load, and how far the block springs back without it; a block that breaks away has no end of creep.
fn creep_and_spring(bench: &Bench, load: f64, ramp: f64) -> Result<(f64, f64), RunError> {
    Ok(match cycle(bench, load, ramp)? {
        Fate::Stayed(cycle) => (cycle.creep, cycle.spring_back),
        Fate::BrokeAway(_) => (f64::INFINITY, 0.0),
    })
}
