use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Ambrósio's ramp: no friction near rest, then a straight rise to the Coulomb level.
///
/// ```text
/// F = μ_d n sgn v c,   c = 0                          |v| ≤ v_0
///                          (|v| − v_0)/(v_1 − v_0)    v_0 < |v| < v_1
///                          1                          |v| ≥ v_1
/// ```
///
/// Keeps explicit integrators from chattering about a direction that rounding decides. In exchange there is no
/// friction at all below `v_0`: it cannot hold, and any load moves it at least that fast. No static level.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "ambrosio", cite = "ambrosio2003", tags("static", "creeps"))]
pub struct Ambrosio<S> {
    /// Friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Velocity below which there is no friction.
    #[param(symbol = "v_0", role = Other, unit = "m/s", default = 1e-4, min = 0.0, max = 1e3)]
    pub v_0: S,
    /// Velocity from which the full level acts.
    #[param(symbol = "v_1", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_1: S,
}

impl<S: Scalar> Law<S> for Ambrosio<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let share = (at.v.abs() - self.v_0) / (self.v_1 - self.v_0);
        self.mu_d * at.load() * at.v.sign() * share.clamp_to(S::zero(), S::one())
    }

    fn fault(&self) -> Option<&'static str> {
        (self.v_1.value() <= self.v_0.value()).then_some("v_1 must lie above v_0")
    }
}

#[cfg(test)]
mod ambrosio_tests {
    use super::*;

    #[test]
    fn the_ramp_lies_between_the_two_velocities() {
        let law = Ambrosio { mu_d: 0.3, v_0: 0.01, v_1: 0.03 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        assert_eq!([force(0.0), force(0.01), force(-0.009)].map(f64::abs), [0.0; 3]);
        assert!((force(0.02) - 1.5).abs() < 1e-14 && (force(-0.025) + 2.25).abs() < 1e-14);
        assert_eq!((force(0.04), force(-7.0)), (3.0, -3.0));
        assert!(Ambrosio { mu_d: 0.3, v_0: 0.02, v_1: 0.02 }.fault().is_some());
    }
}
