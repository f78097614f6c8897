//! Crossings that the ends of a step do not show.
//!
//! While everything sticks the states stand still, error estimates are zero and steps grow without bound; a force that changes in
//! time can then overcome a contact many times within one step. Such guards are not judged from samples but bounded: the
//! equations are evaluated with [`Enclosure`]s of time and states over the step. Where the bounds leave a crossing open the step
//! is halved, the earlier part first, until the first crossing is found or none is left.

use super::Guards;
use super::crossing::Look;
use crate::evaluator::Evaluator;
use crate::methods::Here;
use bristle_core::Enclosure;

/// What is known of the states over a step: both ends and the rates there.
#[derive(Clone, Copy)]
pub(crate) struct Course<'l> {
    pub at: Here<'l>,
    pub h: f64,
    pub x1: &'l [f64],
    pub rates: [&'l [f64]; 2],
}

/// What the bounds say about a guard over a part of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// Positive throughout.
    Clear,
    /// Falls through zero, once.
    Falls,
    /// Cannot be told.
    Open,
}

/// What was found in a step.
pub(super) enum HiddenCrossing {
    /// No watched guard crosses zero.
    Nothing,
    /// The first crossing lies in this part of the step, one for each guard that crosses there.
    Within(f64, f64),
    /// No guard crosses up to this fraction; the rest has not been looked at.
    ClearUntil(f64),
}

/// So many parts are looked at before the step is taken up to where it is known to be clear: whoever follows the run
/// hears of it, and can stop it.
const PARTS: usize = 1 << 13;

/// Parts of a step shorter than this are taken as they look.
const SHORTEST: f64 = 1e-13;

/// So are parts shorter than this while a guard that lies on zero has not risen yet.
const RISING: f64 = 1e-4;

/// The room that bounding takes.
#[derive(Clone, Default)]
pub(crate) struct Bounds {
    is_watched: Vec<bool>,
    /// Time and states.
    over: Vec<Enclosure>,
    g: Vec<Enclosure>,
    /// Ends of the parts that are still to be looked at, the earliest last, and the guards there.
    ends: Vec<f64>,
    values: Vec<f64>,
    left: Vec<f64>,
    /// Guards that have been positive up to where a scan has come.
    has_risen: Vec<bool>,
    /// All states stand or go on at the same rates: an error estimate sees nothing of the step.
    is_still: bool,
    /// The run is known to be clear up to this time.
    clear_until: f64,
    /// Evaluations of the guards over parts of steps.
    pub evaluations: usize,
}

impl Bounds {
    pub(crate) fn new(count: usize, dim: usize) -> Self {
        let zero = Enclosure::from(0.0);
        Bounds {
            is_watched: vec![false; count],
            over: vec![zero; dim + 1],
            g: vec![zero; count],
            left: vec![0.0; count],
            has_risen: vec![false; count],
            clear_until: f64::NEG_INFINITY,
            ..Bounds::default()
        }
    }

    /// Asks which guards to watch in the present modes.
    pub(crate) fn choose(&mut self, eval: &Evaluator, at: Here) {
        eval.dynamics().watches(eval.params(), at.mode, &mut self.is_watched);
        self.clear_until = f64::NEG_INFINITY;
    }

    pub(crate) fn watches(&self, i: usize) -> bool {
        self.is_watched[i]
    }

    /// Evaluates the guards over the part of a step from fraction `a` to `b`.
    fn evaluate(&mut self, eval: &mut Evaluator, course: &Course, a: f64, b: f64) {
        self.evaluations += 1;
        enclose(course, eval.coupled(), a, b, &mut self.over[1..]);
        let t = [course.at.t + a * course.h, course.at.t + b * course.h];
        eval.guards_over(course.at, t, &mut self.over, &mut self.g);
    }
}

impl Guards {
    /// Whether guard `i` is bounded: also one that lies on zero at first, from where it has risen, if no motion tells of it.
    pub(super) fn is_bounded(&self, i: usize) -> bool {
        self.bounds.watches(i) && (self.is_armed[i] || (self.bounds.is_still && !self.is_mute[i]))
    }

    /// Whether guard `i` was bounded over the step from where it was positive.
    pub(super) fn was_scanned(&self, i: usize) -> bool {
        self.bounds.watches(i) && (self.is_armed[i] || self.bounds.has_risen[i])
    }

    /// Whether the bounds over the whole step show that no watched guard crosses zero.
    pub(crate) fn is_clear(&mut self, eval: &mut Evaluator, course: &Course) -> bool {
        self.bounds.is_still = is_still(course, eval.coupled());
        let is_any = (0..self.start.g.len()).any(|i| self.is_bounded(i));
        self.bounds.has_risen.fill(false);
        if !is_any || course.at.t + course.h <= self.bounds.clear_until {
            return true;
        }
        self.bounds.evaluate(eval, course, 0.0, 1.0);
        let bounds = &self.bounds.g;
        let clear = |i: usize| {
            let over = &bounds[i];
            let shown = if self.is_armed[i] {
                judge(over, self.start.g[i], self.end.g[i], course.h)
            } else {
                judge_rising(over, self.end.g[i])
            };
            shown == Shown::Clear
        };
        (0..self.start.g.len()).all(|i| !self.is_bounded(i) || clear(i))
    }

    /// Looks for the first crossing of a watched guard.
    pub(super) fn scan(&mut self, look: &mut Look) -> HiddenCrossing {
        let (count, course) = (self.start.g.len(), look.course);
        self.bounds.is_still = is_still(&course, look.eval.coupled());
        if !(0..count).any(|i| self.is_bounded(i)) || course.at.t + course.h <= self.bounds.clear_until {
            return HiddenCrossing::Nothing;
        }
        self.bounds.ends.clear();
        self.bounds.ends.push(1.0);
        self.bounds.values.clear();
        self.bounds.values.extend_from_slice(&self.end.g);
        self.bounds.left.copy_from_slice(&self.start.g);
        self.bounds.has_risen.copy_from_slice(&self.is_armed);
        let (mut a, mut parts) = (0.0, 0);
        // Time itself is no finer than this.
        let shortest = SHORTEST.max(8.0 * f64::EPSILON * course.at.t.abs() / course.h);
        while let Some(&b) = self.bounds.ends.last() {
            parts += 1;
            // Halving ends at the shortest part, so that some are behind by then.
            if parts > PARTS {
                self.bounds.clear_until = course.at.t + a * course.h;
                return HiddenCrossing::ClearUntil(a);
            }
            let first = self.bounds.values.len() - count;
            self.bounds.evaluate(look.eval, &course, a, b);
            let width = (b - a) * course.h;
            let mut worst = Shown::Clear;
            let mut falls = false;
            for i in (0..count).filter(|&i| self.is_bounded(i)) {
                let (over, right) = (&self.bounds.g[i], self.bounds.values[first + i]);
                if self.bounds.has_risen[i] {
                    falls |= right <= 0.0;
                    worst = worst.max(judge(over, self.bounds.left[i], right, width));
                } else if b - a > RISING {
                    worst = worst.max(judge_rising(over, right));
                }
            }
            if worst == Shown::Open && b - a > shortest {
                let middle = 0.5 * (a + b);
                self.values_at(middle, look);
                self.bounds.ends.push(middle);
                self.bounds.values.extend_from_slice(&self.g);
                continue;
            }
            if falls {
                return HiddenCrossing::Within(a, b);
            }
            a = b;
            self.bounds.ends.pop();
            self.bounds.left.copy_from_slice(&self.bounds.values[first..]);
            for (has_risen, left) in self.bounds.has_risen.iter_mut().zip(&self.bounds.left) {
                *has_risen |= *left > 0.0;
            }
            self.bounds.values.truncate(first);
        }
        HiddenCrossing::Nothing
    }
}

/// Rates that differ by less than this part of them are the same but for rounding.
const SAME: f64 = 1e-12;

fn is_still(course: &Course, coupled: usize) -> bool {
    let [first, last] = course.rates.map(|rates| rates.iter().take(coupled));
    first.zip(last).all(|(a, b)| (a - b).abs() <= SAME * (a.abs() + b.abs()))
}

/// What a guard does over a part that takes the time `width`, from its values at both ends and its bounds in between.
fn judge(over: &Enclosure, left: f64, right: f64, width: f64) -> Shown {
    if right <= 0.0 {
        return if over.rate_high < 0.0 { Shown::Falls } else { Shown::Open };
    }
    if over.low > 0.0 || over.rate_low >= 0.0 || over.rate_high <= 0.0 {
        return Shown::Clear;
    }
    // The lowest point that two straight lines through the ends can reach, as steep as the rate allows, times `up − down`.
    let (down, up) = (over.rate_low, over.rate_high);
    let lowest = left * up - right * down + down * up * width;
    if lowest > 0.0 { Shown::Clear } else { Shown::Open }
}

/// What a guard that lies on zero does over a part: it has nothing to cross while it rises throughout, or never rises.
fn judge_rising(over: &Enclosure, right: f64) -> Shown {
    let is_plain = over.rate_low >= 0.0 || over.high <= 0.0 || (over.rate_high <= 0.0 && right <= 0.0);
    if is_plain { Shown::Clear } else { Shown::Open }
}

/// Encloses the states over a part of a step: the hull of the cubic through both ends, widened by its distance from a straight
/// line. A state that does not move stays a point.
fn enclose(course: &Course, coupled: usize, a: f64, b: f64, out: &mut [Enclosure]) {
    let width = (b - a) * course.h;
    for i in 0..coupled {
        let (x0, x1) = (course.at.x[i], course.x1[i]);
        let slopes = [course.rates[0][i] * course.h / 3.0, course.rates[1][i] * course.h / 3.0];
        if x0 == x1 && slopes == [0.0, 0.0] {
            out[i] = Enclosure::from(x0);
            continue;
        }
        let control = [x0, x0 + slopes[0], x1 - slopes[1], x1];
        let blossom = |u: f64, v: f64, w: f64| {
            let mix = |p: f64, q: f64, s: f64| p + (q - p) * s;
            let [c0, c1, c2, c3] = control;
            let (d0, d1, d2) = (mix(c0, c1, u), mix(c1, c2, u), mix(c2, c3, u));
            mix(mix(d0, d1, v), mix(d1, d2, v), w)
        };
        let c = [blossom(a, a, a), blossom(a, a, b), blossom(a, b, b), blossom(b, b, b)];
        let chord = (c[1] - (2.0 * c[0] + c[3]) / 3.0).abs().max((c[2] - (c[0] + 2.0 * c[3]) / 3.0).abs());
        let d = [3.0 * (c[1] - c[0]) / width, 3.0 * (c[2] - c[1]) / width, 3.0 * (c[3] - c[2]) / width];
        let bend = (d[1] - 0.5 * (d[0] + d[2])).abs();
        let start = hull(&c[..1], if a == 0.0 { 0.0 } else { chord });
        out[i] = Enclosure::over(hull(&c, chord), hull(&d, bend), start, width * (1.0 + f64::EPSILON));
    }
}

fn hull(values: &[f64], margin: f64) -> [f64; 2] {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [low - margin, high + margin]
}

#[cfg(test)]
mod hidden_tests {
    use super::*;

    #[test]
    fn bounds_decide_between_clear_falling_and_open() {
        let over = |low: f64, rate: [f64; 2]| Enclosure::new([low, 9.0], rate);
        // Positive throughout, rising, falling to a positive end, or too slow to reach zero and come back.
        assert!(judge(&over(0.1, [-9.0, 9.0]), 1.0, 1.0, 1.0) == Shown::Clear);
        assert!(judge(&over(-1.0, [0.0, 9.0]), 1.0, 2.0, 1.0) == Shown::Clear);
        assert!(judge(&over(-1.0, [-9.0, 0.0]), 2.0, 1.0, 1.0) == Shown::Clear);
        assert!(judge(&over(-1.0, [-1.9, 1.9]), 1.0, 1.0, 1.0) == Shown::Clear);
        assert!(judge(&over(-1.0, [-2.1, 2.1]), 1.0, 1.0, 1.0) == Shown::Open);
        assert!(judge(&over(-1.0, [-1.1, 1.1]), 1.0, 1.0, 2.0) == Shown::Open);
        assert!(judge(&over(-1.0, [-3.9, 3.9]), 1.0, 1.0, 0.5) == Shown::Clear);
        // Whatever may touch zero is open.
        assert!(judge(&over(0.0, [-9.0, 9.0]), 1.0, 1.0, 1.0) == Shown::Open);
        assert!(judge(&over(-1.0, [-2.0, 2.0]), 1.0, 1.0, 1.0) == Shown::Open);
        // Rates without bound, to one side.
        assert!(judge(&over(-1.0, [0.0, f64::INFINITY]), 1.0, 2.0, 1.0) == Shown::Clear);
        assert!(judge(&over(-1.0, [f64::NEG_INFINITY, 0.0]), 2.0, 1.0, 1.0) == Shown::Clear);
        // Below zero at the end: once if it falls throughout.
        assert!(judge(&over(-1.0, [-2.0, -1.0]), 1.0, -0.5, 1.0) == Shown::Falls);
        assert!(judge(&over(-1.0, [-2.0, 0.1]), 1.0, -0.5, 1.0) == Shown::Open);
        assert!(judge(&over(-1.0, [-2.0, -1.0]), 1.0, 0.0, 1.0) == Shown::Falls);
        assert!(judge(&over(-1.0, [-2.0, 0.0]), 1.0, 0.0, 1.0) == Shown::Open, "it may rest at zero before");
    }

    #[test]
    fn a_guard_on_zero_has_nothing_to_cross_while_it_rises_or_never_does() {
        let over = |high: f64, rate: [f64; 2]| Enclosure::new([-1.0, high], rate);
        assert!(judge_rising(&over(1.0, [0.0, 2.0]), 1.0) == Shown::Clear);
        assert!(judge_rising(&over(0.0, [-2.0, 2.0]), -1.0) == Shown::Clear);
        assert!(judge_rising(&over(1.0, [-2.0, 0.0]), 0.0) == Shown::Clear);
        assert!(judge_rising(&over(1.0, [-2.0, 0.0]), 0.5) == Shown::Open);
        assert!(judge_rising(&over(1.0, [-2.0, 2.0]), -1.0) == Shown::Open);
        assert!(judge_rising(&over(1.0, [-2.0, 2.0]), 1.0) == Shown::Open);
    }

    /// `x = t³ − t` and its rate over parts of `[0, 2]`.
    #[test]
    fn a_cubic_lies_within_its_hull() {
        let x = |t: f64| t * t * t - t;
        let rate = |t: f64| 3.0 * t * t - 1.0;
        let (r0, r1, x0, x1) = ([rate(0.0)], [rate(2.0)], [x(0.0)], [x(2.0)]);
        let at = Here { t: 0.0, x: &x0, mode: &[] };
        let course = Course { at, h: 2.0, x1: &x1, rates: [&r0, &r1] };
        for (a, b) in [(0.0, 1.0), (0.0, 0.1), (0.1, 0.3), (0.25, 0.26), (0.9, 1.0)] {
            let mut out = [Enclosure::from(0.0)];
            enclose(&course, 1, a, b, &mut out);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            let (mut slowest, mut fastest) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..=20 {
                let t = 2.0 * (a + (b - a) * k as f64 / 20.0);
                assert!(out[0].low <= x(t) + 1e-12 && x(t) <= out[0].high + 1e-12);
                assert!(out[0].rate_low <= rate(t) + 1e-9 && rate(t) <= out[0].rate_high + 1e-9);
                (low, high) = (low.min(x(t)), high.max(x(t)));
                (slowest, fastest) = (slowest.min(rate(t)), fastest.max(rate(t)));
            }
            // The margin vanishes with the square of the part.
            let margin = (b - a) * (b - a);
            assert!(out[0].high - out[0].low <= high - low + 40.0 * margin);
            let rates = out[0].rate_high - out[0].rate_low;
            assert!(rates <= fastest - slowest + 20.0 * margin, "{rates} for {}", fastest - slowest);
            // What moves along with it from the same start stays near: that start is known at the beginning of a step only.
            let apart = (out[0] - out[0]).high;
            let drift = 2.0 * (b - a) * rates;
            let is_known = a == 0.0 || out[0].high - out[0].low < drift;
            assert!(apart >= drift.min(out[0].high - out[0].low) * (1.0 - 1e-9), "{apart} {drift}");
            assert_eq!(apart <= drift * (1.0 + 1e-9), is_known, "{apart} {drift} from {a} to {b}");
        }
        let still = Course { x1: &x0, rates: [&[0.0], &[0.0]], ..course };
        let mut out = [Enclosure::from(7.0)];
        enclose(&still, 1, 0.0, 1.0, &mut out);
        assert_eq!(out[0], Enclosure::from(0.0));
        // Away and back, or from one rest to another: it moves.
        enclose(&Course { rates: [&[1.0], &[-1.0]], ..still }, 1, 0.0, 1.0, &mut out);
        assert!(out[0].high >= 0.5);
        enclose(&Course { x1: &[1.0], ..still }, 1, 0.0, 1.0, &mut out);
        assert!(out[0].high >= 1.0);
    }
}
