//! Periodic orbits by Newton's method on the return map, their Floquet multipliers, their extremes.

use crate::AnalysisError;
use crate::linear::{self, C64};
use crate::phases::vertex;
use crate::shooting::{Return, ReturnMap};
use bristle_solve::{Dynamics, Output, Samples, Solver, State};
use nalgebra::{DMatrix, DVector};

/// A periodic orbit.
#[derive(Clone, Debug)]
pub struct PeriodicOrbit {
    /// Parameters.
    pub p: Vec<f64>,
    /// How often it meets the section in one period.
    pub multiplicity: usize,
    /// Period, s.
    pub period: f64,
    /// The states at its hits of the section, in order; it starts at the first.
    pub hits: Vec<State>,
    /// Times from each hit to the next.
    pub returns: Vec<f64>,
    /// Floquet multipliers without the trivial one, the largest first.
    pub multipliers: Vec<C64>,
    /// How far it misses closing, in units of the state scales.
    pub residual: f64,
    /// Largest swing of any coordinate along it, in units of the state scales; a point of rest has none.
    pub swing: f64,
}

impl PeriodicOrbit {
    /// All multipliers lie inside the unit circle.
    pub fn is_stable(&self) -> bool {
        self.multipliers.iter().all(|m| m.norm() < 1.0)
    }

    /// The largest multiplier.
    pub fn leading(&self) -> C64 {
        self.multipliers.first().copied().unwrap_or_default()
    }

    /// The orbit over one period at `count + 1` evenly spaced times, together with both sides of every switch.
    pub fn profile<D: Dynamics>(
        &self,
        dynamics: &D,
        solver: &Solver,
        count: usize,
    ) -> Result<Samples, AnalysisError> {
        let start = State { t: 0.0, ..self.hits[0].clone() };
        let output = Output::Grid { step: self.period / count.max(1) as f64 };
        Ok(solver.run(dynamics, &self.p, start, self.period, &output, &mut ())?.samples)
    }
}

/// Smallest and largest value of each column of samples, on the parabola through the extreme sample and its
/// neighbours.
pub fn extremes(samples: &Samples) -> Vec<(f64, f64)> {
    let range = |i: usize| {
        let v: Vec<f64> = samples.column(i).collect();
        let best = |sign: f64| {
            let index = (0..v.len()).max_by(|&a, &b| (sign * v[a]).total_cmp(&(sign * v[b])));
            index.map_or(f64::NAN, |k| vertex(&samples.t, &v, k).1)
        };
        (best(-1.0), best(1.0))
    };
    (0..samples.dim).map(range).collect()
}

impl<D: Dynamics> ReturnMap<'_, D> {
    /// The orbit that meets the section `multiplicity` times and passes near `guess`, a state on the section.
    pub fn orbit(
        &self,
        p: &[f64],
        guess: &State,
        multiplicity: usize,
    ) -> Result<PeriodicOrbit, AnalysisError> {
        let m = self.dim();
        let mut state = guess.clone();
        let mut size = f64::INFINITY;
        for iteration in 0..self.shooting.iterations {
            let image = self.run(p, &state, multiplicity, None)?;
            let residual = self.miss(&state, &image);
            let matrix = &image.jacobian - DMatrix::identity(m, m);
            let step = matrix.lu().solve(&-&residual).ok_or(AnalysisError::Singular)?;
            let previous = size;
            size = step.norm();
            if !size.is_finite() {
                return Err(AnalysisError::Newton { iterations: iteration, correction: size });
            }
            let has_stalled = size < 1e-7 && size > 0.3 * previous;
            // Far from the orbit the linear map promises too much: a step is at most a tenth of the state's size.
            let xi = self.coordinates_of(&state);
            let reach = (0..m).map(|k| (xi[k] / self.scale[k]).abs()).fold(1.0, f64::max) * 0.1;
            let factor = if size > reach { reach / size } else { 1.0 };
            let next: Vec<f64> = (0..m).map(|k| xi[k] + factor * step[k] * self.scale[k]).collect();
            if size < self.shooting.tolerance || has_stalled {
                // The last correction is carried out to first order: another run would not resolve it.
                let delay: f64 = (0..m).map(|k| image.delay[k] * step[k]).sum();
                let mut orbit = self.describe(p, &state, image, residual.norm())?;
                orbit.period += delay;
                orbit.hits[0] = self.state_at(&next, &orbit.hits[0]);
                return Ok(orbit);
            }
            let like = image.hits.last().cloned().unwrap_or(state);
            state = self.state_at(&next, &State { t: 0.0, ..like });
        }
        Err(AnalysisError::Newton { iterations: self.shooting.iterations, correction: size })
    }

    /// How far a state misses its image, in units of the scales.
    pub(crate) fn miss(&self, state: &State, image: &Return) -> DVector<f64> {
        let end = image.hits.last().unwrap_or(state);
        let gap = |k: usize, i: usize| (end.x[i] - state.x[i]) / self.scale[k];
        DVector::from_iterator(self.dim(), self.coordinates.iter().enumerate().map(|(k, &i)| gap(k, i)))
    }

    pub(crate) fn describe(
        &self,
        p: &[f64],
        state: &State,
        image: Return,
        residual: f64,
    ) -> Result<PeriodicOrbit, AnalysisError> {
        let mut multipliers = linear::eigenvalues(&image.jacobian, &vec![1.0; self.dim()])?;
        multipliers.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
        let times: Vec<f64> = image.hits.iter().map(|h| h.t).collect();
        let returns =
            (0..times.len()).map(|k| if k == 0 { times[0] } else { times[k] - times[k - 1] }).collect();
        let mut hits = vec![State { t: 0.0, ..state.clone() }];
        hits.extend(image.hits.iter().take(image.hits.len() - 1).cloned());
        Ok(PeriodicOrbit {
            p: p.to_vec(),
            multiplicity: image.hits.len(),
            period: image.time,
            hits,
            returns,
            multipliers,
            residual,
            swing: image.swing,
        })
    }

    /// Adds an orbit unless it is known, also from another of its hits, or runs through a shorter one several times.
    pub(crate) fn keep(&self, found: &mut Vec<PeriodicOrbit>, orbit: PeriodicOrbit) {
        if !self.is_repeated(&orbit) && !found.iter().any(|o| self.is_same(o, &orbit)) {
            found.push(orbit);
        }
    }

    /// The orbit runs through a shorter one several times.
    fn is_repeated(&self, orbit: &PeriodicOrbit) -> bool {
        let n = orbit.multiplicity;
        (1..n).filter(|d| n.is_multiple_of(*d)).any(|d| self.distance(&orbit.hits[0], &orbit.hits[d]) < 1e-6)
    }

    fn is_same(&self, a: &PeriodicOrbit, b: &PeriodicOrbit) -> bool {
        a.multiplicity == b.multiplicity
            && (a.period - b.period).abs() < 1e-6 * a.period
            && b.hits.iter().any(|hit| self.distance(&a.hits[0], hit) < 1e-5)
    }

    /// Distance of two states on the section, each coordinate relative to the larger of its scale and its value.
    pub(crate) fn distance(&self, a: &State, b: &State) -> f64 {
        let gap = |(k, &i): (usize, &usize)| (a.x[i] - b.x[i]).abs() / self.scale[k].max(a.x[i].abs());
        self.coordinates.iter().enumerate().map(gap).fold(0.0, f64::max)
    }
}
