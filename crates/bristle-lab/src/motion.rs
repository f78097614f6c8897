//! Runs, their facts and films.

use crate::LabAnswer;
use crate::session::{Session, said};
use bristle_record::{Fact, markup};
use bristle_study::Scenario;
use bristle_study::model::ModelRun;
use bristle_study::schematic;
use serde_json::{Value, json};

/// Samples of a run, at most.
const SAMPLES: f64 = 1200.0;

/// Switches that are told, at most.
const MOST_EVENTS: usize = 400;

/// Runs every variant with numbers changed; gives the columns asked for, and facts and a film where they are wanted.
///
/// # Errors
/// What is wrong, in words.
pub fn run(session: &Session, question: &Value) -> Result<LabAnswer, String> {
    let mut answer = LabAnswer::default();
    let mut runs = Vec::new();
    for law in 0..session.variants.len() {
        let one = one(session, law, question, &mut answer.numbers);
        runs.push(one.unwrap_or_else(|error| json!({ "law": session.names[law], "error": error })));
    }
    answer.words = json!({ "runs": runs });
    Ok(answer)
}

fn one(session: &Session, law: usize, question: &Value, numbers: &mut Vec<f64>) -> Result<Value, String> {
    let scenario = session.changed(law, question)?;
    let mut study = scenario.first_simulation().map_err(|e| said(&e))?.clone();
    if let Some(duration) = question["duration"].as_f64() {
        study.spec.numbers[0] = duration;
        study.spec.numbers[1] = duration / SAMPLES;
    }
    let run = scenario.simulate(&study, &mut ()).map_err(|e| said(&e))?;
    let mut columns = serde_json::Map::new();
    let wanted: Vec<&str> =
        question["outputs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for column in &run.data().columns {
        if column.name == "time" || wanted.contains(&column.name.as_str()) {
            columns.insert(column.name.clone(), json!([numbers.len(), column.values.len()]));
            numbers.extend(&column.values);
        }
    }
    let mut words = json!({ "law": session.names[law], "columns": columns });
    if question["details"].as_bool() == Some(true) {
        words["facts"] = facts(&scenario, &*run);
        let events = run.events();
        words["switches"] = events.len().into();
        words["events"] = json!(events.into_iter().take(MOST_EVENTS).collect::<Vec<_>>());
        if question["film"].as_u64() == Some(law as u64)
            && let Some(picture) = schematic::of_run(&scenario, &study.name, &*run)
        {
            words["film"] = bristle_record::render::svg::film_data(&picture);
            words["picture"] = bristle_record::render::svg::inline_schematic(&picture).into();
            words["caption"] = markup::plain(&picture.caption).into();
        }
    }
    Ok(words)
}

/// What the run found, the energy balance last.
fn facts(scenario: &Scenario, run: &dyn ModelRun) -> Value {
    let mut all = run.facts(scenario);
    all.push(run.balance().fact());
    all.iter().map(fact).collect()
}

fn fact(fact: &Fact) -> Value {
    json!({
        "label": markup::plain(&fact.label), "value": markup::plain(&fact.value.markup()),
        "note": markup::plain(&fact.note), "tone": fact.tone.name(), "verdict": fact.is_verdict,
    })
}
