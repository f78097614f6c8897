use crate::law::{At, Law, deflection};
use crate::plane::InPlane;
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// LuGre: elastic bristles that bend before they slip.
///
/// ```text
/// ż = v − σ₀ |v| z / (n g(v))
/// F = σ₀ z + σ₁ ż + σ₂ v
/// g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)
/// ```
///
/// Gives presliding stiffness, break-away that falls with the rate of loading, and frictional lag. It drifts
/// under small oscillating loads; use `elasto_plastic` where that matters. It is passive only if σ₁ is small
/// enough at high speed. Without load the bristle springs back at the rate `σ₀/σ₁`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "lugre", state("z", "m", Deflection), cite = "canudas1995", tags("bristle", "holds-load"))]
pub struct LuGre<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", role = StribeckExponent, unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 3e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
}

impl<S: Scalar> Law<S> for LuGre<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let speed = at.speed();
        let g = at.load_floored() * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        let rate = at.v - self.sigma0 * speed * z[0] / g;
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        at.closed(self.sigma0 * z[0] + self.sigma1 * rate + self.sigma2 * at.v)
    }

    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, speed) = (at.along(), at.speed());
        let g = along.load_floored() * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        let rate = at.bend([z[0], z[1]], self.sigma0 * speed / g, self.sigma0, self.sigma1, dz);
        [0, 1].map(|i| along.closed(self.sigma0 * z[i] + self.sigma1 * rate[i] + self.sigma2 * at.v[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod lugre_tests {
    use super::*;

    /// Steady sliding bends the bristles to `z = sgn(v) n g(v)/σ₀`, so `F = n g(v) sgn(v) + σ₂ v`.
    #[test]
    fn steady_sliding_follows_the_stribeck_curve() {
        let law =
            LuGre { mu_d: 0.3, mu_s: 0.4, v_s: 1e-3, gamma: 2.0, sigma0: 1e5, sigma1: 300.0, sigma2: 0.4 };
        let (v, g) = (1e-3, 5.0 * (0.3 + 0.1 * (-1.0f64).exp()));
        let mut dz = [f64::NAN];
        let force = law.eval(&At::sliding(v, 5.0), &[g / 1e5], &mut dz);
        assert!(dz[0].abs() < 1e-15);
        assert!((force - (g + 0.4 * v)).abs() < 1e-12);
    }

    #[test]
    fn without_load_there_is_no_force_and_the_bristle_springs_back() {
        let law =
            LuGre { mu_d: 0.3, mu_s: 0.4, v_s: 1e-3, gamma: 1.0, sigma0: 1e5, sigma1: 300.0, sigma2: 0.4 };
        let mut dz = [f64::NAN];
        for n in [0.0, -3.0] {
            assert_eq!(law.eval(&At::sliding(0.1, n), &[2e-5], &mut dz), 0.0);
            assert!((dz[0] + 2e-5 / 3e-3).abs() < 1e-15);
        }
    }
}
