//! Running a system: the solver's generic code made once for [`System`], so that no user pays for it again.

use crate::system::System;
use bristle_solve::{Dynamics, Evaluator, Integrator, Output, SolveError, Solver, State, Trajectory, Watch};

impl System {
    /// Integrates from the system's own start with its own parameters.
    pub fn run(
        &self,
        solver: &Solver,
        t_end: f64,
        output: &Output,
        watch: &mut dyn Watch,
    ) -> Result<Trajectory, SolveError> {
        let p = self.params();
        self.run_from(solver, p, self.initial(p), t_end, output, watch)
    }

    /// Integrates from a given start with given parameters.
    pub fn run_from(
        &self,
        solver: &Solver,
        p: &[f64],
        start: State,
        t_end: f64,
        output: &Output,
        watch: &mut dyn Watch,
    ) -> Result<Trajectory, SolveError> {
        solver.run(self, p, start, t_end, output, watch)
    }

    /// Rates, guards and exact Jacobians of the system.
    pub fn evaluator(&self, p: &[f64]) -> Evaluator<'_> {
        Evaluator::new(self, p)
    }

    /// A reusable integrator of the system.
    pub fn integrator(&self, p: &[f64], solver: &Solver) -> Result<Integrator<'_>, SolveError> {
        Integrator::new(self, p, solver)
    }
}
