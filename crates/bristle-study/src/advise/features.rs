//! What a law can do, measured by small experiments on a single block: those of the certificates.

use crate::error::RunError;
use bristle_certify::bench::LawBench;
use bristle_certify::probes::break_away::pull;
use bristle_certify::probes::hold::{self, HoldVerdict};
use bristle_certify::probes::release::{SPRINGS_BACK, cycle};
use bristle_certify::probes::shake::per_cycle;
use bristle_certify::probes::{levels, levels::LOOSE};
use bristle_mech::Spec;

/// What a law was seen to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// What becomes of a block under loads up to 99.9 % of the static friction that was measured, as certified.
    pub verdict: HoldVerdict,
    /// Speed of the block held by half its kinetic friction, m/s; infinite if it broke away.
    pub creep: f64,
    /// Whether it holds half its kinetic friction.
    pub has_stiction: bool,
    /// Whether it holds a load between the kinetic and the static friction.
    pub bears_static: bool,
    /// How far the block springs back when half the kinetic friction is taken away, m.
    pub spring_back: f64,
    /// Whether it springs back at all.
    pub has_presliding: bool,
    /// Displacement per cycle under a load that stays below the static friction, m.
    pub drift: f64,
    /// Whether that is more than a thousandth of the whole displacement.
    pub drifts: bool,
    /// Largest friction force when a spring pulls the block loose slowly and a hundred times faster, N.
    pub break_away: [f64; 2],
    /// Whether these differ by more than a hundredth.
    pub is_rate_dependent: bool,
}

impl Features {
    /// Whether it holds every load below its static friction.
    pub fn holds(&self) -> bool {
        self.verdict == HoldVerdict::Holds
    }
}

/// Measures a law. `levels` are kinetic and static friction in newtons where its parameters tell them; `load` is the normal
/// load, or NaN for a law whose friction is stated in newtons.
///
/// The block weighs as many kilograms as the kinetic friction has newtons, so that every law is tried at the same
/// accelerations.
pub fn measure(law: &Spec, levels: Option<(f64, f64)>, load: f64) -> Result<Features, RunError> {
    let bench = LawBench { law: law.clone(), load, mass: 1.0, stiffness: 0.0, loose: LOOSE, stop: None };
    let seen = levels::measure(&bench)?;
    let (kinetic, peak) = levels.unwrap_or((seen.kinetic, seen.breaking));
    let bench = LawBench { mass: seen.kinetic.abs().max(1e-6), ..bench };
    // A bristle without damping would ring through the whole run.
    let braked = LawBench { stiffness: seen.stiffness, ..bench.clone() };
    let verdict = hold::judge(&braked, seen.breaking)?;
    let half = hold::hold(&braked, 0.5 * kinetic / seen.breaking, 0.5 * kinetic)?;
    let high = kinetic + 0.2 * (peak - kinetic);
    let bears_static = peak > kinetic && {
        let high = hold::hold(&braked, high / seen.breaking, high)?;
        high.verdict() == HoldVerdict::Holds
    };
    let spring_back = cycle(&braked, 0.5 * kinetic, 1.0)?.stayed().map_or(0.0, |c| c.spring_back);
    let (drift, whole) = per_cycle(&bench, kinetic, 0.25)?;
    let break_away = [pull(&bench, peak, 0.1)?, pull(&bench, peak, 10.0)?];
    Ok(Features {
        verdict,
        creep: half.speed(),
        has_stiction: half.verdict() == HoldVerdict::Holds,
        bears_static,
        spring_back,
        has_presliding: spring_back > SPRINGS_BACK,
        drift,
        drifts: drift.abs() > 1e-3 * whole.abs(),
        break_away,
        is_rate_dependent: (break_away[1] - break_away[0]).abs() > 0.01 * break_away[0].abs(),
    })
}

#[cfg(test)]
mod features_tests {
    use super::*;
    use bristle_certify::probes::{hold::worst, levels};
    use bristle_certify::{LOAD, bench_for, specimen};
    use bristle_law::LawKind;

    /// Laws on which two measurements once differed, and two on which they did not.
    #[test]
    fn advice_and_certificate_say_the_same() {
        for law in ["cdq", "dieterich", "ruina", "coulomb", "smooth_coulomb"] {
            let kind = LawKind::named(law).unwrap();
            let bench = bench_for(kind, None);
            let seen = levels::measure(&bench).unwrap();
            let bench = LawBench { mass: seen.kinetic, stiffness: seen.stiffness, ..bench };
            let certified = worst(&hold::measure(&bench, seen.breaking).unwrap());
            let advised = measure(&specimen(kind), None, LOAD).unwrap();
            assert_eq!(advised.verdict, certified, "{law}");
        }
    }
}
