use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Hollars' curve, of Simbody and OpenSim: a rise to the static level at the transition velocity, a fall beyond.
///
/// ```text
/// F = n sgn v {min(|v|/v_t, 1) [μ_d + 2(μ_s − μ_d)/(1 + (v/v_t)²)] + μ_v |v|}
/// ```
///
/// Made for the contacts of biomechanics, where it must be cheap and continuous. Without memory; it creeps under any
/// load below the static level, never faster than `v_t`, and at `v_t F/((2μ_s − μ_d) n)` under small loads `F`. The
/// slope jumps at `v_t`; beyond, the level falls slowly: at `10 v_t` a fiftieth of the difference is left. Viscous
/// friction grows with the load.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "hollars", cite = "eastman2012", tags("static", "creeps"))]
pub struct Hollars<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Transition velocity, at which the peak lies.
    #[param(symbol = "v_t", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_t: S,
    /// Viscous friction per load.
    #[param(symbol = "μ_v", role = ViscousCoefficient, unit = "s/m", default = 0.0, min = 0.0, max = 1e3)]
    pub mu_v: S,
}

impl<S: Scalar> Law<S> for Hollars<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let q = at.v / self.v_t;
        let level = self.mu_d + (self.mu_s - self.mu_d) * 2.0 / (q * q + 1.0);
        // min(|q|, 1) sgn q without sgn(v), so that the slope at rest comes out.
        let rise = q.max(-S::one()).min(S::one());
        at.load() * (rise * level + self.mu_v * at.v)
    }
}

#[cfg(test)]
mod hollars_tests {
    use super::*;

    #[test]
    fn the_static_level_is_at_the_transition_and_the_kinetic_one_far_beyond() {
        let law = Hollars { mu_d: 0.3, mu_s: 0.4, v_t: 0.01, mu_v: 0.0 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        assert!((force(0.01) - 4.0).abs() < 1e-14 && (force(0.01 + 1e-14) - 4.0).abs() < 1e-11);
        assert!((force(-0.02) + 10.0 * (0.3 + 0.2 / 5.0)).abs() < 1e-14);
        assert!((force(0.1) - 3.0).abs() < 0.02 && (force(1.0) - 3.0).abs() < 1e-3);
        for v in [0.002, 0.009, 0.011, 0.05] {
            assert!(force(v) < 4.0);
        }
    }

    #[test]
    fn creep_is_that_of_the_card_and_viscous_friction_is_per_load() {
        let law = Hollars { mu_d: 0.3, mu_s: 0.4, v_t: 1e-3, mu_v: 0.0 };
        let creep = 1e-3 * 1e-3 / (0.5 * 10.0);
        assert!((law.eval(&At::sliding(creep, 10.0), &[], &mut []) / 1e-3 - 1.0).abs() < 1e-6);
        let wet = Hollars { mu_v: 0.2, ..law };
        let rise = |n: f64| {
            wet.eval(&At::sliding(2.0, n), &[], &mut []) - law.eval(&At::sliding(2.0, n), &[], &mut [])
        };
        assert!((rise(10.0) - 4.0).abs() < 1e-12 && (rise(5.0) - 2.0).abs() < 1e-12);
    }
}
