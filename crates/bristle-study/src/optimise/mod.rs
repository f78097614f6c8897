//! The best parameters under constraints.

mod goal;
mod report;
mod search;

use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use crate::vary::question::KeyedProblem;
use bristle_solve::Progress;
use goal::Goal;

/// What is wrong with a study of kind `optimise`.
pub(crate) fn problems(scenario: &Scenario, study: &Study) -> Vec<KeyedProblem> {
    Goal::new(scenario, study).err().unwrap_or_default()
}

/// Answers a study of kind `optimise`.
pub(crate) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let goal = Goal::new(scenario, study).map_err(|problems| crate::vary::first(study, problems))?;
    let found = search::search(&goal, progress)?;
    report::answer(&goal, found)
}

#[cfg(test)]
mod optimise_tests;
