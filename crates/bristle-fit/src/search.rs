//! The search: many places are tried, the best are descended from, and the horizon grows.

use crate::descent::{DescentPlace, descend};
use crate::error::FitError;
use crate::experiment::FitRecord;
use crate::objective::Objective;
use crate::random::Random;
use crate::statistics::Series;
use crate::unknown::Coordinates;
use bristle_solve::Cancel;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Places tried in each round, per coordinate.
    pub tried: usize,
    /// Descents in each round.
    pub descents: usize,
    /// Rounds at most: another follows where only one descent arrived at the best place.
    pub rounds: usize,
    /// Where the sequence of places begins.
    pub seed: u64,
    /// Up to when the records are compared, one after the other; the last is the end.
    pub horizons: Vec<f64>,
}

impl Default for Search {
    fn default() -> Self {
        Search { tried: 16, descents: 6, rounds: 3, seed: 1, horizons: vec![f64::INFINITY] }
    }
}

/// Where a search has ended.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best place.
    pub best: DescentPlace,
    /// Cost at the end of every descent over the whole records, in rising order.
    pub waterfall: Vec<f64>,
    /// Simulations that were made.
    pub simulations: usize,
    /// Whether it was stopped, so that this is only the best so far.
    pub stopped_early: bool,
}

/// Descents that end within this much of the best, relative, have arrived there.
const SAME: f64 = 1e-3;

/// Looks for the place of least squares. `tell` hears how far it is, from 0 to 1.
///
/// # Errors
/// [`FitError::NoStart`], [`FitError::TooManyUnknowns`], [`FitError::Stopped`] if there is nothing to keep.
pub fn search(
    coordinates: &Coordinates,
    records: &[FitRecord],
    settings: &Search,
    tell: &(dyn Fn(f64) + Sync),
) -> Result<SearchResult, FitError> {
    let rows: usize = records.iter().map(|r| r.experiment.rows()).sum();
    let priors = coordinates.unknowns.iter().filter(|u| u.prior.is_some()).count();
    if rows + priors <= coordinates.len() {
        return Err(FitError::TooManyUnknowns { unknowns: coordinates.len(), rows });
    }
    let simulations = AtomicUsize::new(0);
    let objective = |horizon| Objective { coordinates, records, horizon, simulations: &simulations };
    let mut random = Random::new(settings.seed);
    let (mut ends, mut stopped): (Vec<DescentPlace>, bool) = (Vec::new(), false);
    let stages = settings.horizons.len().max(1) * settings.rounds.max(1);
    for round in 0..settings.rounds.max(1) {
        let mut places = first_places(coordinates, settings, round, &mut random);
        for (stage, &horizon) in settings.horizons.iter().enumerate() {
            let objective = objective(horizon);
            tell((round * settings.horizons.len() + stage) as f64 / stages as f64);
            if stage > 0 {
                places.extend(doubts(&objective, &places, &mut random));
            }
            let ranked = rank(&objective, &places);
            let is_last = stage + 1 == settings.horizons.len();
            let chosen = choose(coordinates, &ranked, if stage == 0 { settings.descents } else { 4 });
            let reached =
                in_parallel(&chosen, |place| descend(&objective, place, if is_last { 14 } else { 20 }));
            let mut reached: Vec<DescentPlace> =
                reached.into_iter().flatten().filter(|p| p.cost.is_finite()).collect();
            reached.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            if is_last {
                let (near, far): (Vec<_>, Vec<_>) =
                    reached.into_iter().enumerate().partition(|(i, _)| *i < 3);
                let near: Vec<Vec<f64>> = near.into_iter().map(|(_, p)| p.u).collect();
                ends.extend(in_parallel(&near, |u| descend(&objective, u, 80)).into_iter().flatten());
                ends.extend(far.into_iter().map(|(_, p)| p));
            } else {
                places = reached.into_iter().map(|p| p.u).collect();
            }
            stopped |= Cancel::check().is_err();
            if stopped {
                break;
            }
        }
        ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let arrived =
            ends.first().map_or(0, |best| ends.iter().filter(|p| p.cost <= best.cost * (1.0 + SAME)).count());
        let is_explained = || {
            let values = ends.first().map(|best| coordinates.values(&best.u));
            values.is_some_and(|values| records.iter().all(|record| is_noise(record, &values)))
        };
        if arrived >= 2 || stopped || is_explained() {
            break;
        }
    }
    tell(1.0);
    let waterfall = ends.iter().map(|p| p.cost).collect();
    let simulations = simulations.load(Ordering::Relaxed);
    match ends.into_iter().next() {
        Some(best) => Ok(SearchResult { best, waterfall, simulations, stopped_early: stopped }),
        None if stopped => Err(FitError::Stopped),
        None => Err(FitError::NoStart { starts: settings.tried * coordinates.len() * settings.rounds }),
    }
}

/// Whether a fit leaves nothing of a record but noise: values that know nothing of one another.
fn is_noise(record: &FitRecord, values: &[f64]) -> bool {
    let Ok(shown) = record.shown(values, f64::INFINITY, None) else { return false };
    let residuals: Vec<f64> = shown.iter().zip(&record.measured).map(|(y, m)| y - m).collect();
    residuals.len() > 100 && Series::of(&residuals).effective > 0.9 * residuals.len() as f64
}

/// Places all over the box, and the start that was given.
fn first_places(
    coordinates: &Coordinates,
    settings: &Search,
    round: usize,
    random: &mut Random,
) -> Vec<Vec<f64>> {
    let sides = coordinates.unknowns.len();
    let count = (settings.tried * coordinates.len()).max(24);
    let mut places: Vec<Vec<f64>> =
        random.spread(count, sides).iter().map(|part| coordinates.in_box(part)).collect();
    let starts: Vec<Option<f64>> = coordinates.unknowns.iter().map(|u| u.start).collect();
    if round == 0 && starts.iter().all(Option::is_some) {
        let values: Vec<f64> = starts.into_iter().flatten().collect();
        places.insert(0, coordinates.locate(&values));
    }
    places
}

/// The best places so far with what they leave undetermined drawn anew.
fn doubts(objective: &Objective, places: &[Vec<f64>], random: &mut Random) -> Vec<Vec<f64>> {
    let Some(best) = places.first() else { return Vec::new() };
    let Ok(here) = objective.linearised(best) else { return Vec::new() };
    let variance = here.residuals.norm_squared() / here.residuals.len().max(1) as f64;
    let normal = here.jacobian.tr_mul(&here.jacobian);
    let count = best.len();
    let eigen = normal.symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let is_open = |k: usize| {
        let spread: f64 = (0..count)
            .map(|i| {
                variance * eigen.eigenvectors[(k, i)].powi(2) / eigen.eigenvalues[i].max(1e-14 * largest)
            })
            .sum();
        spread.sqrt() > 0.3
    };
    let open: Vec<usize> = (0..count).filter(|&k| is_open(k)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let (low, high) = (&objective.coordinates.low, &objective.coordinates.high);
    let draw = |part: &Vec<f64>| {
        let mut u = best.clone();
        open.iter().zip(part).for_each(|(&k, part)| u[k] = low[k] + part * (high[k] - low[k]));
        u
    };
    random.spread(8 * open.len(), open.len()).iter().map(draw).collect()
}

/// The places by their costs.
fn rank(objective: &Objective, places: &[Vec<f64>]) -> Vec<(f64, Vec<f64>)> {
    let costs = in_parallel(places, |u| objective.cost(u));
    let mut ranked: Vec<_> = costs
        .into_iter()
        .zip(places)
        .filter_map(|(cost, u)| Some((cost.ok().filter(|c| c.is_finite())?, u.clone())))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked
}

/// The best of them that are not beside each other.
fn choose(coordinates: &Coordinates, ranked: &[(f64, Vec<f64>)], count: usize) -> Vec<Vec<f64>> {
    let mut chosen: Vec<Vec<f64>> = Vec::new();
    let distance = |a: &[f64], b: &[f64]| {
        let parts = (0..a.len()).map(|k| ((a[k] - b[k]) / (coordinates.high[k] - coordinates.low[k])).abs());
        parts.fold(0.0, f64::max)
    };
    for (_, u) in ranked {
        if chosen.len() < count && chosen.iter().all(|c| distance(c, u) > 0.02) {
            chosen.push(u.clone());
        }
    }
    chosen
}

/// Does all on all cores, in order; each hears the wish to stop.
pub(crate) fn in_parallel<T: Sync, R: Send>(jobs: &[T], one: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cancel = Cancel::current();
    jobs.par_iter().map(|job| cancel.scope(|| one(job))).collect()
}
