use crate::law::{At, Law};
use crate::rate_state::RateState;
use bristle_core::{Card, Scalar};

/// Rate-and-state friction with the slip law: contacts change only while they slide.
///
/// ```text
/// F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
/// θ̇ = −(|v| θ/L) ln(|v| θ/L)
/// ```
///
/// As `dieterich`, with Ruina's evolution: after a step in speed the coefficient goes to its new level over the same
/// slip `L` whether the step was up or down, as measured. At rest nothing evolves, so a hold strengthens only as
/// far as the contact still creeps. It never holds: below the level it creeps, though exponentially slowly, and a block
/// that rests on the ground wants `atol = 1e-13` of the solver. Without load the state vanishes within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "ruina",
    state("theta", "s", Age),
    cite = "ruina1983",
    cite = "lapusta2000",
    tags("rate-and-state", "creeps")
)]
pub struct Ruina<S> {
    /// The surfaces.
    #[nest]
    pub surfaces: RateState<S>,
}

impl<S: Scalar> Law<S> for Ruina<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        // x ln x vanishes with x.
        let evolve = |share: S| S::choose(share.lt(S::from(1e-200)), S::zero, || -share * share.ln());
        self.surfaces.eval(at, z, dz, evolve)
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
mod ruina_tests {
    use super::*;

    const LAW: Ruina<f64> =
        Ruina { surfaces: RateState { mu_ref: 0.6, direct: 0.01, evolution: 0.015, v_ref: 1e-6, d_c: 1e-5 } };

    #[test]
    fn steady_sliding_weakens_with_the_logarithm_of_speed() {
        for v in [1e-9, 1e-6, 1e-3] {
            let mut rate = [f64::NAN];
            let mu = LAW.eval(&At::sliding(-v, 1.0), &[1e-5 / v], &mut rate);
            assert!((mu + 0.6 - 0.005 * (v / 1e-6f64).ln()).abs() < 1e-14 && rate[0].abs() < 1e-12);
        }
    }

    /// `ln(vθ/L)` decays as `e^{−x/L}` over the slip `x`, alike from above and from below.
    #[test]
    fn steps_up_and_down_evolve_over_the_same_slip() {
        for share in [0.1, 0.9, 3.0, 100.0] {
            let (v, mut rate) = (1e-4, [f64::NAN]);
            let theta = share * 1e-5 / v;
            LAW.eval(&At::sliding(v, 1.0), &[theta], &mut rate);
            let log_rate = rate[0] / theta;
            assert!((log_rate + share.ln() * v / 1e-5).abs() < 1e-12);
        }
    }

    #[test]
    fn at_rest_nothing_evolves() {
        let mut rate = [f64::NAN];
        LAW.eval(&At::sliding(0.0, 1.0), &[10.0], &mut rate);
        assert_eq!(rate[0], 0.0);
    }
}
