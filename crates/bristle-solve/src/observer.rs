//! Who looks on during a run.

use crate::State;
use bristle_core::Mode;

/// An accepted step, with the solution inside it.
pub struct AcceptedStep<'a> {
    /// Where it begins.
    pub t0: f64,
    /// Where it ends.
    pub t1: f64,
    /// States at its beginning.
    pub x0: &'a [f64],
    /// States at its end.
    pub x1: &'a [f64],
    /// Modes throughout.
    pub mode: &'a [Mode],
    /// The end as rates see it: just before a break, where it ends at one.
    pub t1_seen: f64,
    pub(crate) inside: &'a dyn Fn(f64, &mut [f64]),
}

impl<'a> AcceptedStep<'a> {
    /// A step of no length: where a motion is that somebody else has put together.
    pub fn reached(t: f64, x: &'a [f64], mode: &'a [Mode]) -> Self {
        AcceptedStep { t0: t, t1: t, x0: x, x1: x, mode, t1_seen: t, inside: &|_, _| {} }
    }

    /// Writes the states at `t`, from `t0` to `t1`, by the method's dense output.
    pub fn at(&self, t: f64, out: &mut [f64]) {
        if t >= self.t1 {
            out.copy_from_slice(self.x1);
        } else if t <= self.t0 {
            out.copy_from_slice(self.x0);
        } else {
            (self.inside)(t, out);
        }
    }
}

/// Looks on during a run: receives steps and events as they happen, and may end it.
///
/// A closure `|t, x, mode| …` is called at the end of every step and ends the run by `false`; `()` lets it run.
pub trait Observer {
    /// Will [`AcceptedStep::at`] be asked for times inside the step? Some methods then need further evaluations.
    fn looks_inside(&self, _t0: f64, _t1: f64) -> bool {
        false
    }
    /// An accepted step; `false` stops.
    fn step(&mut self, _step: &AcceptedStep) -> bool {
        true
    }
    /// A switch; what lies before it is seen from the time `seen`, just before a break.
    fn event(&mut self, _guard: usize, _seen: f64, _before: &State, _after: &State) {}
}

/// Lets it run.
impl Observer for () {}

impl<F: FnMut(f64, &[f64], &[Mode]) -> bool> Observer for F {
    fn step(&mut self, step: &AcceptedStep) -> bool {
        self(step.t1, step.x1, step.mode)
    }
}
