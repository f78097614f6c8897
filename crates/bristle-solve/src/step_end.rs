//! What is known where a step ends, beside its rates.

use crate::energy_control::Energies;

/// Guards, their rates along the motion, and energies.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepEnd {
    pub g: Vec<f64>,
    pub dg: Vec<f64>,
    /// None where a system has none, or nobody has looked.
    pub energies: Option<Energies>,
}

impl StepEnd {
    pub fn new(guards: usize) -> Self {
        StepEnd { g: vec![0.0; guards], dg: vec![0.0; guards], energies: None }
    }

    /// From guards, their rates and, if there are any, energies, one after the other.
    pub fn read(&mut self, all: &[f64]) {
        let (g, rest) = all.split_at(self.g.len());
        let (dg, energies) = rest.split_at(self.dg.len());
        self.g.copy_from_slice(g);
        self.dg.copy_from_slice(dg);
        self.energies = energies.first_chunk().copied();
    }
}
