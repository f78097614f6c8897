//! The laws a scenario brings along, `[laws.NAME]`: formulas with units, read and checked.

use crate::error::{Problem, ScenarioError};
use crate::read::{Reader, TomlValue};
use bristle_core::{Role, StateRole, nearest};
use bristle_law::{DraftEvent, DraftParameter, DraftState, LawKind, WrittenDraft, WrittenError};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// What a section of a law may hold.
const KEYS: [&str; 11] = [
    "doc",
    "parameters",
    "states",
    "where",
    "rates",
    "open",
    "force",
    "limit",
    "lock_speed",
    "modes",
    "events",
];

/// The laws that could be read; what is wrong with the others is noted.
pub fn laws(reader: &Reader, root: &DeTable) -> Vec<LawKind> {
    let Some(value) = root.get("laws") else { return Vec::new() };
    let Some(table) = reader.keep(reader.table("laws", value)) else { return Vec::new() };
    let mut laws = Vec::new();
    for (key, value) in table {
        let (before, name) = (reader.count(), key.get_ref().to_string());
        reader.name("law", key);
        let Some(table) = reader.keep(reader.table(&name, value)) else { continue };
        reader.only(table, &KEYS, &format!("a part of law `{name}`"), "");
        let draft = draft(reader, &name, table);
        if reader.count() > before {
            continue;
        }
        match LawKind::written(&draft) {
            Ok(law) => laws.push(law),
            Err(errors) => {
                errors.into_iter().for_each(|e| reader.report(mistake(reader, root, &name, key.span(), e)))
            }
        }
    }
    laws
}

/// What is wrong with a law, at its place in the file.
fn mistake(
    reader: &Reader,
    root: &DeTable,
    law: &str,
    title: Range<usize>,
    e: WrittenError,
) -> ScenarioError {
    let mut path = vec!["laws", law];
    path.extend(e.key.split('.'));
    let whole = if e.key == "name" { title } else { reader.span_of(root, &path) };
    let span = within(reader, whole, &e);
    let problem = Problem::Written { law: law.to_owned(), key: e.key, reason: e.reason };
    reader.error(problem, span, e.hint)
}

/// The place of what is wrong with a formula within its entry. One without escapes stands in the file as it was read, behind one
/// quotation mark.
pub(crate) fn within(reader: &Reader, whole: Range<usize>, e: &WrittenError) -> Range<usize> {
    let inner = whole.start + 1..whole.end.saturating_sub(1);
    let is_plain = reader.text.get(inner.clone()) == Some(e.text.as_str());
    if is_plain { inner.start + e.span.start..inner.start + e.span.end } else { whole }
}

fn draft(reader: &Reader, name: &str, table: &DeTable) -> WrittenDraft {
    let text =
        |key: &str| table.get(key).and_then(|value| reader.keep(reader.text(key, value))).map(str::to_owned);
    let entries = |key: &str| entries(reader, key, table.get(key));
    let formulas = |key: &str| -> Vec<(String, String)> {
        let one = |(name, value): (String, &TomlValue)| Some((name.clone(), formula(reader, &name, value)?));
        entries(key).into_iter().filter_map(one).collect()
    };
    WrittenDraft {
        name: name.to_owned(),
        doc: text("doc").unwrap_or_default(),
        parameters: entries("parameters").into_iter().filter_map(|(n, v)| parameter(reader, n, v)).collect(),
        states: entries("states").into_iter().filter_map(|(n, v)| state(reader, n, v)).collect(),
        terms: formulas("where"),
        rates: formulas("rates"),
        open: formulas("open"),
        force: table.get("force").and_then(|v| formula(reader, "force", v)).unwrap_or_default(),
        limit: table.get("limit").and_then(|v| formula(reader, "limit", v)),
        lock_speed: table.get("lock_speed").and_then(|v| formula(reader, "lock_speed", v)),
        modes: entries("modes").into_iter().filter_map(|(n, v)| mode(reader, n, v)).collect(),
        events: events(reader, table),
    }
}

/// The entries of a table inside a law, in the order of the file.
pub(crate) fn entries<'t, 'i>(
    reader: &Reader,
    key: &str,
    value: Option<&'t TomlValue<'i>>,
) -> Vec<(String, &'t TomlValue<'i>)> {
    let Some(table) = value.and_then(|value| reader.keep(reader.table(key, value))) else {
        return Vec::new();
    };
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| key.span().start);
    all.into_iter().map(|(key, value)| (key.get_ref().to_string(), value)).collect()
}

/// A formula or a quantity; a bare number is one as well.
fn formula(reader: &Reader, key: &str, value: &TomlValue) -> Option<String> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => Some(reader.text[value.span()].replace('_', "")),
        _ => reader.keep(reader.text(key, value)).map(str::to_owned),
    }
}

/// The entries of a parameter or state, which must be known.
fn fields(
    reader: &Reader,
    owner: &str,
    table: &DeTable,
    known: &[&str],
) -> impl Fn(&str) -> Option<String> + use<> {
    reader.only(table, known, &format!("a part of {owner}"), "");
    let read: Vec<(String, Option<String>)> = known
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), formula(reader, key, table.get(*key)?))))
        .collect();
    move |key: &str| read.iter().find(|(k, _)| k == key).and_then(|(_, text)| text.clone())
}

/// A word that names a role.
fn role<T: serde::de::DeserializeOwned>(
    reader: &Reader,
    value: Option<&TomlValue>,
    words: &[&str],
) -> Option<T> {
    let value = value?;
    let word = reader.keep(reader.text("role", value))?;
    let found = serde_json::from_value(serde_json::Value::String(word.to_owned())).ok();
    if found.is_none() {
        let hint = nearest(word, words.iter().copied())
            .map_or_else(|| format!("one of {}", words.join(", ")), |near| format!("did you mean `{near}`?"));
        let problem = Problem::UnknownKind { what: "role".to_owned(), name: word.to_owned() };
        reader.report(reader.error(problem, value.span(), hint));
    }
    found
}

fn parameter(reader: &Reader, name: String, value: &TomlValue) -> Option<DraftParameter> {
    let Some(table) = value.get_ref().as_table() else {
        let default = formula(reader, &name, value)?;
        return Some(DraftParameter { name, doc: String::new(), default, min: None, max: None, role: None });
    };
    let get =
        fields(reader, &format!("parameter `{name}`"), table, &["default", "min", "max", "doc", "role"]);
    let Some(default) = get("default") else {
        let problem = Problem::MissingKey { owner: format!("parameter `{name}`"), key: "default".to_owned() };
        reader.report(reader.error(problem, value.span(), "a value with its unit: default = \"1.5 N\""));
        return None;
    };
    let role = role::<Role>(reader, table.get("role"), &Role::WORDS);
    Some(DraftParameter {
        doc: get("doc").unwrap_or_default(),
        min: get("min"),
        max: get("max"),
        role,
        default,
        name,
    })
}

fn state(reader: &Reader, name: String, value: &TomlValue) -> Option<DraftState> {
    let Some(table) = value.get_ref().as_table() else {
        let unit = formula(reader, &name, value)?;
        return Some(DraftState { name, unit, initial: None, min: None, max: None, scale: None, role: None });
    };
    let known = ["unit", "initial", "min", "max", "scale", "role"];
    let get = fields(reader, &format!("state `{name}`"), table, &known);
    let Some(unit) = get("unit") else {
        let problem = Problem::MissingKey { owner: format!("state `{name}`"), key: "unit".to_owned() };
        reader.report(reader.error(problem, value.span(), "its unit: unit = \"m\""));
        return None;
    };
    let role = role::<StateRole>(reader, table.get("role"), &StateRole::WORDS);
    Some(DraftState {
        initial: get("initial"),
        min: get("min"),
        max: get("max"),
        scale: get("scale"),
        role,
        unit,
        name,
    })
}

/// A mode with the names of its values.
fn mode(reader: &Reader, name: String, value: &TomlValue) -> Option<(String, Vec<String>)> {
    let words = value.get_ref().as_array().map(|list| {
        list.iter().map(|word| word.get_ref().as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
    });
    let Some(Some(words)) = words else {
        let expected = "a list of names".to_owned();
        let problem = Problem::Type { key: name, expected, found: "something else".to_owned() };
        reader.report(reader.error(problem, value.span(), "modes = { slider = [\"sticks\", \"slips\"] }"));
        return None;
    };
    Some((name, words))
}

fn events(reader: &Reader, table: &DeTable) -> Vec<DraftEvent> {
    let Some(value) = table.get("events") else { return Vec::new() };
    let Some(list) = value.get_ref().as_array() else {
        let problem = Problem::Type {
            key: "events".to_owned(),
            expected: "a list of tables".to_owned(),
            found: "something else".to_owned(),
        };
        reader.report(reader.error(
            problem,
            value.span(),
            "events = [{ when = \"…\", set = { z = \"…\" } }]",
        ));
        return Vec::new();
    };
    let one = |value: &TomlValue| {
        let table = reader.keep(reader.table("events", value))?;
        reader.only(table, &["when", "from", "to", "set"], "a part of an event", "");
        let Some(when) = table.get("when") else {
            let problem = Problem::MissingKey { owner: "an event".to_owned(), key: "when".to_owned() };
            reader.report(reader.error(
                problem,
                value.span(),
                "a formula that falls below zero where it happens",
            ));
            return None;
        };
        let set = entries(reader, "set", table.get("set"));
        let set = set
            .into_iter()
            .filter_map(|(name, v)| Some((name.clone(), formula(reader, &name, v)?)))
            .collect();
        let word =
            |key: &str| table.get(key).and_then(|v| reader.keep(reader.text(key, v))).map(str::to_owned);
        Some(DraftEvent { when: formula(reader, "when", when)?, from: word("from"), to: word("to"), set })
    };
    list.iter().filter_map(one).collect()
}
