//! The guards at both ends of a step, and what is remembered of them.

mod crossing;
mod hidden;

pub(crate) use crossing::{GuardVerdict, Look};
pub(crate) use hidden::Course;

use crate::evaluator::Evaluator;
use crate::methods::Here;
use crate::step_end::StepEnd;
use hidden::Bounds;

/// The guards at both ends of a step, and which of them are armed.
///
/// A guard is armed once it is positive. Right after a switch a guard that is zero to rounding waits until it is
/// positive, unless it falls: then it fires at once.
#[derive(Clone)]
pub(crate) struct Guards {
    /// Where the step begins, and where it ends.
    pub start: StepEnd,
    pub end: StepEnd,
    is_armed: Vec<bool>,
    /// Fired without effect; silent until positive again.
    is_mute: Vec<bool>,
    /// A step across it has failed: the rates do not go on smoothly beyond.
    is_rough: Vec<bool>,
    /// The mean rate over the step before.
    mean: Vec<f64>,
    /// The rough guard the step stops short of.
    stop: Option<usize>,
    /// Steps in a row that stopped short of one in vain, and all of them.
    vain: usize,
    stops: usize,
    /// When it fired last.
    fired: Vec<f64>,
    x: Vec<f64>,
    dx: Vec<f64>,
    g: Vec<f64>,
    inside: StepEnd,
    bounds: Bounds,
}

/// So many steps in a row stop short of a rough guard that does not come nearer: its slope here tells nothing of what lies ahead.
const VAIN: usize = 3;

/// So many steps in a row stop short of a rough guard that comes ever nearer without being met.
const STOPS: usize = 50;

impl Guards {
    pub(crate) fn new(count: usize, dim: usize) -> Self {
        let dim = if count == 0 { 0 } else { dim };
        let zeros = || vec![0.0; count];
        Guards {
            start: StepEnd::new(count),
            end: StepEnd::new(count),
            is_armed: vec![false; count],
            is_mute: vec![false; count],
            is_rough: vec![false; count],
            mean: zeros(),
            stop: None,
            vain: 0,
            stops: 0,
            fired: vec![f64::NEG_INFINITY; count],
            x: vec![0.0; dim],
            dx: vec![0.0; dim],
            g: zeros(),
            inside: StepEnd::new(count),
            bounds: Bounds::new(count, dim),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.start.g.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.is_armed.fill(false);
        self.is_mute.fill(false);
        self.is_rough.fill(false);
        self.forget_stops();
        self.fired.fill(f64::NEG_INFINITY);
    }

    fn forget_stops(&mut self) {
        (self.stop, self.vain, self.stops) = (None, 0, 0);
    }

    /// Guard `i` fires at time `t`.
    pub(crate) fn fires(&mut self, i: usize, t: f64) {
        self.forget_stops();
        self.fired[i] = t;
    }

    /// Whether a step across guard `i` has failed.
    pub(crate) fn is_rough(&self, i: usize) -> bool {
        self.is_rough[i]
    }

    /// Whether guard `i` has fired at time `t` before.
    pub(crate) fn has_fired(&self, i: usize, t: f64) -> bool {
        t - self.fired[i] <= 8.0 * f64::EPSILON * t.abs()
    }

    /// After guard `i` fired: all guards speak again if anything changed, otherwise this one falls silent.
    pub(crate) fn clear_unless(&mut self, changed: bool, i: usize) {
        if changed {
            self.is_armed.fill(false);
            self.is_mute.fill(false);
        } else {
            self.is_mute[i] = true;
        }
    }

    /// Looks at the guards where a step begins; names one that fires at once.
    pub(crate) fn begin(&mut self, eval: &mut Evaluator, at: Here) -> Option<usize> {
        self.bounds.choose(eval, at);
        let mut jumped = None;
        for i in 0..self.start.g.len() {
            // It was positive, no step has crossed it, and now it is not: it has jumped at a break.
            if self.is_armed[i] && !self.is_mute[i] && self.start.g[i] < 0.0 {
                jumped = jumped.or(Some(i));
            }
            // A guard that fired without effect may lie above zero by rounding; it has not risen while it falls.
            self.mean[i] = 0.0;
            self.is_armed[i] = self.start.g[i] > 0.0 && !(self.is_mute[i] && self.start.dg[i] <= 0.0);
            if self.is_armed[i] {
                self.is_mute[i] = false;
            }
        }
        let is_waiting = |i: usize| !self.is_armed[i] && !self.is_mute[i];
        if jumped.is_some() {
            return jumped;
        }
        // A guard that has fired at this very instant lies at zero to rounding, and so may its rate; a step will tell.
        (0..self.start.g.len()).find(|&i| is_waiting(i) && self.start.dg[i] < 0.0 && !self.has_fired(i, at.t))
    }

    /// The guards where the last step ended.
    pub(crate) fn values(&self) -> &[f64] {
        &self.start.g
    }

    /// How often guards were bounded over parts of steps.
    pub(crate) fn bound_evaluations(&self) -> usize {
        self.bounds.evaluations
    }

    /// The end of an accepted step is the start of the next.
    pub(crate) fn advance(&mut self, h: f64) {
        let inverse = 1.0 / h;
        for i in 0..self.start.g.len() {
            self.mean[i] = (self.end.g[i] - self.start.g[i]) * inverse;
        }
        if let Some(i) = self.stop {
            self.stops += 1;
            self.vain = if self.end.g[i] > 0.95 * self.start.g[i] { self.vain + 1 } else { 0 };
        }
        std::mem::swap(&mut self.start, &mut self.end);
        for i in 0..self.start.g.len() {
            if self.start.g[i] > 0.0 {
                (self.is_armed[i], self.is_mute[i]) = (true, false);
            }
        }
    }

    /// May any guard have fired within the step? Cheap, from both ends alone.
    pub(crate) fn is_suspicious(&self, h: f64) -> bool {
        (0..self.start.g.len()).any(|i| {
            if self.is_armed[i] {
                !self.bounds.watches(i) && (self.end.g[i] <= 0.0 || self.may_dip(i, h))
            } else {
                !self.is_mute[i]
                    && self.end.g[i] <= 0.0
                    && (self.end.g[i] < self.start.g[i] || self.end.dg[i] < 0.0)
            }
        })
    }

    /// A step to `end` has failed: remembers the guards it crossed.
    pub(crate) fn blame(&mut self, eval: &mut Evaluator, end: Here) {
        eval.guards(end.t, end.x, end.mode, &mut self.g);
        for i in 0..self.start.g.len() {
            self.is_rough[i] |= self.is_armed[i] && self.g[i] < 0.0;
        }
    }

    /// How long a step may be that is to be `h` long: it ends before a rough guard, or just beyond it.
    ///
    /// By the slope of the guard; far from it the step stops short, so that only short steps cross.
    pub(crate) fn clearance(&mut self, h: f64) -> f64 {
        if self.is_empty() {
            return h;
        }
        let ahead = (0..self.start.g.len())
            .filter(|&i| self.is_rough[i] && self.is_armed[i] && self.start.dg[i] < 0.0);
        let distances = ahead.map(|i| (i, -self.start.g[i] / self.start.dg[i].min(self.mean[i])));
        let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((i, distance)) = nearest.filter(|(_, distance)| *distance <= h) else {
            self.forget_stops();
            return h;
        };
        if self.vain >= VAIN || self.stops >= STOPS {
            self.is_rough[i] = false;
            self.forget_stops();
            return h;
        }
        self.stop = Some(i);
        if distance > 0.1 * h { 0.9 * distance } else { (1.05 * distance).max(1e-3 * h) }
    }

    /// A guard that fell before the step ended on guard `i`, and about where: the one that fell first.
    pub(crate) fn overtaken(&self, i: usize) -> Option<(usize, f64)> {
        let fell = |j: usize| j != i && self.is_armed[j] && self.end.g[j] < 0.0;
        let fraction = |j: usize| self.start.g[j] / (self.start.g[j] - self.end.g[j]);
        let all = (0..self.start.g.len()).filter(|&j| fell(j)).map(|j| (j, fraction(j)));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

#[cfg(test)]
mod guards_tests;
