use crate::law::{At, Law};
use bristle_core::{Card, Scalar};
use std::f64::consts::{E, SQRT_2};

/// A Simscape-like curve: a Stribeck bump over a hyperbolic tangent, plus viscous friction.
///
/// ```text
/// F = n [√(2e) (μ_s − μ_d) exp(−q²) q + μ_d tanh(10 v/v_s)] + σ₂ v,   q = v/(√2 v_s)
/// ```
///
/// Smooth to every order, one formula for stiction, Coulomb and viscous friction in tools for physical networks. The
/// bump peaks exactly at `v_s`, where the tangent has come within 10⁻⁸ of one. Without memory; below the peak it
/// creeps, at about `v_s F/((√e (μ_s − μ_d) + 10 μ_d) n)` under small loads `F`. After published descriptions of the
/// block, not after its code.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "simscape_like", cite = "mathworks2024", tags("static", "emulation", "creeps"))]
pub struct SimscapeLike<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Break-away velocity, at which the peak lies.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
}

impl<S: Scalar> Law<S> for SimscapeLike<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let q = at.v / (self.v_s * SQRT_2);
        let bump = (-(q * q)).exp() * q * (2.0 * E).sqrt();
        let dry = (self.mu_s - self.mu_d) * bump + self.mu_d * (at.v * 10.0 / self.v_s).tanh();
        at.closed(at.load() * dry + self.sigma2 * at.v)
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod simscape_like_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    /// `√(2e) q exp(−q²)` has its peak 1 at `q = 1/√2`.
    #[test]
    fn the_peak_is_the_static_level_at_the_break_away_velocity() {
        let law: SimscapeLike<Dual<1>> =
            SimscapeLike { mu_d: 0.3.into(), mu_s: 0.4.into(), v_s: 0.01.into(), sigma2: 0.0.into() };
        let force = law.eval(&At::sliding(seed(0.01, 0), 10.0.into()), &[], &mut []);
        assert!((force.value() - 4.0).abs() < 2e-8, "{}", force.value());
        assert!(partial(&force, 0).abs() < 1e-4, "{}", partial(&force, 0));
    }

    #[test]
    fn creep_and_plateau_are_those_of_the_card() {
        let law = SimscapeLike { mu_d: 0.3, mu_s: 0.4, v_s: 1e-3, sigma2: 0.5 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        let dry = SimscapeLike { sigma2: 0.0, ..law };
        let creep = 1e-3 * 1e-4 / ((E.sqrt() * 0.1 + 3.0) * 10.0);
        assert!((dry.eval(&At::sliding(creep, 10.0), &[], &mut []) / 1e-4 - 1.0).abs() < 1e-6);
        assert!((force(-2.0) + 4.0).abs() < 1e-14);
    }
}
