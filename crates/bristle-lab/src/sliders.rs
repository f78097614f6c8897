//! What can be turned: every number of the parts and their laws, with symbol, unit, words and a range to turn it in, from the cards.

use bristle_core::{Card, Field, Kind};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};
use bristle_study::Scenario;
use serde_json::{Value, json};

/// A range wider than this is turned through logarithmically.
const WIDE: f64 = 50.0;

/// How far to either side of its value a number without bounds is turned.
const REACH: f64 = 30.0;

/// The numbers of the parts.
pub fn of_parts(scenario: &Scenario) -> Vec<Value> {
    let mut all = Vec::new();
    for (name, spec) in &scenario.parts {
        if let Some(card) = PartKind::named(&spec.kind).map(PartKind::card) {
            gather(name, &card, spec, "1", false, &mut all);
        }
    }
    all
}

/// The numbers of the laws.
pub fn of_laws(scenario: &Scenario) -> Vec<Value> {
    let mut all = Vec::new();
    for (part, kind, law) in scenario.laws_in_use() {
        gather(&format!("{part}.law"), &kind.card(), law, "1", true, &mut all);
    }
    all
}

fn gather(path: &str, card: &Card, spec: &Spec, signal: &str, in_law: bool, all: &mut Vec<Value>) {
    for (field, value) in card.numbers().zip(&spec.numbers) {
        all.extend(slider(path, field, *value, spec.as_forces, signal));
    }
    let mut terms = 0;
    for (field, table) in &spec.tables {
        let is_law = field == "law";
        let card = if is_law {
            LawKind::named(&table.kind).map(LawKind::card).filter(|_| in_law)
        } else {
            SignalKind::named(&table.kind).map(SignalKind::card)
        };
        let inner = if field == "terms" { format!("{path}.{terms}") } else { format!("{path}.{field}") };
        terms += usize::from(field == "terms");
        let unit = match spec_unit(&spec.kind, field) {
            Some(unit) => unit,
            None => signal,
        };
        if let Some(card) = card {
            gather(&inner, &card, table, unit, in_law, all);
        }
    }
}

/// What a signal in that field of a part measures.
fn spec_unit(kind: &str, field: &str) -> Option<&'static str> {
    match PartKind::named(kind)?.card().field(field)?.kind {
        Kind::Table { unit: Some(unit), .. } | Kind::Number { unit, signal: true, .. } => Some(unit),
        _ => None,
    }
}

fn slider(path: &str, field: &Field, value: f64, as_forces: bool, signal: &str) -> Option<Value> {
    let Kind::Number { unit, min, max, force, whole, .. } = field.kind else { return None };
    if !value.is_finite() {
        return None;
    }
    let (name, unit, max) = match force.filter(|_| as_forces) {
        Some(force) => (force, "N".to_owned(), f64::INFINITY),
        None => (field.name, unit.replace("signal", signal), max),
    };
    let (low, high, is_log) = range(value, min, max);
    Some(json!({
        "path": format!("{path}.{name}"), "symbol": field.symbol, "unit": unit, "doc": field.doc,
        "value": value, "min": finite(min), "max": finite(max), "whole": whole,
        "low": low, "high": high, "log": is_log,
    }))
}

fn finite(bound: f64) -> Option<f64> {
    bound.is_finite().then_some(bound)
}

/// Where to turn a number, and whether logarithmically.
fn range(value: f64, min: f64, max: f64) -> (f64, f64, bool) {
    if value == 0.0 || min < 0.0 {
        let reach = if value == 0.0 { 1.0 } else { 3.0 * value.abs() };
        return (f64::max(-reach, min), f64::min(reach, max), false);
    }
    // A card whose own range is narrow is shown whole.
    if max <= WIDE * f64::max(min, 0.2 * value) {
        return (min, max, false);
    }
    let (low, high) = (f64::max(value / REACH, min), f64::min(value * REACH, max));
    if low > 0.0 && high / low > WIDE { (low, high, true) } else { (min, high, false) }
}
