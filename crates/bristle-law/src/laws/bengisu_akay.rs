use crate::law::{At, Law};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// Bengisu and Akay's curve: a parabola up to the static level, an exponential fall beyond.
///
/// ```text
/// F = n sgn v μ_s [1 − (|v|/v_s − 1)²]                  |v| < v_s
///     n sgn v [μ_d + (μ_s − μ_d) exp(−ξ(|v| − v_s))]    |v| ≥ v_s
/// ```
///
/// Replaces the jump at rest by a steep rise, made for the stability of many sliding contacts. Without memory; it
/// creeps under any load, at `v_s F/(2 μ_s n)` under small loads `F`. The slope jumps at `v_s`, where explicit
/// and implicit methods alike shorten their steps.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "bengisu_akay", cite = "bengisu1994", tags("static", "creeps"))]
pub struct BengisuAkay<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Velocity at which the peak is reached.
    #[param(symbol = "v_s", unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Decay beyond the peak.
    #[param(symbol = "ξ", unit = "s/m", default = 100.0, min = 0.0, max = 1e9)]
    pub xi: S,
}

impl<S: Scalar> Law<S> for BengisuAkay<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let speed = at.v.abs();
        // 1 − (u − 1)² = u(2 − u): without sgn(v), so that the slope at rest comes out.
        let rise = || self.mu_s * at.v / self.v_s * (-speed / self.v_s + 2.0);
        let fall = || {
            let rest = stribeck::decay(self.xi * (speed - self.v_s));
            at.v.sign() * (self.mu_d + (self.mu_s - self.mu_d) * rest)
        };
        at.load() * S::choose(speed.lt(self.v_s), rise, fall)
    }
}

#[cfg(test)]
mod bengisu_akay_tests {
    use super::*;

    #[test]
    fn the_parabola_meets_the_exponential_at_the_peak() {
        let law = BengisuAkay { mu_d: 0.3, mu_s: 0.4, v_s: 0.01, xi: 50.0 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        assert!((force(0.005) - 3.0).abs() < 1e-14, "three quarters of the peak at half its velocity");
        assert!((force(0.01) - 4.0).abs() < 1e-14 && (force(0.01 - 1e-12) - 4.0).abs() < 1e-14);
        assert!((force(-0.03) + 3.0 + (-1.0f64).exp()).abs() < 1e-14);
        assert!((force(1e-9) - 2.0 * 4.0 * 1e-7).abs() < 1e-12);
    }
}
