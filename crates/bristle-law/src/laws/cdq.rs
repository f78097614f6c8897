use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// CDQ: Quinn's regularisation with rounded corners.
///
/// ```text
/// F = μ n h(v/ε + h(F_hold/(μ n)))
/// h(x) = x                                             |x| ≤ α
///        α + w [s + (3m − 2)s² − (2m − 1)s³]           α < x < β,  h odd
///        1                                             x ≥ β
/// w = β − α,  s = (x − α)/w,  m = (1 − α)/w
/// ```
///
/// Continuously differentiable, so implicit multistep methods take long steps. The price is that it holds only
/// up to `α μ n`; beyond, it creeps at `ε [h⁻¹(x) − h(x)]` with `x = F_hold/(μ n)`. `h` is monotone and below 1
/// only for `β ≤ 3 − 2α`, and never above the holding force only for `β ≥ (3 − α)/2`; the published choice
/// `β = 2 − α` is a parabola between the two.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "cdq", cite = "westin2020", tags("static", "reads-hold", "holds-load"))]
pub struct Cdq<S> {
    /// Friction coefficient, at rest and in sliding.
    #[param(symbol = "μ", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Velocity over which the sign is smoothed.
    #[param(symbol = "ε", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub eps: S,
    /// Share of the level up to which the contact holds without creep.
    #[param(symbol = "α", role = Shape, unit = "1", default = 0.9, min = 0.0, max = 0.9999)]
    pub alpha: S,
    /// Where the full level is reached; zero stands for `2 − α`.
    #[param(symbol = "β", role = Shape, unit = "1", default = 0.0, min = 0.0, max = 3.0)]
    pub beta: S,
}

impl<S: Scalar> Cdq<S> {
    /// Where the full level is reached.
    #[inline]
    fn end(&self) -> S {
        S::select(S::zero().lt(self.beta), self.beta, -self.alpha + 2.0)
    }

    /// The sigmoid `h`.
    #[inline]
    pub fn sigmoid(&self, x: S) -> S {
        let (size, end) = (x.abs(), self.end());
        let bend = || {
            let w = end - self.alpha;
            let (s, m) = ((size - self.alpha) / w, (-self.alpha + 1.0) / w);
            x.sign() * (self.alpha + w * s * ((m * 3.0 - 2.0) * s - (m * 2.0 - 1.0) * s * s + 1.0))
        };
        let outside = || S::choose(size.lt(end), bend, || x.sign());
        S::choose(self.alpha.lt(size), outside, || x)
    }
}

impl<S: Scalar> Law<S> for Cdq<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let level = self.mu_d * at.load_floored();
        at.closed(level * self.sigmoid(at.v / self.eps + self.sigmoid(at.hold / level)))
    }

    fn uses_hold(&self) -> bool {
        true
    }

    fn fault(&self) -> Option<&'static str> {
        let (alpha, end) = (self.alpha.value(), self.end().value());
        if end <= 1.0 || end <= alpha {
            Some("beta must lie above 1 (or be zero for 2 - alpha)")
        } else if end > 3.0 - 2.0 * alpha + 1e-12 {
            Some("beta lies above 3 - 2 alpha, so the force would overshoot its level")
        } else {
            None
        }
    }

    fn caution(&self, _n: f64) -> Option<&'static str> {
        (self.end().value() < (3.0 - self.alpha.value()) / 2.0 - 1e-12)
            .then_some("beta lies below (3 - alpha)/2, so the force can exceed the one that would hold")
    }
}

#[cfg(test)]
mod cdq_tests {
    use super::*;

    const LAW: Cdq<f64> = Cdq { mu_d: 0.25, eps: 1e-3, alpha: 0.9, beta: 0.0 };

    #[test]
    fn the_published_end_makes_a_parabola() {
        for x in [0.9, 0.95, 1.0, 1.05, 1.1] {
            assert!((LAW.sigmoid(x) - (x - (x - 0.9) * (x - 0.9) / 0.4)).abs() < 1e-15);
        }
        assert!((LAW.sigmoid(-1.0) + (3.0 + 0.9) / 4.0).abs() < 1e-15);
    }

    /// Under `x` times the level the contact creeps at `ε [h⁻¹(x) − h(x)]`, where the force equals the load.
    #[test]
    fn it_creeps_at_the_closed_form_rate() {
        let x = 0.95;
        let inverse = 1.1 - (0.4f64 * (1.0 - x)).sqrt();
        let at = At { hold: x * 2.5, ..At::sliding(1e-3 * (inverse - LAW.sigmoid(x)), 10.0) };
        assert!((LAW.eval(&at, &[], &mut []) - x * 2.5).abs() < 1e-14);
    }

    #[test]
    fn an_end_that_would_overshoot_is_refused() {
        let wide = Cdq { beta: 1.4, ..LAW };
        assert!(wide.fault().is_some() && LAW.fault().is_none());
        let peak = (0..2000).map(|i| wide.sigmoid(f64::from(i) * 1e-3)).fold(0.0, f64::max);
        assert!((peak - 1.0131687238848).abs() < 1e-6);
    }
}
