//! Which guard fires first within a step.

use crate::evaluator::Evaluator;
use crate::methods::Here;

/// What the guards say about a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// No guard fired.
    Pass,
    /// This guard was never positive: it fires where the step began.
    AtStart(usize),
    /// This guard crosses zero at this fraction of the step.
    Inside(usize, f64),
}

/// The guards at both ends of a step, and which of them are armed.
///
/// A guard is armed once it is positive. Right after a switch a guard that is zero to rounding waits until it is
/// positive, unless it falls: then it fires at once.
pub(crate) struct Guards {
    g0: Vec<f64>,
    dg0: Vec<f64>,
    pub g1: Vec<f64>,
    pub dg1: Vec<f64>,
    is_armed: Vec<bool>,
    /// Fired without effect; silent until positive again.
    is_mute: Vec<bool>,
    /// A step across it has failed: the rates do not go on smoothly beyond.
    is_rough: Vec<bool>,
    /// The mean rate over the step before.
    mean: Vec<f64>,
    /// Steps in a row that stopped short of a rough guard.
    stops: usize,
    /// When it fired last.
    fired: Vec<f64>,
    x: Vec<f64>,
    dx: Vec<f64>,
    g: Vec<f64>,
    dg: Vec<f64>,
}

/// A dip is looked into if it would reach zero by being this many times as deep as it seems.
const DIP: f64 = 4.0;

/// So many steps in a row stop short of a rough guard.
const STOPS: usize = 200;

impl Guards {
    pub(crate) fn new(count: usize, dim: usize) -> Self {
        let zeros = || vec![0.0; count];
        Guards {
            g0: zeros(),
            dg0: zeros(),
            g1: zeros(),
            dg1: zeros(),
            is_armed: vec![false; count],
            is_mute: vec![false; count],
            is_rough: vec![false; count],
            mean: zeros(),
            stops: 0,
            fired: vec![f64::NEG_INFINITY; count],
            x: vec![0.0; dim],
            dx: vec![0.0; dim],
            g: zeros(),
            dg: zeros(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.g0.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.is_armed.fill(false);
        self.is_mute.fill(false);
        self.is_rough.fill(false);
        self.stops = 0;
        self.fired.fill(f64::NEG_INFINITY);
    }

    /// Guard `i` fires at time `t`.
    pub(crate) fn fires(&mut self, i: usize, t: f64) {
        self.stops = 0;
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

    /// Evaluates the guards where a step begins; names one that fires at once.
    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here, rates: &[f64]) -> Option<usize> {
        eval.guard_rates(at.t, at.x, rates, at.mode, &mut self.g0, &mut self.dg0);
        for i in 0..self.g0.len() {
            // A guard that fired without effect may lie above zero by rounding; it has not risen while it falls.
            self.mean[i] = 0.0;
            self.is_armed[i] = self.g0[i] > 0.0 && !(self.is_mute[i] && self.dg0[i] <= 0.0);
            if self.is_armed[i] {
                self.is_mute[i] = false;
            }
        }
        let is_waiting = |i: usize| !self.is_armed[i] && !self.is_mute[i];
        // A guard that has fired at this very instant lies at zero to rounding, and so may its rate; a step will tell.
        (0..self.g0.len()).find(|&i| is_waiting(i) && self.dg0[i] < 0.0 && !self.has_fired(i, at.t))
    }

    /// Evaluates the guards where a step ends.
    pub(crate) fn end(&mut self, eval: &mut Evaluator, end: Here, rates: &[f64]) {
        eval.guard_rates(end.t, end.x, rates, end.mode, &mut self.g1, &mut self.dg1);
    }

    /// The end of an accepted step is the start of the next.
    pub(crate) fn advance(&mut self, h: f64) {
        for i in 0..self.g0.len() {
            self.mean[i] = (self.g1[i] - self.g0[i]) / h;
        }
        std::mem::swap(&mut self.g0, &mut self.g1);
        std::mem::swap(&mut self.dg0, &mut self.dg1);
        for i in 0..self.g0.len() {
            if self.g0[i] > 0.0 {
                (self.is_armed[i], self.is_mute[i]) = (true, false);
            }
        }
    }

    /// May any guard have fired within the step? Cheap, from both ends alone.
    pub(crate) fn is_suspicious(&self, h: f64) -> bool {
        (0..self.g0.len()).any(|i| {
            if self.is_armed[i] {
                self.g1[i] <= 0.0 || self.may_dip(i, h)
            } else {
                !self.is_mute[i] && self.g1[i] <= 0.0 && (self.g1[i] < self.g0[i] || self.dg1[i] < 0.0)
            }
        })
    }

    /// A step to `end` has failed: remembers the guards it crossed.
    pub(crate) fn blame(&mut self, eval: &Evaluator, end: Here) {
        eval.guards(end.t, end.x, end.mode, &mut self.g);
        for i in 0..self.g0.len() {
            self.is_rough[i] |= self.is_armed[i] && self.g[i] < 0.0;
        }
    }

    /// How long a step may be that is to be `h` long: it ends before a rough guard, or just beyond it.
    ///
    /// By the slope of the guard; far from it the step stops short, so that only short steps cross.
    pub(crate) fn clearance(&mut self, h: f64) -> f64 {
        let ahead = (0..self.g0.len()).filter(|&i| self.is_rough[i] && self.is_armed[i] && self.dg0[i] < 0.0);
        let distance =
            ahead.map(|i| -self.g0[i] / self.dg0[i].min(self.mean[i])).fold(f64::INFINITY, f64::min);
        if distance > h {
            self.stops = 0;
            return h;
        }
        self.stops += 1;
        if self.stops > STOPS {
            // It comes ever nearer without being met.
            self.stops = 0;
            self.is_rough.fill(false);
            return h;
        }
        if distance > 0.1 * h { 0.9 * distance } else { (1.05 * distance).max(1e-3 * h) }
    }

    /// A guard that fell before the step ended on guard `i`, and about where: the one that fell first.
    pub(crate) fn overtaken(&self, i: usize) -> Option<(usize, f64)> {
        let fell = |j: usize| j != i && self.is_armed[j] && self.g1[j] < 0.0;
        let fraction = |j: usize| self.g0[j] / (self.g0[j] - self.g1[j]);
        let all = (0..self.g0.len()).filter(|&j| fell(j)).map(|j| (j, fraction(j)));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Positive at both ends, falling at first and rising at last: would a dip several times as deep as that of the
    /// cubic through both ends reach zero?
    fn may_dip(&self, i: usize, h: f64) -> bool {
        let (fall, rise) = (-self.dg0[i] * h, self.dg1[i] * h);
        if fall <= 0.0 || rise <= 0.0 {
            return false;
        }
        let (g0, g1) = (self.g0[i], self.g1[i]);
        // The cubic g0 − fall θ + b θ² + c θ³ and the place where its slope is zero.
        let (b, c) = (3.0 * (g1 - g0) + 2.0 * fall - rise, rise - fall - 2.0 * (g1 - g0));
        let theta = fall / (b + (b * b + 3.0 * c * fall).max(0.0).sqrt());
        let least = g0 + theta * (-fall + theta * (b + theta * c));
        let above = g0.min(g1);
        least.is_nan() || above <= DIP * (above - least)
    }

    /// Finds the first guard that fires within a step.
    pub(crate) fn verdict(&mut self, mut look: Look) -> Verdict {
        let mut first = Verdict::Pass;
        let mut limit = 1.0;
        for i in 0..self.g0.len() {
            let found = match self.span(i, &mut look) {
                Span::Nothing => continue,
                Span::Start => return Verdict::AtStart(i),
                Span::Between(low, _) if low >= limit => continue,
                Span::Between(low, high) => self.crossing(i, low, high.min(limit), limit, &mut look),
            };
            if let Some(theta) = found {
                (first, limit) = (Verdict::Inside(i, theta), theta);
            }
        }
        first
    }

    /// Where guard `i` is positive and, later in the step, not.
    fn span(&mut self, i: usize, look: &mut Look) -> Span {
        let (g0, g1, dg0, dg1) = (self.g0[i], self.g1[i], self.dg0[i], self.dg1[i]);
        if self.is_armed[i] {
            if g1 <= 0.0 {
                return Span::Between(0.0, 1.0);
            }
            if self.may_dip(i, look.h) {
                let (theta, g) = self.turn(i, 1.0, look);
                if g <= 0.0 {
                    return Span::Between(0.0, theta);
                }
            }
            return Span::Nothing;
        }
        if self.is_mute[i] || g1 > 0.0 {
            return Span::Nothing;
        }
        if dg0 > 0.0 && dg1 < 0.0 {
            let (theta, g) = self.turn(i, -1.0, look);
            if g > 0.0 {
                return Span::Between(theta, 1.0);
            }
        }
        if g1 < g0 { Span::Start } else { Span::Nothing }
    }

    /// The turning point of guard `i` within the step: its least value for `sign` 1, its largest for −1.
    ///
    /// A secant on the guard's exact rate, kept inside a bracket; stops early once the sign of the guard has changed.
    fn turn(&mut self, i: usize, sign: f64, look: &mut Look) -> (f64, f64) {
        let (mut low, mut high) = (0.0, 1.0);
        let (mut slope_low, mut slope_high) = (sign * self.dg0[i], sign * self.dg1[i]);
        let mut best = (0.0, f64::INFINITY);
        for round in 0..12 {
            let secant = low - slope_low * (high - low) / (slope_high - slope_low);
            let inside = secant > low + 1e-3 * (high - low) && secant < high - 1e-3 * (high - low);
            let theta = if inside && round % 3 != 2 { secant } else { 0.5 * (low + high) };
            let (g, dg) = self.look(i, theta, look);
            if sign * g < best.1 {
                best = (theta, sign * g);
            }
            if sign * g <= 0.0 || high - low < 1e-6 {
                break;
            }
            if sign * dg < 0.0 {
                (low, slope_low) = (theta, sign * dg);
            } else {
                (high, slope_high) = (theta, sign * dg);
            }
        }
        (best.0, sign * best.1)
    }

    /// Where guard `i` falls through zero between `low`, where it is positive, and `high`.
    fn crossing(&mut self, i: usize, low: f64, high: f64, limit: f64, look: &mut Look) -> Option<f64> {
        let (mut low, mut high) = (low, high);
        let mut g_low = if low == 0.0 { self.g0[i] } else { self.value(i, low, look) };
        let mut g_high = if high == 1.0 { self.g1[i] } else { self.value(i, high, look) };
        if g_high > 0.0 {
            // Another guard fires before this one.
            return None;
        }
        // Regula falsi after Illinois.
        for _ in 0..60 {
            let theta = low + (high - low) * (g_low / (g_low - g_high)).clamp(1e-3, 1.0 - 1e-3);
            let g = self.value(i, theta, look);
            if g > 0.0 {
                (low, g_low) = (theta, g);
                g_high *= 0.5;
            } else {
                (high, g_high) = (theta, g);
                g_low *= 0.5;
            }
            if high - low < look.precision || g == 0.0 {
                break;
            }
        }
        (high <= limit).then_some(high)
    }

    /// Guard `i` on the interpolant.
    fn value(&mut self, i: usize, theta: f64, look: &mut Look) -> f64 {
        (look.inside)(theta, &mut self.x);
        look.eval.guards(look.at.t + theta * look.h, &self.x, look.at.mode, &mut self.g);
        self.g[i]
    }

    /// Guard `i` and its rate on the interpolant.
    fn look(&mut self, i: usize, theta: f64, look: &mut Look) -> (f64, f64) {
        let t = look.at.t + theta * look.h;
        (look.inside)(theta, &mut self.x);
        look.eval.rates(t, &self.x, look.at.mode, &mut self.dx);
        look.eval.guard_rates(t, &self.x, &self.dx, look.at.mode, &mut self.g, &mut self.dg);
        (self.g[i], self.dg[i])
    }
}

/// The part of a step in which a guard changes sign.
enum Span {
    Nothing,
    Start,
    Between(f64, f64),
}

/// The step that is looked into.
pub(crate) struct Look<'l, 'd> {
    pub eval: &'l mut Evaluator<'d>,
    /// The states at a fraction of the step.
    pub inside: &'l dyn Fn(f64, &mut [f64]),
    pub at: Here<'l>,
    pub h: f64,
    /// The fraction of the step to which a crossing is located.
    pub precision: f64,
}
