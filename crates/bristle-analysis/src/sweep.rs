//! Attractors over a parameter, from several starts and along rising and falling values.
//!
//! Cells that start from given states are independent and run on all cores; the two chains, in which each value
//! starts from the end of the one before, show hysteresis. The result does not depend on the number of threads,
//! and cells finished earlier can be handed in again.

use crate::AnalysisError;
use crate::attractor::{Attractor, Fate, Patience};
use crate::find_orbits::OrbitSearch;
use crate::orbit::PeriodicOrbit;
use crate::shooting::ReturnMap;
use bristle_solve::{Cancel, Dynamics};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the motion of a cell starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// One of the given starts.
    Start(usize),
    /// The end of the cell with the next smaller index.
    Up,
    /// The end of the cell with the next larger index.
    Down,
}

/// What is swept.
#[derive(Clone, Debug)]
pub struct ParameterSweep {
    /// Index of the parameter.
    pub parameter: usize,
    /// Its values.
    pub values: Vec<f64>,
    /// Starts tried at every value; the first also begins the chains.
    pub starts: Vec<Vec<f64>>,
    /// Follow the attractor along rising indices?
    pub up: bool,
    /// Follow the attractor along falling indices?
    pub down: bool,
    /// How long each motion is watched.
    pub patience: Patience,
    /// Multiplicities of the orbits, stable or not, hunted from where each given start settles; none when empty.
    pub orbits: Vec<usize>,
}

/// One finished cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepCell {
    /// Index into the values.
    pub index: usize,
    /// Value of the parameter.
    pub value: f64,
    /// Where the motion started.
    pub origin: Origin,
    /// What it settled to.
    pub attractor: Attractor,
    /// Orbits found from there, where the motion began at a given start.
    pub orbits: Vec<StoredOrbit>,
}

/// A periodic orbit in a form that can be stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredOrbit {
    /// Hits per period.
    pub multiplicity: usize,
    /// Period, s.
    pub period: f64,
    /// Section coordinates of the first hit.
    pub hit: Vec<f64>,
    /// Floquet multipliers, real and imaginary part, the largest first.
    pub multipliers: Vec<(f64, f64)>,
}

/// The answer to a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The cells, by value and origin.
    pub cells: Vec<SweepCell>,
    /// All cells were finished.
    pub is_complete: bool,
}

/// A range of values with more than one attractor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoexistenceRange {
    /// Smallest value.
    pub from: f64,
    /// Largest value.
    pub to: f64,
}

impl Survey {
    /// Ranges of neighbouring values at which one start comes to rest and another oscillates for ever.
    pub fn bistable(&self) -> Vec<CoexistenceRange> {
        let last = self.cells.iter().map(|c| c.index).max().map_or(0, |i| i + 1);
        let mut bands: Vec<CoexistenceRange> = Vec::new();
        let mut is_open = false;
        for index in 0..last {
            let here = || self.cells.iter().filter(move |c| c.index == index);
            let both =
                here().any(|c| c.attractor.is_oscillating()) && here().any(|c| c.attractor.is_resting());
            if let (true, Some(value)) = (both, here().next().map(|c| c.value)) {
                match bands.last_mut().filter(|_| is_open) {
                    Some(band) => {
                        *band = CoexistenceRange { from: band.from.min(value), to: band.to.max(value) }
                    }
                    None => bands.push(CoexistenceRange { from: value, to: value }),
                }
            }
            is_open = both;
        }
        bands
    }

    /// The different kinds of attractor found at one value.
    pub fn fates(&self, index: usize) -> Vec<&Fate> {
        let mut fates: Vec<&Fate> = Vec::new();
        for cell in self.cells.iter().filter(|c| c.index == index) {
            let same = |f: &&Fate| std::mem::discriminant(*f) == std::mem::discriminant(&cell.attractor.fate);
            if !fates.iter().any(|f| same(f) && !matches!(f, Fate::Periodic { .. }))
                && !fates.contains(&&cell.attractor.fate)
            {
                fates.push(&cell.attractor.fate);
            }
        }
        fates
    }
}

/// Runs a sweep. `done` holds cells of an earlier, interrupted run; `progress` sees each new cell and says whether
/// to go on.
pub fn sweep<D: Dynamics>(
    map: &ReturnMap<'_, D>,
    p: &[f64],
    sweep: &ParameterSweep,
    done: &[SweepCell],
    progress: &(dyn Fn(&SweepCell) -> bool + Sync),
) -> Result<Survey, AnalysisError> {
    if sweep.parameter >= p.len() {
        return Err(AnalysisError::NoSuchParameter { index: sweep.parameter, count: p.len() });
    }
    let job = SweepJob { map, p, sweep, done, progress, is_stopped: AtomicBool::new(false) };
    // Chains take longest and cannot be split; they go first.
    let chains = [(sweep.up, Origin::Up), (sweep.down, Origin::Down)];
    let mut tasks: Vec<SweepTask> =
        chains.iter().filter(|(wanted, _)| *wanted).map(|(_, o)| SweepTask::Chain(*o)).collect();
    for index in 0..sweep.values.len() {
        tasks.extend((0..sweep.starts.len()).map(|start| SweepTask::Single(index, start)));
    }
    let cancel = Cancel::current();
    let parts: Result<Vec<Vec<SweepCell>>, AnalysisError> =
        tasks.par_iter().map(|task| cancel.scope(|| job.run(task))).collect();
    let mut cells: Vec<SweepCell> = parts?.into_iter().flatten().collect();
    cells.sort_by_key(|c| (c.index, c.origin));
    let chains = usize::from(sweep.up) + usize::from(sweep.down);
    let wanted = sweep.values.len() * (sweep.starts.len() + if sweep.starts.is_empty() { 0 } else { chains });
    Ok(Survey { is_complete: cells.len() == wanted, cells })
}

enum SweepTask {
    Chain(Origin),
    Single(usize, usize),
}

struct SweepJob<'j, 'a, D> {
    map: &'j ReturnMap<'a, D>,
    p: &'j [f64],
    sweep: &'j ParameterSweep,
    done: &'j [SweepCell],
    progress: &'j (dyn Fn(&SweepCell) -> bool + Sync),
    is_stopped: AtomicBool,
}

impl<D: Dynamics> SweepJob<'_, '_, D> {
    fn run(&self, task: &SweepTask) -> Result<Vec<SweepCell>, AnalysisError> {
        let count = self.sweep.values.len();
        match *task {
            SweepTask::Single(index, start) => {
                Ok(self.cell(index, Origin::Start(start), &self.sweep.starts[start])?.into_iter().collect())
            }
            SweepTask::Chain(origin) => {
                let Some(mut state) = self.sweep.starts.first().cloned() else { return Ok(Vec::new()) };
                let mut cells = Vec::with_capacity(count);
                for step in 0..count {
                    let index = if origin == Origin::Down { count - 1 - step } else { step };
                    let Some(cell) = self.cell(index, origin, &state)? else { break };
                    state.clone_from(&cell.attractor.end);
                    cells.push(cell);
                }
                Ok(cells)
            }
        }
    }

    /// One cell, taken over, computed, or `None` once the sweep was stopped.
    fn cell(&self, index: usize, origin: Origin, start: &[f64]) -> Result<Option<SweepCell>, AnalysisError> {
        if let Some(cell) = self.done.iter().find(|c| c.index == index && c.origin == origin) {
            return Ok(Some(cell.clone()));
        }
        if self.is_stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut p = self.p.to_vec();
        let value = self.sweep.values[index];
        p[self.sweep.parameter] = value;
        let attractor = self.map.attractor(&p, start, self.sweep.patience);
        // The chains meet the same attractors again.
        let orbits = match (origin, &attractor) {
            (Origin::Start(_), Ok(attractor)) => self.orbits(&p, attractor),
            _ => Ok(Vec::new()),
        };
        // What was cut short is no answer; the cells finished before it are.
        if Cancel::check().is_err() {
            return Ok(None);
        }
        let (attractor, orbits) = (attractor?, orbits?);
        let cell = SweepCell { index, value, origin, attractor, orbits };
        if !(self.progress)(&cell) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        Ok(Some(cell))
    }

    fn orbits(&self, p: &[f64], attractor: &Attractor) -> Result<Vec<StoredOrbit>, AnalysisError> {
        if self.sweep.orbits.is_empty() || !attractor.returns() {
            return Ok(Vec::new());
        }
        let hunt = OrbitSearch { multiplicities: self.sweep.orbits.clone(), ..OrbitSearch::default() };
        match self.map.find_orbits(p, std::slice::from_ref(&attractor.end), &hunt) {
            Ok(found) => Ok(found.iter().map(|o| self.found(o)).collect()),
            // A transient that outlived the window has died since.
            Err(AnalysisError::NoReturn { .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn found(&self, orbit: &PeriodicOrbit) -> StoredOrbit {
        StoredOrbit {
            multiplicity: orbit.multiplicity,
            period: orbit.period,
            hit: self.map.coordinates_of(&orbit.hits[0]),
            multipliers: orbit.multipliers.iter().map(|m| (m.re, m.im)).collect(),
        }
    }
}
