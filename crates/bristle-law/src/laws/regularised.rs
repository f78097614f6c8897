use crate::law::{At, Law};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// The static law under FrDyn2: a parabola up to the static level, a cubic down to the kinetic one.
///
/// ```text
/// F = n sgn v μ(|v|)
/// μ(w) = μ_s q (2 − q),                 q = w/v_s                 w ≤ v_s
///        μ_d + (μ_s − μ_d)(1 − q²(3 − 2q)), q = (w − v_s)/(v_d − v_s)   v_s < w < v_d
///        μ_d                                                      beyond
/// ```
///
/// No memory and no events. It creeps under load, at `v_s (1 − √(1 − F/μ_s n))`: 0.9 `v_s` under 99 % of the
/// static level. `frdyn2` is the same curve with bristles, which hold.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "regularised", cite = "rill2023", tags("static", "creeps"))]
pub struct Regularised<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Static velocity, at which the peak is reached.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Dynamic velocity, from which the kinetic level holds.
    #[param(symbol = "v_d", role = KineticVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_d: S,
}

impl<S: Scalar> Law<S> for Regularised<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        at.load() * stribeck::regularised(at.v, self.mu_s, self.v_s, self.mu_d, self.v_d)
    }

    fn fault(&self) -> Option<&'static str> {
        (self.v_d.value() <= self.v_s.value())
            .then_some("the dynamic velocity must lie above the static velocity")
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod regularised_tests {
    use super::*;

    /// Rill & Schuderer, Fig. 4: 5.82714 N on a bench with `μ_s n` = 5.886 N moves it at 0.9 mm/s.
    #[test]
    fn it_creeps_at_the_published_rate() {
        let law = Regularised { mu_d: 0.3, mu_s: 0.6, v_s: 1e-3, v_d: 1e-2 };
        assert!((law.eval(&At::sliding(9e-4, 9.81), &[], &mut []) - 5.82714).abs() < 1e-14);
    }
}
