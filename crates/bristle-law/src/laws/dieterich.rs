use crate::law::{At, Law};
use crate::rate_state::RateState;
use bristle_core::{Card, Scalar};

/// Rate-and-state friction with the ageing law: contacts grow stronger with their age, even at rest.
///
/// ```text
/// F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
/// θ̇ = 1 − |v| θ/L
/// ```
///
/// The friction of rocks, and of paper and plastics, in Dieterich's form; the inverse hyperbolic sine replaces the
/// logarithm, so that it passes through rest. Steady sliding bears `μ_0 + (a − b) ln(v/v_0)`: with `b > a` it
/// weakens with speed and a soft spring makes it stick and slip. A step in speed shows first `a`, then, over the
/// slip `L`, `b`. After a hold the strength has grown by `b` times the logarithm of the time. It never holds: below
/// the level it creeps, though exponentially slowly: a block that rests on the ground wants `atol = 1e-13` of the
/// solver, since an error as large as its creep changes the force as a whole. Without load the age vanishes within a
/// millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "dieterich",
    state("theta", "s", Age),
    cite = "dieterich1979",
    cite = "ruina1983",
    cite = "lapusta2000",
    tags("rate-and-state", "dwell", "creeps")
)]
pub struct Dieterich<S> {
    /// The surfaces.
    #[nest]
    pub surfaces: RateState<S>,
}

impl<S: Scalar> Law<S> for Dieterich<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        self.surfaces.eval(at, z, dz, |share| -share + 1.0)
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
mod dieterich_tests {
    use super::*;

    const LAW: Dieterich<f64> = Dieterich {
        surfaces: RateState { mu_ref: 0.6, direct: 0.01, evolution: 0.015, v_ref: 1e-6, d_c: 1e-5 },
    };

    fn coefficient(v: f64, theta: f64) -> f64 {
        LAW.eval(&At::sliding(v, 1.0), &[theta], &mut [0.0])
    }

    /// At `θ = L/v` the age is steady and the coefficient is `μ_0 + (a − b) ln(v/v_0)`.
    #[test]
    fn steady_sliding_weakens_with_the_logarithm_of_speed() {
        for v in [1e-9, 1e-6, 1e-3, 1.0] {
            let mut rate = [f64::NAN];
            let mu = LAW.eval(&At::sliding(v, 1.0), &[1e-5 / v], &mut rate);
            assert!((mu - 0.6 + 0.005 * (v / 1e-6f64).ln()).abs() < 1e-14 && rate[0].abs() < 1e-14);
        }
    }

    #[test]
    fn a_step_in_speed_shows_the_direct_effect_first() {
        let (before, after) = (coefficient(1e-6, 10.0), coefficient(1e-5, 10.0));
        assert!((after - before - 0.01 * 10f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn a_hold_strengthens_by_the_logarithm_of_its_time() {
        let mut rate = [f64::NAN];
        LAW.eval(&At::sliding(0.0, 1.0), &[10.0], &mut rate);
        assert_eq!(rate[0], 1.0);
        assert!((coefficient(1e-6, 1e4) - coefficient(1e-6, 1e3) - 0.015 * 10f64.ln()).abs() < 1e-14);
        assert_eq!(coefficient(0.0, 10.0), 0.0);
    }
}
