//! Answers put together.

mod facts;

pub use facts::facts_json;

use crate::error::RunError;
use crate::progress::Attentive;
use crate::scenario::{Scenario, Study};
use crate::studies::sweep::store::CellStore;
use bristle_core::{Card, Kind};
use bristle_mech::Spec;
use bristle_record::{Block, Cell, Data, ExtraFile, Fact, Record, Section, Sheet, Table, Tone};
use bristle_scenario::Parameter;
use bristle_solve::Progress;
use std::sync::Arc;

/// What one study found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Single values, the verdict first.
    pub facts: Vec<Fact>,
    /// Figures and tables.
    pub sections: Vec<Section>,
    /// Columns of numbers.
    pub data: Data,
    /// When something switched, and what, in a motion.
    pub events: Vec<(f64, String)>,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
    /// The file its finished cells were kept in, which is of no use once the results are safe.
    pub store: Option<CellStore>,
    /// Why what it found cannot be trusted, if so: shown beside the results, and the run counts as failed.
    pub failure: Option<String>,
    /// Numbers that were asked for and cannot be known.
    pub unknown: Vec<String>,
    /// Files to write beside the report.
    pub files: Vec<ExtraFile>,
}

/// How a study ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyState {
    /// With an answer.
    Complete,
    /// Stopped, with what was found until then.
    Partial,
    /// Without an answer, or with one that cannot be trusted.
    Failed {
        /// Why.
        reason: String,
    },
    /// Stopped before there was anything to keep, or not begun.
    Stopped,
}

impl StudyState {
    /// The word used in files: `complete`, `partial`, `failed`, `stopped`.
    pub fn name(&self) -> &'static str {
        match self {
            StudyState::Complete => "complete",
            StudyState::Partial => "partial",
            StudyState::Failed { .. } => "failed",
            StudyState::Stopped => "stopped",
        }
    }
}

/// One study's share of an outcome.
#[derive(Clone, Debug)]
pub struct StudyOutcome {
    /// What the scenario calls it.
    pub name: String,
    /// Which question.
    pub kind: &'static str,
    /// How it ended.
    pub state: StudyState,
    /// What it found.
    pub facts: Vec<Fact>,
    /// Its numbers.
    pub data: Arc<Data>,
    /// When something switched, and what, if it is a motion.
    pub events: Vec<(f64, String)>,
}

/// What a scenario's studies found: a record to read, data to work on.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The report.
    pub record: Record,
    /// The numbers of the first study that has any.
    pub data: Arc<Data>,
    /// Every study, in the order of the scenario.
    pub studies: Vec<StudyOutcome>,
    /// Whether a study was stopped before its end.
    pub stopped_early: bool,
    /// Files with finished cells, to be [discarded](CellStore::discard) once the results are safe.
    pub stores: Vec<CellStore>,
    /// Numbers that were asked for and cannot be known.
    pub unknown: Vec<String>,
    /// Files to write beside the report.
    pub files: Vec<ExtraFile>,
}

impl Outcome {
    /// The outcome of a single piece of work under that name.
    pub(crate) fn single(name: &str, mut record: Record, data: Data, stopped_early: bool) -> Outcome {
        record.is_partial = stopped_early;
        let state = if stopped_early { StudyState::Partial } else { StudyState::Complete };
        let (data, facts) = (Arc::new(data), record.facts.clone());
        let (name, data_of_study, events) = (name.to_owned(), data.clone(), Vec::new());
        let study = StudyOutcome { name, kind: "compare", state, facts, data: data_of_study, events };
        Outcome {
            record,
            data,
            studies: vec![study],
            stopped_early,
            stores: Vec::new(),
            unknown: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The same, but not to be trusted, for the reasons given; without any, as it is.
    pub(crate) fn doubted(mut self, reasons: &[String]) -> Outcome {
        let is_whole = |s: &&mut StudyOutcome| s.state == StudyState::Complete;
        if let (Some(study), false) = (self.studies.iter_mut().find(is_whole), reasons.is_empty()) {
            study.state = StudyState::Failed { reason: reasons.join("; ") };
        }
        self
    }

    /// The data of all studies, for files.
    pub fn sheets(&self) -> Vec<Sheet> {
        self.studies.iter().map(|s| Sheet::new(&s.name, Arc::clone(&s.data))).collect()
    }

    /// Names of the studies that failed, and why.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.studies.iter().filter_map(|s| match &s.state {
            StudyState::Failed { reason } => Some((s.name.as_str(), reason.as_str())),
            _ => None,
        })
    }
}

/// Answers all questions of a scenario. A study that fails takes no other with it.
///
/// # Errors
/// [`RunError`] of the first study if none gave an answer, [`RunError::Stopped`] if there is nothing to keep, and
/// [`RunError::Store`], before any work is done, for a file that must not be written to.
pub fn run(scenario: &Scenario, progress: &mut dyn Progress) -> Result<Outcome, RunError> {
    if let Some(obstacle) = scenario.studies.iter().find_map(|s| s.kind.obstacle(s)) {
        return Err(obstacle);
    }
    answer_all(scenario, progress, &mut |study, progress| study.kind.answer(scenario, study, progress))
}

/// Who answers one question.
type Asked<'a> = dyn FnMut(&Study, &mut dyn Progress) -> Result<Answer, RunError> + 'a;

/// The same, with answers from somebody else.
pub(crate) fn answer_all(
    scenario: &Scenario,
    progress: &mut dyn Progress,
    ask: &mut Asked,
) -> Result<Outcome, RunError> {
    let mut record = Record::new(&scenario.title);
    for warning in scenario.warnings() {
        record.facts.push(Fact::verdict("note", warning.as_str(), Tone::Warn));
    }
    record.facts.extend(changed(scenario));
    let mut progress = Attentive::new(progress);
    let mut outcome = Outcome {
        record,
        data: Arc::default(),
        studies: Vec::new(),
        stopped_early: false,
        stores: Vec::new(),
        unknown: Vec::new(),
        files: Vec::new(),
    };
    let mut first_error = None;
    for study in &scenario.studies {
        let result = if outcome.stopped_early {
            Err(RunError::Stopped)
        } else {
            progress.begin(&study.name);
            ask(study, &mut progress)
        };
        outcome.stopped_early |= progress.is_stopped();
        if let Err(error) = outcome.take(study, result, scenario) {
            first_error.get_or_insert(error);
        }
    }
    let has_none = |s: &StudyOutcome| {
        matches!(s.state, StudyState::Failed { .. } | StudyState::Stopped) && s.data.columns.is_empty()
    };
    let is_empty = outcome.studies.iter().all(has_none);
    match first_error {
        Some(_) if is_empty && outcome.stopped_early => return Err(RunError::Stopped),
        Some(error) if is_empty => return Err(error),
        _ => {}
    }
    if outcome.stopped_early {
        let fact =
            Fact::verdict("stopped early", "the results end where the run was interrupted", Tone::Warn);
        outcome.record.facts.insert(0, fact);
        outcome.record.is_partial = true;
    }
    let pictures = outcome.record.sections.iter().flat_map(|s| &s.blocks);
    if !pictures.into_iter().any(|b| matches!(b, Block::Schematic(_))) {
        outcome.record.sections.splice(0..0, mechanism(scenario));
    }
    outcome.record.sections.extend(appendix(scenario));
    Ok(outcome)
}

/// What was changed since the file was read.
pub(crate) fn changed(scenario: &Scenario) -> Option<Fact> {
    let words = scenario.changes.iter().map(|(path, value)| {
        let unit = bristle_scenario::change::allowed(&scenario.parts, path).map_or(String::new(), |a| a.unit);
        format!("`{path}` = {}", crate::studies::subject::with_unit(*value, &unit))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| Fact::new("changed in the scenario", words.join(", ")))
}

impl Outcome {
    /// Adds what a study found, or how it ended; hands an error back.
    fn take(
        &mut self,
        study: &Study,
        result: Result<Answer, RunError>,
        scenario: &Scenario,
    ) -> Result<(), RunError> {
        let (state, answer, error) = match result {
            Ok(answer) if answer.stopped_early || self.stopped_early => (StudyState::Partial, answer, None),
            Ok(answer) => match answer.failure.clone() {
                Some(reason) => (StudyState::Failed { reason }, answer, None),
                None => (StudyState::Complete, answer, None),
            },
            Err(error) if self.stopped_early => (StudyState::Stopped, Answer::default(), Some(error)),
            Err(error) => {
                let reason = error.to_string();
                (StudyState::Failed { reason }, Answer::default(), Some(error))
            }
        };
        self.stopped_early |= state == StudyState::Partial;
        self.stores.extend(answer.store.filter(|_| state == StudyState::Complete));
        self.unknown.extend(answer.unknown);
        self.files.extend(answer.files);
        let (mut facts, events) = (answer.facts, answer.events);
        if let StudyState::Failed { reason } = &state {
            facts.push(failure(&study.name, reason));
            let words = match &error {
                Some(error) => format!("This study gave no answer: {reason}. A way out: {}.", error.hint()),
                None => format!("This study gave an answer that is wrong: {reason}"),
            };
            let words = Block::paragraph(words);
            let heading = format!("Failed: {}", study.name);
            self.record.sections.push(Section { heading, blocks: vec![words] });
        }
        self.record.facts.extend(facts.iter().cloned());
        self.record.sections.extend(answer.sections);
        let mut data = answer.data;
        data.origin = facts::origin(scenario, study);
        let data = Arc::new(data);
        if self.data.columns.is_empty() {
            self.data = Arc::clone(&data);
        }
        let kind = study.kind.card().name;
        self.studies.push(StudyOutcome { name: study.name.clone(), kind, state, facts, data, events });
        error.map_or(Ok(()), Err)
    }
}

/// The mechanism as it stands, where no run shows how it moves.
pub(crate) fn mechanism(scenario: &Scenario) -> Option<Section> {
    let picture = crate::schematic::still(scenario)?;
    Some(Section { heading: "Mechanism".to_owned(), blocks: vec![picture.into()] })
}

/// A study that gave no answer, as a fact.
fn failure(study: &str, reason: &str) -> Fact {
    // Errors of studies begin with their name.
    let reason = reason.strip_prefix(&format!("study `{study}`: ")).unwrap_or(reason);
    let mut fact = Fact::verdict(format!("study `{study}`"), "failed", Tone::Bad).named("failed");
    fact.note = reason.to_owned();
    fact
}

/// Laws with their equations and parameters, all other parameters, and the scenario itself.
pub(crate) fn appendix(scenario: &Scenario) -> Vec<Section> {
    let mut all = Vec::new();
    let mut laws = Section { heading: "Friction laws".to_owned(), blocks: Vec::new() };
    let mut seen: Vec<&str> = Vec::new();
    for (part, kind, law) in scenario.laws_in_use() {
        let card = kind.card();
        if !seen.contains(&card.name) {
            seen.push(card.name);
            laws.push(Block::paragraph(format!("**{}** — {}", card.name, card.title())));
            laws.push(Block::equation(card.equation()));
        }
        laws.push(law_table(part, &card, law));
    }
    if !laws.blocks.is_empty() {
        all.push(laws);
    }
    let mut table =
        Table::new("All other parameters, in SI units", &[("parameter", ""), ("value", ""), ("unit", "")]);
    for Parameter { path, value, unit } in scenario.parameters() {
        if !value.is_nan() {
            table.row([path.into(), Cell::Number { value, digits: 6 }, unit.into()]);
        }
    }
    all.push(Section { heading: "Parameters".to_owned(), blocks: vec![table.into()] });
    let code = Block::code(file_name(&scenario.name), &scenario.text);
    all.push(Section { heading: "Scenario".to_owned(), blocks: vec![code] });
    all
}

/// The last part of a path, for captions.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The numbers of a law at a contact or a drum.
fn law_table(part: &str, card: &Card, law: &Spec) -> Table {
    let columns = [("symbol", ""), ("parameter", ""), ("value", ""), ("unit", ""), ("meaning", "")];
    let mut table = Table::new(format!("Parameters of `{}` at `{part}`", card.name), &columns);
    for (field, value) in card.numbers().zip(&law.numbers) {
        let Kind::Number { unit, force, .. } = field.kind else { continue };
        let (name, unit) = match force {
            Some(force) if law.as_forces => (force, "N"),
            _ => (field.name, unit),
        };
        let value = Cell::Number { value: *value, digits: 6 };
        table.row([field.symbol.into(), name.into(), value, unit.into(), field.doc.into()]);
    }
    table
}
