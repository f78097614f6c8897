//! Which guard fires first within a step, and where.

use super::Guards;
use super::hidden::{Course, HiddenCrossing};
use crate::evaluator::Evaluator;
use crate::methods::Here;
use crate::roots::Bracket;

/// What the guards say about a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GuardVerdict {
    /// No guard fired.
    Pass,
    /// This guard was never positive: it fires where the step began.
    AtStart(usize),
    /// This guard crosses zero at this fraction of the step, alone within this part of it.
    Inside(usize, f64, [f64; 2]),
    /// No guard fires up to this fraction; beyond, it is not known.
    ClearUntil(f64),
}

/// A dip is looked into if it would reach zero by being this many times as deep as it seems.
const DIP: f64 = 4.0;

impl Guards {
    /// Positive at both ends, falling at first and rising at last: would a dip several times as deep as that of the
    /// cubic through both ends reach zero?
    pub(super) fn may_dip(&self, i: usize, h: f64) -> bool {
        let (fall, rise) = (-self.start.dg[i] * h, self.end.dg[i] * h);
        if fall <= 0.0 || rise <= 0.0 {
            return false;
        }
        let (g0, g1) = (self.start.g[i], self.end.g[i]);
        // The cubic g0 − fall θ + b θ² + c θ³ and the place where its slope is zero.
        let (b, c) = (3.0 * (g1 - g0) + 2.0 * fall - rise, rise - fall - 2.0 * (g1 - g0));
        let theta = fall / (b + (b * b + 3.0 * c * fall).max(0.0).sqrt());
        let least = g0 + theta * (-fall + theta * (b + theta * c));
        let above = g0.min(g1);
        least.is_nan() || above <= DIP * (above - least)
    }

    /// Finds the first guard that fires within a step.
    pub(crate) fn verdict(&mut self, mut look: Look) -> GuardVerdict {
        let mut first = GuardVerdict::Pass;
        let mut limit = 1.0;
        let mut part = None;
        match self.scan(&mut look) {
            HiddenCrossing::Nothing => {}
            HiddenCrossing::Within(low, high) => part = Some((low, high)),
            HiddenCrossing::ClearUntil(theta) => (first, limit) = (GuardVerdict::ClearUntil(theta), theta),
        }
        for i in 0..self.start.g.len() {
            let span = match part {
                _ if !self.was_scanned(i) => self.span(i, &mut look),
                Some((low, high)) => SignChange::Between(low, high),
                None => continue,
            };
            let (low, high) = match span {
                SignChange::Nothing => continue,
                SignChange::Start => return GuardVerdict::AtStart(i),
                SignChange::Between(low, _) if low >= limit => continue,
                SignChange::Between(low, high) => (low, high),
            };
            if let Some(theta) = self.crossing(i, low, high.min(limit), limit, &mut look) {
                (first, limit) = (GuardVerdict::Inside(i, theta, [low, high]), theta);
            }
        }
        first
    }

    /// Where guard `i` is positive and, later in the step, not.
    fn span(&mut self, i: usize, look: &mut Look) -> SignChange {
        let (g0, g1, dg0, dg1) = (self.start.g[i], self.end.g[i], self.start.dg[i], self.end.dg[i]);
        if self.is_armed[i] {
            if g1 <= 0.0 {
                return SignChange::Between(0.0, 1.0);
            }
            if self.may_dip(i, look.course.h) {
                let (theta, g) = self.turn(i, 1.0, look);
                if g <= 0.0 {
                    return SignChange::Between(0.0, theta);
                }
            }
            return SignChange::Nothing;
        }
        if self.is_mute[i] || g1 > 0.0 {
            return SignChange::Nothing;
        }
        if dg0 > 0.0 && dg1 < 0.0 {
            let (theta, g) = self.turn(i, -1.0, look);
            if g > 0.0 {
                return SignChange::Between(theta, 1.0);
            }
        }
        if g1 < g0 { SignChange::Start } else { SignChange::Nothing }
    }

    /// The turning point of guard `i` within the step: its least value for `sign` 1, its largest for −1.
    ///
    /// A secant on the guard's exact rate, kept inside a bracket; stops early once the sign of the guard has changed.
    pub(super) fn turn(&mut self, i: usize, sign: f64, look: &mut Look) -> (f64, f64) {
        let (mut low, mut high) = (0.0, 1.0);
        let (mut slope_low, mut slope_high) = (sign * self.start.dg[i], sign * self.end.dg[i]);
        let mut best = (0.0, f64::INFINITY);
        for round in 0..12 {
            let secant = low - slope_low * (high - low) / (slope_high - slope_low);
            let theta = if secant.is_finite() && round % 3 != 2 { secant } else { 0.5 * (low + high) };
            let (g, dg) = self.look(i, theta, look);
            if sign * g < best.1 {
                best = (theta, sign * g);
            }
            if sign * g <= 0.0 {
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
        let precision = look.precision * (high - low);
        let g_low = if low == 0.0 { self.start.g[i] } else { self.value(i, low, look) };
        let g_high = if high == 1.0 { self.end.g[i] } else { self.value(i, high, look) };
        if g_high > 0.0 {
            // Another guard fires before this one.
            return None;
        }
        let mut bracket = Bracket::new((low, g_low), (high, g_high));
        for _ in 0..60 {
            let theta = bracket.at(bracket.share().clamp(1e-3, 1.0 - 1e-3));
            let g = self.value(i, theta, look);
            bracket.narrow(theta, g);
            if bracket.width() < precision || g == 0.0 {
                break;
            }
        }
        let [_, high] = bracket.places();
        (high <= limit).then_some(high)
    }

    /// Guard `i` on the interpolant.
    fn value(&mut self, i: usize, theta: f64, look: &mut Look) -> f64 {
        self.values_at(theta, look);
        self.g[i]
    }

    /// All guards on the interpolant, written into `g`.
    pub(super) fn values_at(&mut self, theta: f64, look: &mut Look) {
        (look.inside)(theta, &mut self.x);
        let Course { at, h, .. } = look.course;
        look.eval.guards(at.t + theta * h, &self.x, at.mode, &mut self.g);
    }

    /// Guard `i` and its rate on the interpolant.
    fn look(&mut self, i: usize, theta: f64, look: &mut Look) -> (f64, f64) {
        let Course { at, h, .. } = look.course;
        let t = at.t + theta * h;
        (look.inside)(theta, &mut self.x);
        look.eval.rates(t, &self.x, at.mode, &mut self.dx);
        let here = Here { t, x: &self.x, mode: at.mode };
        look.eval.ends(here, &self.dx, &mut self.inside);
        (self.inside.g[i], self.inside.dg[i])
    }
}

/// The part of a step in which a guard changes sign.
enum SignChange {
    Nothing,
    Start,
    Between(f64, f64),
}

/// The step that is looked into.
pub(crate) struct Look<'l, 'd> {
    pub eval: &'l mut Evaluator<'d>,
    /// The states at a fraction of the step.
    pub inside: &'l dyn Fn(f64, &mut [f64]),
    pub course: Course<'l>,
    /// The fraction of the part it lies in to which a crossing is located.
    pub precision: f64,
}
