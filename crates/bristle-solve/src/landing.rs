//! Ending a step on a guard.
//!
//! The interpolant says about where a guard crosses zero; steps of the method itself say where, so that a switch is as
//! exact as the solution.

use crate::Integrator;
use crate::methods::{Attempt, Here};

/// So many rounds without a smaller guard: what is left is rounding.
const PATIENCE: usize = 3;

/// A part of the tolerance that adds nothing to the error of a step.
const NEGLIGIBLE: f64 = 1e-4;

/// A part of the tolerance, and of the step, over which the motion is straight.
const NEAR: f64 = 0.1;

/// Motion over a step below this part of the tolerance is none: what the guard does is a matter of time alone.
const STILL: f64 = 1e-3;

impl Integrator<'_> {
    /// Makes the step that ends on `guard`, expected at the fraction `theta` of a step `h`, alone within `part` of it.
    ///
    /// Gives the guard that fires first and the length of the step; zero if it fires where the step began. Steps are
    /// exact where the interpolant is not, so that another guard may turn out to be first.
    pub(crate) fn land(&mut self, guard: usize, theta: f64, part: [f64; 2], h: f64) -> (usize, f64) {
        self.landing_error = 0.0;
        let beyond = self.guards.end.g[guard] / self.guards.end.dg[guard];
        if part == [0.0, 1.0]
            && beyond >= 0.0
            && self.guards.overtaken(guard).is_none()
            && self.shift_to_guard(guard, -beyond, h)
        {
            return (guard, h - beyond);
        }
        let (mut guard, mut s) = (guard, theta * h);
        // Where the guard crosses zero more than once in the step, the part leaves room for the error of the interpolant.
        let width = part[1] - part[0];
        let mut low = (part[0] - width).max(0.0) * h;
        let mut high = (part[1] + width).min(1.0) * h;
        if part[0] == 0.0 && self.guards.end.g[guard] > 0.0 {
            // A guard that only dips is positive at the end of the step: its crossing is known as the interpolant knows it.
            high = s * (1.0 + 1e-6);
        }
        // Each round ends earlier than the one before.
        for _ in 0..8 {
            if self.is_instant(s) {
                return (guard, 0.0);
            }
            s = self.find(guard, s, [low, high]);
            let Some((earlier, fraction)) = self.guards.overtaken(guard) else { break };
            (guard, low, high, s) = (earlier, 0.0, s, fraction * s);
        }
        (guard, s)
    }

    /// The length within a bracket, expected at `s`, of the step that ends on `guard`: Newton's iteration.
    fn find(&mut self, guard: usize, s: f64, [mut low, mut high]: [f64; 2]) -> f64 {
        let mut s = s;
        let (mut least, mut idle) = (f64::INFINITY, 0);
        // Newton takes two or three rounds; halving alone would take these.
        for _ in 0..64 {
            let (g, dg) = self.try_landing(guard, s);
            if g > 0.0 {
                low = s;
            } else {
                high = s;
            }
            let newton = s - g / dg;
            let resolution = f64::EPSILON * self.state.t.abs().max(2.0 * s);
            if self.shift_to_guard(guard, newton - s, s) {
                return newton;
            }
            // Newton's last step may point out of the bracket by rounding; only a real one has to stay inside.
            if g == 0.0 || self.is_close((newton - s).abs(), s) || high - low <= resolution {
                break;
            }
            idle = if g.abs() < 0.9 * least { 0 } else { idle + 1 };
            least = least.min(g.abs());
            if idle == PATIENCE {
                break;
            }
            s = if dg < 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        s
    }

    /// Moves the end of a step of length `s` along its rates, if it lies so near the guard that no further step is needed.
    fn shift_to_guard(&mut self, guard: usize, shift: f64, s: f64) -> bool {
        let motion = self.tolerance.norm(self.stepper.end_rates(), &self.state.x, &self.x1);
        let is_still = s * motion <= STILL;
        let is_near = !is_still && shift.abs() * motion <= NEAR && shift.abs() <= NEAR * s;
        if !is_near || self.guards.end.dg[guard] >= 0.0 {
            return false;
        }
        for (x, rate) in self.x1.iter_mut().zip(self.stepper.end_rates()) {
            *x += shift * rate;
        }
        true
    }

    /// Whether a shift in time is too small to matter, for the motion or for the clock.
    fn is_close(&self, shift: f64, s: f64) -> bool {
        let motion = self.tolerance.norm(self.stepper.end_rates(), &self.state.x, &self.x1);
        (s * motion > STILL && shift * motion <= NEGLIGIBLE) || shift <= f64::EPSILON * self.state.t.abs()
    }

    /// Makes a step of length `s` and gives the guard and its rate at the end.
    fn try_landing(&mut self, guard: usize, s: f64) -> (f64, f64) {
        self.statistics.landings += 1;
        let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
        let (tolerance, x1, error) = (&self.tolerance, &mut self.x1[..], &mut self.error[..]);
        self.landing_error = self.stepper.attempt(&mut self.eval, Attempt { at, h: s, tolerance, x1, error });
        let end = Here { t: self.state.t + s, x: &self.x1, mode: &self.state.mode };
        self.stepper.peek(&mut self.eval, end, &mut self.guards.end);
        (self.guards.end.g[guard], self.guards.end.dg[guard])
    }
}
