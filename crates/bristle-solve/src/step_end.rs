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
    #[inline]
    pub fn read(&mut self, all: impl Fn(usize) -> f64, has_energies: bool) {
        let count = self.g.len();
        for i in 0..count {
            (self.g[i], self.dg[i]) = (all(i), all(count + i));
        }
        let energy = |i: usize| all(2 * count + i);
        self.energies = has_energies.then(|| [energy(0), energy(1), energy(2), energy(3)]);
    }
}
