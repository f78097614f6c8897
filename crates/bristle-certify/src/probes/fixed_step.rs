//! The largest step at which the simplest of all simulators stays stable.

use super::hold::predicted;
use crate::CertifyError;
use crate::bench::LawBench;
use bristle_law::At;
use serde::Serialize;

/// How long the block is held, s.
const SPAN: f64 = 0.2;

/// A held block faster than this at the end is not held, m/s.
const SLOW: f64 = 1e-3;

/// Steps tried, s: halved from the first to the last.
const LARGEST: f64 = 0.1;
const SMALLEST: f64 = 1e-7;

/// Euler's method, first the velocity, then the states of the law, without events.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FixedStepLimit {
    /// Largest step, s, at which a block of 1 kg under half the static level stays below 1 mm/s, or twice the speed at
    /// which the law creeps; nothing if even 10⁻⁷ s is too long.
    pub largest: Option<f64>,
}

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<FixedStepLimit, CertifyError> {
    let slow = SLOW.max(2.0 * predicted(bench, 0.5 * breaking)?);
    let mut h = LARGEST;
    while h >= SMALLEST {
        if !bench.goes_on() {
            return Err(CertifyError::Stopped);
        }
        if is_stable(bench, 0.5 * breaking, h, slow)? {
            return Ok(FixedStepLimit { largest: Some(h) });
        }
        h *= 0.5;
    }
    Ok(FixedStepLimit { largest: None })
}

/// Whether the block stays slow in the second half of the hold.
fn is_stable(bench: &LawBench, load: f64, h: f64, slow: f64) -> Result<bool, CertifyError> {
    let kind = bench.kind()?;
    let law = kind.build(&bench.law.numbers, &bench.law.choices);
    let (mut z, mut dz) = (vec![0.0; kind.states()], vec![0.0; kind.states()]);
    law.initial(&mut z);
    let steps = (SPAN / h).ceil().max(400.0) as usize;
    let (mut v, mut hold) = (0.0, 0.0);
    for i in 0..steps {
        // The load comes on within the first quarter.
        let push = load * (4.0 * i as f64 / steps as f64).min(1.0);
        if law.uses_hold() {
            hold = push;
        }
        let force = law.eval(&At { hold, ..At::sliding(v, bench.normal()) }, &z, &mut dz);
        // A set-valued contact at rest bears what it can.
        let at_rest = law.limit(&At::sliding(v, bench.normal()), &z).filter(|_| v == 0.0);
        let force = at_rest.map_or(force, |limit| push.clamp(-limit, limit));
        v += h * (push - force);
        law.eval(&At { hold, ..At::sliding(v, bench.normal()) }, &z, &mut dz);
        for (z, dz) in z.iter_mut().zip(&dz) {
            *z += h * dz;
        }
        let is_wild = !v.is_finite() || v.abs() > 1e3 || z.iter().any(|z| !z.is_finite());
        if is_wild || (2 * i > steps && v.abs() > slow) {
            return Ok(false);
        }
    }
    Ok(true)
}
