//! Reads a table of the scenario by the card of what it describes.

use super::error::{Problem, ScenarioError};
use super::table;
use crate::manual::short;
use bristle_core::units::{self, UnitError};
use bristle_core::{Card, Choice, Field, Kind, nearest};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text being read, for messages.
pub(super) struct Reader<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) folder: &'a Path,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    pub(super) fn error(&self, problem: Problem) -> ScenarioError {
        ScenarioError::new(problem, self.name, self.text)
    }

    /// A syntax error; a key written twice under `parts` is two parts of one name.
    pub(super) fn syntax(&self, error: &toml::de::Error) -> ScenarioError {
        let span = error.span().unwrap_or(0..0);
        let reason = error.message().lines().next().unwrap_or_default().to_owned();
        if reason.starts_with("duplicate key") {
            let line_start = self.text[..span.start].rfind('\n').map_or(0, |i| i + 1);
            let line = self.text[line_start..].lines().next().unwrap_or_default().trim();
            if let Some(name) = line.strip_prefix("[parts.").and_then(|rest| rest.strip_suffix(']')) {
                return self
                    .error(Problem::Duplicate { name: name.to_owned() })
                    .at(span)
                    .hint("give one of them another name");
            }
        }
        let hint = "a scenario is TOML: `[parts.block]`, then lines such as `mass = \"1 kg\"`";
        self.error(Problem::Syntax { reason }).at(span).hint(hint)
    }

    /// The place of a value, as deep along the keys as the file goes.
    pub(super) fn span_of(&self, root: &DeTable, keys: &[&str]) -> Range<usize> {
        let mut table = root;
        let mut span = 0..0;
        for key in keys {
            let Some((name, value)) = table.iter().find(|(k, _)| k.get_ref().as_ref() == *key) else { break };
            let last = value.get_ref().as_table().is_none();
            span = if last { value.span() } else { name.span() };
            match value.get_ref().as_table() {
                Some(inner) => table = inner,
                None => break,
            }
        }
        span
    }

    /// Refuses keys that are not in the list.
    pub(super) fn only(&self, table: &DeTable, known: &[&str], owner: &str) -> Result<(), ScenarioError> {
        for key in table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let near = nearest(key.get_ref(), known.iter().copied());
                let hint = near.map_or_else(
                    || {
                        format!(
                            "known are {}",
                            known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")
                        )
                    },
                    |n| format!("did you mean `{n}`?"),
                );
                let problem = Problem::UnknownKey { key: key.get_ref().to_string(), owner: owner.to_owned() };
                return Err(self.error(problem).at(key.span()).hint(hint));
            }
        }
        Ok(())
    }

    pub(super) fn table<'t, 'i>(
        &self,
        key: &str,
        value: &'t Value<'i>,
    ) -> Result<&'t DeTable<'i>, ScenarioError> {
        value.get_ref().as_table().ok_or_else(|| self.wrong_type(key, "a table", value))
    }

    pub(super) fn text<'t>(&self, key: &str, value: &'t Value) -> Result<&'t str, ScenarioError> {
        value.get_ref().as_str().ok_or_else(|| self.wrong_type(key, "a text in quotes", value))
    }

    fn wrong_type(&self, key: &str, expected: &str, value: &Value) -> ScenarioError {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("the text \"{text}\""),
            DeValue::Integer(_) | DeValue::Float(_) => format!("the number {}", self.written(value)),
            DeValue::Boolean(flag) => format!("`{flag}`"),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Datetime(_) => "a date".to_owned(),
        };
        let problem = Problem::Type { key: key.to_owned(), expected: expected.to_owned(), found };
        self.error(problem).at(value.span())
    }

    /// The value as it stands in the file.
    fn written(&self, value: &Value) -> &str {
        &self.text[value.span()]
    }

    /// All parts, in the order of the file.
    pub(super) fn parts(&self, root: &DeTable) -> Result<Vec<(String, Spec)>, ScenarioError> {
        let missing = || {
            self.error(Problem::MissingSection { section: "[parts]" })
                .hint("describe the mechanism: [parts.block] with kind = \"mass\" and mass = \"1 kg\"")
        };
        let table = self.table("parts", root.get("parts").ok_or_else(missing)?)?;
        let mut parts = Vec::new();
        for (name, value) in table {
            let name = name.get_ref().to_string();
            let card = self.kind_of("part", &name, value, PartKind::ALL.iter().map(|k| k.card()))?;
            let unit = if card.name == "force" { "N" } else { "1" };
            let spec = self.spec(&card, &format!("part `{}`", card.name), value, unit, None)?;
            parts.push((name, spec));
        }
        if parts.is_empty() { Err(missing()) } else { Ok(parts) }
    }

    /// The card named by the table's `kind`.
    pub(super) fn kind_of(
        &self,
        what: &str,
        name: &str,
        value: &Value,
        mut cards: impl Iterator<Item = Card> + Clone,
    ) -> Result<Card, ScenarioError> {
        let table = self.table(name, value)?;
        let Some(kind) = table.get("kind") else {
            let names: Vec<&str> = cards.map(|c| c.name).collect();
            let problem = Problem::MissingKey { owner: format!("{what} `{name}`"), key: "kind".to_owned() };
            return Err(self.error(problem).at(value.span()).hint(format!("one of {}", names.join(", "))));
        };
        let word = self.text("kind", kind)?;
        let names: Vec<&str> = cards.clone().map(|c| c.name).collect();
        cards.find(|c| c.name == word).ok_or_else(|| {
            let list = match what {
                "study" => "studies".to_owned(),
                _ => format!("{what}s"),
            };
            let hint = nearest(word, names.iter().copied()).map_or_else(
                || format!("`bristle list {list}` lists them"),
                |n| format!("did you mean `{n}`?"),
            );
            let what = if what == "law" { what.to_owned() } else { format!("kind of {what}") };
            let problem = Problem::UnknownKind { what, name: word.to_owned() };
            self.error(problem).at(kind.span()).hint(hint)
        })
    }

    /// Reads a table by its card. `unit` is what a signal inside it measures.
    pub(super) fn spec(
        &self,
        card: &Card,
        owner: &str,
        value: &Value,
        unit: &str,
        law: Option<&str>,
    ) -> Result<Spec, ScenarioError> {
        let table = self.table(card.name, value)?;
        let mut known: Vec<&str> = vec!["kind"];
        for field in card.fields {
            known.push(field.name);
            if let Kind::Number { force: Some(force), .. } = field.kind {
                known.push(force);
            }
        }
        let what =
            if matches!(card.fields, []) { owner.to_owned() } else { format!("a parameter of {owner}") };
        self.unknown_keys(card, table, &known, &what)?;
        let mut spec = Spec::of(card);
        if law.is_some() {
            spec.as_forces = self.levels(card, table)?;
        }
        let (mut number, mut choice) = (0, 0);
        for field in card.fields {
            match field.kind {
                Kind::Number { .. } => {
                    spec.numbers[number] =
                        self.number(card, field, owner, table, value, unit, spec.as_forces)?;
                    number += 1;
                }
                Kind::Choice { options } => {
                    spec.choices[choice] = self.choice(field, table, options)?;
                    choice += 1;
                }
                _ => self.entry(field, owner, table, value, unit, &mut spec)?,
            }
        }
        if card.name == "polyline" {
            table::complete(self, table, value, unit, &mut spec)?;
        }
        Ok(spec)
    }

    fn unknown_keys(
        &self,
        card: &Card,
        table: &DeTable,
        known: &[&str],
        owner: &str,
    ) -> Result<(), ScenarioError> {
        self.only(table, known, owner).map_err(|e| {
            let hint = match e.problem() {
                Problem::UnknownKey { key, .. } => nearest(key, known.iter().copied()).map_or_else(
                    || format!("`bristle show {}` lists its parameters", card.name),
                    |n| format!("did you mean `{n}`? `bristle show {}` lists its parameters", card.name),
                ),
                _ => return e,
            };
            e.hint(hint)
        })
    }

    /// Whether a law's levels are given as forces; giving both is an error.
    fn levels(&self, card: &Card, table: &DeTable) -> Result<bool, ScenarioError> {
        let pairs = card.numbers().filter_map(|f| match f.kind {
            Kind::Number { force: Some(force), .. } => Some((f.name, force)),
            _ => None,
        });
        let pairs: Vec<_> = pairs.collect();
        let coefficient = pairs.iter().find(|(name, force)| name != force && table.contains_key(*name));
        let force = pairs.iter().find(|(_, force)| table.contains_key(*force));
        match (coefficient, force) {
            (Some((coefficient, _)), Some((_, force))) => {
                let problem = Problem::Mixed {
                    law: card.name.to_owned(),
                    coefficient: (*coefficient).to_owned(),
                    force: (*force).to_owned(),
                };
                let span = self.span_of(table, &[force]);
                Err(self.error(problem).at(span).hint("give all levels as coefficients, or all as forces"))
            }
            (None, Some(_)) => Ok(true),
            _ => Ok(false),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn number(
        &self,
        card: &Card,
        field: &Field,
        owner: &str,
        table: &DeTable,
        whole: &Value,
        signal: &str,
        as_forces: bool,
    ) -> Result<f64, ScenarioError> {
        let Kind::Number { unit, default, min, max, force } = field.kind else { return Ok(f64::NAN) };
        let (key, unit) = match force {
            Some(force) if as_forces => (force, "N".to_owned()),
            _ => (field.name, unit.replace("signal", signal)),
        };
        let Some(value) = table.get(key) else {
            let needed = as_forces && force.is_some();
            if let (Some(default), false) = (default, needed) {
                return Ok(default);
            }
            let problem = Problem::MissingKey { owner: owner.to_owned(), key: key.to_owned() };
            let hint = format!("{} `bristle show {}` explains it", field.doc.trim(), card.name);
            return Err(self.error(problem).at(whole.span()).hint(hint));
        };
        let number = self.quantity(key, value, &unit)?;
        // A law stated in forces has levels of any size; their coefficients' upper bounds do not apply.
        let max = if as_forces && force.is_some() { f64::INFINITY } else { max };
        if number < min || number > max {
            let range = match (min.is_finite(), max.is_finite()) {
                (true, true) => format!("between {} and {}", short(min), short(max)),
                (true, false) if min == 0.0 => "zero or positive".to_owned(),
                (true, false) => format!("at least {}", short(min)),
                _ => format!("at most {}", short(max)),
            };
            let suffix = if unit == "1" { String::new() } else { format!(" {unit}") };
            let written = self.written(value).trim_matches('"').to_owned();
            let problem = Problem::Range { key: key.to_owned(), value: written, range: range + &suffix };
            let hint = format!("{} (`bristle show {}`)", field.doc.trim(), card.name);
            return Err(self.error(problem).at(value.span()).hint(hint));
        }
        Ok(number)
    }

    /// Reads `"5 mm/s"`, or a bare number where none is needed.
    pub(super) fn quantity(&self, key: &str, value: &Value, unit: &str) -> Result<f64, ScenarioError> {
        let written = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) => self.written(value).replace('_', ""),
            _ => {
                let expected = if unit == "1" {
                    "a number".to_owned()
                } else {
                    format!("a quantity such as \"1 {unit}\"")
                };
                return Err(self.wrong_type(key, &expected, value));
            }
        };
        units::parse(&written, unit).map_err(|source| {
            let hint = match &source {
                UnitError::Missing { text, expected } => format!("write \"{text} {expected}\""),
                UnitError::Dimension { expected, .. } => {
                    format!("a unit such as `{expected}` is expected here")
                }
                UnitError::UnknownUnit { .. } => format!("write it in `{unit}`, for example \"1 {unit}\""),
                _ if unit == "1" => "a finite number is expected here".to_owned(),
                _ => format!("a finite number with its unit is expected here, for example \"1 {unit}\""),
            };
            self.error(Problem::Unit { key: key.to_owned(), source }).at(value.span()).hint(hint)
        })
    }

    fn choice(&self, field: &Field, table: &DeTable, options: &[&str]) -> Result<Choice, ScenarioError> {
        let Some(value) = table.get(field.name) else { return Ok(Choice::default()) };
        let word = self.text(field.name, value)?;
        let place = options.iter().position(|o| *o == word).ok_or_else(|| {
            let list = options.iter().map(|o| format!("\"{o}\"")).collect::<Vec<_>>().join(" or ");
            self.wrong_type(field.name, &list, value)
        })?;
        Ok(Choice(place as u8))
    }

    /// Everything that is neither a number nor a choice.
    fn entry(
        &self,
        field: &Field,
        owner: &str,
        table: &DeTable,
        whole: &Value,
        signal: &str,
        spec: &mut Spec,
    ) -> Result<(), ScenarioError> {
        let required = match field.kind {
            Kind::Text { required } | Kind::Name { required } | Kind::Table { required, .. } => required,
            Kind::Numbers { required, .. } => required,
            Kind::Names { count } => count > 0,
            _ => false,
        };
        let Some(value) = table.get(field.name) else {
            if !required {
                return Ok(());
            }
            let problem = Problem::MissingKey { owner: owner.to_owned(), key: field.name.to_owned() };
            return Err(self.error(problem).at(whole.span()).hint(field.doc));
        };
        let name = field.name.to_owned();
        match field.kind {
            Kind::Text { .. } | Kind::Name { .. } => {
                spec.names.push((name, vec![self.text(field.name, value)?.to_owned()]));
            }
            Kind::Names { count } => spec.names.push((name, self.names(field.name, value, count)?)),
            Kind::Flag => {
                let flag = value.get_ref().as_bool();
                if flag.ok_or_else(|| self.wrong_type(field.name, "true or false", value))? {
                    spec.flags.push(name);
                }
            }
            Kind::Numbers { unit, .. } => {
                let unit = unit.replace("signal", signal);
                let expected = format!("a list of quantities in `{unit}`");
                let list = value
                    .get_ref()
                    .as_array()
                    .ok_or_else(|| self.wrong_type(field.name, &expected, value))?;
                let numbers =
                    list.iter().map(|v| self.quantity(field.name, v, &unit)).collect::<Result<_, _>>()?;
                spec.lists.push((name, numbers));
            }
            Kind::Table { catalogue, .. } => {
                spec.tables.push((name, self.nested(catalogue, field.name, value, signal)?));
            }
            Kind::Tables { catalogue } => {
                let list = value
                    .get_ref()
                    .as_array()
                    .ok_or_else(|| self.wrong_type(field.name, "a list of tables", value))?;
                for one in list.iter() {
                    spec.tables.push((name.clone(), self.nested(catalogue, field.name, one, signal)?));
                }
            }
            Kind::Number { .. } | Kind::Choice { .. } => {}
        }
        Ok(())
    }

    fn names(&self, key: &str, value: &Value, count: usize) -> Result<Vec<String>, ScenarioError> {
        let expected = match count {
            0 => "a list of names".to_owned(),
            _ => format!("a list of {count} names"),
        };
        let wrong = || self.wrong_type(key, &expected, value);
        let list = value.get_ref().as_array().ok_or_else(wrong)?;
        let names: Option<Vec<String>> =
            list.iter().map(|v| v.get_ref().as_str().map(str::to_owned)).collect();
        names.filter(|n| count == 0 || n.len() == count).ok_or_else(wrong)
    }

    /// A law or signal inside a part.
    fn nested(&self, catalogue: &str, key: &str, value: &Value, signal: &str) -> Result<Spec, ScenarioError> {
        if catalogue == "law" {
            let card = self.kind_of("law", key, value, LawKind::ALL.iter().map(|k| k.card()))?;
            return self.spec(&card, &format!("law `{}`", card.name), value, "1", Some(card.name));
        }
        let card = self.kind_of("signal", key, value, SignalKind::ALL.iter().map(|k| k.card()))?;
        let unit = match key {
            "velocity" => "m/s",
            "position" | "move_x" | "move_y" => "m",
            "force_x" | "force_y" => "N",
            "angle" => "rad",
            "torque" => "N m",
            _ => signal,
        };
        self.spec(&card, &format!("signal `{}`", card.name), value, unit, None)
    }
}
