use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Coulomb friction with a static level, set-valued at rest.
///
/// ```text
/// F = s μ_d n    sliding in direction s
/// |F| ≤ μ_s n    at rest
/// ```
///
/// The exact stick-slip of textbooks: no creep, no compliance, break-away as soon as the load passes the static
/// level. It knows no Stribeck fall, no presliding and no dwell, and it needs events: never integrate through
/// the jump. With several contacts at rest the rest forces are found together.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "coulomb", cite = "coulomb1785", tags("static", "set-valued", "holds-load"))]
pub struct Coulomb<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
}

impl<S: Scalar> Law<S> for Coulomb<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        self.mu_d * at.load() * at.direction()
    }

    #[inline]
    fn limit(&self, at: &At<S>, _z: &[S]) -> Option<S> {
        Some(self.mu_s * at.load())
    }

    fn elements(&self) -> usize {
        1
    }

    fn fault(&self) -> Option<&'static str> {
        (self.mu_s.value() < self.mu_d.value()).then_some("the static level lies below the kinetic one")
    }
}

#[cfg(test)]
mod coulomb_tests {
    use super::*;
    use bristle_core::Mode;

    #[test]
    fn sliding_bears_the_kinetic_and_rest_the_static_level() {
        let law = Coulomb { mu_d: 0.3, mu_s: 0.4 };
        assert_eq!(law.eval(&At::sliding(0.1, 10.0), &[], &mut []), 3.0);
        assert_eq!(law.eval(&At::sliding(-0.1, 10.0), &[], &mut []), -3.0);
        assert_eq!(law.limit(&At::sliding(0.0, 10.0), &[]), Some(4.0));
        assert_eq!(law.limit(&At::sliding(0.0, -10.0), &[]), Some(0.0));
    }

    #[test]
    fn a_frozen_direction_outlives_the_sign_of_the_slip_rate() {
        let law = Coulomb { mu_d: 0.3, mu_s: 0.4 };
        let at = At { mode: &[Mode::Forward], ..At::sliding(-1e-9, 10.0) };
        assert_eq!(law.eval(&at, &[], &mut []), 3.0);
    }
}
