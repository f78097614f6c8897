//! All cycles of a motion: candidates read off the return map, Newton's method from each.
//!
//! Friction contracts: after one return, whatever the start, a motion lies close to a curve on the section, and the
//! next return moves it along that curve. Points on a line across the returns seen so far are sent through the map;
//! where the way along the line from `P(ξ)` to `Pⁿ⁺¹(ξ)` changes sign, a cycle of `n` returns lies between, stable or
//! not. Nearest recurrences of the motion itself are tried as well. A return map that does not contract to a curve
//! loses completeness, not correctness: what is reported closes.

use crate::AnalysisError;
use crate::orbit::PeriodicOrbit;
use crate::shooting::ReturnMap;
use bristle_solve::{Bracket, Cancel, Dynamics, State};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

/// How densely cycles are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrbitSearch {
    /// Returns per period of the cycles looked for.
    pub multiplicities: Vec<usize>,
    /// Returns watched from every start.
    pub returns: usize,
    /// Points on the line across the returns; with less than two only recurrences of the motion itself are tried.
    pub points: usize,
}

impl Default for OrbitSearch {
    fn default() -> Self {
        Self { multiplicities: vec![1, 2], returns: 40, points: 96 }
    }
}

/// Motions of other amplitudes that show how far returns can reach.
const AMPLITUDES: usize = 24;

/// Distance on the section below which a candidate is taken to lie on a known cycle.
const KNOWN: f64 = 1e-5;

/// A closed motion that swings by less than this share of the motions that led to it is a point of rest.
const POINT: f64 = 1e-6;

/// The line across the returns, in units of the scales.
struct SearchLine {
    centre: DVector<f64>,
    direction: DVector<f64>,
    from: f64,
    to: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl SearchLine {
    fn length(&self) -> f64 {
        self.to - self.from
    }

    /// All coordinates of the hits lie where returns were seen, or nearly so.
    fn covers(&self, points: impl IntoIterator<Item = DVector<f64>>) -> bool {
        let inside = |k: usize, y: f64| {
            // Returns seen are known to the looser tolerance only.
            let margin = 0.5 * (self.high[k] - self.low[k]) + 1e-6 * (1.0 + y.abs());
            y >= self.low[k] - margin && y <= self.high[k] + margin
        };
        points.into_iter().all(|y| (0..y.len()).all(|k| inside(k, y[k])))
    }
}

/// A change of sign between two places on the line: place and way moved, twice.
type ReturnBracket = [(f64, f64); 2];

impl<D: Dynamics> ReturnMap<'_, D> {
    /// All cycles of the given multiplicities that the motions from `starts` lead to, each once and under its
    /// smallest multiplicity, by multiplicity and period.
    pub fn find_orbits(
        &self,
        p: &[f64],
        starts: &[Vec<f64>],
        search: &OrbitSearch,
    ) -> Result<Vec<PeriodicOrbit>, AnalysisError> {
        let rough = self.loosened(1e-9);
        let mut chains = Vec::new();
        for start in starts {
            match rough.hits(p, start, search.returns.max(8)) {
                Ok(hits) => chains.push(hits),
                Err(AnalysisError::NoReturn { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let last = chains.first().and_then(|c| c.last());
        let last = last.ok_or(AnalysisError::NoReturn { limit: self.shooting.limit })?;
        let mut seen: Vec<State> = chains.iter().flat_map(|c| &c[2..]).map(|h| h.state.clone()).collect();
        if search.points > 1 {
            seen.extend(rough.amplitudes(p, last));
        }
        let line = rough.line(&seen);
        let swing = chains.iter().flatten().map(|hit| self.swing(&hit.min, &hit.max)).fold(0.0, f64::max);
        let longest = search.multiplicities.iter().copied().max().unwrap_or(1);
        let like = State { t: 0.0, ..last.state.clone() };
        let profile = rough.profile(p, &line, &like, search.points, longest);
        let mut found: Vec<PeriodicOrbit> = Vec::new();
        let mut wanted = search.multiplicities.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let cancel = Cancel::current();
        for n in wanted {
            let brackets = brackets(&profile, n);
            let cross = |bracket: &ReturnBracket| cancel.scope(|| rough.cross(p, &line, &like, n, *bracket));
            let mut seeds: Vec<State> = brackets.par_iter().filter_map(cross).collect();
            seeds.extend(chains.iter().flat_map(|c| rough.recurrences(c, n)));
            for seed in seeds {
                if found.iter().any(|o| n.is_multiple_of(o.multiplicity) && self.passes(o, &seed)) {
                    continue;
                }
                let Ok(orbit) = self.orbit(p, &seed, n) else { continue };
                // What closes on itself without moving is no cycle.
                let is_cycle = orbit.swing > POINT * swing;
                if is_cycle && line.covers(orbit.hits.iter().map(|h| self.scaled(h))) {
                    self.keep(&mut found, orbit);
                }
            }
        }
        found.sort_by(|a, b| a.multiplicity.cmp(&b.multiplicity).then(a.period.total_cmp(&b.period)));
        Ok(found)
    }

    /// Coordinates in units of the scales.
    fn scaled(&self, state: &State) -> DVector<f64> {
        let value = |(k, &i): (usize, &usize)| state.x[i] / self.scale[k];
        DVector::from_iterator(self.dim(), self.coordinates.iter().enumerate().map(value))
    }

    /// A state on the section with scaled coordinates `y`.
    fn placed(&self, y: &DVector<f64>, like: &State) -> State {
        let xi: Vec<f64> = (0..self.dim()).map(|k| y[k] * self.scale[k]).collect();
        self.state_at(&xi, like)
    }

    fn passes(&self, orbit: &PeriodicOrbit, seed: &State) -> bool {
        orbit.hits.iter().any(|hit| self.distance(hit, seed) < KNOWN)
    }

    /// Second and third returns of motions that swing less or more than the one seen.
    fn amplitudes(&self, p: &[f64], hit: &crate::shooting::Hit) -> Vec<State> {
        let middle = |i: usize| 0.5 * (hit.min[i] + hit.max[i]);
        let from = |share: f64| {
            let value = |&i: &usize| middle(i) + share * (hit.state.x[i] - middle(i));
            let xi: Vec<f64> = self.coordinates.iter().map(value).collect();
            self.state_at(&xi, &hit.state)
        };
        let cancel = Cancel::current();
        let later = |k: usize| {
            let share = 0.1 + 1.9 * (k as f64 + 0.5) / AMPLITUDES as f64;
            let hits = cancel.scope(|| self.hits(p, &from(share).x, 3));
            hits.map_or_else(|_| Vec::new(), |hits| hits[1..].to_vec())
        };
        (0..AMPLITUDES).into_par_iter().flat_map_iter(later).map(|h| h.state).collect()
    }

    /// The line through the returns along which they spread most.
    fn line(&self, seen: &[State]) -> SearchLine {
        let m = self.dim();
        let points: Vec<DVector<f64>> = seen.iter().map(|s| self.scaled(s)).collect();
        let count = points.len().max(1) as f64;
        let centre = points.iter().fold(DVector::zeros(m), |sum, y| sum + y) / count;
        let spread = points.iter().fold(DMatrix::zeros(m, m), |sum, y| {
            let away = y - &centre;
            sum + &away * away.transpose()
        });
        let eigen = spread.symmetric_eigen();
        let direction = eigen.eigenvectors.column(eigen.eigenvalues.imax()).clone_owned();
        let places: Vec<f64> = points.iter().map(|y| direction.dot(&(y - &centre))).collect();
        let from = places.iter().copied().fold(0.0, f64::min);
        let to = places.iter().copied().fold(0.0, f64::max);
        let margin = 0.1 * (to - from);
        let bound = |pick: fn(f64, f64) -> f64| {
            (0..m).map(|k| points.iter().map(|y| y[k]).reduce(pick).unwrap_or(0.0)).collect()
        };
        let (low, high) = (bound(f64::min), bound(f64::max));
        SearchLine { centre, direction, from: from - margin, to: to + margin, low, high }
    }

    /// Sends a point of the line through one return and then `n` more: the way along the line they move it, for
    /// every number of returns up to `n`, and the state after the first.
    fn moves(
        &self,
        p: &[f64],
        line: &SearchLine,
        like: &State,
        s: f64,
        n: usize,
    ) -> Option<(Vec<f64>, State)> {
        let start = self.placed(&(&line.centre + &line.direction * s), like);
        let hits = self.hits(p, &start.x, n + 1).ok()?;
        let place = |state: &State| line.direction.dot(&self.scaled(state));
        let first = place(&hits[0].state);
        let ways = hits[1..].iter().map(|h| place(&h.state) - first).collect();
        Some((ways, State { t: 0.0, ..hits[0].state.clone() }))
    }

    /// Ways moved from evenly spaced places on the line.
    fn profile(
        &self,
        p: &[f64],
        line: &SearchLine,
        like: &State,
        points: usize,
        longest: usize,
    ) -> Vec<(f64, Option<Vec<f64>>)> {
        if points < 2 || line.length() < 1e-9 {
            return Vec::new();
        }
        let at = |k: usize| line.from + line.length() * k as f64 / (points - 1) as f64;
        let cancel = Cancel::current();
        let ways = |k: usize| {
            let moves = cancel.scope(|| self.moves(p, line, like, at(k), longest));
            (at(k), moves.map(|(ways, _)| ways))
        };
        (0..points).into_par_iter().map(ways).collect()
    }

    /// The state between two places at which `n` returns move nothing along the line;
    /// `None` where the way jumps through zero.
    fn cross(
        &self,
        p: &[f64],
        line: &SearchLine,
        like: &State,
        n: usize,
        ends: ReturnBracket,
    ) -> Option<State> {
        let small = 1e-6 * line.length();
        let mut bracket = Bracket::new(ends[0], ends[1]);
        for _ in 0..40 {
            let s = bracket.secant();
            let (ways, state) = self.moves(p, line, like, s, n)?;
            let f = ways[n - 1];
            if f.abs() < small {
                return Some(state);
            }
            if bracket.width() < 1e-9 * line.length() {
                return None;
            }
            bracket.narrow(s, f);
        }
        None
    }

    /// The nearest recurrence after `n` returns, and the last hit.
    fn recurrences(&self, chain: &[crate::shooting::Hit], n: usize) -> Vec<State> {
        let gap = |i: &usize| self.distance(&chain[*i].state, &chain[*i + n].state);
        let pairs = 2..chain.len().saturating_sub(n);
        let nearest = pairs.min_by(|a, b| gap(a).total_cmp(&gap(b))).map(|i| i + n);
        let places = nearest.into_iter().chain([chain.len() - 1]);
        places.map(|i| State { t: 0.0, ..chain[i].state.clone() }).collect()
    }
}

/// Neighbouring places between which the way moved by `n` returns changes sign.
fn brackets(profile: &[(f64, Option<Vec<f64>>)], n: usize) -> Vec<ReturnBracket> {
    let way = |(s, ways): &(f64, Option<Vec<f64>>)| ways.as_ref().map(|w| (*s, w[n - 1]));
    let pair = |w: &[(f64, Option<Vec<f64>>)]| Some([way(&w[0])?, way(&w[1])?]);
    profile.windows(2).filter_map(pair).filter(|[a, b]| a.1 * b.1 < 0.0).collect()
}
