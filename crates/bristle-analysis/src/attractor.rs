//! What a motion settles to, read off its returns to a section.

use crate::AnalysisError;
use crate::lyapunov::Lyapunov;
use crate::settling::FASTER;
use crate::shooting::{Hit, ReturnMap};
use bristle_core::Mode;
use bristle_solve::{Dynamics, Point, SolveError, State};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// How long a motion is watched and what counts as equal.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Returns that are let pass.
    pub transient: usize,
    /// Returns that are then looked at.
    pub window: usize,
    /// Longest period looked for, in returns.
    pub longest: usize,
    /// Distance on the section, relative to each state's size, below which two hits are the same.
    pub tolerance: f64,
    /// Returns over which the Lyapunov exponent of a motion without period is taken; zero leaves it out.
    pub lyapunov: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self { transient: 200, window: 64, longest: 16, tolerance: 1e-6, lyapunov: 200 }
    }
}

/// What a motion settles to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fate {
    /// It comes to rest; what it rubs on may move on.
    Rest,
    /// It slides on for ever at a steady rate.
    Sliding {
        /// Rate of the state that moves on fastest.
        rate: f64,
    },
    /// It gets faster without an end.
    RunsAway {
        /// Rate of the fastest state when it was given up.
        rate: f64,
    },
    /// The integration gave up.
    GaveUp {
        /// Why.
        reason: String,
    },
    /// It repeats after so many returns.
    Periodic {
        /// Returns per period.
        multiplicity: usize,
    },
    /// It has no period that was looked for, and neighbouring motions part: chaos.
    Chaotic {
        /// How fast they part.
        lyapunov: Lyapunov,
    },
    /// It has no period that was looked for, and neighbouring motions do not part or were not compared: it is still
    /// settling, or its period is longer.
    Unsettled {
        /// How fast neighbours approach each other, where it was asked for.
        lyapunov: Option<Lyapunov>,
    },
}

/// An attractor, described by its returns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attractor {
    /// What the motion settles to.
    pub fate: Fate,
    /// Section coordinates of the hits: one period, or the whole window.
    pub hits: Vec<Vec<f64>>,
    /// Mean time between hits; zero, as are the two below, where there were fewer than two.
    pub mean_return: f64,
    /// Shortest time between hits.
    pub min_return: f64,
    /// Longest time between hits.
    pub max_return: f64,
    /// Smallest value of every state.
    pub min: Vec<f64>,
    /// Largest value of every state.
    pub max: Vec<f64>,
    /// The state at the end.
    pub end: Vec<f64>,
    /// The modes at the end.
    pub end_mode: Vec<Mode>,
}

impl Attractor {
    /// The motion surely goes on for ever.
    pub fn is_oscillating(&self) -> bool {
        matches!(self.fate, Fate::Periodic { .. } | Fate::Chaotic { .. })
    }

    /// The motion dies away.
    pub fn is_resting(&self) -> bool {
        self.fate == Fate::Rest
    }

    /// The motion comes back to the section again and again.
    pub fn returns(&self) -> bool {
        matches!(self.fate, Fate::Periodic { .. } | Fate::Chaotic { .. } | Fate::Unsettled { .. })
    }

    /// The state at the end, on the section.
    pub fn end_state(&self) -> State {
        State { t: 0.0, x: self.end.clone(), mode: self.end_mode.clone() }
    }
}

/// The part of the first excursion at which a dying motion counts as at rest.
const FADED: f64 = 1e-4;

/// A state that would change by less than this share of its size over the time looked ahead is steady.
pub(crate) const STEADY: f64 = 1e-3;

/// How many times the longest wait is granted while something grows.
const WAITS: usize = 1000;

/// How many times it is granted to what moves on for ever and has not found its speed.
const DRIFTING_WAITS: usize = 100;

/// The exponent, in nats per return, above which neighbours count as parting.
const PARTING: f64 = 0.01;

impl<D: Dynamics> ReturnMap<'_, D> {
    /// Follows the motion from `start` and says what it settles to.
    pub fn attractor(
        &self,
        p: &[f64],
        start: &[f64],
        patience: Patience,
    ) -> Result<Attractor, AnalysisError> {
        let (transient, window) = (patience.transient, patience.window.max(2));
        let mut kept: Vec<Hit> = Vec::with_capacity(window + 1);
        let mut excursions: Vec<f64> = Vec::new();
        let mut count = 0;
        let waits = Cell::new(0);
        let mut settled = None;
        let next = |hit: Hit| {
            count += 1;
            waits.set(0);
            excursions.push(self.swing(&hit.min, &hit.max));
            // What waits while something grows, such as the integral of a controller, is not at rest.
            let before = kept.last().map(|h: &Hit| &h.state);
            settled = is_fading(&excursions).then(|| self.settled(p, before, &hit.state)).flatten();
            kept.push(hit);
            if kept.len() > window + 1 {
                kept.remove(0);
            }
            // Watching longer is of no use once the excursions have died away.
            count < transient + window && settled.is_none()
        };
        let mut looked: Option<State> = None;
        let mut first_rate = None;
        let mut fate = None;
        let is_waiting = |state: &State| {
            waits.set(waits.get() + 1);
            fate = self.settled(p, looked.as_ref(), state);
            looked = Some(state.clone());
            let rate = self.drift(p, state);
            first_rate = first_rate.or(rate);
            let longest = if rate.is_some() { DRIFTING_WAITS } else { WAITS };
            waits.get() < longest && fate.is_none()
        };
        match self.follow(p, start, next, is_waiting) {
            Ok(Some(end)) => {
                let fate = fate.unwrap_or_else(|| self.without_end(p, first_rate, &end));
                return Ok(self.summary(fate, &kept, 1, start));
            }
            Ok(None) => {}
            Err(AnalysisError::Solve(error)) if is_hard(&error) => {
                let fate = Fate::GaveUp { reason: error.to_string() };
                return Ok(self.summary(fate, &kept, 1, start));
            }
            Err(error) => return Err(error),
        }
        if let Some(fate) = settled {
            return Ok(self.summary(fate, &kept, 1, start));
        }
        let multiplicity = self.multiplicity(&kept, patience).filter(|n| self.goes_on(&kept, *n));
        let fate = match multiplicity {
            Some(multiplicity) => Fate::Periodic { multiplicity },
            None => match self.exponent(p, &kept, patience) {
                Some(lyapunov) if lyapunov.per_cycle > PARTING => Fate::Chaotic { lyapunov },
                lyapunov => Fate::Unsettled { lyapunov },
            },
        };
        let shown = multiplicity.unwrap_or(kept.len() - 1);
        Ok(self.summary(fate, &kept, shown, start))
    }

    /// Whether a motion that seems to repeat is more than a slow creep: what changes from one period to the next comes to less than
    /// the motion itself over the longest wait.
    fn goes_on(&self, kept: &[Hit], multiplicity: usize) -> bool {
        let (Some(last), Some(first)) = (kept.last(), kept.len().checked_sub(1 + multiplicity)) else {
            return false;
        };
        let before = &kept[first].state;
        let swings = kept[first + 1..].iter().map(|h| self.swing(&h.min, &h.max));
        let swing = swings.fold(0.0, f64::max);
        let periods = self.shooting.limit / (last.state.t - before.t);
        self.distance(before, &last.state) * periods <= swing || self.stays(before, &last.state)
    }

    /// Whether no state on which something depends gets anywhere within the longest wait, going on as from one state to the next.
    pub(crate) fn stays(&self, from: &State, to: &State) -> bool {
        let times = self.shooting.limit / (to.t - from.t);
        self.coordinates
            .iter()
            .zip(&self.scale)
            .all(|(&i, scale)| (to.x[i] - from.x[i]).abs() * times <= STEADY * scale.max(to.x[i].abs()))
    }

    fn exponent(&self, p: &[f64], kept: &[Hit], patience: Patience) -> Option<Lyapunov> {
        let last = kept.last().filter(|_| patience.lyapunov > 0)?;
        self.lyapunov(p, &State { t: 0.0, ..last.state.clone() }, patience.lyapunov).ok()
    }

    /// The states on which something depends, in order.
    fn mattering(&self) -> Vec<usize> {
        let cut = self.section.normal.iter().map(|(i, _)| *i);
        let mut all: Vec<usize> = self.coordinates.iter().copied().chain(cut).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Typical magnitudes of all states.
    fn scales(&self, p: &[f64]) -> Vec<f64> {
        let mut scale = vec![1.0; self.dynamics.dim()];
        self.dynamics.scales(p, &mut scale);
        scale
    }

    /// The fastest rate of the states on which nothing depends, such as how far a block has slid.
    pub(crate) fn drift(&self, p: &[f64], state: &State) -> Option<f64> {
        let (matter, scale) = (self.mattering(), self.scales(p));
        let mut rates = vec![0.0; self.dynamics.dim()];
        self.dynamics.rates(Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut rates);
        (0..self.dynamics.dim() - self.dynamics.quadratures())
            .filter(|i| !matter.contains(i) && rates[*i].abs() * self.shooting.limit > STEADY * scale[*i])
            .map(|i| rates[i])
            .reduce(|m, r| if r.abs() > m.abs() { r } else { m })
    }

    /// What a motion does that neither returns nor settles: it has become faster and faster since it drifted at the `first` rate, or
    /// something ages or relaxes still.
    fn without_end(&self, p: &[f64], first: Option<f64>, end: &State) -> Fate {
        match (first, self.drift(p, end)) {
            (Some(first), Some(rate)) if rate.abs() > FASTER * first.abs() => Fate::RunsAway { rate },
            _ => Fate::Unsettled { lyapunov: None },
        }
    }

    /// The number of returns after which the hits repeat.
    fn multiplicity(&self, kept: &[Hit], patience: Patience) -> Option<usize> {
        (1..=patience.longest.min(kept.len() / 2)).find(|&n| {
            let pairs = kept.iter().zip(&kept[n..]);
            pairs.clone().count() >= n
                && pairs.into_iter().all(|(a, b)| self.distance(&a.state, &b.state) < patience.tolerance)
        })
    }

    fn summary(&self, fate: Fate, kept: &[Hit], shown: usize, start: &[f64]) -> Attractor {
        let tail = &kept[kept.len().saturating_sub(shown)..];
        let times: Vec<f64> = kept.windows(2).map(|w| w[1].state.t - w[0].state.t).collect();
        let times = &times[times.len().saturating_sub(shown)..];
        let n = self.dynamics.dim() - self.dynamics.quadratures();
        let last = kept.last().map(|h| &h.state);
        let end = last.map_or_else(|| start.to_vec(), |s| s.x.clone());
        // Without a return the motion is where it ends: every number stays finite and can be stored.
        let range = |pick: fn(f64, f64) -> f64, of: fn(&Hit) -> &Vec<f64>| {
            (0..n).map(|i| tail.iter().map(|h| of(h)[i]).reduce(pick).unwrap_or(end[i])).collect()
        };
        let time = |pick: fn(f64, f64) -> f64| times.iter().copied().reduce(pick).unwrap_or(0.0);
        Attractor {
            fate,
            hits: tail.iter().map(|h| self.coordinates_of(&h.state)).collect(),
            mean_return: times.iter().sum::<f64>() / times.len().max(1) as f64,
            min_return: time(f64::min),
            max_return: time(f64::max),
            min: range(f64::min, |h| &h.min),
            max: range(f64::max, |h| &h.max),
            end: end.clone(),
            end_mode: last.map_or_else(Vec::new, |s| s.mode.clone()),
        }
    }
}

/// Whether a run failed because it is hard, and not because it was asked for wrongly or is no longer wanted.
fn is_hard(error: &SolveError) -> bool {
    matches!(
        error,
        SolveError::StepTooSmall { .. }
            | SolveError::Chatter { .. }
            | SolveError::NotFinite { .. }
            | SolveError::TooManySteps { .. }
    )
}

/// The excursions shrink steadily towards nothing: they have become tiny, or their geometric trend ends near zero.
fn is_fading(excursions: &[f64]) -> bool {
    let n = excursions.len();
    if n < 2 {
        return false;
    }
    let first = excursions.iter().copied().fold(0.0, f64::max);
    if excursions[n - 1] < FADED * first || excursions[n - 1] < 1e-7 {
        return true;
    }
    // Aitken's limit of three values spaced widely enough to tell a slow decay from rounding.
    let span = 20;
    if n < 3 * span {
        return false;
    }
    let shrinks = excursions[n - 2 * span..].windows(2).all(|w| w[1] < w[0]);
    let (a, b, c) = (excursions[n - 1 - 2 * span], excursions[n - 1 - span], excursions[n - 1]);
    let (d0, d1) = (b - a, c - b);
    let limit = c - d1 * d1 / (d1 - d0);
    shrinks && c < 0.5 * first && limit.abs() < 0.02 * c
}
