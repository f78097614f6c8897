use crate::law::{At, Law};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// Andersson's combined law: a Stribeck curve behind a hyperbolic tangent, plus viscous friction.
///
/// ```text
/// F = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)] tanh(k_t v) + σ₂ v
/// ```
///
/// The common curve of tribology made usable for simulation. Without memory; it creeps under any load, at
/// `F/(k_t μ_s n)` under small loads `F`. The static level is reached only if `1/k_t` is small against `v_s`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "andersson", cite = "andersson2007", tags("static", "creeps"))]
pub struct Andersson<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", role = StribeckExponent, unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Steepness at rest.
    #[param(symbol = "k_t", role = Steepness, unit = "s/m", default = 1e3, min = 1e-3, max = 1e9)]
    pub k_t: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
}

impl<S: Scalar> Law<S> for Andersson<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let level = stribeck::level(at.v.abs(), self.mu_d, self.mu_s, self.v_s, self.gamma);
        at.closed(at.load() * level * (self.k_t * at.v).tanh() + self.sigma2 * at.v)
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod andersson_tests {
    use super::*;

    #[test]
    fn the_curve_is_stribeck_behind_a_tangent() {
        let law = Andersson { mu_d: 0.3, mu_s: 0.4, v_s: 0.01, gamma: 2.0, k_t: 1e3, sigma2: 0.5 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        assert!((force(0.01) - (3.0 + (-1.0f64).exp()) * 10f64.tanh() - 0.005).abs() < 1e-14);
        assert!((force(-2.0) + 4.0).abs() < 1e-14);
        assert!((force(1e-9) - 4e-6 - 5e-10).abs() < 1e-15);
    }
}
