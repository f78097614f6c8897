//! A load that swings below the static level: does the block drift?

use crate::CertifyError;
use crate::bench::{LawBench, polyline, signal};
use bristle_mech::SignalKind;
use serde::Serialize;

/// Amplitudes of the soft bench in shares of the kinetic level.
pub const AMPLITUDES: [f64; 3] = [0.1, 0.25, 0.4];

/// Drift per cycle under half the kinetic level and a quarter more and less, after a jerk to twice the kinetic level.
#[derive(Clone, Debug, Serialize)]
pub struct Shake {
    /// With the law's defaults, m per cycle.
    pub drift: f64,
    /// The same over the whole displacement.
    pub share: f64,
    /// With the soft, slow numbers of the pre-sliding test of Pennestrì et al. (2016), one per amplitude, m per cycle; not
    /// there for a law that has none of its parameters.
    pub soft: Option<[f64; 3]>,
    /// Times and places of the swing with the law's defaults.
    #[serde(skip)]
    pub path: Vec<(f64, f64)>,
}

pub(crate) fn measure(
    bench: &LawBench,
    kinetic: f64,
    soft: Option<&LawBench>,
) -> Result<Shake, CertifyError> {
    let times: Vec<f64> = (0..=408).map(|i| f64::from(i) * 0.025).collect();
    let x = swing(bench, kinetic, 0.25, &times)?;
    let drift = (x[408] - x[308]) / 5.0;
    let soft = soft
        .map(|soft| -> Result<[f64; 3], CertifyError> {
            let mut drifts = [0.0; 3];
            for (drift, amplitude) in drifts.iter_mut().zip(AMPLITUDES) {
                *drift = per_cycle(soft, 1.0, amplitude)?.0;
            }
            Ok(drifts)
        })
        .transpose()?;
    let path = times.into_iter().zip(x.iter().copied()).collect();
    Ok(Shake { drift, share: drift / x[408].abs().max(1e-12), soft, path })
}

/// Displacement per cycle after a jerk, and the whole displacement: the mean of the last five of twenty cycles.
pub fn per_cycle(bench: &LawBench, kinetic: f64, amplitude: f64) -> Result<(f64, f64), CertifyError> {
    let x = swing(bench, kinetic, amplitude, &[7.7, 10.2])?;
    Ok(((x[1] - x[0]) / 5.0, x[1]))
}

fn swing(bench: &LawBench, kinetic: f64, amplitude: f64, times: &[f64]) -> Result<Vec<f64>, CertifyError> {
    let jerk = polyline(&[(0.0, 0.0), (0.1, 2.0 * kinetic), (0.2, 0.5 * kinetic)]);
    let numbers = [("amplitude", amplitude * kinetic), ("frequency", 2.0), ("start", 0.2)];
    let system =
        bench.pushed(bench.mass, vec![("jerk", jerk), ("shake", signal(SignalKind::Sine, &numbers))])?;
    // The jerk moves the block faster than any creep.
    LawBench { loose: f64::INFINITY, ..bench.clone() }.places(&system, times, &bench.solver())?.stayed()
}
