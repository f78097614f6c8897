//! The regularised strength of rate-and-state friction, whatever the evolution of its state.

use crate::law::At;
use bristle_core::{Card, Scalar};

/// `asinh(x e^y)`, also where the exponential would overflow.
#[inline]
fn asinh_exp<S: Scalar>(x: S, y: S) -> S {
    let log = y + x.abs().max(S::from(1e-300)).ln();
    // asinh w = ln 2w + 1/(4w²) − …: from e^18 on the logarithm is exact to rounding.
    let far = || x.sign() * (log + std::f64::consts::LN_2);
    let near = || (x * y.min(S::from(600.0)).exp()).asinh();
    S::choose(S::from(18.0).lt(log), far, near)
}

/// Below this slip rate, m/s, the force is proportional to it: thirty micrometres a year. The logarithm would turn round within
/// less than a number can tell from rest.
const SLOWEST: f64 = 1e-12;

/// The numbers of rate-and-state friction.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rate_state")]
pub struct RateState<S> {
    /// Coefficient of steady sliding at the reference velocity.
    #[param(symbol = "μ_0", role = ReferenceFriction, unit = "1", default = 0.3, min = 1e-3, max = 10.0, force = "F_0")]
    pub mu_ref: S,
    /// Direct effect: rise of the coefficient with the logarithm of speed.
    #[param(symbol = "a", role = DirectEffect, unit = "1", default = 0.02, min = 1e-3, max = 10.0, force = "F_a")]
    pub direct: S,
    /// Evolution: rise of the coefficient with the logarithm of the state; negative where contacts weaken with their age.
    #[param(symbol = "b", role = EvolutionEffect, unit = "1", default = 0.03, min = -10.0, max = 10.0, force = "F_b")]
    pub evolution: S,
    /// Reference velocity.
    #[param(symbol = "v_0", role = ReferenceVelocity, unit = "m/s", default = 1e-3, min = 1e-12, max = 1e3)]
    pub v_ref: S,
    /// Slip that renews the contacts.
    #[param(symbol = "L", role = RenewalDistance, unit = "m", default = 1e-5, min = 1e-9, max = 1.0)]
    pub d_c: S,
}

impl<S: Scalar> RateState<S> {
    /// The force `n a asinh[v/(2v_0) exp((μ_0 + b ln(v_0 θ/L))/a)]`; writes the rate of the state `θ`, which `evolve`
    /// gives for `|v| θ/L`.
    #[inline]
    pub(crate) fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S], evolve: impl FnOnce(S) -> S) -> S {
        dz[0] = at.bristle(evolve(at.v.abs() * z[0] / self.d_c), z[0], S::one(), S::zero());
        // A state of nothing has no logarithm; at this floor the strength has long vanished.
        let state = (self.v_ref * z[0] / self.d_c).max(S::from(1e-30)).ln();
        let strength = (self.mu_ref + self.evolution * state) / self.direct;
        // The speed |v|, rounded off below a few of the slowest, and its direction with it.
        let u = at.v / SLOWEST;
        let direction = u.tanh();
        let rounded = S::choose(u.abs().lt(S::from(1e-3)), || u.squared() / 3.0 + 1.0, || u / direction);
        at.load() * self.direct * asinh_exp(rounded * SLOWEST / self.v_ref * 0.5, strength) * direction
    }

    /// The slip rate within which the strength turns round: `v_0 exp(−μ_0/a)`.
    pub(crate) fn finest_speed(&self) -> f64 {
        (self.v_ref.value() * (-self.mu_ref.value() / self.direct.value()).exp()).max(SLOWEST)
    }

    /// The state of steady sliding at the reference velocity.
    pub(crate) fn steady(&self) -> f64 {
        self.d_c.value() / self.v_ref.value()
    }
}

#[cfg(test)]
mod rate_state_tests {
    use super::*;

    #[test]
    fn the_two_branches_of_the_inverse_sine_meet() {
        for (x, y) in [(1.0, 17.999_999), (1.0, 18.000_001), (-0.3, 2.0), (1e-9, 40.0), (0.0, 1e6)] {
            let expected = if x == 0.0 { 0.0 } else { (x * f64::exp(y)).asinh() };
            assert!((asinh_exp(x, y) - expected).abs() < 1e-14, "{x} {y}");
        }
        assert!((asinh_exp(0.5, 1e4) - 1e4).abs() < 1e-11);
    }
}
