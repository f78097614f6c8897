//! Which numbers, and which law, does a record tell?

mod bench;
mod course;
mod draw;
mod one;
mod quick;
mod report;
mod unknowns;
mod write_back;

use crate::error::RunError;
use crate::progress::watched;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_core::{Card, Choice};
use bristle_fit::{FitError, Interval, Search};
use bristle_law::LawKind;
use bristle_mech::Spec;
use bristle_record::{Section, Tone};
use bristle_scenario::measurements::Measurement;
use bristle_scenario::{TableError, carry};
use bristle_solve::{Cancel, Progress};
use one::Fitted;
pub use quick::record_scenario;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Finds numbers of a law, and the law, from measured records.
///
/// ```text
/// min Σ [(y(t_i; θ) − y_i)/σ]²    from many starts, bounded, in logarithms, with F_s ≥ F_d and shares that sum to one
/// ```
///
/// The records are sections `[measurements.NAME]`. What is simulated is one contact: between prescribed motions, behind a spring
/// without inertia for laws with a direct effect, under a mass on a spring or under a sampled controller, or under a mass whose motion was
/// measured (inverse dynamics). Derivatives are exact, through every switch. Each law of
/// `laws` is fitted, and ranked by the records of `validate`, which no fit has seen. Intervals take into account that residuals
/// are correlated; what the record cannot tell is said in words, and makes the program end with code 3. Without `unknowns` every number of the law is looked for within
/// what the record suggests. The fitted scenario is written beside the report.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "fit",
    entry(
        name = "measurements",
        names = 0,
        doc = "Records to fit; all that are not for validation unless given."
    ),
    entry(name = "validate", names = 0, doc = "Records that no fit sees, to rank laws by."),
    entry(
        name = "laws",
        names = 0,
        doc = "Laws to try in place of the contact's own: a list, or lists by contact, `{ pad = [\"dahl\", \"lugre\"] }`."
    ),
    entry(
        name = "unknowns",
        tables = "unknown",
        doc = "What is to be found: `{ path = \"pad.F_d\", from = \"1 N\", to = \"5 N\" }`; every number of the law unless given."
    )
)]
pub struct Fit<S> {
    /// Places tried per unknown before the first descent.
    #[param(symbol = "n", unit = "1", default = 16, min = 2, max = 10_000, whole)]
    pub starts: S,
    /// Where the sequence of starts begins.
    #[param(symbol = "s", unit = "1", default = 1, min = 0, max = 1e9, whole)]
    pub seed: S,
    /// First stretch of a free motion that is compared; it doubles until the end. Chosen from the record unless given.
    #[param(symbol = "T_1", unit = "s", default = f64::NAN, min = 1e-9)]
    pub horizon: S,
    /// How intervals are found: with correlated residuals, as if they were independent, by profiles of the likelihood, or by records
    /// drawn anew from blocks of residuals.
    #[choice("correlated", "wald", "profile", "bootstrap")]
    pub intervals: Choice,
}

/// Why nothing could be fitted.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum FitProblem {
    /// Parts, records and unknowns that do not go together.
    #[error("{reason}")]
    Setup {
        /// What does not fit.
        reason: String,
    },
    /// A measured file that cannot be used.
    #[error("`{file}` {error}")]
    Table {
        /// The file.
        file: String,
        /// What is wrong.
        error: TableError,
    },
    /// The search failed.
    #[error(transparent)]
    Fit(FitError),
}

impl FitProblem {
    fn of_study(self, study: &str) -> RunError {
        match self {
            FitProblem::Fit(FitError::Stopped) => RunError::Stopped,
            problem => RunError::Fit { study: study.to_owned(), reason: problem.to_string() },
        }
    }
}

/// Values of a study that do not go together.
pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let shared = spec.named("measurements").iter().find(|m| spec.named("validate").contains(m))?;
    Some(("validate", format!("`{shared}` cannot be fitted and held out at once")))
}

/// Everything a fit needs beside the law.
pub(super) struct FitTask<'a> {
    pub scenario: &'a Scenario,
    pub study: &'a Study,
    pub contact: String,
    pub fitted: Vec<&'a Measurement>,
    pub held_out: Vec<&'a Measurement>,
    pub search: Search,
    pub interval: Interval,
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let fail = |problem: FitProblem| problem.of_study(&study.name);
    let task = task(scenario, study).map_err(fail)?;
    let candidates = candidates(&task).map_err(fail)?;
    let (count, done) = (candidates.len(), AtomicU64::new(0));
    let results: Mutex<Vec<Result<Fitted, FitProblem>>> = Mutex::new(Vec::new());
    watched(progress, |progress| {
        let _ = &progress;
        for (law, spec) in &candidates {
            if Cancel::check().is_err() {
                break;
            }
            let tell = |part: f64| done.store(part.to_bits(), Ordering::Relaxed);
            let found = one::fit(&task, *law, spec, &tell);
            if let Ok(mut results) = results.lock() {
                results.push(found);
                progress.at(results.len() as f64 / count as f64);
            }
        }
    });
    let results = results.into_inner().unwrap_or_default();
    let stopped_early = results.len() < count || results.iter().flatten().any(|f| f.fit.stopped_early);
    let mut left_out = Vec::new();
    let mut fitted = Vec::new();
    for ((law, _), result) in candidates.iter().zip(results) {
        match result {
            Ok(one) => fitted.push(one),
            Err(problem) if count > 1 => left_out.push((law.card().name, problem.to_string())),
            Err(problem) => return Err(fail(problem)),
        }
    }
    if fitted.is_empty() {
        return match left_out.into_iter().next() {
            Some((_, reason)) => Err(RunError::Fit { study: study.name.clone(), reason }),
            None => Err(RunError::Stopped),
        };
    }
    // Laws are compared by as many values as the most correlated residuals of any of them are worth.
    let effective = fitted.iter().map(|f| f.fit.effective).fold(f64::INFINITY, f64::min);
    fitted.iter_mut().for_each(|f| f.fit.aic_effective = f.fit.criterion(effective));
    fitted.sort_by(|a, b| a.score().total_cmp(&b.score()));
    let mut answer = report::answer(&task, &fitted, &left_out);
    answer.stopped_early = stopped_early;
    if stopped_early {
        answer.facts.insert(0, bristle_record::Fact::verdict("fit", "stopped: the best so far", Tone::Warn));
    }
    answer.files.extend(write_back::files(&task, &fitted[0]));
    Ok(answer)
}

/// What the study asks for.
fn task<'a>(scenario: &'a Scenario, study: &'a Study) -> Result<FitTask<'a>, FitProblem> {
    let setup = |reason: String| FitProblem::Setup { reason };
    let names: Vec<&str> = scenario.measurements.iter().map(|m| m.name.as_str()).collect();
    let find = |name: &String| {
        scenario.measurements.iter().find(|m| m.name == *name).ok_or_else(|| {
            let near = bristle_core::nearest(name, names.iter().copied());
            let hint = near.map_or_else(
                || format!("there are {}", names.join(", ")),
                |n| format!("did you mean `{n}`?"),
            );
            setup(format!("there is no measurement `{name}`: {hint}"))
        })
    };
    let held_out = study.spec.named("validate").iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let mut fitted = study.spec.named("measurements").iter().map(find).collect::<Result<Vec<_>, _>>()?;
    if fitted.is_empty() {
        fitted =
            scenario.measurements.iter().filter(|m| !held_out.iter().any(|h| h.name == m.name)).collect();
    }
    if fitted.is_empty() {
        return Err(setup("there is no record to fit: add a section [measurements.NAME]".to_owned()));
    }
    let mut contacts = scenario.parts.iter().filter(|(_, spec)| spec.kind == "contact").map(|(name, _)| name);
    let named = study
        .spec
        .named("laws")
        .iter()
        .find_map(|word| word.split_once('='))
        .map(|(contact, _)| contact.to_owned());
    let contact = named.or_else(|| contacts.next().cloned());
    let contact = contact.ok_or_else(|| setup("there is no contact whose law could be fitted".to_owned()))?;
    let number = |i: usize| study.spec.numbers[i];
    let search = Search {
        tried: number(0) as usize,
        seed: number(1) as u64,
        horizons: vec![number(2)],
        ..Search::default()
    };
    let interval = match study.spec.choices.first() {
        Some(Choice(1)) => Interval::Wald,
        Some(Choice(2)) => Interval::Profile,
        Some(Choice(3)) => Interval::Bootstrap,
        _ => Interval::Correlated,
    };
    Ok(FitTask { scenario, study, contact, fitted, held_out, search, interval })
}

/// The laws to fit, each with numbers to begin with.
fn candidates(task: &FitTask) -> Result<Vec<(LawKind, Spec)>, FitProblem> {
    let own = task
        .scenario
        .parts
        .iter()
        .find(|(name, _)| *name == task.contact)
        .and_then(|(_, spec)| spec.table("law"));
    let Some(own) = own else {
        return Err(FitProblem::Setup { reason: format!("`{}` has no law", task.contact) });
    };
    let wanted: Vec<&str> = task
        .study
        .spec
        .named("laws")
        .iter()
        .map(|word| word.split_once('=').map_or(word.as_str(), |(_, law)| law))
        .collect();
    let wanted = if wanted.is_empty() { vec![own.kind.as_str()] } else { wanted };
    let one = |name: &str| {
        let law = LawKind::named(name).ok_or_else(|| {
            let near = bristle_core::nearest(name, LawKind::ALL.iter().map(|k| k.card().name));
            let hint =
                near.map_or("`bristle list laws` lists them".to_owned(), |n| format!("did you mean `{n}`?"));
            FitProblem::Setup { reason: format!("there is no law `{name}`: {hint}") }
        })?;
        Ok((law, carry::over(own, law)))
    };
    wanted.into_iter().map(one).collect()
}

/// An empty section with a heading.
pub(super) fn section(heading: String) -> Section {
    Section { heading, blocks: Vec::new() }
}
