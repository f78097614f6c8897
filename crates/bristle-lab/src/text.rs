//! The scenario as a file: the text that was read, with what was changed written in.

use crate::session::Session;
use bristle_core::Kind;
use bristle_law::LawKind;
use bristle_mech::Spec;
use bristle_scenario::rewrite;
use bristle_study::Scenario;
use serde_json::{Value, json};
use std::path::Path;

/// The text under one law, with its comments; what could not be written in is told.
///
/// # Errors
/// What is wrong, in words.
pub fn written(session: &Session, question: &Value) -> Result<Value, String> {
    let law = question["law"].as_u64().unwrap_or(0) as usize;
    let scenario = session.changed(law, question)?;
    let mut text = session.base.text.clone();
    let mut missed = Vec::new();
    let mut put = |text: &mut String, path: &[&str], value: &str| match rewrite::set(text, path, value) {
        Some(new) => *text = new,
        None => missed.push(path.join(".")),
    };
    // A law whose numbers were turned, or that is another, is written whole.
    for ((part, _, new), (_, _, old)) in scenario.laws_in_use().zip(session.base.laws_in_use()) {
        if new != old {
            put(&mut text, &["parts", part, "law"], &inline(new));
        }
    }
    for parameter in scenario.parameters() {
        let before = session.base.parameters().into_iter().find(|p| p.path == parameter.path);
        if before.is_some_and(|p| p.value.to_bits() == parameter.value.to_bits()) {
            continue;
        }
        let path: Vec<&str> = std::iter::once("parts").chain(parameter.path.split('.')).collect();
        put(&mut text, &path, &quantity(parameter.value, &parameter.unit));
    }
    if let (Some(duration), Ok(study)) = (question["duration"].as_f64(), session.base.first_simulation())
        && study.spec.numbers[0].to_bits() != duration.to_bits()
    {
        put(&mut text, &["studies", &study.name, "duration"], &quantity(duration, "s"));
    }
    Scenario::from_text(&text, "scenario.toml", Path::new(".")).map_err(|e| e.plain())?;
    Ok(json!({ "text": text, "missed": missed }))
}

fn quantity(value: f64, unit: &str) -> String {
    let number = if (1e-4..1e6).contains(&value.abs()) || value == 0.0 {
        format!("{value}")
    } else {
        format!("{value:e}")
    };
    if unit == "1" { number } else { format!("\"{number} {unit}\"") }
}

/// A law as an inline table.
fn inline(law: &Spec) -> String {
    let Some(card) = LawKind::named(&law.kind).map(LawKind::card) else { return String::new() };
    let mut out = format!("{{ kind = \"{}\"", law.kind);
    for (field, value) in card.numbers().zip(&law.numbers) {
        let Kind::Number { unit, force, default, .. } = field.kind else { continue };
        let (name, unit) = match force.filter(|_| law.as_forces) {
            Some(force) => (force, "N"),
            None => (field.name, unit),
        };
        // What the card says anyway is left out, unless it is friction, which says whether levels are forces.
        if value.is_nan() || (force.is_none() && default.is_some_and(|d| d.to_bits() == value.to_bits())) {
            continue;
        }
        out += &format!(", {name} = {}", quantity(*value, unit));
    }
    for (field, choice) in card.choices().zip(&law.choices) {
        if let Kind::Choice { options } = field.kind
            && let Some(option) = options.get(usize::from(choice.0)).filter(|_| choice.0 > 0)
        {
            out += &format!(", {} = \"{option}\"", field.name);
        }
    }
    out + " }"
}
