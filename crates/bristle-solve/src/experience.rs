//! What a run teaches those that follow.
//!
//! `auto` begins with implicit steps and finds out by and by that explicit ones get ahead faster; after every kind of switch the
//! right first step is found anew. Runs of one system with other parameters need not learn this again and again.

use crate::Integrator;
use crate::step_memory::StepMemory;

/// By which method a run has ended, and which first steps after switches were right. Made by [`Integrator::experience`].
#[derive(Clone, Debug)]
pub struct Experience {
    is_explicit: bool,
    step_memory: StepMemory,
}

impl Integrator<'_> {
    /// What the run so far teaches others of the same system.
    pub fn experience(&self) -> Experience {
        Experience { is_explicit: self.stepper.is_explicit, step_memory: self.step_memory.clone() }
    }

    /// Lets a run that has just been [reset](Self::reset) begin with what another one has learnt. Errors are controlled as ever, and
    /// `auto` goes on choosing its method.
    pub fn begin_with(&mut self, experience: &Experience) {
        self.step_memory = experience.step_memory.clone();
        if self.stepper.implicit.is_some() && self.stepper.explicit.is_some() && self.stepper.is_usual() {
            self.stepper.is_explicit = experience.is_explicit;
        }
    }
}
