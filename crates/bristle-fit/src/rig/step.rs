//! One explicit step of order five (Dormand and Prince 1980), in any number.

use bristle_core::Scalar;

/// Most states of a rig: those of a mass and of a law.
pub(crate) const STATES: usize = 10;

/// The states of a rig; those beyond its own are zero.
pub(crate) type States<S> = [S; STATES];

const C: [f64; 5] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
const A: [[f64; 5]; 5] = [
    [0.2, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
];
const B: [f64; 6] = [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The states after a step of length `h` from the rates `first`, those rates, and the error.
pub(crate) fn step<S: Scalar>(
    count: usize,
    tau: S,
    h: S,
    y: &States<S>,
    first: &States<S>,
    mut rates: impl FnMut(S, &States<S>) -> Option<States<S>>,
) -> Option<(States<S>, States<S>, [f64; STATES])> {
    let mut k = [[S::zero(); STATES]; 7];
    k[0] = *first;
    for stage in 0..5 {
        let mut at = *y;
        for i in 0..count {
            let mut sum = S::zero();
            for (j, rate) in k.iter().enumerate().take(stage + 1) {
                sum += rate[i] * A[stage][j];
            }
            at[i] += h * sum;
        }
        k[stage + 1] = rates(tau + h * C[stage], &at)?;
    }
    let mut end = *y;
    for i in 0..count {
        let mut sum = S::zero();
        for j in 0..6 {
            sum += k[j][i] * B[j];
        }
        end[i] += h * sum;
    }
    k[6] = rates(tau + h, &end)?;
    let mut error = [0.0; STATES];
    for i in 0..count {
        error[i] = h.value() * (0..7).map(|j| E[j] * k[j][i].value()).sum::<f64>();
    }
    Some((end, k[6], error))
}
