use crate::law::{At, Law, deflection};
use crate::plane::{InPlane, dot, length};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// Bouc–Wen: hysteresis whose loops are rounded by an exponent.
///
/// ```text
/// ż = v [1 − (β sgn(v z) + 1 − β) |z/z_y|^ν],   z_y = μ_d n/σ₀
/// F = σ₀ z
/// ```
///
/// The model of structural engineering, `ż = A v − β' |v| |z|^(ν−1) z − γ' v |z|^ν`, in the form that saturates at the
/// friction level: `A = 1` and the two shape parameters in the proportion `β : 1 − β`, with the sum `z_y^−ν`. Loading follows `z' = 1 − (z/z_y)^ν`; a large exponent is an elastic bar
/// on a Coulomb slider. With `β = 1/2` unloading is elastic, with `β = 1` and `ν = 1` it is Dahl's law; below 1/2
/// it would give back energy. Rate-independent; no static peak, and it drifts under small oscillating loads.
/// Without load the bristle springs back within a millisecond. A falling load leaves deflections beyond `z_y` behind;
/// there the power `u^ν` goes on as its tangent `1 + ν (u − 1)`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "bouc_wen",
    state("z", "m", Deflection),
    cite = "wen1976",
    cite = "smyth2007",
    cite = "ismail2009",
    tags("bristle", "holds-load")
)]
pub struct BoucWen<S> {
    /// Friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Share of the term that tells loading from unloading.
    #[param(symbol = "β", role = Shape, unit = "1", default = 0.5, min = 0.5, max = 1.0)]
    pub beta: S,
    /// Sharpness of the bend.
    #[param(symbol = "ν", role = Shape, unit = "1", default = 2.0, min = 1.0, max = 10.0)]
    pub nu: S,
}

impl<S: Scalar> BoucWen<S> {
    /// `u^ν`, and beyond the yield deflection, where only a falling load leads, its tangent: the power would hold a
    /// bristle that the load has left behind as a ratchet does, with a rate that no step can follow.
    #[inline]
    fn bend(&self, share: S) -> S {
        S::choose(S::one().lt(share), || self.nu * (share - 1.0) + 1.0, || stribeck::power(share, self.nu))
    }
}

impl<S: Scalar> Law<S> for BoucWen<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let share = self.sigma0 * z[0].abs() / (self.mu_d * at.load_floored());
        let shape = self.beta * (z[0] * at.direction()).sign() - self.beta + 1.0;
        let rate = at.v * (-(shape * self.bend(share)) + 1.0);
        dz[0] = at.bristle(rate, z[0], self.sigma0, S::zero());
        at.closed(self.sigma0 * z[0])
    }

    /// Yields along its deflection, by the part of the slip that bends it further (Park, Wen and Ang 1986).
    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, bent) = (at.along(), [z[0], z[1]]);
        let size = length(bent);
        let safe = S::choose(S::zero().lt(size), || size, S::one);
        let bends = dot(bent, at.v) / safe;
        let share = self.sigma0 * size / (self.mu_d * along.load_floored());
        let shape = self.beta * bends.abs() + (-self.beta + 1.0) * bends;
        at.bend(bent, shape * self.bend(share) / safe, self.sigma0, S::zero(), dz);
        bent.map(|z| along.closed(self.sigma0 * z))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        1
    }

    /// The bristle yields within a nanonewton's worth of deflection.
    fn closes(&self, at: &At<f64>, z: &mut [f64]) {
        z[0] = (self.mu_d.value() * at.load_floored() / self.sigma0.value()).copysign(at.v);
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_d, n, self.sigma0);
    }
}

#[cfg(test)]
mod bouc_wen_tests {
    use super::*;

    /// From rest a slip `x` gives `z_y tanh(x/z_y)` for `ν = 2` and `z_y (1 − exp(−x/z_y))` for `ν = 1`.
    #[test]
    fn the_virgin_curves_are_the_closed_forms() {
        type Curve = fn(f64) -> f64;
        let curves: [(f64, Curve); 2] = [(1.0, |x| 1.0 - (-x).exp()), (2.0, f64::tanh)];
        for (nu, curve) in curves {
            let law = BoucWen { mu_d: 0.3, sigma0: 1e5, beta: 0.7, nu };
            for x in [0.1, 0.8, 2.5] {
                let slope = (curve(x + 1e-6) - curve(x - 1e-6)) / 2e-6;
                let mut dz = [f64::NAN];
                law.eval(&At::sliding(0.2, 10.0), &[3e-5 * curve(x)], &mut dz);
                assert!((dz[0] / 0.2 - slope).abs() < 1e-8, "{nu} {x}");
            }
        }
    }

    #[test]
    fn one_half_unloads_elastically_and_one_is_dahl() {
        let rate = |beta, nu, z: f64| {
            let mut dz = [f64::NAN];
            BoucWen { mu_d: 0.3, sigma0: 1e5, beta, nu }.eval(&At::sliding(-0.2, 10.0), &[z], &mut dz);
            dz[0]
        };
        assert_eq!(rate(0.5, 2.0, 2e-5), -0.2);
        let dahl = crate::laws::Dahl { mu_d: 0.3, sigma0: 1e5, alpha: 1.0 };
        for z in [-2e-5, 0.0, 2.5e-5] {
            let mut dz = [f64::NAN];
            dahl.eval(&At::sliding(-0.2, 10.0), &[z], &mut dz);
            assert!((rate(1.0, 1.0, z) - dz[0]).abs() < 1e-15);
        }
    }
}
