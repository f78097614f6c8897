use crate::law::{At, Law};
use crate::{piecewise, step};
use bristle_core::{Card, Choice, Mode, Scalar};
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
/// One smooth curve without memory, the default friction of many multibody codes. Its curvature jumps at both
/// velocities; each is passed as an event, and between them a step sees one piece only. Below the static level
/// it creeps instead of sticking, at about `2 v_s F/(π μ_s n)`, and explicit methods pay for a small `v_s`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "velocity_based", cite = "pennestri2016", tags("static", "creeps"))]
pub struct VelocityBased<S> {
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
    /// Pieces of sine and cosine, or cubic steps.
    #[choice("trigonometric", "cubic")]
    pub shape: Choice,
}

impl<S: Scalar> VelocityBased<S> {
    /// The rise through zero, as a share of the static level; beyond the peak it goes on as it came.
    #[inline]
    fn rise(&self, v: S) -> S {
        let q = v / self.v_s;
        if self.shape == Choice(0) { (q * FRAC_PI_2).sin() } else { step::odd_cubic_piece(q) }
    }

    /// The coefficient on the fall from peak to plateau; beyond either it goes on as it came.
    #[inline]
    fn fall(&self, speed: S) -> S {
        let q = (speed - self.v_s) / (self.v_d - self.v_s);
        let drop = if self.shape == Choice(0) { (-(q * PI).cos() + 1.0) * 0.5 } else { step::cubic_piece(q) };
        self.mu_s - (self.mu_s - self.mu_d) * drop
    }

    /// The friction coefficient, where nobody keeps modes.
    #[inline]
    fn by_value(&self, v: S) -> S {
        let speed = v.abs();
        let outer = || S::choose(speed.lt(self.v_d), || self.fall(speed), || self.mu_d) * v.sign();
        S::choose(self.v_s.lt(speed), outer, || self.mu_s * self.rise(v))
    }
}

impl<S: Scalar> Law<S> for VelocityBased<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        at.load()
            * match at.mode {
                [Mode::Stick, ..] => self.mu_s * self.rise(at.v),
                [_, Mode::Stick] => self.fall(at.speed()) * at.direction(),
                [_, _] => self.mu_d * at.direction(),
                _ => self.by_value(at.v),
            }
    }

    /// Remembers where the slip rate lies: within the peaks or beyond one, and within the plateaus or on one.
    fn elements(&self) -> usize {
        2
    }

    fn keeps_direction(&self) -> bool {
        false
    }

    fn guards(&self, at: &At<S>, _z: &[S], g: &mut [S]) {
        for ((g, mode), edge) in g.iter_mut().zip(at.mode).zip([self.v_s, self.v_d]) {
            *g = piecewise::guard(at.v / edge, *mode);
        }
    }

    fn switch(&self, fired: usize, at: &At<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[fired] = piecewise::crossed(at.v, mode[fired]);
    }

    fn start(&self, at: &At<f64>, _z: &[f64], mode: &mut [Mode]) {
        for (mode, edge) in mode.iter_mut().zip([self.v_s, self.v_d]) {
            *mode = piecewise::of(at.v / edge.value());
        }
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
