//! An experiment seen through a filter: what it gives, and how that changes, is thinned out alike.

use crate::error::FitError;
use crate::experiment::Experiment;
use crate::filter::thinned;

/// Another experiment, of whose values those of `keeps` are taken, and of these every `every`th behind a filter.
pub struct ThinnedExperiment<E> {
    inner: E,
    every: usize,
    keeps: Option<Vec<bool>>,
    times: Vec<f64>,
}

impl<E: Experiment> ThinnedExperiment<E> {
    /// The experiment thinned out.
    pub fn new(inner: E, every: usize, keeps: Option<Vec<bool>>) -> ThinnedExperiment<E> {
        let mut thin = ThinnedExperiment { inner, every, keeps, times: Vec::new() };
        let kept = thin.kept(thin.inner.times());
        let first = if every > 1 { crate::filter::thinned_from(kept.len(), every) } else { 0 };
        thin.times = kept.into_iter().skip(first).step_by(every.max(1)).collect();
        thin
    }

    fn kept(&self, all: &[f64]) -> Vec<f64> {
        match &self.keeps {
            None => all.to_vec(),
            Some(keeps) => all.iter().zip(keeps).filter(|(_, keep)| **keep).map(|(x, _)| *x).collect(),
        }
    }

    /// What becomes of values that belong to those of the experiment.
    pub fn seen(&self, all: &[f64]) -> Vec<f64> {
        thinned(&self.kept(all), self.every)
    }
}

impl<E: Experiment> Experiment for ThinnedExperiment<E> {
    fn rows(&self) -> usize {
        self.times.len()
    }

    fn times(&self) -> &[f64] {
        &self.times
    }

    fn respond(
        &self,
        values: &[f64],
        _horizon: f64,
        outputs: &mut Vec<f64>,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<(), FitError> {
        let mut all = Vec::new();
        match slopes {
            None => self.inner.respond(values, f64::INFINITY, &mut all, None)?,
            Some(slopes) => {
                self.inner.respond(values, f64::INFINITY, &mut all, Some(slopes))?;
                slopes.iter_mut().for_each(|column| *column = self.seen(column));
            }
        }
        outputs.extend(self.seen(&all));
        Ok(())
    }
}
