use crate::law::{At, Law};
use crate::rate_state::RateState;
use bristle_core::{Card, Scalar};

/// Rate-and-state friction between ageing and slip law: contacts heal at rest, and fast sliding renews them sooner.
///
/// ```text
/// F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
/// θ̇ = ½ [1 − (|v| θ/L)²]
/// ```
///
/// As `dieterich`, with the evolution of Perrin, Rice and Zheng, whose state is twice this one: near steady sliding all
/// three laws are the same, far above it the state falls faster than by ageing, which lets slip pulses on a long
/// surface heal behind their front. After a hold the strength has grown by `b` times the logarithm of the time. It never
/// holds: below the level it creeps, though exponentially slowly, and a block that rests on the ground wants
/// `atol = 1e-13` of the solver. Without load the state vanishes within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "perrin_rice",
    state("theta", "s", Age),
    cite = "perrin1995",
    cite = "lapusta2000",
    tags("rate-and-state", "dwell", "creeps")
)]
pub struct PerrinRice<S> {
    /// The surfaces.
    #[nest]
    pub surfaces: RateState<S>,
}

impl<S: Scalar> Law<S> for PerrinRice<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        // Odd in the share: an error that carries the state below nothing heals.
        self.surfaces.eval(at, z, dz, |share| (-(share * share.abs()) + 1.0) * 0.5)
    }

    fn finest_speed(&self) -> Option<f64> {
        Some(self.surfaces.finest_speed())
    }

    fn initial(&self, z: &mut [f64]) {
        z[0] = self.surfaces.steady();
    }

    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale[0] = self.surfaces.steady();
    }
}

#[cfg(test)]
mod perrin_rice_tests {
    use super::*;

    const LAW: PerrinRice<f64> = PerrinRice {
        surfaces: RateState { mu_ref: 0.6, direct: 0.01, evolution: 0.015, v_ref: 1e-6, d_c: 1e-5 },
    };

    fn rate(v: f64, theta: f64) -> f64 {
        let mut rate = [f64::NAN];
        LAW.eval(&At::sliding(v, 1.0), &[theta], &mut rate);
        rate[0]
    }

    #[test]
    fn steady_sliding_weakens_with_the_logarithm_of_speed() {
        for v in [1e-9, 1e-6, 1e-3, 1.0] {
            let mu = LAW.eval(&At::sliding(v, 1.0), &[1e-5 / v], &mut [0.0]);
            assert!((mu - 0.6 + 0.005 * (v / 1e-6f64).ln()).abs() < 1e-14);
            assert!(rate(v, 1e-5 / v).abs() < 1e-14);
        }
    }

    /// Near the steady state `θ` decays with `v/L`, as by ageing and by slip.
    #[test]
    fn near_steady_sliding_it_is_the_ageing_law() {
        let (v, steady) = (1e-4, 0.1);
        let slope = (rate(v, steady * 1.000_001) - rate(v, steady * 0.999_999)) / (2e-6 * steady);
        assert!((slope / (-v / 1e-5) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_hold_grows_the_state_by_half_its_time() {
        assert_eq!(rate(0.0, 10.0), 0.5);
    }
}
