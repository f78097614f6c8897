//! Many variants of a scenario: what varies, what is asked of every run, how runs are made and kept, and what they say together.

pub(crate) mod engine;
pub(crate) mod entry;
mod figures;
mod gauge;
mod growth;
pub(crate) mod job;
mod levels;
pub(crate) mod local;
pub(crate) mod question;
mod report;
pub(crate) mod response;
mod table;

pub use entry::{change, with_units};
pub use job::VaryOptions;

use crate::error::RunError;
use crate::run::{Answer, Outcome, answer_all};
use crate::scenario::{Scenario, Study};
use crate::studies::StudyKind;
use bristle_scenario::ScenarioError;
use bristle_solve::Progress;
use bristle_vary::store::{self, RunStore};
use question::{KeyedProblem, VaryQuestion};
use std::path::Path;

/// What is wrong with a study of kind `vary` or `optimise`: problem, key and a way out.
pub(crate) fn check(scenario: &Scenario, study: &Study) -> Vec<KeyedProblem> {
    match study.kind {
        StudyKind::Vary => VaryQuestion::new(scenario, study).err().unwrap_or_default(),
        StudyKind::Optimise => crate::optimise::problems(scenario, study),
        _ => Vec::new(),
    }
}

/// A question that was read before.
pub(crate) fn question<'a>(scenario: &'a Scenario, study: &'a Study) -> Result<VaryQuestion<'a>, RunError> {
    VaryQuestion::new(scenario, study).map_err(|problems| first(study, problems))
}

/// The first of several problems as an error of a run.
pub(crate) fn first(study: &Study, problems: Vec<KeyedProblem>) -> RunError {
    match problems.into_iter().next() {
        Some((problem, _, hint)) => RunError::Scenario(ScenarioError::new(problem).hint(hint)),
        None => RunError::Case { case: study.name.clone(), reason: "nothing varies".to_owned() },
    }
}

/// Runs a study of kind `vary`.
pub(crate) fn answer(
    scenario: &Scenario,
    study: &Study,
    options: &VaryOptions,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let question = question(scenario, study)?;
    let done = job::work(&question, options, progress)?;
    report::answer(&question, done, progress)
}

/// The study of kind `vary` of that name, or the first.
fn named<'a>(scenario: &'a Scenario, name: Option<&str>) -> Result<&'a Study, RunError> {
    let mut all = scenario.studies.iter().filter(|s| s.kind == StudyKind::Vary);
    let found = all.find(|s| name.is_none_or(|name| s.name == name));
    found.ok_or_else(|| RunError::NothingToVary { scenario: scenario.name.clone() })
}

/// Answers a study of kind `vary`, the first unless named.
///
/// # Errors
/// [`RunError`] of the study, among them [`RunError::Runs`] for a store that refuses and [`RunError::TooLong`] for work that takes
/// days.
pub fn vary(
    scenario: &Scenario,
    study: Option<&str>,
    options: &VaryOptions,
    progress: &mut dyn Progress,
) -> Result<Outcome, RunError> {
    let mut own = scenario.clone();
    own.studies = vec![named(scenario, study)?.clone()];
    answer_all(&own, progress, &mut |study, progress| answer(scenario, study, options, progress))
}

/// What a shard's runs came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardDone {
    /// Runs of the shard.
    pub total: u64,
    /// Those that are there now.
    pub finished: u64,
    /// Those that were there before.
    pub resumed: u64,
    /// Those that failed, each with its reason in the store.
    pub failed: u64,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
}

/// Makes the runs of one shard and keeps them, without a report.
///
/// # Errors
/// As [`vary`].
pub fn run_shard(
    scenario: &Scenario,
    study: Option<&str>,
    options: &VaryOptions,
    progress: &mut dyn Progress,
) -> Result<ShardDone, RunError> {
    let question = question(scenario, named(scenario, study)?)?;
    let done = job::work(&question, options, progress)?;
    Ok(ShardDone {
        total: options.shard.size(question.design.count()),
        finished: done.rows.len() as u64,
        resumed: done.resumed,
        failed: done.rows.reasons().len() as u64,
        stopped_early: done.stopped_early,
    })
}

/// How many runs a study of kind `vary` has.
///
/// # Errors
/// [`RunError::NothingToVary`], and what is wrong with the study.
pub fn count(scenario: &Scenario, study: Option<&str>) -> Result<u64, RunError> {
    Ok(question(scenario, named(scenario, study)?)?.design.count())
}

/// Makes the folder of a store with its plan, so that it can be gathered before the first shard has begun.
///
/// # Errors
/// [`RunError::Runs`] for a store that refuses.
pub fn prepare(scenario: &Scenario, study: Option<&str>, options: &VaryOptions) -> Result<(), RunError> {
    let question = question(scenario, named(scenario, study)?)?;
    job::open(&question, options).map(|_| ())
}

/// Takes a store of runs away whose results are safe.
pub fn discard(folder: &Path) {
    let Ok(plan) = store::plan(folder) else { return };
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap_or_default();
    if let Some(key) = plan["key"].as_str() {
        RunStore::existing(folder, key).discard();
    }
}

/// What a folder of runs holds together: the scenario they belong to, and the answer of its study as far as runs are there.
///
/// # Errors
/// [`RunError`] where there is no store, or what it belongs to can no longer be read.
pub fn gather(runs: &Path, progress: &mut dyn Progress) -> Result<(Scenario, Outcome), RunError> {
    let text = store::plan(runs).map_err(job::refused)?;
    let unreadable = |reason: &str| RunError::Case {
        case: runs.display().to_string(),
        reason: format!("its plan cannot be read: {reason}"),
    };
    let plan: serde_json::Value = serde_json::from_str(&text).map_err(|e| unreadable(&e.to_string()))?;
    let word = |key: &str| plan[key].as_str().ok_or_else(|| unreadable(&format!("there is no `{key}`")));
    let (key, study) = (word("key")?, word("study")?);
    let name = word("name")?;
    let folder = Path::new(name).parent().unwrap_or(Path::new("."));
    let mut scenario = Scenario::from_text(word("scenario")?, name, folder)?;
    let changes: Vec<(String, f64)> =
        serde_json::from_value(plan["changes"].clone()).map_err(|e| unreadable(&e.to_string()))?;
    if !changes.is_empty() {
        let changes: Vec<(&str, f64)> = changes.iter().map(|(path, value)| (path.as_str(), *value)).collect();
        scenario = scenario.with(&changes)?;
    }
    let mut own = scenario.clone();
    own.studies = vec![named(&scenario, Some(study))?.clone()];
    let outcome = answer_all(&own, progress, &mut |study, progress| {
        let question = question(&scenario, study)?;
        if question.plan().0 != key {
            let path = runs.to_owned();
            return Err(job::refused(bristle_vary::store::StoreError::Other { path }));
        }
        let rows = job::gathered(&question, &RunStore::existing(runs, key))?;
        let stopped_early = (rows.len() as u64) < question.design.count();
        report::answer(&question, job::Done { rows, stopped_early, resumed: 0 }, progress)
    })?;
    Ok((own, outcome))
}

#[cfg(test)]
mod vary_tests;
