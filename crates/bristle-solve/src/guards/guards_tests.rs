//! Steps of one state, `x = t`, under guards that are given as functions: what is found in them, and at what cost.

use super::crossing::{GuardVerdict, Look};
use super::hidden::Course;
use super::*;
use crate::{Dynamics, Point};
use bristle_core::{Mode, Scalar};
use std::cell::Cell;

/// Crossings that the ends of a step do not show.
mod unseen;

/// `c₀ + c₁s + c₂s² + c₃s³ + (a + b) sin(ωs + φ)`, with `s` the time since the step began. Waves that cancel, `b = −a`, leave
/// the value as it is and its bounds wide.
type GuardShape = [f64; 8];

/// Guards of a state that is the time itself, or of time alone.
struct GuardLine {
    shapes: Vec<GuardShape>,
    is_timed: bool,
    /// Bounded over steps, or judged from their ends.
    is_watched: bool,
    t0: f64,
}

impl Dynamics for GuardLine {
    fn dim(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, _at: Point<S>, dx: &mut [S]) {
        dx[0] = S::one();
    }
    fn guard_count(&self) -> usize {
        self.shapes.len()
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        let s = if self.is_timed { at.t } else { at.x[0] } - self.t0;
        for (g, &[c0, c1, c2, c3, a, b, w, phase]) in g.iter_mut().zip(&self.shapes) {
            let wave = || (s * w + phase).sin();
            let waves = if a == 0.0 { S::zero() } else { wave() * a + wave() * b };
            *g = ((s * c3 + c2) * s + c1) * s + c0 + waves;
        }
    }
    fn watches(&self, _p: &[f64], _mode: &[Mode], is_watched: &mut [bool]) {
        is_watched.fill(self.is_watched);
    }
}

/// A cubic in the time since the step began.
fn cubic(c: [f64; 4]) -> GuardShape {
    [c[0], c[1], c[2], c[3], 0.0, 0.0, 0.0, 0.0]
}

/// Late enough for the time to matter: products and sums of it are not taken for one another.
const T0: f64 = 100.0;

impl GuardLine {
    fn of(shapes: &[GuardShape]) -> GuardLine {
        GuardLine { shapes: shapes.to_vec(), is_timed: false, is_watched: false, t0: T0 }
    }

    fn timed(shapes: &[GuardShape]) -> GuardLine {
        GuardLine { is_timed: true, is_watched: true, ..GuardLine::of(shapes) }
    }

    /// The guards after a step of length `h`, handed over with all that is needed to look into it.
    fn step<R>(&self, h: f64, mut act: impl FnMut(&mut Guards, Look) -> R) -> (R, usize) {
        let mut eval = Evaluator::new(self, &[]);
        let mut guards = Guards::new(self.shapes.len(), 1);
        let (x0, x1) = ([self.t0], [self.t0 + h]);
        let at = Here { t: self.t0, x: &x0, mode: &[] };
        eval.ends(at, &[1.0], &mut guards.start);
        guards.begin(&mut eval, at);
        eval.ends(Here { t: self.t0 + h, x: &x1, mode: &[] }, &[1.0], &mut guards.end);
        let looks = Cell::new(0);
        let inside = |theta: f64, out: &mut [f64]| {
            looks.set(looks.get() + 1);
            out[0] = self.t0 + theta * h;
        };
        let course = Course { at, h, x1: &x1, rates: [&[1.0], &[1.0]] };
        let look = Look { eval: &mut eval, inside: &inside, course, precision: 1e-10 };
        let found = act(&mut guards, look);
        (found, looks.get())
    }

    fn verdict(&self, h: f64) -> (GuardVerdict, usize) {
        self.step(h, |guards, look| guards.verdict(look))
    }

    /// The guard and the time of the first crossing, as they must be, and how many looks that took.
    fn crosses(&self, h: f64, guard: usize, time: f64, precision: f64) -> usize {
        let (verdict, looks) = self.verdict(h);
        let GuardVerdict::Inside(i, theta, _) = verdict else { panic!("{verdict:?} of {:?}", self.shapes) };
        assert_eq!(i, guard, "at {theta}");
        assert!((theta * h - time).abs() <= precision * h, "{} for {time}", theta * h);
        looks
    }
}

/// Without guards, with one that never fell, nothing is looked into.
fn plain(count: usize) -> Guards {
    Guards::new(count, 1)
}

#[test]
fn a_crossing_is_found_where_it_is_and_in_few_looks() {
    // Straight, bent either way, steep at one end, and zero at the very end of the step.
    for (shape, h, time, most) in [
        (cubic([1.0, -0.5, 0.0, 0.0]), 4.0, 2.0, 1),
        (cubic([1.0, 0.0, 0.0, -1.0]), 2.0, 1.0, 11),
        (cubic([1.0, -3.0, 3.0, -2.0]), 1.0, 0.5, 1),
        (cubic([1.0, -1e3, 0.0, 0.0]), 1.0, 1e-3, 4),
        (cubic([1.0, -1.0 - 1e-9, 0.0, 0.0]), 1.0, 1.0 - 1e-9, 4),
        (cubic([1.0, -3.0, 3.0, -1.0 - 1e-9]), 1.0, 1.0 / 1.001, 6),
        (cubic([1.0, 0.0, 0.0, -1.0]), 1.0, 1.0, 4),
        (cubic([1.0, -1.0, 0.0, 0.0]), 1.0, 1.0, 4),
    ] {
        let looks = GuardLine::of(&[shape]).crosses(h, 0, time, 1e-9);
        assert!(looks <= most, "{looks} looks for {shape:?}");
    }
    assert_eq!(GuardLine::of(&[cubic([1.0, -0.5, 0.0, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
}

#[test]
fn of_several_guards_the_first_to_fall_fires() {
    let falls = |time: f64| cubic([1.0, -1.0 / time, 0.0, 0.0]);
    for times in [[0.3, 0.6, 0.9], [0.6, 0.3, 0.9], [0.9, 0.6, 0.3], [0.3, 7.0, 0.9]] {
        let first = (0..3).min_by(|&i, &j| f64::total_cmp(&times[i], &times[j])).unwrap();
        GuardLine::of(&times.map(falls)).crosses(1.0, first, times[first], 1e-9);
        GuardLine::timed(&times.map(falls)).crosses(1.0, first, times[first], 1e-9);
    }
    // One that rises above zero only after another has fallen comes too late, though it falls again.
    let late = cubic([-1.0, 4.0, -3.5, 0.0]);
    for shapes in [[falls(0.2), late], [late, falls(0.2)]] {
        let guard = usize::from(shapes[0] == late);
        GuardLine::of(&shapes).crosses(1.0, guard, 0.2, 1e-9);
    }
}

/// Twice through zero within a step of which both ends are positive: a contact that slips and is caught again.
#[test]
fn a_dip_between_positive_ends_is_found() {
    for (depth, at) in [(0.1, 0.5), (1e-2, 0.3), (1e-4, 0.37), (1e-6, 0.7)] {
        // (s − at)² (1 + s/2) − depth over a step of one and of four seconds.
        for h in [1.0, 4.0] {
            let (a, b) = (at * h, 0.5 / h);
            let shape = cubic([a * a - depth * h * h, b * a * a - 2.0 * a, 1.0 - 2.0 * a * b, b]);
            let line = GuardLine::of(&[shape]);
            let (verdict, looks) = line.verdict(h);
            let GuardVerdict::Inside(0, theta, [low, high]) = verdict else {
                panic!("{depth} {at}: {verdict:?}")
            };
            assert_eq!(GuardLine { is_timed: true, ..line }.verdict(h), (verdict, looks), "of time instead");
            let s = theta * h;
            let value = (s - a) * (s - a) * (1.0 + b * s) - depth * h * h;
            assert!(value.abs() < 1e-7 * h * h && s <= a, "{depth} {at}: {value:e} at {theta}");
            assert!(low == 0.0 && high < 1.0 && looks <= 24, "{low} {high} {looks}");
        }
    }
    // It comes near zero and does not reach it.
    let (near, looks) = GuardLine::of(&[cubic([0.25 + 1e-6, -1.0, 1.0, 0.0])]).verdict(1.0);
    assert!(near == GuardVerdict::Pass && looks <= 12, "{near:?} {looks}");
    // A dip is searched for where there can be one only.
    assert_eq!(GuardLine::of(&[cubic([9.0, -1.0, 1.0, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
    assert_eq!(GuardLine::of(&[cubic([0.1, 1.0, -0.9, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
}

/// The cubic through both ends decides; every case is compared with its least value on a fine grid.
#[test]
fn a_dip_may_reach_zero_if_the_cubic_comes_near() {
    let mut tried = [0, 0];
    for case in 0..4096u32 {
        let digit = |k: u32| f64::from((case >> (3 * k)) & 7);
        let (g0, g1) = (0.3 + digit(0), 0.3 + 1.3 * digit(1));
        let (fall, rise) = (1.7 * digit(2) - 2.0, 2.3 * digit(3) - 3.0);
        let h = 0.25 + 0.5 * f64::from(case % 5);
        let mut guards = plain(1);
        (guards.start.g[0], guards.end.g[0]) = (g0, g1);
        (guards.start.dg[0], guards.end.dg[0]) = (-fall / h, rise / h);
        let value = |u: f64| {
            let (a, b) = (1.0 - u, u);
            a * a * (1.0 + 2.0 * b) * g0 + b * b * (1.0 + 2.0 * a) * g1 - a * a * b * fall - a * b * b * rise
        };
        let least = (0..=1000).map(|k| value(f64::from(k) * 1e-3)).fold(f64::INFINITY, f64::min);
        let above = g0.min(g1);
        let margin = 4.0 * (above - least) - above;
        let may = fall > 0.0 && rise > 0.0 && margin >= 0.0;
        if margin.abs() > 1e-3 {
            assert_eq!(guards.may_dip(0, h), may, "{g0} {g1} {fall} {rise} {h}");
            tried[usize::from(may)] += 1;
        }
    }
    assert!(tried[0] > 1000 && tried[1] > 200, "{tried:?}");
    // Where the cubic cannot be told, the step is looked into.
    let mut guards = plain(1);
    (guards.start.g[0], guards.end.g[0], guards.start.dg[0], guards.end.dg[0]) =
        (1.0, f64::INFINITY, -1.0, 1.0);
    assert!(guards.may_dip(0, 1.0));
    // Neither end moves towards the other: there is no dip, however near zero.
    (guards.end.g[0], guards.start.dg[0], guards.end.dg[0]) = (1.0, 0.0, 0.0);
    assert!(!guards.may_dip(0, 1.0));
}

#[test]
fn a_turning_point_is_found_in_few_looks() {
    // A parabola's at once; it is enough to have come below zero, or to touch it.
    for at in [0.02, 0.1, 0.37, 0.5, 0.9, 0.98] {
        for (sign, depth) in [(1.0, 1e-9), (-1.0, 1e-9), (1.0, 0.0)] {
            let shape = cubic([at * at - depth, -2.0 * at, 1.0, 0.0].map(|c| 3.0 * sign * c));
            let find = |guards: &mut Guards, mut look: Look| guards.turn(0, sign, &mut look);
            let ((found, g), looks) = GuardLine::of(&[shape]).step(1.0, find);
            assert!((found - at).abs() < 1e-6 && (sign * g <= 0.0 || depth == 0.0), "{at}: {found} {g:e}");
            assert!(looks == 1 || depth == 0.0, "{looks} looks for {at}");
        }
    }
    // (s − m)² (s + 2m) − m³/10⁶, steep on the right, and its mirror image.
    for (m, most) in [(0.2, 11), (0.3, 10), (0.5, 7), (0.7, 5), (0.9, 4), (0.95, 4), (0.99f64, 2)] {
        let c = [2.0 * m.powi(3) * (1.0 - 5e-7), -3.0 * m * m, 0.0, 1.0];
        let mirrored = [c[0] + c[1] + c[3], -c[1] - 3.0 * c[3], 3.0 * c[3], -c[3]];
        for c in [c, mirrored] {
            let find = |guards: &mut Guards, mut look: Look| guards.turn(0, 1.0, &mut look);
            let ((_, g), looks) = GuardLine::of(&[cubic(c)]).step(1.0, find);
            assert!(g <= 0.0 && looks <= most, "{m}: {g:e} after {looks} looks");
        }
    }
    let touch = |guards: &mut Guards, mut look: Look| guards.turn(0, 1.0, &mut look);
    assert_eq!(GuardLine::of(&[cubic([0.25, -1.0, 1.0, 0.0])]).step(1.0, touch), ((0.5, 0.0), 1));
    for (sign, shape, theta, most) in [
        (1.0, cubic([2.0, -1.0, 1.0, 0.0]), 0.5, 12),
        (-1.0, cubic([-2.0, 1.0, -1.0, 0.0]), 0.5, 12),
        (1.0, cubic([2.0, -0.2, 1.0, 0.0]), 0.1, 12),
        (1.0, cubic([2.0, -0.27, 0.0, 1.0]), 0.3, 12),
        (-1.0, cubic([-2.0, 0.27, 0.0, -1.0]), 0.3, 12),
        (1.0, cubic([2.0, -0.03, 0.0, 1.0]), 0.1, 12),
        (1.0, cubic([2.0, -1.47, 0.0, 1.0]), 0.7, 12),
    ] {
        let find = |guards: &mut Guards, mut look: Look| guards.turn(0, sign, &mut look);
        let ((found, g), looks) = GuardLine::of(&[shape]).step(1.0, find);
        let [c0, c1, c2, c3, ..] = shape;
        let value = ((c3 * theta + c2) * theta + c1) * theta + c0;
        assert!((found - theta).abs() < 2e-3 && (g - value).abs() < 1e-6, "{shape:?}: {found} {g} {value}");
        assert!(looks <= most, "{looks} looks for {shape:?}");
    }
}

/// A guard that waits, being not positive, and gets positive within the step may fall again.
#[test]
fn a_guard_that_rises_and_falls_within_a_step_fires_where_it_falls() {
    // −(s − 0.2)(s − 0.6), scaled to steps of one and of three seconds.
    for h in [1.0, 3.0] {
        let shape = cubic([-0.12, 0.8 / h, -1.0 / (h * h), 0.0]);
        let looks = GuardLine::of(&[shape]).crosses(h, 0, 0.6 * h, 1e-9);
        assert!(looks <= 14, "{looks}");
    }
    // It does not reach zero and ends higher than it began.
    let low = cubic([-0.5, 0.8, -0.5, 0.0]);
    assert_eq!(GuardLine::of(&[low]).verdict(1.0).0, GuardVerdict::Pass);
    // It ends lower: it was never positive, and fires where the step began.
    assert_eq!(GuardLine::of(&[cubic([-0.5, 0.8, -1.0, 0.0])]).verdict(1.0).0, GuardVerdict::AtStart(0));
    assert_eq!(GuardLine::of(&[cubic([0.0, 0.0, -1.0, 0.0])]).verdict(1.0), (GuardVerdict::AtStart(0), 0));
    assert_eq!(GuardLine::of(&[cubic([-0.5, -1.0, 0.0, 0.0])]).verdict(1.0), (GuardVerdict::AtStart(0), 0));
    // It is zero again at the very end, or touches zero on its way.
    GuardLine::of(&[cubic([-0.5, 1.5, -1.0, 0.0])]).crosses(1.0, 0, 1.0, 1e-9);
    assert_eq!(GuardLine::of(&[cubic([-0.25, 1.0, -1.0, 0.0])]).verdict(1.0).0, GuardVerdict::Pass);
    // It ends where it began, or positive.
    assert_eq!(GuardLine::of(&[cubic([-0.5, 0.0, 0.0, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
    assert_eq!(GuardLine::of(&[cubic([-0.5, 1.0, 0.0, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
    assert_eq!(GuardLine::of(&[cubic([-0.5, 2.5, -1.5, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
    assert_eq!(GuardLine::of(&[cubic([-1.0, 2.0, -1.0, 0.0])]).verdict(1.0), (GuardVerdict::Pass, 0));
    // One that fired without effect is silent.
    let silent = |guards: &mut Guards, look: Look| {
        guards.is_mute[0] = true;
        guards.verdict(look)
    };
    assert_eq!(GuardLine::of(&[cubic([-0.5, 0.8, -1.0, 0.0])]).step(1.0, silent), (GuardVerdict::Pass, 0));
}

/// Only what both ends show: cheap, and asked after every step.
#[test]
fn a_step_is_suspicious_where_a_guard_may_have_fired() {
    // Armed?, mute?, g and ġ at both ends; over a second.
    for (is_armed, is_mute, g0, g1, dg0, dg1, expected) in [
        (true, false, 1.0, 1.0, 0.0, 0.0, false),
        (true, false, 1.0, 0.0, -1.0, -1.0, true),
        (true, false, 1.0, -1.0, -1.0, -1.0, true),
        (true, false, 1.0, 1.0, -4.0, 4.0, true),
        (false, false, -1.0, -2.0, 1.0, 1.0, true),
        (false, false, -2.0, -1.0, 1.0, -1.0, true),
        (false, false, -2.0, -1.0, 1.0, 0.0, false),
        (false, false, -1.0, -1.0, 0.0, 0.0, false),
        (false, false, -2.0, 1.0, 1.0, -1.0, false),
        (false, false, 2.0, 1.0, 1.0, -1.0, false),
        (false, true, -1.0, -2.0, -1.0, -1.0, false),
    ] {
        let mut guards = plain(2);
        guards.start.g.fill(1.0);
        guards.end.g.fill(1.0);
        guards.is_armed[0] = true;
        (guards.is_armed[1], guards.is_mute[1]) = (is_armed, is_mute);
        (guards.start.g[1], guards.end.g[1], guards.start.dg[1], guards.end.dg[1]) = (g0, g1, dg0, dg1);
        assert_eq!(guards.is_suspicious(1.0), expected, "{is_armed} {is_mute} {g0} {g1} {dg0} {dg1}");
    }
    // Guards that are bounded over the whole step are not judged from its ends.
    let judge = |guards: &mut Guards, _: Look| guards.is_suspicious(1.0);
    assert!(!GuardLine::timed(&[cubic([1.0, -2.0, 0.0, 0.0])]).step(1.0, judge).0);
    assert!(GuardLine::of(&[cubic([1.0, -2.0, 0.0, 0.0])]).step(1.0, judge).0);
}

#[test]
fn a_guard_is_armed_by_being_positive() {
    let start = |shapes: &[GuardShape], act: &dyn Fn(&mut Guards)| {
        let line = GuardLine::of(shapes);
        let mut eval = Evaluator::new(&line, &[]);
        let mut guards = plain(shapes.len());
        act(&mut guards);
        let at = Here { t: T0, x: &[T0], mode: &[] };
        eval.ends(at, &[1.0], &mut guards.start);
        let fires = guards.begin(&mut eval, at);
        (fires, guards.is_armed[0], guards.is_mute[0])
    };
    let line = |g: f64, rate: f64| [cubic([g, rate, 0.0, 0.0])];
    let none = |_: &mut Guards| {};
    assert_eq!(start(&line(1.0, 0.0), &none), (None, true, false));
    // At zero it waits; if it falls it fires, once at an instant.
    assert_eq!(start(&line(0.0, 1.0), &none), (None, false, false));
    assert_eq!(start(&line(0.0, 0.0), &none), (None, false, false));
    assert_eq!(start(&line(0.0, -1.0), &none), (Some(0), false, false));
    assert_eq!(start(&line(-1.0, -1.0), &none), (Some(0), false, false));
    assert_eq!(start(&line(0.0, -1.0), &|g| g.fires(0, T0)), (None, false, false));
    assert_eq!(start(&line(0.0, -1.0), &|g| g.fires(0, T0 - 1e-9)), (Some(0), false, false));
    // It was positive and has jumped: it fires whatever its rate says, though it has fired here.
    for (g, rate) in [(-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0)] {
        let armed = |g: &mut Guards| {
            g.is_armed[0] = true;
            g.fires(0, T0);
        };
        assert_eq!(start(&line(g, rate), &armed).0, Some(0), "{g} {rate}");
    }
    // At zero or above nothing has jumped.
    for (g, rate) in [(0.0, 1.0), (0.5, -1.0), (0.5, 1.0)] {
        assert_eq!(start(&line(g, rate), &|g| g.is_armed[0] = true).0, None, "{g} {rate}");
    }
    // Silent after a switch without effect, until it rises above zero again.
    let mute = |g: &mut Guards| g.clear_unless(false, 0);
    assert_eq!(start(&line(0.0, -1.0), &mute), (None, false, true));
    assert_eq!(start(&line(1e-17, -1.0), &mute), (None, false, true));
    assert_eq!(start(&line(1e-17, 0.0), &mute), (None, false, true));
    assert_eq!(start(&line(1e-17, 1.0), &mute), (None, true, false));
    let both = |g: &mut Guards| {
        g.is_armed[0] = true;
        g.is_mute[0] = true;
    };
    assert_eq!(start(&line(-1.0, 1.0), &both).0, None);
    // The first of several.
    assert_eq!(start(&[line(1.0, 0.0)[0], line(-1.0, -1.0)[0], line(-2.0, -1.0)[0]], &none).0, Some(1));
    // What the step before said of the slope is forgotten.
    assert_eq!(start(&line(1.0, 0.0), &|g| g.mean[0] = 7.0), (None, true, false));
}

#[test]
fn after_a_switch_guards_speak_again_or_one_falls_silent() {
    let mut guards = plain(2);
    guards.is_armed.fill(true);
    guards.is_mute[1] = true;
    guards.clear_unless(false, 0);
    assert_eq!((&guards.is_armed[..], &guards.is_mute[..]), (&[true, true][..], &[true, true][..]));
    guards.clear_unless(true, 0);
    assert_eq!((&guards.is_armed[..], &guards.is_mute[..]), (&[false, false][..], &[false, false][..]));
}

/// Time has passed since a guard fired if the clock can show it.
#[test]
fn a_guard_has_fired_at_an_instant_up_to_rounding() {
    let mut guards = plain(1);
    assert!(!guards.has_fired(0, 0.0) && !guards.has_fired(0, 1e9));
    for t in [0.0, 1e-3, 1.0, 3.0, 1e6, -5.0] {
        guards.fires(0, t);
        let tick = f64::EPSILON * f64::abs(t);
        assert!(guards.has_fired(0, t) && guards.has_fired(0, t + 4.0 * tick), "{t}");
        assert!(!guards.has_fired(0, t + 20.0 * tick + 1e-300) && !guards.has_fired(0, t + 1.0), "{t}");
    }
    // Exactly eight roundings of time are an instant still.
    guards.fires(0, 0.0);
    assert!(guards.has_fired(0, 0.0));
    guards.clear();
    assert!(!guards.has_fired(0, 0.0));
}

#[test]
fn the_end_of_a_step_is_the_start_of_the_next() {
    let mut guards = plain(3);
    guards.start.g.copy_from_slice(&[1.0, 2.0, -1.0]);
    guards.end.g.copy_from_slice(&[3.0, -2.0, 0.0]);
    guards.end.dg.copy_from_slice(&[0.5, 0.25, 0.125]);
    guards.is_mute = vec![true; 3];
    guards.advance(4.0);
    assert_eq!(guards.values(), [3.0, -2.0, 0.0]);
    assert_eq!((&guards.start.dg[..], &guards.mean[..]), (&[0.5, 0.25, 0.125][..], &[0.5, -1.0, 0.25][..]));
    assert_eq!(guards.is_armed, [true, false, false]);
    assert_eq!(guards.is_mute, [false, true, true]);
}

/// Rates that do not go on smoothly beyond a guard: a step that fails across it remembers.
#[test]
fn a_failed_step_blames_the_guards_it_crossed() {
    let line = GuardLine::of(&[
        cubic([1.0, -1.0, 0.0, 0.0]),
        cubic([9.0, -1.0, 0.0, 0.0]),
        cubic([-1.0, -1.0, 0.0, 0.0]),
        cubic([2.0, -1.0, 0.0, 0.0]),
    ]);
    let blame = |guards: &mut Guards, look: Look| {
        guards.blame(look.eval, Here { t: T0 + 2.0, x: &[T0 + 2.0], mode: &[] });
        let first: Vec<bool> = (0..4).map(|i| guards.is_rough(i)).collect();
        guards.blame(look.eval, Here { t: T0, x: &[T0], mode: &[] });
        assert_eq!(first, guards.is_rough, "it is remembered");
        guards.clear();
        (first, guards.is_rough(0))
    };
    // Fell through zero, far from it, not armed, ends exactly on it.
    assert_eq!(line.step(2.0, blame).0, (vec![true, false, false, false], false));
}

#[test]
fn a_step_stops_short_of_a_rough_guard() {
    let rough = |g: f64, rate: f64, mean: f64| {
        let mut guards = plain(2);
        (guards.start.g[0], guards.start.dg[0], guards.mean[0]) = (g, rate, mean);
        (guards.is_rough[0], guards.is_armed[0]) = (true, true);
        guards
    };
    let is = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b;
    // Far beyond the step: no limit. Within it: nine tenths of the way. Just ahead: across it by a twentieth.
    assert_eq!(rough(8.0, -1.0, 0.0).clearance(1.0), 1.0);
    assert!(is(rough(4.0, -8.0, 0.0).clearance(1.0), 0.45));
    assert!(is(rough(4.0, -8.0, 0.0).clearance(0.5), 0.45));
    assert!(is(rough(0.4, -8.0, 0.0).clearance(1.0), 0.0525));
    assert!(is(rough(1.6, -8.0, 0.0).clearance(2.0), 0.21));
    assert!(is(rough(8e-5, -8.0, 0.0).clearance(2.0), 2e-3), "not without end");
    // The steeper of the slope here and that of the step before.
    assert!(is(rough(4.0, -1.0, -8.0).clearance(1.0), 0.45));
    // Rising, not armed, not rough: no limit.
    assert_eq!(rough(4.0, 8.0, -8.0).clearance(1.0), 1.0);
    assert_eq!(rough(4.0, 0.0, -8.0).clearance(1.0), 1.0);
    let mut waiting = rough(4.0, -8.0, 0.0);
    waiting.is_armed[0] = false;
    assert_eq!(waiting.clearance(1.0), 1.0);
    let mut smooth = rough(4.0, -8.0, 0.0);
    smooth.is_rough[0] = false;
    assert_eq!(smooth.clearance(1.0), 1.0);
    // The nearest of two.
    let mut two = rough(4.0, -8.0, 0.0);
    (two.start.g[1], two.start.dg[1], two.is_rough[1], two.is_armed[1]) = (2.0, -8.0, true, true);
    assert!(is(two.clearance(1.0), 0.225));
    assert_eq!(plain(0).clearance(0.3), 0.3);
}

/// A guard that does not come nearer, whatever its slope says, does not hold a run up.
#[test]
fn after_some_vain_stops_a_rough_guard_is_forgotten() {
    let mut guards = plain(1);
    (guards.start.g[0], guards.start.dg[0], guards.is_rough[0], guards.is_armed[0]) = (4.0, -8.0, true, true);
    // A step of the length that is allowed, at whose end the guard is as high as `height`.
    let step = |guards: &mut Guards, height: f64| {
        let h = guards.clearance(1.0);
        (guards.end.g[0], guards.end.dg[0]) = (height, -8.0);
        guards.advance(h);
        h
    };
    for _ in 0..VAIN {
        // A step that fails is none.
        assert!(guards.clearance(1.0) < 1.0);
        assert!(step(&mut guards, 4.0) < 1.0);
    }
    assert_eq!((guards.clearance(1.0), guards.is_rough(0)), (1.0, false));
    // One that comes ever nearer without being met is forgotten too.
    guards.is_rough[0] = true;
    for n in 0..STOPS {
        assert!(step(&mut guards, 4.0 / 4f64.powi(n as i32 + 1)) < 1.0);
    }
    assert_eq!((guards.clearance(1.0), guards.is_rough(0)), (1.0, false));
    // A step that comes much nearer, one without a stop, or a switch begins the count anew.
    let anew: [&dyn Fn(&mut Guards); 3] =
        [&|g| assert!(step(g, 1.0) < 1.0), &|g| assert_eq!(g.clearance(1e-3), 1e-3), &|g| g.fires(0, 0.0)];
    for act in anew {
        (guards.start.g[0], guards.start.dg[0], guards.is_rough[0]) = (4.0, -8.0, true);
        for _ in 1..VAIN {
            assert!(step(&mut guards, 4.0) < 1.0);
        }
        act(&mut guards);
        for _ in 1..VAIN {
            assert!(
                {
                    let height = guards.start.g[0];
                    step(&mut guards, height)
                } < 1.0
                    && guards.is_rough(0)
            );
        }
        guards.clear();
        guards.is_armed[0] = true;
    }
}

#[test]
fn a_guard_that_fell_before_another_is_named() {
    let mut guards = plain(4);
    guards.start.g.copy_from_slice(&[1.0, 3.0, 1.0, 2.0]);
    guards.end.g.copy_from_slice(&[-1.0, -1.0, -3.0, 0.0]);
    guards.is_armed = vec![true; 4];
    assert_eq!(guards.overtaken(0), Some((2, 0.25)));
    assert_eq!(guards.overtaken(2), Some((0, 0.5)));
    guards.is_armed[2] = false;
    assert_eq!(guards.overtaken(0), Some((1, 0.75)), "one that waits falls through nothing");
    guards.is_armed[1] = false;
    assert_eq!(guards.overtaken(0), None, "one that ends on zero has not fallen before");
    assert_eq!(guards.overtaken(3), Some((0, 0.5)));
}
