//! Intervals by the likelihood itself, and by records drawn anew from blocks of residuals.

use crate::descent::descend_among;
use crate::error::FitError;
use crate::estimate::FitResult;
use crate::experiment::FitRecord;
use crate::objective::Objective;
use crate::random::Random;
use crate::search::in_parallel;
use crate::unknown::{Coordinates, Order, Unknown};
use std::sync::atomic::AtomicUsize;

/// How intervals are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interval {
    /// From the curvature, as if residuals were independent.
    Wald,
    /// From the curvature, with residuals as correlated as they are.
    #[default]
    Correlated,
    /// From the likelihood, each number held in turn while the others follow.
    Profile,
    /// From records drawn anew from blocks of residuals.
    Bootstrap,
}

/// Where a likelihood ratio of one number leaves 95 %.
const LIKELY: f64 = 3.841;

/// Draws of a bootstrap.
const DRAWS: usize = 400;

/// Replaces the intervals of a fit by those of its profiles; of pairs that are ordered, and of shares, they stay as they are.
///
/// # Errors
/// [`FitError::Stopped`].
pub fn profile(unknowns: &[Unknown], records: &[FitRecord], fit: &mut FitResult) -> Result<(), FitError> {
    let coordinates = Coordinates::new(unknowns.to_vec())?;
    let counter = AtomicUsize::new(0);
    let objective =
        Objective { coordinates: &coordinates, records, horizon: f64::INFINITY, simulations: &counter };
    // Correlated values count for as many as they are worth.
    let limit = fit.cost + LIKELY * fit.cost / fit.effective.max(2.0);
    let jobs: Vec<(usize, usize)> = coordinates
        .of
        .iter()
        .enumerate()
        .map(|(k, &i)| (k, i))
        .filter(|&(_, i)| unknowns[i].order == Order::Free && !fit.estimates[i].is_held)
        .collect();
    let ends = in_parallel(&jobs, |&(k, i)| {
        let value = |u: f64| if unknowns[i].is_logarithmic() { u.exp() } else { u };
        [-1.0, 1.0].map(|way| value(edge(&objective, fit, k, i, way, limit)))
    });
    for (&(_, i), interval) in jobs.iter().zip(ends) {
        fit.estimates[i].interval = interval;
    }
    bristle_solve::Cancel::check().map_err(|_| FitError::Stopped)
}

/// The coordinate at which the profile reaches the limit on one side, or the bound.
fn edge(objective: &Objective, fit: &FitResult, k: usize, i: usize, way: f64, limit: f64) -> f64 {
    let coordinates = objective.coordinates;
    let estimate = &fit.estimates[i];
    let unit = if estimate.unknown.is_logarithmic() { estimate.value.abs() } else { 1.0 };
    let end = if way < 0.0 { coordinates.low[k] } else { coordinates.high[k] };
    let mut step = (estimate.correlated / unit).clamp(1e-9, 0.5 * (coordinates.high[k] - coordinates.low[k]));
    let mut is_moving = vec![true; fit.place.len()];
    is_moving[k] = false;
    let (mut inside, mut below) = (fit.place[k], fit.cost);
    let mut u = fit.place.clone();
    for _ in 0..24 {
        u[k] = inside + way * step;
        if (end - u[k]) * way <= 0.0 {
            u[k] = end;
        }
        let Ok(place) = descend_among(objective, &u, 15, &is_moving) else { return inside };
        if place.cost >= limit {
            // Along a parabola between the two.
            let part = ((limit - below) / (place.cost - below).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            if place.cost - limit < 0.05 * (limit - fit.cost) || step < 1e-7 {
                return inside + way * (u[k] - inside).abs() * part;
            }
            step *= part.clamp(0.2, 0.9);
            continue;
        }
        if u[k] == end {
            return end;
        }
        (inside, below) = (u[k], place.cost);
        u = place.u;
        step *= 1.6;
    }
    inside
}

/// Replaces the intervals of a fit by those of records drawn anew from blocks of residuals as long as these are correlated; the
/// answer of the estimates to them is taken to be straight.
///
/// # Errors
/// As [`Objective::linearised`].
pub fn bootstrap(unknowns: &[Unknown], records: &[FitRecord], fit: &mut FitResult) -> Result<(), FitError> {
    let coordinates = Coordinates::new(unknowns.to_vec())?;
    let counter = AtomicUsize::new(0);
    let objective =
        Objective { coordinates: &coordinates, records, horizon: f64::INFINITY, simulations: &counter };
    let mut here = objective.linearised(&fit.place)?;
    let held: Vec<usize> =
        (0..coordinates.len()).filter(|&k| fit.estimates[coordinates.of[k]].is_held).collect();
    held.iter().for_each(|&k| here.jacobian.column_mut(k).fill(0.0));
    let Ok(inverse) = here.jacobian.clone().pseudo_inverse(1e-12 * here.jacobian.norm()) else {
        return Ok(());
    };
    let by_value = coordinates.slopes(&fit.place);
    let mut random = Random::new(7);
    let mut draws = vec![Vec::with_capacity(DRAWS); unknowns.len()];
    for _ in 0..DRAWS {
        bristle_solve::Cancel::check().map_err(|_| FitError::Stopped)?;
        let mut drawn = here.residuals.clone();
        let mut first = 0;
        for comparison in &fit.comparisons {
            let n = comparison.shown.len();
            let block = (2 * comparison.series.memory).clamp(1, (n / 4).max(1));
            let mut i = 0;
            while i < n {
                let from = random.below(n - block + 1);
                for j in 0..block.min(n - i) {
                    drawn[first + i + j] = here.residuals[first + from + j];
                }
                i += block;
            }
            first += n;
        }
        let moved = &by_value * (&inverse * drawn);
        draws.iter_mut().zip(moved.iter()).for_each(|(all, x)| all.push(*x));
    }
    for (estimate, draws) in fit.estimates.iter_mut().zip(&mut draws).filter(|(e, _)| !e.is_held) {
        draws.sort_by(f64::total_cmp);
        let mean = draws.iter().sum::<f64>() / DRAWS as f64;
        let at = |part: f64| draws[((part * DRAWS as f64) as usize).min(DRAWS - 1)] - mean;
        estimate.interval = [estimate.value + at(0.025), estimate.value + at(0.975)];
    }
    Ok(())
}
