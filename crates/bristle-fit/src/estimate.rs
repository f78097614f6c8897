//! What was found, how sure it is, and what cannot be known.

use crate::descent::{DescentPlace, descend_among};
use crate::error::FitError;
use crate::experiment::{Experiment, FitRecord};
use crate::identify::{Doubt, doubts};
use crate::objective::Objective;
use crate::search::{Search, SearchResult, in_parallel, search};
use crate::statistics::{Series, Spread, spread};
use crate::unknown::{Coordinates, Order, Unknown};
use nalgebra::DMatrix;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An unknown, found.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What was looked for.
    pub unknown: Unknown,
    /// Its value.
    pub value: f64,
    /// Standard error if the residuals were independent.
    pub white: f64,
    /// Standard error with residuals as correlated as they are.
    pub correlated: f64,
    /// Lower and upper end of 95 % of what it may be, by the way asked for.
    pub interval: [f64; 2],
    /// Which bound it lies on, if it does.
    pub at_bound: Option<AtBound>,
    /// Whether the record tells it: within a quarter of its value, and not by a bound.
    pub is_known: bool,
    /// Whether it was held while the others were stated, since the record says nothing of it.
    pub is_held: bool,
}

/// A bound an estimate lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtBound {
    /// The lower one.
    Low,
    /// The upper one.
    High,
}

/// Everything a fit has found.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// The unknowns, found.
    pub estimates: Vec<Estimate>,
    /// Covariance of their values, from uncorrelated residuals.
    pub white: DMatrix<f64>,
    /// The same with the correlation of the residuals.
    pub correlated: DMatrix<f64>,
    /// How each record compares.
    pub comparisons: Vec<Comparison>,
    /// Number of measured values, and how many independent ones they are worth.
    pub rows: usize,
    /// The same, counted by what independent values would tell.
    pub effective: f64,
    /// Number of coordinates that were free.
    pub freedom: usize,
    /// Sum of squares, in the units of the noise or of the spread of the records.
    pub cost: f64,
    /// Akaike's and the Bayesian criterion with the number of values.
    pub aic: f64,
    /// The Bayesian one.
    pub bic: f64,
    /// Akaike's with the effective number of values.
    pub aic_effective: f64,
    /// Ratio of the extreme eigenvalues of the correlation of the columns.
    pub condition: f64,
    /// What cannot be known, in words.
    pub doubts: Vec<Doubt>,
    /// Costs of all descents.
    pub waterfall: Vec<f64>,
    /// Simulations made.
    pub simulations: usize,
    /// Error of the simulation itself, the largest difference to steps of half the length, over the noise.
    pub step_error: f64,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
    /// The coordinates of the place.
    pub place: Vec<f64>,
}

impl FitResult {
    /// Akaike's criterion with so many independent values: to compare laws by, the same for all.
    pub fn criterion(&self, effective: f64) -> f64 {
        let mean = (self.cost / self.rows as f64).max(f64::MIN_POSITIVE);
        effective * mean.ln() + 2.0 * self.freedom as f64
    }
}

/// A record beside what the fit makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The record.
    pub name: String,
    /// Times.
    pub times: Vec<f64>,
    /// What was measured.
    pub measured: Vec<f64>,
    /// What the fit shows.
    pub shown: Vec<f64>,
    /// Root of the mean square of the difference.
    pub rms: f64,
    /// The same over the root of the mean square of what was measured.
    pub relative: f64,
    /// The difference as a series.
    pub series: Series,
}

/// Beyond this an estimate is none.
pub const VAGUE: f64 = 0.25;

/// Finds the unknowns from the records.
///
/// # Errors
/// As [`search`].
pub fn fit(
    unknowns: Vec<Unknown>,
    records: &[FitRecord],
    settings: &Search,
    tell: &(dyn Fn(f64) + Sync),
) -> Result<FitResult, FitError> {
    let coordinates = Coordinates::new(unknowns)?;
    let mut found = search(&coordinates, records, settings, tell)?;
    if found.stopped_early || step_error(records, &coordinates.values(&found.best.u)) * root(records) < FINE {
        return finish(&coordinates, records, found);
    }
    // What the steps leave moves the place along the directions that the records hardly tell: once more with finer ones.
    let finer: Vec<FitRecord> = records.iter().map(finer).collect();
    let counter = AtomicUsize::new(found.simulations);
    let objective = Objective {
        coordinates: &coordinates,
        records: &finer,
        horizon: f64::INFINITY,
        simulations: &counter,
    };
    if let Ok(best) = descend_among(&objective, &found.best.u, POLISH, &vec![true; coordinates.len()]) {
        found.best = best;
    }
    found.simulations = counter.load(Ordering::Relaxed);
    finish(&coordinates, &finer, found)
}

/// Errors of the steps below this, over the standard error of the mean of all values, are fine enough.
const FINE: f64 = 0.1;

/// So many steps a descent takes at most with finer steps of the simulation.
const POLISH: usize = 40;

/// Root of the number of values.
fn root(records: &[FitRecord]) -> f64 {
    records.iter().map(|r| r.experiment.rows() as f64).sum::<f64>().sqrt()
}

/// A record whose simulation takes finer steps, where it takes any.
fn finer<'a>(record: &'a FitRecord<'a>) -> FitRecord<'a> {
    FitRecord {
        name: record.name.clone(),
        experiment: record.experiment.refined().unwrap_or_else(|| Box::new(Same(record.experiment.as_ref()))),
        measured: record.measured.clone(),
        noise: record.noise,
        weights: record.weights.clone(),
        sensor: record.sensor,
        along: record.along.clone(),
    }
}

/// An experiment as it is.
struct Same<'a>(&'a dyn Experiment);

impl Experiment for Same<'_> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn times(&self) -> &[f64] {
        self.0.times()
    }

    fn respond(
        &self,
        values: &[f64],
        horizon: f64,
        outputs: &mut Vec<f64>,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<(), FitError> {
        self.0.respond(values, horizon, outputs, slopes)
    }
}

/// A record beside what these numbers show.
///
/// # Errors
/// As [`FitRecord::shown`].
pub fn compare(record: &FitRecord, values: &[f64]) -> Result<Comparison, FitError> {
    let shown = record.shown(values, f64::INFINITY, None)?;
    let difference: Vec<f64> = shown.iter().zip(&record.measured).map(|(y, m)| y - m).collect();
    let rms = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt();
    Ok(Comparison {
        name: record.name.clone(),
        times: record.experiment.times().to_vec(),
        measured: record.measured.clone(),
        rms: rms(&difference),
        relative: rms(&difference) / rms(&record.measured).max(f64::MIN_POSITIVE),
        series: Series::of(&difference),
        shown,
    })
}

/// Statistics where a search has ended.
fn finish(
    coordinates: &Coordinates,
    records: &[FitRecord],
    found: SearchResult,
) -> Result<FitResult, FitError> {
    let counter = AtomicUsize::new(found.simulations);
    let objective = Objective { coordinates, records, horizon: f64::INFINITY, simulations: &counter };
    let mut place = sorted(coordinates, &found.best);
    let values = coordinates.values(&place.u);
    let mut comparisons = records.iter().map(|r| compare(r, &values)).collect::<Result<Vec<_>, _>>()?;
    let full = judge(&objective, &place, &comparisons, &[])?;
    // What the record says nothing of is held where it does no harm, so that it does not blur the rest.
    let vague: Vec<usize> = (0..coordinates.len())
        .filter(|&k| full.is_vague(coordinates, k) && bound(coordinates, &place.u, k).is_none())
        .collect();
    let mut judged = full.clone();
    let (mut held, mut wanted) = (Vec::new(), vague);
    while !wanted.is_empty() && wanted.len() < coordinates.len() && !found.stopped_early {
        let Some(simpler) = simplified(&objective, &place, &wanted, &comparisons) else { break };
        place = simpler;
        let values = coordinates.values(&place.u);
        comparisons = records.iter().map(|r| compare(r, &values)).collect::<Result<Vec<_>, _>>()?;
        judged = judge(&objective, &place, &comparisons, &wanted)?;
        held = wanted.clone();
        // Where some are held, others may turn out to matter no more.
        wanted = (0..coordinates.len())
            .filter(|&k| {
                held.contains(&k)
                    || judged.is_vague(coordinates, k) && bound(coordinates, &place.u, k).is_none()
            })
            .collect();
        if wanted == held {
            break;
        }
    }
    let values = coordinates.values(&place.u);
    let step_error = step_error(records, &values);
    let rows: usize = records.iter().map(|r| r.experiment.rows()).sum();
    let effective: f64 = comparisons.iter().map(|c| c.series.effective).sum();
    let freedom = coordinates.len() - held.len();
    let mean = (place.cost / rows as f64).max(f64::MIN_POSITIVE);
    let criterion = |n: f64, price: f64| n * mean.ln() + price * freedom as f64;
    let by_value = coordinates.slopes(&place.u);
    let white = &by_value * &judged.spread.white * by_value.transpose();
    let correlated = &by_value * &judged.spread.correlated * by_value.transpose();
    let full_error = {
        let [white, correlated] =
            [&full.spread.white, &full.spread.correlated].map(|m| &by_value * m * by_value.transpose());
        (0..values.len()).map(|i| white[(i, i)].max(correlated[(i, i)]).max(0.0).sqrt()).collect::<Vec<_>>()
    };
    let estimates = coordinates.unknowns.iter().enumerate().map(|(i, unknown)| {
        let k = coordinates.of.iter().position(|&of| of == i);
        let is_held = k.is_some_and(|k| held.contains(&k));
        let error = |m: &DMatrix<f64>| if is_held { f64::INFINITY } else { m[(i, i)].max(0.0).sqrt() };
        let value = values[i];
        let at_bound = k.and_then(|k| bound(coordinates, &place.u, k));
        let se = error(&correlated);
        // Stated beside others that are held, it is known only if it is so while they are free.
        let worst = full_error[i].max(se).max(error(&white));
        let is_known = !is_held && at_bound.is_none() && worst <= VAGUE * value.abs();
        let interval = [value - 1.96 * se, value + 1.96 * se];
        Estimate {
            unknown: unknown.clone(),
            value,
            white: error(&white),
            correlated: se,
            interval,
            at_bound,
            is_known,
            is_held,
        }
    });
    Ok(FitResult {
        estimates: estimates.collect(),
        comparisons,
        rows,
        effective,
        freedom,
        cost: place.cost,
        aic: criterion(rows as f64, 2.0),
        bic: criterion(rows as f64, (rows as f64).ln()),
        aic_effective: criterion(effective, 2.0),
        condition: full.spread.condition,
        doubts: doubts(coordinates, &full.spread.directions),
        waterfall: found.waterfall,
        simulations: counter.load(Ordering::Relaxed),
        step_error,
        stopped_early: found.stopped_early,
        white,
        correlated,
        place: place.u,
    })
}

/// Which bound a coordinate lies on.
fn bound(coordinates: &Coordinates, u: &[f64], k: usize) -> Option<AtBound> {
    let near = 1e-6 * (coordinates.high[k] - coordinates.low[k]);
    match u[k] {
        u if u <= coordinates.low[k] + near => Some(AtBound::Low),
        u if u >= coordinates.high[k] - near => Some(AtBound::High),
        _ => None,
    }
}

/// Covariances at a place.
#[derive(Clone)]
struct JudgedFit {
    spread: Spread,
    unit: Vec<f64>,
}

impl JudgedFit {
    /// Whether a coordinate is not determined to a quarter of its natural unit.
    fn is_vague(&self, coordinates: &Coordinates, k: usize) -> bool {
        let own = &coordinates.unknowns[coordinates.of[k]];
        let se = self.spread.correlated[(k, k)].max(self.spread.white[(k, k)]).sqrt();
        own.prior.is_none() && se > VAGUE * self.unit[k] && (own.is_logarithmic() || own.order != Order::Free)
    }
}

fn judge(
    objective: &Objective,
    place: &DescentPlace,
    comparisons: &[Comparison],
    held: &[usize],
) -> Result<JudgedFit, FitError> {
    let mut here = objective.linearised(&place.u)?;
    for &k in held {
        here.jacobian.column_mut(k).fill(0.0);
    }
    let coordinates = objective.coordinates;
    let unit: Vec<f64> = (0..coordinates.len())
        .map(|k| {
            let unknown = &coordinates.unknowns[coordinates.of[k]];
            let is_plain = unknown.order == Order::Free && !unknown.is_logarithmic();
            if is_plain { place.u[k].abs().max(1e-3 * (unknown.to - unknown.from)) } else { 1.0 }
        })
        .collect();
    let mut first = 0;
    let blocks: Vec<(usize, usize, usize)> = comparisons
        .iter()
        .map(|c| {
            let block = (first, c.shown.len(), c.series.lags(c.shown.len()));
            first += c.shown.len();
            block
        })
        .collect();
    Ok(JudgedFit { spread: spread(&here.residuals, &here.jacobian, &unit, &blocks), unit })
}

/// The place of least squares with some coordinates held where they do not matter, if there is one that is as good.
fn simplified(
    objective: &Objective,
    best: &DescentPlace,
    vague: &[usize],
    comparisons: &[Comparison],
) -> Option<DescentPlace> {
    let (low, high) = (&objective.coordinates.low, &objective.coordinates.high);
    let is_moving: Vec<bool> = (0..best.u.len()).map(|k| !vague.contains(&k)).collect();
    let mut starts = vec![best.u.clone()];
    // Each of them at either end or in the middle, all combinations while there are few.
    let kinds = 3_usize.pow(vague.len().min(4) as u32);
    for kind in 0..kinds {
        let mut u = best.u.clone();
        let mut digits = kind;
        for &k in vague {
            u[k] = low[k] + (high[k] - low[k]) * [0.02, 0.5, 0.98][digits % 3];
            digits /= 3;
        }
        starts.push(u);
    }
    let ends = in_parallel(&starts, |u| descend_among(objective, u, 12, &is_moving));
    let ends: Vec<DescentPlace> = ends.into_iter().flatten().collect();
    let rows: usize = comparisons.iter().map(|c| c.shown.len()).sum();
    let effective: f64 = comparisons.iter().map(|c| c.series.effective).sum();
    // What the held ones are worth, by the Bayesian criterion.
    let price = best.cost / effective.min(rows as f64) * vague.len() as f64 * effective.max(2.0).ln();
    let good = ends.into_iter().filter(|p| p.cost <= best.cost + price);
    // Of those as good, the one with the least influence of what is held.
    let influence = |p: &DescentPlace| {
        objective.linearised(&p.u).map_or(f64::INFINITY, |here| {
            vague.iter().map(|&k| here.jacobian.column(k).norm_squared()).sum::<f64>()
        })
    };
    let ranked = good.map(|p| (influence(&p), p));
    let chosen = ranked.min_by(|a, b| a.0.total_cmp(&b.0))?.1;
    descend_among(objective, &chosen.u, 60, &is_moving).ok()
}

/// Elements that can be exchanged, in the order of the deflections at which they yield.
fn sorted(coordinates: &Coordinates, best: &DescentPlace) -> DescentPlace {
    let groups = coordinates.groups();
    let [levels, stiffness] = &groups[..] else { return best.clone() };
    if levels.len() != stiffness.len() {
        return best.clone();
    }
    let values = coordinates.values(&best.u);
    let mut order: Vec<usize> = (0..levels.len()).collect();
    let yields = |i: usize| values[levels[i]] / values[stiffness[i]];
    order.sort_by(|&a, &b| yields(a).total_cmp(&yields(b)));
    let mut other = values.clone();
    for (to, &from) in order.iter().enumerate() {
        other[levels[to]] = values[levels[from]];
        other[stiffness[to]] = values[stiffness[from]];
    }
    DescentPlace { u: coordinates.locate(&other), ..best.clone() }
}

/// The largest change that finer steps make, over the scale of the record.
fn step_error(records: &[FitRecord], values: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for record in records {
        let Some(finer) = record.experiment.refined() else { continue };
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        let both = record
            .experiment
            .respond(values, f64::INFINITY, &mut coarse, None)
            .and_then(|()| finer.respond(values, f64::INFINITY, &mut fine, None));
        if both.is_ok() {
            let change = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            worst = worst.max(change / record.scale());
        }
    }
    worst
}
