//! Looks for the best: along gradients where there are any, by evolution elsewhere.

use super::goal::Goal;
use crate::error::RunError;
use crate::progress::Attentive;
use crate::vary::engine::Engine;
use bristle_solve::{Cancel, Progress};
use bristle_vary::evolution::{Candidate, Effort, Merit, minimise};
use bristle_vary::{Design, DesignKind, Marginal};
use rayon::prelude::*;
use std::cell::RefCell;

/// Points at which the whole range is looked at first, for each parameter and at most.
const SPREAD: usize = 16;
const MOST_SPREAD: usize = 96;

/// Starts of the search along gradients, and how far apart they are at the least, as a share of the ranges.
const STARTS: usize = 3;
const APART: f64 = 0.25;

/// Searches by evolution, each from points of its own.
const EVOLUTIONS: u64 = 2;

/// Step of a derivative in the unit cube.
const STEP: f64 = 1e-5;

/// A constraint broken by less than this share of its typical size holds.
const SLACK: f64 = 1e-7;

/// A run on the way.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// Where, in the unit cube.
    pub at: Vec<f64>,
    /// Goal and constraints; nothing where the run failed.
    pub values: Option<Vec<f64>>,
    pub merit: Merit,
}

/// What was found.
pub(super) struct Found {
    /// Every run, in order.
    pub path: Vec<Tried>,
    /// Place of the best of them.
    pub best: usize,
    /// Places of the best of every search, each begun elsewhere.
    pub ends: Vec<usize>,
    /// By how much the goal differs over the points that were looked at first.
    pub spread: f64,
    /// Whether a search ended because no more runs were allowed.
    pub ran_out: bool,
    /// How it was looked for, in words.
    pub method: &'static str,
    /// Derivatives of goal and constraints by each parameter over its whole range, at the best; nothing where they cannot be had.
    pub slopes: Vec<Option<Vec<f64>>>,
    /// Typical sizes of the constraints.
    pub scales: Vec<f64>,
    pub stopped_early: bool,
}

/// Runs at many points at once, in their order.
fn run_all(goal: &Goal, engine: &Engine, points: &[Vec<f64>]) -> Vec<Option<Vec<f64>>> {
    let cancel = Cancel::current();
    let one = |at: &Vec<f64>| cancel.scope(|| engine.worker().run(&goal.point(at))?.ok());
    points.par_iter().map(one).collect()
}

pub(super) fn search(goal: &Goal, progress: &mut dyn Progress) -> Result<Found, RunError> {
    let mut progress = Attentive::new(progress);
    let (k, numbers) = (goal.varied.len(), &goal.study.spec.numbers);
    let (accuracy, most, seed) = (numbers[0], numbers[1] as usize, numbers[2] as u64);
    let unit = vec![Marginal::Uniform { low: 0.0, high: 1.0 }; k];
    let count = (SPREAD * k).min(MOST_SPREAD).min(most);
    let spread = Design::new(DesignKind::Latin, unit, None, count as u64, seed);
    let mut points = Vec::new();
    if let Ok(spread) = spread {
        for i in 0..spread.count() {
            let mut at = vec![0.0; k];
            spread.point(i, &mut at);
            points.push(at);
        }
    }
    let engine = goal.engine(&points.iter().map(|at| goal.point(at)).collect::<Vec<_>>());
    progress.begin(&format!("{}: a spread of points", goal.study.name));
    let found = run_all(goal, &engine, &points);
    if progress.is_stopped() || !progress.at(0.05) {
        return Err(RunError::Stopped);
    }
    let whole: Vec<&Vec<f64>> = found.iter().flatten().collect();
    if whole.is_empty() {
        let reason = match engine.worker().run(&goal.point(&points[0])) {
            Some(Err(reason)) => format!("every run failed, the first because {reason}"),
            _ => "every run failed".to_owned(),
        };
        return Err(RunError::Case { case: goal.study.name.clone(), reason });
    }
    let size = |j: usize| {
        let sizes = whole.iter().map(|values| goal.excess(values)[j].abs()).filter(|v| v.is_finite());
        let largest = sizes.fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    };
    let scales: Vec<f64> = (0..goal.constraints.len()).map(size).collect();
    let tried = |at: Vec<f64>, values: Option<Vec<f64>>| {
        let merit = slackened(goal.merit(values.as_deref(), &scales));
        Tried { at, values, merit }
    };
    let mut path: Vec<Tried> = points.into_iter().zip(found).map(|(at, values)| tried(at, values)).collect();
    let spread = {
        let costs = || path.iter().filter(|t| t.merit.broken < f64::INFINITY).map(|t| t.merit.goal);
        costs().fold(f64::MIN, f64::max) - costs().fold(f64::MAX, f64::min)
    };
    let is_smooth = goal.is_smooth();
    let (mut stopped_early, mut ran_out) = (false, false);
    let mut ends = Vec::new();
    if is_smooth {
        for (n, start) in starts(&path).into_iter().enumerate() {
            progress.begin(&format!("{}: along gradients", goal.study.name));
            let from = path.len();
            let trace = descend(goal, &engine, &scales, &path[start].at, accuracy);
            path.extend(trace.into_iter().map(|(at, values)| tried(at, values)));
            ends.extend(best_of(&path, from));
            if !progress.at(0.1 + 0.8 * (n + 1) as f64 / STARTS as f64) {
                stopped_early = true;
                break;
            }
        }
    } else {
        for search in 0..EVOLUTIONS {
            let effort = Effort::usual(k, accuracy, seed.wrapping_add(search << 40));
            let generations = effort.generations as f64;
            let (mut generation, begun) = (0.0, path.len());
            let judge = |all: &[Vec<f64>]| -> Option<Vec<Merit>> {
                if path.len() + all.len() > most {
                    ran_out = true;
                    return None;
                }
                let found = run_all(goal, &engine, all);
                generation += 1.0;
                let share = (search as f64 + generation / generations) / EVOLUTIONS as f64;
                let goes_on = progress.at(0.05 + 0.9 * share);
                if progress.is_stopped() || !goes_on {
                    stopped_early = true;
                    return None;
                }
                let from = path.len();
                path.extend(all.iter().cloned().zip(found).map(|(at, values)| tried(at, values)));
                Some(path[from..].iter().map(|t| t.merit.clone()).collect())
            };
            let found: Vec<Candidate> = minimise(k, effort, judge);
            // One that was still wandering when its generations were over has not found anything.
            ran_out |= !is_gathered(&found, accuracy);
            ends.extend(best_of(&path, begun));
            if stopped_early || ran_out {
                break;
            }
        }
    }
    let best = best_of(&path, 0).unwrap_or(0);
    let at = path[best].at.clone();
    let slopes = (0..k).map(|i| slopes(goal, &engine, &at, i, if is_smooth { STEP } else { 1e-2 })).collect();
    let method = if is_smooth {
        "sequential quadratic programming along gradients, from the best of a spread of points"
    } else {
        "differential evolution, since motions that switch have jumps"
    };
    Ok(Found { path, best, ends, spread, ran_out, method, slopes, scales, stopped_early })
}

/// Place of the best run from a place on.
fn best_of(path: &[Tried], from: usize) -> Option<usize> {
    (from..path.len()).reduce(|best, i| if path[i].merit.beats(&path[best].merit) { i } else { best })
}

/// Good points that lie far from each other, the best first; near ones where there are no others.
fn starts(path: &[Tried]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..path.len()).collect();
    order.sort_by(|&a, &b| {
        if path[a].merit.beats(&path[b].merit) {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    let mut chosen: Vec<usize> = Vec::new();
    for least in [APART, 0.0] {
        for &i in &order {
            let is_new = chosen.iter().all(|&j| i != j && distance(&path[i].at, &path[j].at) >= least);
            if chosen.len() < STARTS && is_new {
                chosen.push(i);
            }
        }
    }
    chosen
}

/// The largest difference of two points in any coordinate.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Whether all candidates lie as close to the first, the best, as was asked.
fn is_gathered(found: &[Candidate], close: f64) -> bool {
    found.first().is_some_and(|best| found.iter().all(|c| distance(&c.at, &best.at) < close))
}

/// Breaks below the slack are none.
fn slackened(merit: Merit) -> Merit {
    if merit.broken <= SLACK { Merit { broken: 0.0, ..merit } } else { merit }
}

/// Derivatives of all that is asked by coordinate `i` of the unit cube: central differences, one-sided at a bound.
fn slopes(goal: &Goal, engine: &Engine, at: &[f64], i: usize, step: f64) -> Option<Vec<f64>> {
    let moved = |u: f64| {
        let mut at = at.to_vec();
        at[i] = u.clamp(0.0, 1.0);
        at
    };
    let ends = [moved(at[i] - step), moved(at[i] + step)];
    let width = ends[1][i] - ends[0][i];
    let found = run_all(goal, engine, &ends);
    match &found[..] {
        [Some(below), Some(above)] => Some(above.iter().zip(below).map(|(a, b)| (a - b) / width).collect()),
        _ => None,
    }
}

/// Places, and what was found there.
type Places<T> = Vec<(Vec<f64>, T)>;

/// Values where they were asked for last, since goal and constraints ask at the same points one after the other.
struct Asked<'g> {
    goal: &'g Goal<'g>,
    engine: &'g Engine<'g>,
    known: Places<Option<Vec<f64>>>,
    trace: Places<Option<Vec<f64>>>,
    slopes: Places<Vec<Option<Vec<f64>>>>,
}

impl Asked<'_> {
    fn values(&mut self, at: &[f64]) -> Option<Vec<f64>> {
        if let Some((_, values)) = self.known.iter().find(|(known, _)| known == at) {
            return values.clone();
        }
        let values = self.engine.worker().run(&self.goal.point(at)).and_then(Result::ok);
        self.known.push((at.to_vec(), values.clone()));
        self.trace.push((at.to_vec(), values.clone()));
        values
    }

    fn slopes(&mut self, at: &[f64]) -> Vec<Option<Vec<f64>>> {
        if let Some((_, slopes)) = self.slopes.iter().find(|(known, _)| known == at) {
            return slopes.clone();
        }
        let found: Vec<_> = (0..at.len()).map(|i| slopes(self.goal, self.engine, at, i, STEP)).collect();
        self.slopes.push((at.to_vec(), found.clone()));
        found
    }
}

/// Goes downhill from a point; gives the points on the way.
fn descend(
    goal: &Goal,
    engine: &Engine,
    scales: &[f64],
    from: &[f64],
    accuracy: f64,
) -> Vec<(Vec<f64>, Option<Vec<f64>>)> {
    let asked =
        RefCell::new(Asked { goal, engine, known: Vec::new(), trace: Vec::new(), slopes: Vec::new() });
    let size = {
        let start = asked.borrow_mut().slopes(from);
        let rise = start.iter().flatten().map(|s| goal.cost(s[0]).abs().max(s[0].abs())).fold(0.0, f64::max);
        if rise > 0.0 { rise } else { 1.0 }
    };
    let value = |at: &[f64], which: Option<usize>| -> f64 {
        match asked.borrow_mut().values(at) {
            Some(values) => match which {
                None => goal.cost(values[0]) / size,
                Some(j) => goal.excess(&values)[j] / scales[j],
            },
            // A wall where nothing could be computed.
            None => 1e6,
        }
    };
    let gradient = |at: &[f64], which: Option<usize>, out: &mut [f64]| {
        let here = asked.borrow_mut().values(at);
        let slopes = asked.borrow_mut().slopes(at);
        for (slot, slope) in out.iter_mut().zip(slopes) {
            *slot = match (&slope, &here) {
                (Some(slope), Some(values)) => match which {
                    None => cost_slope(goal, values[0], slope[0]) / size,
                    Some(j) => excess_slope(goal, slope, j) / scales[j],
                },
                _ => 0.0,
            };
        }
    };
    let objective = |at: &[f64], out: Option<&mut [f64]>, _: &mut ()| {
        if let Some(out) = out {
            gradient(at, None, out);
        }
        value(at, None)
    };
    let constraint = |j: usize| {
        let (value, gradient) = (&value, &gradient);
        move |at: &[f64], out: Option<&mut [f64]>, _: &mut ()| {
            if let Some(out) = out {
                gradient(at, Some(j), out);
            }
            value(at, Some(j))
        }
    };
    let constraints: Vec<_> = (0..goal.constraints.len()).map(constraint).collect();
    let bounds = vec![(0.0, 1.0); from.len()];
    let tolerances = slsqp::StopTols {
        xtol_abs: vec![accuracy; from.len()],
        ftol_rel: 1e-12,
        ..slsqp::StopTols::default()
    };
    // However it ends, what matters is where it has been.
    let _ = slsqp::minimize(objective, from, &bounds, &constraints, (), 60, Some(tolerances));
    drop(constraints);
    asked.into_inner().trace
}

fn cost_slope(goal: &Goal, value: f64, slope: f64) -> f64 {
    match goal.wish {
        super::goal::Wish::Smallest => slope,
        super::goal::Wish::Largest => -slope,
        super::goal::Wish::Near(target) => 2.0 * (value - target) * slope,
    }
}

fn excess_slope(goal: &Goal, slope: &[f64], j: usize) -> f64 {
    use crate::vary::response::EventTest::{Above, AtLeast};
    let own = slope[goal.places[j]];
    if matches!(goal.constraints[j].comparison, Above | AtLeast) { -own } else { own }
}
