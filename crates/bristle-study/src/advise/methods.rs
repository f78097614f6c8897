//! The methods for a mechanism against each other: every one at several tolerances.

use super::contest::{Contest, MethodTrial};
use crate::error::RunError;
use crate::progress::in_parallel;
use crate::studies::work_precision::{Benchmark, TOLERANCES};
use bristle_mech::System;
use bristle_record::{Fact, Tone};
use bristle_solve::Method;
use bristle_solve::Progress;

/// The methods that solve the chains of cables in time proportional to their length.
const OF_ROPES: [Method; 3] = [Method::Auto, Method::Rodas4, Method::Rodas5p];

/// Runs every method at every tolerance against a reference run.
///
/// # Errors
/// [`RunError::Stopped`], and the error of the reference run.
pub(crate) fn contest(
    system: &System,
    duration: f64,
    accuracy: f64,
    progress: &mut dyn Progress,
) -> Result<Contest, RunError> {
    let (benchmark, confirmed) = Benchmark::confirmed(system, duration)?;
    let (methods, tolerances) =
        if system.has_ropes() { (&OF_ROPES[..], &TOLERANCES[..4]) } else { (Method::ALL, &TOLERANCES[..]) };
    let jobs: Vec<(Method, f64)> =
        methods.iter().flat_map(|m| tolerances.iter().map(|tolerance| (*m, *tolerance))).collect();
    let trials = in_parallel(&jobs, |(method, tol)| benchmark.trial(*method, *tol), progress)?;
    let trial = |t: crate::studies::work_precision::Trial| MethodTrial {
        method: t.method.name(),
        key: "rtol",
        value: format!("{:.0e}", t.tolerance),
        cost: t.work as f64,
        error: if t.failure.is_some() { f64::NAN } else { t.error },
        choice: Some((t.method, t.tolerance)),
    };
    Ok(Contest {
        duration,
        accuracy,
        reference: reference_fact(confirmed, accuracy),
        range: benchmark.range(),
        trials: trials.into_iter().map(trial).collect(),
        default: Method::Auto.name(),
        unit: "evaluations",
        remark: if system.has_ropes() {
            "A Jacobian counts as one evaluation per state; errors are those of nodes as well."
        } else {
            "A Jacobian counts as one evaluation per state."
        },
    })
}

/// How well the reference is known, by another method at another tolerance.
fn reference_fact(confirmed: f64, accuracy: f64) -> Fact {
    let is_known = confirmed <= 0.1 * accuracy;
    let words = format!("confirmed to {confirmed:.0e} of the motion by another method");
    let mut fact = Fact::verdict("reference run", words, if is_known { Tone::Good } else { Tone::Warn });
    fact.note = if is_known {
        "no resting contact carries more than its limit".to_owned()
    } else {
        format!(
            "errors below {:.0e} cannot be told apart: the motion is sensitive, or hard to follow",
            10.0 * confirmed
        )
    };
    fact
}

#[cfg(test)]
mod methods_tests {
    use super::*;

    /// Two runs that disagree, or of which one gave no answer, confirm nothing.
    #[test]
    fn a_reference_that_another_method_does_not_confirm_gets_no_tick() {
        let tone = |confirmed: f64| reference_fact(confirmed, 1e-4).tone;
        assert_eq!(tone(1e-9), Tone::Good);
        assert_eq!(tone(1e-5), Tone::Good);
        for confirmed in [1.1e-5, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(tone(confirmed), Tone::Warn, "{confirmed}");
        }
    }
}
