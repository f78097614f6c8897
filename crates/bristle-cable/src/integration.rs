//! What the methods have in common, so that one can be chosen by name.

use crate::balance::Ledger;
use crate::error::CableError;
use crate::generalised_alpha::{GeneralisedAlpha, GeneralisedAlphaRun};
use crate::rosenbrock::{Rosenbrock, RosenbrockRun};
use crate::state::CableState;
use crate::system::CableSystem;

/// How a cable is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CableMethod {
    /// Implicit, second order, Newton's iteration at every step.
    GeneralisedAlpha(GeneralisedAlpha),
    /// Linearly implicit, of order 4 or 5.
    Rosenbrock(Rosenbrock),
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCost {
    /// Accepted steps.
    pub steps: usize,
    /// Newton iterations.
    pub newton: usize,
    /// Steps repeated because Newton failed.
    pub halvings: usize,
    /// Steps repeated because the error was too large.
    pub rejections: usize,
    /// Evaluations of the accelerations, apart from Newton's.
    pub evaluations: usize,
    /// Linear systems eliminated, apart from Newton's.
    pub factorisations: usize,
}

/// A run under any method.
pub trait Integration {
    /// Advances to time `end` exactly.
    fn advance_to(&mut self, end: f64) -> Result<(), CableError>;

    /// The state at the last accepted step.
    fn state(&self) -> &CableState;

    /// What the run has cost so far.
    fn statistics(&self) -> RunCost;

    /// How far any node has sunk into each drum at any step so far, m.
    fn deepest(&self) -> &[f64];

    /// Work and losses so far, if an account is kept.
    fn ledger(&self) -> Option<&Ledger>;
}

impl Default for CableMethod {
    fn default() -> Self {
        CableMethod::GeneralisedAlpha(GeneralisedAlpha::default())
    }
}

impl CableMethod {
    /// The largest step, s.
    pub fn step(&self) -> f64 {
        match self {
            CableMethod::GeneralisedAlpha(m) => m.step,
            CableMethod::Rosenbrock(m) => m.step,
        }
    }

    /// Starts a run that keeps account of work and losses.
    pub fn start<'a>(
        &self,
        system: &'a CableSystem,
        state: CableState,
    ) -> Result<Box<dyn Integration + 'a>, CableError> {
        match *self {
            CableMethod::GeneralisedAlpha(method) => {
                let mut run = GeneralisedAlphaRun::new(system, method, state)?;
                run.keep_account();
                Ok(Box::new(run))
            }
            CableMethod::Rosenbrock(method) => {
                let mut run = RosenbrockRun::new(system, method, state)?;
                run.keep_account();
                Ok(Box::new(run))
            }
        }
    }
}
