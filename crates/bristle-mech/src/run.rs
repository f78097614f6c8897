//! Running a system: the solver's generic code made once for [`System`], so that no user pays for it again.

use crate::islands::times_of;
use crate::system::System;
use bristle_solve::{
    Dynamics, Evaluator, Integrator, Observer, Output, SolveError, Solver, State, Trajectory,
};

impl System {
    /// Integrates from the system's own start with its own parameters.
    pub fn run(
        &self,
        solver: &Solver,
        t_end: f64,
        output: &Output,
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, SolveError> {
        let p = self.params();
        self.run_from(solver, p, self.initial(p), t_end, output, observer)
    }

    /// Integrates from a given start with given parameters.
    pub fn run_from(
        &self,
        solver: &Solver,
        p: &[f64],
        start: State,
        t_end: f64,
        output: &Output,
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, SolveError> {
        let times = self.islands.as_ref().zip(times_of(output, start.t, t_end));
        if let Some((islands, times)) = times.filter(|_| start.t <= t_end) {
            return islands.run(self, solver, (p, &start), t_end, &times, observer);
        }
        solver.run(self, p, start, t_end, output, observer)
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
