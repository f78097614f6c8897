use crate::law::{At, Law, deflection};
use crate::stribeck;
use bristle_core::{Card, Scalar};
use std::f64::consts::PI;

/// The elasto-plastic bristle: purely elastic up to break-away, so that it does not drift.
///
/// ```text
/// ż = v − α σ₀ |v| z / (n g(v))
/// F = σ₀ z + σ₁ ż + σ₂ v,   g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)
/// α = 0    z v ≤ 0 or |z| < z_ba
///     1    |z| ≥ z_max = n g(v)/σ₀
///     ½ + ½ sin(π (|z| − (z_max + z_ba)/2)/(z_max − z_ba))   else
/// ```
///
/// LuGre with a truly elastic range: a load that keeps the bristle below `z_ba` leaves no displacement behind. It
/// needs `z_ba` clearly below `μ_d n/σ₀`; else α becomes a step at speed, and the equations get so stiff that
/// common integrators fail or err. Without load the bristle springs back at the rate `σ₀/σ₁`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "elasto_plastic",
    state("z", "m"),
    cite = "dupont2002",
    cite = "pennestri2016",
    tags("bristle", "holds-load")
)]
pub struct ElastoPlastic<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", unit = "N s/m", default = 3e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Deflection up to which the bristle is purely elastic.
    #[param(symbol = "z_ba", unit = "m", default = 1e-6, min = 0.0, max = 1.0)]
    pub z_ba: S,
}

impl<S: Scalar> ElastoPlastic<S> {
    /// How plastic the bristle is, from 0 to 1.
    #[inline]
    fn plasticity(&self, along: S, size: S, z_max: S) -> S {
        let middle = || {
            let phase = (size - (z_max + self.z_ba) * 0.5) / (z_max - self.z_ba);
            (phase * PI).sin() * 0.5 + 0.5
        };
        // Saturation is asked before the sine: it also covers z_max ≤ z_ba, where the sine means nothing.
        let bent = || S::choose(size.lt(z_max), middle, || S::one());
        let ahead = || S::choose(size.lt(self.z_ba), S::zero, bent);
        S::choose(S::zero().lt(along), ahead, S::zero)
    }
}

impl<S: Scalar> Law<S> for ElastoPlastic<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let speed = at.speed();
        let g = at.grip() * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        let alpha = self.plasticity(z[0] * at.direction(), z[0].abs(), g / self.sigma0);
        let rate = at.v - alpha * self.sigma0 * speed * z[0] / g;
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        at.closed(self.sigma0 * z[0] + self.sigma1 * rate + self.sigma2 * at.v)
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
    }

    fn caution(&self, n: f64) -> Option<&'static str> {
        (n > 0.0 && self.z_ba.value() * self.sigma0.value() > 0.9 * self.mu_d.value() * n)
            .then_some("z_ba lies above 0.9 F_d/sigma0: plasticity sets in as a step, and solvers suffer")
    }
}

#[cfg(test)]
mod elasto_plastic_tests {
    use super::*;

    const LAW: ElastoPlastic<f64> = ElastoPlastic {
        mu_d: 0.3,
        mu_s: 0.4,
        v_s: 1e-2,
        gamma: 2.0,
        sigma0: 1e5,
        sigma1: 300.0,
        sigma2: 0.0,
        z_ba: 1e-5,
    };

    #[test]
    fn plasticity_rises_from_elastic_to_sliding_and_vanishes_on_the_way_back() {
        let alpha = |along: f64, size: f64| LAW.plasticity(along, size, 3e-5);
        for (size, value) in [(0.9e-5, 0.0), (1e-5, 0.0), (2e-5, 0.5), (3e-5, 1.0), (9e-5, 1.0)] {
            assert!((alpha(size, size) - value).abs() < 1e-15);
            assert_eq!(alpha(-size, size), 0.0);
        }
    }

    #[test]
    fn a_break_away_deflection_above_saturation_is_a_plain_step() {
        assert_eq!(LAW.plasticity(1e-5, 1e-5, 1e-5), 1.0);
        assert_eq!(LAW.plasticity(2e-5, 2e-5, 0.5e-5), 1.0);
        assert_eq!(LAW.plasticity(0.9e-5, 0.9e-5, 0.5e-5), 0.0);
        assert!(LAW.caution(3.0).is_some() && LAW.caution(10.0).is_none());
    }
}
