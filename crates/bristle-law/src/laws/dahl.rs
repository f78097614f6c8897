use crate::law::{At, Law, deflection};
use crate::plane::{InPlane, dot};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// Dahl: an elastic bristle that yields towards the kinetic level.
///
/// ```text
/// ż = v sgn(q) |q|^α,   q = 1 − σ₀ z sgn(v)/(μ_d n)
/// F = σ₀ z
/// ```
///
/// Presliding hysteresis that depends on displacement only; the exponent is 1 for brittle and near 2 for ductile
/// materials. There is no static peak and no Stribeck fall, hence no stick-slip, and small oscillating loads make
/// it drift. Without load the bristle springs back within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "dahl",
    state("z", "m", Deflection),
    cite = "dahl1968",
    cite = "pennestri2016",
    tags("bristle", "holds-load")
)]
pub struct Dahl<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Shape exponent.
    #[param(symbol = "α", role = Shape, unit = "1", default = 1.0, min = 0.5, max = 4.0)]
    pub alpha: S,
}

impl<S: Scalar> Law<S> for Dahl<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let q = -(self.sigma0 * z[0] * at.direction() / (self.mu_d * at.load_floored())) + 1.0;
        let rate = at.v * stribeck::signed_power(q, self.alpha);
        dz[0] = at.bristle(rate, z[0], self.sigma0, S::zero());
        at.closed(self.sigma0 * z[0])
    }

    /// Yields by the part of its deflection that lies along the slip rate.
    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, speed) = (at.along(), at.speed());
        let level = self.mu_d * along.load_floored();
        let moved = S::choose(S::zero().lt(speed), || speed, S::one);
        let bent = self.sigma0 * dot([z[0], z[1]], at.v) / (level * moved);
        // (1 − q^α)/(1 − q), which is α where the bristle is not bent along the slip.
        let apart = || (-stribeck::signed_power(-bent + 1.0, self.alpha) + 1.0) / bent;
        let share = S::choose(bent.abs().lt(S::from(1e-9)), || self.alpha, apart);
        at.bend([z[0], z[1]], share * self.sigma0 * speed / level, self.sigma0, S::zero(), dz);
        [0, 1].map(|i| along.closed(self.sigma0 * z[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_d, n, self.sigma0);
    }
}

#[cfg(test)]
mod dahl_tests {
    use super::*;

    /// With `α = 1` a slip `x` from rest gives `F = μ_d n (1 − exp(−σ₀ x/μ_d n))`, whatever the speed.
    #[test]
    fn the_virgin_curve_is_exponential_in_the_slip() {
        let law = Dahl { mu_d: 0.3, sigma0: 1e5, alpha: 1.0 };
        let force = |z: f64| law.eval(&At::sliding(0.2, 10.0), &[z], &mut [0.0]);
        let z = |x: f64| 3e-5 * (1.0 - (-x / 3e-5).exp());
        let (x, h) = (4e-5, 1e-9);
        let mut dz = [0.0];
        law.eval(&At::sliding(0.2, 10.0), &[z(x)], &mut dz);
        assert!((dz[0] / 0.2 - (z(x + h) - z(x - h)) / (2.0 * h)).abs() < 1e-8);
        assert!((force(z(1.0)) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn unloading_starts_at_full_stiffness_for_every_exponent() {
        for alpha in [0.7, 1.0, 2.0] {
            let law = Dahl { mu_d: 0.3, sigma0: 1e5, alpha };
            let mut dz = [0.0];
            law.eval(&At::sliding(-0.1, 10.0), &[0.0], &mut dz);
            assert_eq!(dz[0], -0.1);
            law.eval(&At::sliding(-0.1, 10.0), &[-3e-5], &mut dz);
            assert!(dz[0].abs() < 1e-10);
        }
    }
}
