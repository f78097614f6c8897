use crate::law::{At, Law};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// Benson's exponential fall from the static to the kinetic level, set-valued at rest.
///
/// ```text
/// F = s [μ_d + (μ_s − μ_d) exp(−c |v|)] n    sliding in direction s
/// |F| ≤ μ_s n                                at rest
/// ```
///
/// Adds the Stribeck fall to Coulomb friction and leaves rest continuously, since sliding starts at the static
/// level. The falling curve feeds energy into slow sliding, which is how belts squeal. No presliding, no dwell.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "benson", cite = "pennestri2016", tags("static", "set-valued", "holds-load"))]
pub struct Benson<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Decay with speed; the reciprocal of a Stribeck velocity.
    #[param(symbol = "c", role = Steepness, unit = "s/m", default = 100.0, min = 0.0, max = 1e9)]
    pub c: S,
}

impl<S: Scalar> Law<S> for Benson<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let level = self.mu_d + (self.mu_s - self.mu_d) * stribeck::decay(self.c * at.speed());
        level * at.load() * at.direction()
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
mod benson_tests {
    use super::*;
    use bristle_core::Mode;

    #[test]
    fn sliding_starts_at_the_static_level_and_ends_at_the_kinetic_one() {
        let law = Benson { mu_d: 0.3, mu_s: 0.4, c: 20.0 };
        let at = At { mode: &[Mode::Backward], ..At::sliding(0.0, 10.0) };
        assert_eq!(law.eval(&at, &[], &mut []), -4.0);
        assert_eq!(law.eval(&At::sliding(10.0, 10.0), &[], &mut []), 3.0);
        let middle = law.eval(&At::sliding(0.05, 10.0), &[], &mut []);
        assert!((middle - (3.0 + (-1.0f64).exp())).abs() < 1e-14);
    }
}
