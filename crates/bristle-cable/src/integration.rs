//! What the methods have in common, so that one can be chosen by name.

use crate::balance::Ledger;
use crate::error::CableError;
use crate::generalised_alpha::{GeneralisedAlpha, GeneralisedAlphaRun};
use crate::rosenbrock::{Rosenbrock, RosenbrockRun};
use crate::state::CableState;
use crate::system::CableSystem;
use bristle_solve::Cancel;

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

/// The next step towards `end` and whether it is shorter than planned; nothing where the end is reached. A remainder is shared by two
/// steps, if their length may change, rather than left as a sliver.
pub(crate) fn next_step(
    t: f64,
    end: f64,
    step: f64,
    adapts: bool,
) -> Result<Option<(f64, bool)>, CableError> {
    if t >= end - 1e-12 * (1.0 + end.abs()) {
        return Ok(None);
    }
    Cancel::check()?;
    let left = end - t;
    let dt = if step >= left * (1.0 - 1e-9) {
        left
    } else if 2.0 * step > left && adapts {
        0.5 * left
    } else {
        step
    };
    Ok(Some((dt, dt < step * (1.0 - 1e-9))))
}
