//! Differential evolution under constraints (Storn and Price 1997, with Deb's rules of 2000).
//!
//! Own code, since a generation is to be evaluated at once on all cores, in an order that does not depend on them, and constraints
//! are to be kept by rules instead of weights. A trial replaces its parent if it breaks constraints less, or, both keeping them, if
//! it is better.

use crate::noise::{below, bits, unit};

/// How good a point is.
#[derive(Clone, Debug, PartialEq)]
pub struct Merit {
    /// What is to be small.
    pub goal: f64,
    /// By how much constraints are broken together; zero where they are kept, infinite where nothing could be computed.
    pub broken: f64,
}

impl Merit {
    /// Whether this is better than another.
    pub fn beats(&self, other: &Merit) -> bool {
        if self.broken > 0.0 || other.broken > 0.0 {
            return self.broken < other.broken;
        }
        self.goal < other.goal || other.goal.is_nan() && !self.goal.is_nan()
    }
}

/// A point of the unit cube and its merit.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where.
    pub at: Vec<f64>,
    /// How good.
    pub merit: Merit,
}

/// How long to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Points of a generation.
    pub population: usize,
    /// Most generations.
    pub generations: usize,
    /// The search ends once all points are this close to the best.
    pub close: f64,
    /// Seed.
    pub seed: u64,
}

impl Effort {
    /// Usual for so many parameters.
    pub fn usual(parameters: usize, close: f64, seed: u64) -> Effort {
        Effort { population: (10 * parameters).clamp(12, 80), generations: 60 + 20 * parameters, close, seed }
    }
}

/// Looks for the best point of the unit cube. `judge` is handed one generation after the other, and says none to stop.
pub fn minimise(
    parameters: usize,
    effort: Effort,
    mut judge: impl FnMut(&[Vec<f64>]) -> Option<Vec<Merit>>,
) -> Vec<Candidate> {
    let Effort { population, seed, .. } = effort;
    let random = |generation: u64, who: usize, what: u64| bits(seed ^ generation << 20, who as u64, what);
    // Spread in slices, as a Latin hypercube.
    let start: Vec<Vec<f64>> = (0..population)
        .map(|who| {
            let coordinate = |i: usize| {
                let slice = crate::noise::permuted(who as u64, population as u64, bits(seed, 1, i as u64));
                (slice as f64 + unit(random(0, who, i as u64))) / population as f64
            };
            (0..parameters).map(coordinate).collect()
        })
        .collect();
    let Some(merits) = judge(&start) else { return Vec::new() };
    let mut all: Vec<Candidate> =
        start.into_iter().zip(merits).map(|(at, merit)| Candidate { at, merit }).collect();
    for generation in 1..=effort.generations as u64 {
        let best = best(&all);
        let trials: Vec<Vec<f64>> = (0..population)
            .map(|who| {
                let pick = |what: u64| below(random(generation, who, what), population as u64) as usize;
                let (a, b) = (pick(1), pick(2));
                // Every trial leans towards the best, by a share of its own.
                let weight = 0.4 + 0.5 * unit(random(generation, who, 3));
                let kept = below(random(generation, who, 4), parameters as u64) as usize;
                let coordinate = |i: usize| {
                    let own = all[who].at[i];
                    if i != kept && unit(random(generation, who, 16 + i as u64)) > 0.9 {
                        return own;
                    }
                    let moved =
                        own + weight * (all[best].at[i] - own) + weight * (all[a].at[i] - all[b].at[i]);
                    // Beyond a bound it goes half the way there.
                    if moved < 0.0 {
                        0.5 * own
                    } else if moved > 1.0 {
                        0.5 * (own + 1.0)
                    } else {
                        moved
                    }
                };
                (0..parameters).map(coordinate).collect()
            })
            .collect();
        let Some(merits) = judge(&trials) else { break };
        for ((own, at), merit) in all.iter_mut().zip(trials).zip(merits) {
            if !own.merit.beats(&merit) {
                *own = Candidate { at, merit };
            }
        }
        let best = self::best(&all);
        let far =
            |c: &Candidate| c.at.iter().zip(&all[best].at).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if all.iter().map(far).fold(0.0, f64::max) < effort.close {
            break;
        }
    }
    let first = best(&all);
    all.swap(0, first);
    all
}

fn best(all: &[Candidate]) -> usize {
    (1..all.len()).fold(0, |best, i| if all[i].merit.beats(&all[best].merit) { i } else { best })
}

#[cfg(test)]
mod evolution_tests {
    use super::*;

    /// Rosenbrock's valley, and a linear goal whose constraint is met exactly.
    #[test]
    fn a_valley_and_a_bound() {
        let valley = |p: &Vec<f64>| {
            let (x, y) = (4.0 * p[0] - 2.0, 4.0 * p[1] - 2.0);
            Merit { goal: (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2), broken: 0.0 }
        };
        let effort = Effort { generations: 300, ..Effort::usual(2, 1e-7, 1) };
        let found = minimise(2, effort, |all| Some(all.iter().map(valley).collect()));
        assert!(
            (found[0].at[0] - 0.75).abs() < 1e-4 && (found[0].at[1] - 0.75).abs() < 1e-4,
            "{:?}",
            found[0]
        );
        let bound = |p: &Vec<f64>| Merit { goal: p[0], broken: (0.3125 - p[0]).max(0.0) };
        let found = minimise(1, Effort::usual(1, 1e-9, 1), |all| Some(all.iter().map(bound).collect()));
        assert!((found[0].at[0] - 0.3125).abs() < 1e-6, "{:?}", found[0]);
    }
}
