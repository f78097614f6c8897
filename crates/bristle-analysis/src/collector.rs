//! Gathers the hits of a section along a motion.

use crate::variation::Variation;
use bristle_core::Mode;
use bristle_solve::{AcceptedStep, Dynamics, Observer, State};

/// Collects hits; stops one step after each.
pub(crate) struct Collector<'v, 'a, D> {
    variation: &'v Variation<'a, D>,
    pub hits: Vec<State>,
    is_hit: bool,
    min: Vec<f64>,
    max: Vec<f64>,
    pub switches: Vec<State>,
    pub keeps_switches: bool,
}

impl<'v, 'a, D: Dynamics> Collector<'v, 'a, D> {
    pub fn new(variation: &'v Variation<'a, D>) -> Self {
        let n = variation.size();
        let (min, max) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
        Self {
            variation,
            hits: Vec::new(),
            is_hit: false,
            min,
            max,
            switches: Vec::new(),
            keeps_switches: false,
        }
    }

    fn note(&mut self, x: &[f64]) {
        for i in 0..self.min.len() {
            self.min[i] = self.min[i].min(x[i]);
            self.max[i] = self.max[i].max(x[i]);
        }
    }

    /// Hands over the extremes since the last call.
    pub fn extremes(&mut self) -> (Vec<f64>, Vec<f64>) {
        let n = self.min.len();
        let min = std::mem::replace(&mut self.min, vec![f64::INFINITY; n]);
        let max = std::mem::replace(&mut self.max, vec![f64::NEG_INFINITY; n]);
        (min, max)
    }
}

impl<D: Dynamics> Observer for Collector<'_, '_, D> {
    fn step(&mut self, segment: &AcceptedStep) -> bool {
        self.note(segment.x0);
        self.note(segment.x1);
        !std::mem::take(&mut self.is_hit)
    }

    fn event(&mut self, guard: usize, _seen: f64, before: &State, after: &State) {
        if guard == self.variation.section_guard() {
            if before.mode[self.variation.section_mode()] == Mode::Forward {
                self.hits.push(after.clone());
                self.is_hit = true;
            }
        } else if self.keeps_switches {
            self.switches.push(self.variation.motion(after));
        }
    }
}
