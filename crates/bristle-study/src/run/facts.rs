//! Facts for programs: `facts.json`, and where the numbers of data files come from.

use super::{Outcome, StudyOutcome, StudyState};
use crate::scenario::{Scenario, Study};
use bristle_record::{Fact, RecordError, data_stems, digest, markup};
use serde_json::{Value, json};

/// Version and target of the program.
const GENERATOR: &str = concat!("bristle ", env!("CARGO_PKG_VERSION"));

/// Where the data of a study come from.
pub(super) fn origin(scenario: &Scenario, study: &Study) -> Vec<(String, String)> {
    let pairs = [
        ("bristle.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("bristle.study", study.name.clone()),
        ("bristle.study_kind", study.kind.card().name.to_owned()),
        ("bristle.scenario", scenario.text.clone()),
        ("bristle.scenario_sha256", digest(scenario.text.as_bytes())),
    ];
    pairs.map(|(key, value)| (key.to_owned(), value)).to_vec()
}

/// All facts with identifiers and numbers, how each study ended, and what the columns of its data mean, as JSON.
///
/// # Errors
/// [`RecordError::Json`] if a value cannot be written.
pub fn facts_json(scenario: &Scenario, outcome: &Outcome) -> Result<String, RecordError> {
    let mut ids = Vec::new();
    let mut facts: Vec<Value> = Vec::new();
    for study in &outcome.studies {
        facts.extend(study.facts.iter().map(|fact| entry(fact, &study.name, &mut ids)));
    }
    let of_studies: Vec<&Fact> = outcome.studies.iter().flat_map(|s| &s.facts).collect();
    let general = outcome.record.facts.iter().filter(|f| !of_studies.contains(f));
    facts.extend(general.map(|fact| entry(fact, "", &mut ids)));
    let mut stems = data_stems(&outcome.sheets()).into_iter();
    let studies: Vec<Value> = outcome.studies.iter().map(|s| summary(s, &mut stems)).collect();
    let all = json!({
        "generator": GENERATOR,
        "title": markup::plain(&outcome.record.title),
        "scenario": { "name": scenario.name, "sha256": digest(scenario.text.as_bytes()) },
        "stopped_early": outcome.stopped_early,
        "studies": studies,
        "facts": facts,
    });
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// One fact; `ids` are those given so far.
fn entry(fact: &Fact, study: &str, ids: &mut Vec<String>) -> Value {
    let base = match study {
        "" => fact.key(),
        study => format!("{study}.{}", fact.key()),
    };
    let mut id = base.clone();
    for k in 2.. {
        if !ids.contains(&id) {
            break;
        }
        id = format!("{base}-{k}");
    }
    ids.push(id.clone());
    let number = fact.number_of();
    let value = number.as_ref().map(|m| m.value).filter(|v| v.is_finite());
    json!({
        "id": id,
        "study": study,
        "label": markup::plain(&fact.label),
        "value": value,
        "unit": number.map(|m| if m.unit.is_empty() { "1".to_owned() } else { m.unit }),
        "text": markup::plain(&fact.value.markup()),
        "note": markup::plain(&fact.note),
        "tone": fact.tone.name(),
        "is_verdict": fact.is_verdict,
    })
}

/// How a study ended, its files and their columns.
fn summary(study: &StudyOutcome, stems: &mut dyn Iterator<Item = String>) -> Value {
    let columns = |c: &bristle_record::Channel| json!({ "name": c.name, "heading": c.heading(), "unit": c.unit, "meaning": c.meaning });
    let stem = if study.data.columns.is_empty() { None } else { stems.next() };
    let files: Vec<String> = stem
        .iter()
        .flat_map(|s| bristle_record::DATA_FORMATS.iter().map(move |f| format!("{s}.{f}")))
        .collect();
    let reason = match &study.state {
        StudyState::Failed { reason } => Some(reason.as_str()),
        _ => None,
    };
    json!({
        "name": study.name,
        "kind": study.kind,
        "state": study.state.name(),
        "error": reason,
        "data": files,
        "columns": study.data.columns.iter().map(columns).collect::<Vec<_>>(),
    })
}
