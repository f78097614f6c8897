//! Which method, and which law: advice computed from runs of the scenario itself.

pub mod contest;
pub mod features;
pub(crate) mod laws;
pub(crate) mod methods;
pub(crate) mod ropes;

use crate::error::RunError;
use crate::scenario::Scenario;
use bristle_record::{Fact, Record, Tone};
use bristle_solve::Method;
use bristle_solve::Progress;

/// What to use for a scenario, and why.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The cheapest method that reaches the accuracy, and the tolerance it needs.
    pub method: Option<(Method, f64)>,
    /// The report.
    pub record: Record,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
}

/// Tries every method at several settings on the scenario's first simulation, and other laws in it.
///
/// `accuracy` is the largest error over time allowed, relative to the range of motion.
pub fn advise(scenario: &Scenario, accuracy: f64, progress: &mut dyn Progress) -> Result<Advice, RunError> {
    let duration = scenario.span(scenario.first_simulation()?).duration;
    let model = scenario.model();
    let mut record = Record::new(format!("Advice for {}", scenario.title));
    for warning in scenario.system.warnings() {
        record.facts.push(Fact::verdict("note", warning.as_str(), Tone::Warn));
    }
    progress.begin("methods");
    let contest = model.contest(duration, accuracy, progress)?;
    record.facts.push(contest.reference.clone());
    let method = contest.tell(&mut record);
    let mut stopped_early = !progress.at(0.6);
    if !stopped_early {
        progress.begin("laws");
        stopped_early = match model.advise_laws(scenario, &contest, &mut record, progress) {
            Err(RunError::Stopped) => true,
            other => other.map(|()| false)?,
        };
    }
    if stopped_early {
        let words = "the laws were not compared to the end";
        record.facts.insert(0, Fact::verdict("stopped early", words, Tone::Warn));
    }
    Ok(Advice { method, record, stopped_early })
}
