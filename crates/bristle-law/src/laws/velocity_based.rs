use crate::law::{At, Law};
use crate::step;
use bristle_core::{Card, Choice, Scalar};
use std::f64::consts::{FRAC_PI_2, PI};

/// The velocity-based law of contact codes: a rise to the static level, a fall to the kinetic one.
///
/// ```text
/// F = n μ_s R(v/v_s)                                 |v| ≤ v_s
///     n sgn v [μ_s − (μ_s − μ_d) D((|v| − v_s)/(v_d − v_s))]   v_s < |v| < v_d
///     n sgn v μ_d                                    beyond
/// R(q) = sin(πq/2),  D(q) = (1 − cos πq)/2           shape = "trigonometric"
/// R(q) = q(3 − q²)/2, D(q) = q²(3 − 2q)              shape = "cubic"
/// ```
///
/// One smooth curve, no memory, no events; the default friction of many multibody codes. Below the static level
/// it creeps instead of sticking, at about `2 v_s F/(π μ_s n)`, and explicit methods pay for a small `v_s`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "velocity_based", cite = "pennestri2016", tags("static", "creeps"))]
pub struct VelocityBased<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Static velocity, at which the peak is reached.
    #[param(symbol = "v_s", unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Dynamic velocity, from which the kinetic level holds.
    #[param(symbol = "v_d", unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_d: S,
    /// Pieces of sine and cosine, or cubic steps.
    #[choice("trigonometric", "cubic")]
    pub shape: Choice,
}

impl<S: Scalar> Law<S> for VelocityBased<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let speed = at.v.abs();
        let rise = || {
            let q = at.v / self.v_s;
            self.mu_s * if self.shape == Choice(0) { (q * FRAC_PI_2).sin() } else { step::odd_cubic(q) }
        };
        let fall = || {
            let q = ((speed - self.v_s) / (self.v_d - self.v_s)).clamp_to(S::zero(), S::one());
            let drop = if self.shape == Choice(0) { (-(q * PI).cos() + 1.0) * 0.5 } else { step::cubic(q) };
            at.v.sign() * (self.mu_s - (self.mu_s - self.mu_d) * drop)
        };
        at.load() * S::choose(self.v_s.lt(speed), fall, rise)
    }

    fn fault(&self) -> Option<&'static str> {
        (self.v_d.value() <= self.v_s.value())
            .then_some("the dynamic velocity must lie above the static velocity")
    }
}

#[cfg(test)]
mod velocity_based_tests {
    use super::*;

    #[test]
    fn both_shapes_pass_through_peak_middle_and_plateau() {
        for shape in [Choice(0), Choice(1)] {
            let law = VelocityBased { mu_d: 0.3, mu_s: 0.4, v_s: 1e-3, v_d: 1e-2, shape };
            for (v, force) in [(0.0, 0.0), (1e-3, 4.0), (5.5e-3, 3.5), (1e-2, 3.0), (1.0, 3.0)] {
                assert!((law.eval(&At::sliding(v, 10.0), &[], &mut []) - force).abs() < 1e-14);
                assert!((law.eval(&At::sliding(-v, 10.0), &[], &mut []) + force).abs() < 1e-14);
            }
        }
    }
}
