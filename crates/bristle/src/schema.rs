//! The JSON schema of scenarios, made from the cards: editors complete and check with it.

use crate::catalogue::{CatalogueKind, cards};
use bristle_core::{Card, Described, Field, Kind};
use bristle_law::ParameterSet;
use bristle_scenario::sections::UnknownEntry;
use serde_json::{Map, Value, json};

/// The schema of a scenario.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    for catalogue in
        [CatalogueKind::Parts, CatalogueKind::Laws, CatalogueKind::Signals, CatalogueKind::Studies]
    {
        for card in cards(catalogue) {
            let mut described = table(&card, true);
            let sets: Vec<_> = ParameterSet::of_law(card.name).map(|set| set.name).collect();
            if catalogue == CatalogueKind::Laws && !sets.is_empty() {
                let doc = "A published set to begin with; other keys override its numbers.";
                described["properties"]["set"] = json!({ "enum": sets, "description": doc });
            }
            definitions.insert(format!("{}/{}", catalogue.name(), card.name), described);
        }
        definitions.insert(catalogue.one().to_owned(), any_of(catalogue));
    }
    definitions.insert("unknown".to_owned(), table(&UnknownEntry::CARD, false));
    let methods: Vec<_> = bristle_solve::Method::ALL.iter().map(|m| m.name()).collect();
    let mut solver = cards(CatalogueKind::Settings).first().map_or_else(|| json!({}), |c| table(c, false));
    solver["properties"]["method"]["enum"] = json!(methods);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "bristle scenario",
        "description": "Parts, solver and studies of a friction simulation.",
        "type": "object",
        "additionalProperties": false,
        "required": ["parts", "studies"],
        "properties": {
            "title": { "type": "string", "description": "What the report is headed with." },
            "laws": {
                "type": "object",
                "description": "Friction laws written as formulas, by name.",
                "additionalProperties": written_law(),
            },
            "parts": {
                "type": "object",
                "description": "The mechanism: parts by name.",
                "minProperties": 1,
                "additionalProperties": { "$ref": "#/$defs/part" },
            },
            "measurements": {
                "type": "object",
                "description": "Measured files, and what their columns stand for, by name.",
                "additionalProperties": measurement(),
            },
            "outputs": {
                "type": "object",
                "description": "Outputs by formulas of others, by name.",
                "additionalProperties": { "type": "string", "description": "A formula: push.force * block.v" },
            },
            "studies": {
                "type": "object",
                "description": "The questions asked, by name.",
                "minProperties": 1,
                "additionalProperties": { "$ref": "#/$defs/study" },
            },
            "solver": solver,
        },
        "$defs": definitions,
    })
}

/// The schema as text.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}

/// One of a catalogue, told apart by `kind`.
fn any_of(catalogue: CatalogueKind) -> Value {
    let cards = cards(catalogue);
    let names: Vec<_> = cards.iter().map(|c| c.name).collect();
    let choices: Vec<_> = cards
        .iter()
        .map(|card| {
            json!({
                "if": { "properties": { "kind": { "const": card.name } }, "required": ["kind"] },
                "then": { "$ref": format!("#/$defs/{}~1{}", catalogue.name(), card.name) },
            })
        })
        .collect();
    // A scenario may bring laws of its own along.
    let kind = match catalogue {
        CatalogueKind::Laws => json!({ "anyOf": [{ "enum": names }, { "type": "string" }] }),
        _ => json!({ "enum": names }),
    };
    json!({
        "type": "object",
        "required": ["kind"],
        "properties": { "kind": kind },
        "allOf": choices,
    })
}

/// A measured file.
fn measurement() -> Value {
    let text = |doc: &str| json!({ "type": "string", "description": doc });
    let column = json!({
        "anyOf": [text("A column."), {
            "type": "object",
            "additionalProperties": false,
            "required": ["column"],
            "properties": {
                "column": text("The column."),
                "noise": text("Standard deviation of the noise."),
                "error": text("Column with the standard error of each value."),
                "bias": text("What the instrument adds, or `free`."),
                "gain": { "type": ["string", "number"], "description": "What it multiplies by, or `free`." },
                "drift": text("What it adds per second, or `free`."),
            },
        }],
    });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "file": text("A CSV file with headings and units."),
            "extends": text("A measurement above, whose keys it takes over."),
            "time": { "type": ["string", "boolean"], "description": "The column of times, or false for steady points." },
            "from": text("Where the window begins that is compared."),
            "to": text("Where it ends."),
            "warm_up": text("For how long before the window the motion is followed."),
            "every": { "type": "number", "description": "Every how manyeth row is compared." },
            "start": { "enum": ["given", "steady"], "description": "How the motion begins." },
            "inputs": {
                "type": "object",
                "description": "Columns in the place of signals, by path.",
                "additionalProperties": text("A column."),
            },
            "outputs": { "type": "object", "description": "Columns that outputs are compared with.", "additionalProperties": column },
        },
    })
}

/// A law written as formulas.
fn written_law() -> Value {
    let text = |doc: &str| json!({ "type": ["string", "number"], "description": doc });
    let each =
        |doc: &str, one: Value| json!({ "type": "object", "description": doc, "additionalProperties": one });
    let entries = |keys: &[&str], roles: &[&str]| {
        let mut known: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), text(""))).collect();
        known.insert("role".to_owned(), json!({ "enum": roles }));
        json!({ "anyOf": [text("Value or unit."), { "type": "object", "additionalProperties": false, "properties": known }] })
    };
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["force"],
        "properties": {
            "doc": { "type": "string", "description": "What it is." },
            "parameters": each(
                "Numbers with units, by name.",
                entries(&["default", "min", "max", "doc"], &bristle_core::Role::WORDS),
            ),
            "states": each(
                "Units of the states, by name.",
                entries(&["unit", "initial", "min", "max", "scale"], &bristle_core::StateRole::WORDS),
            ),
            "where": each("Terms used by other formulas, by name.", text("A formula.")),
            "rates": each("Rates of the states, by name.", text("A formula.")),
            "force": text("The friction force, N, positive against positive sliding."),
            "limit": text("The largest force borne at rest, N."),
            "open": each("Rates of states while the surfaces are apart, by name.", text("A formula.")),
            "lock_speed": text("The speed at which a set-valued contact is locked, m/s."),
            "modes": each(
                "Modes the law remembers: their values, the first to begin with.",
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 3 }),
            ),
            "events": { "type": "array", "description": "Jumps of states and changes of modes.", "items": { "type": "object" } },
        },
    })
}

/// The table a card describes.
fn table(card: &Card, has_kind: bool) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if has_kind {
        properties.insert("kind".to_owned(), json!({ "const": card.name }));
        required.push("kind");
    }
    for field in card.fields {
        properties.insert(field.name.to_owned(), value_of(field));
        if let Kind::Number { force: Some(force), .. } = field.kind {
            let doc = format!("{} As a force.", field.doc.trim());
            properties.entry(force).or_insert_with(|| quantity("N", f64::NEG_INFINITY, f64::INFINITY, &doc));
        }
        if is_required(field) {
            required.push(field.name);
        }
    }
    json!({
        "type": "object",
        "description": card.title(),
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

fn is_required(field: &Field) -> bool {
    match field.kind {
        // Friction may be given as a force instead.
        Kind::Number { default, force, .. } => default.is_none() && force.is_none(),
        Kind::Text { required } | Kind::Name { required } => required,
        Kind::Table { required, .. } | Kind::Numbers { required, .. } => required,
        Kind::Names { count } => count > 0,
        Kind::Tables { catalogue } => catalogue != "unknown",
        Kind::Choice { .. } | Kind::Flag => false,
    }
}

fn value_of(field: &Field) -> Value {
    let doc = field.doc.trim();
    match field.kind {
        Kind::Number { unit, default, min, max, signal, .. } => {
            let mut value = quantity(unit, min, max, doc);
            if let Some(default) = default.filter(|d| d.is_finite() && *d < 1e299) {
                let text = bristle_core::units::short(default);
                value["default"] = if unit == "1" { json!(default) } else { json!(format!("{text} {unit}")) };
            }
            // Every number of a law may follow a signal.
            if signal || field.role.is_some() {
                return json!({ "anyOf": [value, { "$ref": "#/$defs/signal" }], "description": doc });
            }
            value
        }
        Kind::Choice { options } => {
            json!({ "enum": options, "default": options.first(), "description": doc })
        }
        Kind::Flag => json!({ "type": "boolean", "default": false, "description": doc }),
        // Mostly a quantity with its unit, which a number without a unit needs not be.
        Kind::Text { required: false } => json!({ "type": ["string", "number"], "description": doc }),
        Kind::Text { .. } | Kind::Name { .. } => json!({ "type": "string", "description": doc }),
        Kind::Names { count: 0 } => {
            json!({ "type": "array", "items": { "type": "string" }, "description": doc })
        }
        Kind::Names { count } => json!({
            "type": "array", "items": { "type": "string" }, "minItems": count, "maxItems": count, "description": doc,
        }),
        Kind::Table { catalogue, .. } => {
            json!({ "$ref": format!("#/$defs/{catalogue}"), "description": doc })
        }
        Kind::Tables { catalogue } => {
            json!({ "type": "array", "items": { "$ref": format!("#/$defs/{catalogue}") }, "description": doc })
        }
        Kind::Numbers { unit, .. } => json!({
            "type": "array", "items": quantity(unit, f64::NEG_INFINITY, f64::INFINITY, ""), "description": doc,
        }),
    }
}

/// A pure number, or a text with a number and its unit.
fn quantity(unit: &str, min: f64, max: f64, doc: &str) -> Value {
    let mut value = match unit {
        "1" => json!({ "type": ["number", "string"] }),
        _ => json!({ "type": "string", "pattern": r"^\s*[-+]?[0-9.].*$" }),
    };
    if !doc.is_empty() {
        let unit = unit.replace("signal", "the signal's unit");
        value["description"] = if unit == "1" { json!(doc) } else { json!(format!("{doc} In {unit}.")) };
    }
    if unit == "1" {
        for (key, bound) in [("minimum", min), ("maximum", max)] {
            if bound.is_finite() {
                value[key] = json!(bound);
            }
        }
    }
    value
}
