//! Reads a table of the scenario by the card of what it describes.

use crate::error::{Problem, ScenarioError};
use crate::sections::UnknownEntry;
use crate::synonyms::{meant, with_point};
use crate::text::is_hidden;
use crate::{range, table};
use bristle_core::units;
use bristle_core::{Card, Choice, Described, Field, Kind};
use bristle_law::{LawKind, ParameterSet};
use bristle_mech::{PartKind, SignalKind, Spec};
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text being read, for messages, and what was found wrong with it.
pub struct Reader<'a> {
    /// What the text is called.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// Where files it names are looked for.
    pub folder: &'a Path,
    errors: RefCell<Vec<ScenarioError>>,
    /// The laws the scenario brings along.
    laws: RefCell<Vec<LawKind>>,
    /// Whether a bare number is meant in SI units.
    is_si: bool,
    /// Bare numbers with the units they were read in.
    units: RefCell<Vec<(Range<usize>, String)>>,
}

pub(crate) type TomlValue<'i> = Spanned<DeValue<'i>>;

fn is_table(value: &TomlValue) -> bool {
    value.get_ref().as_table().is_some()
}

/// What a scenario calls a number of a law that is stated in coefficients, or in forces.
fn own_name(field: &Field, as_forces: bool) -> &'static str {
    match field.kind {
        Kind::Number { force: Some(force), .. } if as_forces => force,
        _ => field.name,
    }
}

/// The key by which a law begins with the numbers of a published set.
const SET: &str = "set";

/// So many problems are listed; the rest are counted.
const MOST_ERRORS: usize = 50;

/// Longest name of a part or study.
const LONGEST_NAME: usize = 80;

impl<'a> Reader<'a> {
    /// Reads a text of that name; files are looked for in `folder`.
    pub fn new(name: &'a str, text: &'a str, folder: &'a Path) -> Self {
        let (errors, laws, units) = Default::default();
        Reader { name, text, folder, errors, laws, is_si: false, units }
    }

    /// The same for a text that a program has made: a bare number is meant in SI units.
    pub fn of_program(name: &'a str, text: &'a str, folder: &'a Path) -> Self {
        Reader { is_si: true, ..Reader::new(name, text, folder) }
    }

    /// The text with every number that was read in its unit, as a file has to have it.
    pub fn text_with_units(&self) -> String {
        let mut text = self.text.to_owned();
        let mut units = self.units.borrow().clone();
        units.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        units.dedup();
        for (span, written) in units {
            text.replace_range(span, &written);
        }
        text
    }

    /// A problem at a place, with a way out.
    pub fn error(&self, problem: Problem, span: Range<usize>, hint: impl Into<String>) -> ScenarioError {
        ScenarioError::new(problem).at(self.name, self.text, span).hint(hint)
    }

    /// Notes a problem and goes on.
    pub fn report(&self, error: ScenarioError) {
        self.errors.borrow_mut().push(error);
    }

    /// What was read, or nothing if there is a problem with it, which is noted.
    pub fn keep<T>(&self, read: Result<T, ScenarioError>) -> Option<T> {
        read.map_err(|e| self.report(e)).ok()
    }

    /// How many problems were noted so far.
    pub fn count(&self) -> usize {
        self.errors.borrow().len()
    }

    /// All problems in one, or nothing.
    pub fn verdict(self) -> Result<(), ScenarioError> {
        let mut errors = self.errors.take();
        errors.sort_by_key(|e| e.span().map_or(0, |s| s.start));
        if errors.len() > MOST_ERRORS {
            let problem = Problem::More { count: errors.len() - MOST_ERRORS };
            errors.truncate(MOST_ERRORS);
            let end = self.text.len();
            errors.push(
                ScenarioError::new(problem).at(self.name, self.text, end..end).hint("mend those above first"),
            );
        }
        ScenarioError::of_all(errors).map_or(Ok(()), Err)
    }

    /// A syntax error; a key written twice under `parts` is two parts of one name.
    pub fn syntax(&self, error: &toml::de::Error) -> ScenarioError {
        let span = error.span().unwrap_or(0..0);
        let reason = error.message().lines().next().unwrap_or_default().to_owned();
        if reason.starts_with("duplicate key") {
            let line_start = self.text[..span.start.min(self.text.len())].rfind('\n').map_or(0, |i| i + 1);
            let line = self.text[line_start..].lines().next().unwrap_or_default().trim();
            if let Some(name) = line.strip_prefix("[parts.").and_then(|rest| rest.strip_suffix(']')) {
                let problem = Problem::Duplicate { name: name.to_owned() };
                return self.error(problem, span, "give one of them another name");
            }
        }
        let start = self.text[..span.start.min(self.text.len())].rfind('\n').map_or(0, |i| i + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let value = line.split_once('=').map_or("", |(_, value)| value.trim());
        if let Some(value) = with_point(value).filter(|_| !value.contains(['"', '['])) {
            return self.error(Problem::Syntax { reason }, span, format!("write a decimal point: {value}"));
        }
        let hint = "a scenario is TOML: `[parts.block]`, then lines such as `mass = \"1 kg\"`";
        self.error(Problem::Syntax { reason }, span, hint)
    }

    /// The place of a value, as deep along the keys as the file goes.
    pub fn span_of(&self, root: &DeTable, keys: &[&str]) -> Range<usize> {
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

    /// Notes keys that are not in the list. `more` is added to the hint.
    pub fn only(&self, table: &DeTable, known: &[&str], owner: &str, more: &str) {
        for key in table.keys().filter(|k| !known.contains(&k.get_ref().as_ref())) {
            let list = || known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
            let hint = match (meant(key.get_ref(), known.iter().copied()), more) {
                (Some(near), "") => format!("did you mean `{near}`?"),
                (Some(near), more) => format!("did you mean `{near}`? {more}"),
                (None, "") => format!("known are {}", list()),
                (None, more) => more.to_owned(),
            };
            let problem = Problem::UnknownKey { key: key.get_ref().to_string(), owner: owner.to_owned() };
            self.report(self.error(problem, key.span(), hint));
        }
    }

    /// A table, or an error at its place.
    pub fn table<'t, 'i>(
        &self,
        key: &str,
        value: &'t TomlValue<'i>,
    ) -> Result<&'t DeTable<'i>, ScenarioError> {
        value.get_ref().as_table().ok_or_else(|| self.wrong_type(key, "a table", value))
    }

    /// A text, or an error at its place.
    pub fn text<'t>(&self, key: &str, value: &'t TomlValue) -> Result<&'t str, ScenarioError> {
        value.get_ref().as_str().ok_or_else(|| self.wrong_type(key, "a text in quotes", value))
    }

    fn wrong_type(&self, key: &str, expected: &str, value: &TomlValue) -> ScenarioError {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("the text \"{text}\""),
            DeValue::Integer(_) | DeValue::Float(_) => format!("the number {}", self.written(value)),
            DeValue::Boolean(flag) => format!("`{flag}`"),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Datetime(_) => "a date".to_owned(),
        };
        let problem = Problem::Type { key: key.to_owned(), expected: expected.to_owned(), found };
        let example = if expected.starts_with("a table") {
            format!("give it a section of its own, or `{key} = {{ … }}`")
        } else if expected.starts_with("a list of quantities") {
            format!("for example `{key} = [\"1 …\", \"2 …\"]`, each with its unit")
        } else if expected.starts_with("a list of tables") {
            format!("for example `{key} = [{{ kind = … }}, {{ kind = … }}]`")
        } else if expected.starts_with("a list") {
            format!("for example `{key} = [\"one\", \"two\"]`")
        } else if expected.starts_with("true") {
            format!("for example `{key} = true`")
        } else if let Some(option) = expected.strip_prefix('"').and_then(|e| e.split('"').next()) {
            format!("for example `{key} = \"{option}\"`")
        } else if expected == "a number" {
            format!("for example `{key} = 1`")
        } else {
            format!("for example `{key} = \"…\"`")
        };
        self.error(problem, value.span(), example)
    }

    /// The value as it stands in the file.
    fn written(&self, value: &TomlValue) -> &str {
        &self.text[value.span()]
    }

    /// All parts that could be read at least in part, in the order of the file, and the names of those with a problem.
    pub fn parts(&self, root: &DeTable, laws: &[LawKind]) -> (Vec<(String, Spec)>, Vec<String>) {
        self.laws.replace(laws.to_vec());
        let (mut parts, mut failed) = (Vec::new(), Vec::new());
        let end = self.text.len();
        let missing = || {
            let hint = "describe the mechanism: [parts.block] with kind = \"mass\" and mass = \"1 kg\"";
            self.report(self.error(Problem::MissingSection { section: "[parts]" }, end..end, hint));
        };
        let Some(value) = root.get("parts") else {
            missing();
            return (parts, failed);
        };
        let Some(table) = self.keep(self.table("parts", value)) else { return (parts, failed) };
        for (key, value) in table {
            let (before, name) = (self.count(), key.get_ref().to_string());
            self.name("part", key);
            let cards = PartKind::ALL.iter().map(|k| k.card());
            if let Some(card) = self.keep(self.kind_of("part", &name, value, cards)) {
                let spec = self.spec(&card, &format!("part `{}`", card.name), value, "1", None);
                parts.extend(spec.map(|spec| (name.clone(), spec)));
            }
            if self.count() > before {
                failed.push(name);
            }
        }
        if table.is_empty() {
            missing();
        }
        (parts, failed)
    }

    /// Notes a name that cannot be shown, cannot be told from a path, or would be computed by a spreadsheet.
    pub fn name(&self, what: &'static str, key: &Spanned<std::borrow::Cow<str>>) {
        let name = key.get_ref().as_ref();
        let reason = if name.trim().is_empty() {
            "it is empty"
        } else if name.chars().any(is_hidden) {
            "it holds characters that cannot be seen"
        } else if name.contains(['.', '/', '\\', '`']) {
            "`.`, `/`, `\\` and `` ` `` have a meaning of their own"
        } else if name.starts_with(['=', '+', '-', '@']) {
            "a spreadsheet takes what begins with `=`, `+`, `-` or `@` for a formula"
        } else if name.chars().count() > LONGEST_NAME {
            "it is too long"
        } else {
            return;
        };
        let problem = Problem::Name { what, name: name.to_owned(), reason };
        self.report(self.error(problem, key.span(), "letters, digits and underscores make good names"));
    }

    /// The card named by the table's `kind`.
    pub fn kind_of(
        &self,
        what: &str,
        name: &str,
        value: &TomlValue,
        mut cards: impl Iterator<Item = Card> + Clone,
    ) -> Result<Card, ScenarioError> {
        let table = self.table(name, value)?;
        let Some(kind) = table.get("kind") else {
            let names: Vec<&str> = cards.map(|c| c.name).collect();
            let problem = Problem::MissingKey { owner: format!("{what} `{name}`"), key: "kind".to_owned() };
            return Err(self.error(problem, value.span(), format!("one of {}", names.join(", "))));
        };
        let word = self.text("kind", kind)?;
        let names: Vec<&str> = cards.clone().map(|c| c.name).collect();
        cards.find(|c| c.name == word).ok_or_else(|| {
            let list = match what {
                "study" => "studies".to_owned(),
                _ => format!("{what}s"),
            };
            let hint = meant(word, names.iter().copied()).map_or_else(
                || format!("`bristle list {list}` lists them"),
                |n| format!("did you mean `{n}`?"),
            );
            let what = if what == "law" { what.to_owned() } else { format!("kind of {what}") };
            let problem = Problem::UnknownKind { what, name: word.to_owned() };
            self.error(problem, kind.span(), hint)
        })
    }

    /// Reads a table by its card, as far as it can be read; what is wrong is noted. `unit` is what a signal inside it
    /// measures.
    pub fn spec(
        &self,
        card: &Card,
        owner: &str,
        value: &TomlValue,
        unit: &str,
        law: Option<&str>,
    ) -> Option<Spec> {
        let table = self.keep(self.table(card.name, value))?;
        let mut known: Vec<&str> = vec!["kind"];
        for field in card.fields {
            known.push(field.name);
            if let Kind::Number { force: Some(force), .. } = field.kind {
                known.push(force);
            }
        }
        if law.is_some() {
            known.push(SET);
        }
        let what =
            if matches!(card.fields, []) { owner.to_owned() } else { format!("a parameter of {owner}") };
        let before = self.count();
        self.only(table, &known, &what, &format!("`bristle show {}` lists its parameters", card.name));
        let mut spec = Spec::of(card);
        let mut preset = None;
        if law.is_some() {
            spec.as_forces = self.keep(self.levels(card, table)).unwrap_or_default();
            preset = self.keep(self.preset(card, table)).flatten();
            if let Some(set) = preset {
                spec.as_forces = set.as_forces();
                spec.names.push((SET.to_owned(), vec![set.name.to_owned()]));
            }
        }
        let (mut number, mut choice) = (0, 0);
        for field in card.fields {
            match field.kind {
                Kind::Number { signal, unit, force, .. }
                    if (signal || law.is_some())
                        && table.get(own_name(field, spec.as_forces)).is_some_and(is_table) =>
                {
                    // The signal stands for the number, which keeps its default.
                    let key = own_name(field, spec.as_forces);
                    let unit = if spec.as_forces && force.is_some() { "N" } else { unit };
                    let nested = table.get(key).map(|value| self.nested("signal", key, value, unit));
                    let read = nested.and_then(|nested| self.keep(nested)).flatten();
                    spec.tables.extend(read.map(|signal| (field.name.to_owned(), signal)));
                    spec.numbers[number] = field.kind.default().unwrap_or(f64::NAN);
                    number += 1;
                }
                Kind::Number { .. }
                    if preset.is_some() && !table.contains_key(own_name(field, spec.as_forces)) =>
                {
                    let published = preset.map(ParameterSet::values).unwrap_or_default();
                    spec.numbers[number] = published.get(number).copied().unwrap_or(spec.numbers[number]);
                    number += 1;
                }
                Kind::Number { .. } => {
                    let read = self.number(card, field, owner, table, value, unit, spec.as_forces);
                    spec.numbers[number] = self.keep(read).unwrap_or(spec.numbers[number]);
                    number += 1;
                }
                Kind::Choice { options } => {
                    spec.choices[choice] = self.keep(self.choice(field, table, options)).unwrap_or_default();
                    choice += 1;
                }
                _ => {
                    self.keep(self.entry(field, owner, table, value, unit, &mut spec));
                }
            }
        }
        if law.is_none() {
            self.keep(self.beside(card, owner, table, &mut spec));
        }
        if card.name == "polyline" && self.count() == before {
            self.keep(table::complete(self, table, value, unit, &mut spec));
        }
        Some(spec)
    }

    /// The published set that a law is told to begin with; what stands beside it overrides its numbers.
    fn preset(&self, card: &Card, table: &DeTable) -> Result<Option<&'static ParameterSet>, ScenarioError> {
        let Some(value) = table.get(SET) else { return Ok(None) };
        let name = self.text(SET, value)?;
        let unknown = |hint: String| {
            let problem = Problem::UnknownKind { what: "set".to_owned(), name: name.to_owned() };
            self.error(problem, value.span(), hint)
        };
        let list = "`bristle list sets` lists them";
        let Some(set) = ParameterSet::named(name) else {
            let near = ParameterSet::near(name).map(|near| format!("did you mean `{near}`? {list}"));
            return Err(unknown(near.unwrap_or_else(|| list.to_owned())));
        };
        if set.law != card.name {
            let others: Vec<_> =
                ParameterSet::of_law(card.name).map(|set| format!("`{}`", set.name)).collect();
            let own = if others.is_empty() {
                format!("law `{}` has no published sets", card.name)
            } else {
                format!("law `{}` has {}", card.name, others.join(", "))
            };
            return Err(unknown(format!("it is a set of law `{}`; {own}", set.law)));
        }
        let other = card.numbers().find_map(|field| match field.kind {
            Kind::Number { force: Some(force), .. } if force != field.name => {
                let [mine, theirs] = if set.as_forces() { [force, field.name] } else { [field.name, force] };
                table.contains_key(theirs).then_some((mine, theirs))
            }
            _ => None,
        });
        let Some((mine, theirs)) = other else { return Ok(Some(set)) };
        let (coefficient, force) = if set.as_forces() { (theirs, mine) } else { (mine, theirs) };
        let problem = Problem::Mixed {
            law: card.name.to_owned(),
            coefficient: coefficient.to_owned(),
            force: force.to_owned(),
        };
        let hint = format!("set `{}` gives friction as `{mine}`: override that", set.name);
        Err(self.error(problem, self.span_of(table, &[theirs]), hint))
    }

    /// What a published set of a contact has beside its law, where the contact does not say otherwise.
    fn beside(
        &self,
        card: &Card,
        owner: &str,
        table: &DeTable,
        spec: &mut Spec,
    ) -> Result<(), ScenarioError> {
        let law = spec.table("law").and_then(|law| law.named(SET).first());
        let Some(set) = law.and_then(|name| ParameterSet::named(name)) else { return Ok(()) };
        for &(name, value) in set.beside {
            match card.numbers().position(|field| field.name == name) {
                Some(place) if !table.contains_key(name) => spec.numbers[place] = value,
                Some(_) => {}
                None => {
                    let owner = owner.to_owned();
                    let problem = Problem::UnknownKey { key: name.to_owned(), owner };
                    let hint = format!(
                        "set `{}` has a number of contacts beside its law: use a part of kind `contact`, or give the numbers of \
                         the law without `{SET}`",
                        set.name
                    );
                    return Err(self.error(problem, self.span_of(table, &["law"]), hint));
                }
            }
        }
        Ok(())
    }

    /// Whether a law's friction is given as forces; giving both is an error.
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
                Err(self.error(problem, span, "give all friction as coefficients, or all as forces"))
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
        whole: &TomlValue,
        signal: &str,
        as_forces: bool,
    ) -> Result<f64, ScenarioError> {
        let Kind::Number { unit, default, min, max, force, whole: whole_number, .. } = field.kind else {
            return Ok(f64::NAN);
        };
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
            return Err(self.error(problem, whole.span(), hint));
        };
        let number = self.quantity(key, value, &unit)?;
        // A law stated in forces has friction of any size; its coefficients' upper bounds do not apply.
        let is_force = as_forces && force.is_some();
        let max = if is_force { f64::INFINITY } else { max };
        let min = if is_force && min < 0.0 { f64::NEG_INFINITY } else { min };
        if let Some(outside) = range::outside(number, [min, max], whole_number, &unit) {
            let written = self.written(value).trim_matches('"').to_owned();
            let hint = format!("{} (`bristle show {}`)", field.doc.trim(), card.name);
            return Err(self.error(outside.problem(key, written), value.span(), hint));
        }
        Ok(number)
    }

    /// Reads `"5 mm/s"`, or a bare number where none is needed.
    pub fn quantity(&self, key: &str, value: &TomlValue, unit: &str) -> Result<f64, ScenarioError> {
        let written = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) if self.is_si && unit != "1" => {
                let written = format!("{} {unit}", self.written(value).replace('_', ""));
                self.units.borrow_mut().push((value.span(), format!("\"{written}\"")));
                written
            }
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
            let pointed = with_point(&written).filter(|text| units::parse(text, unit).is_ok());
            let hint = match pointed {
                Some(text) => format!("write a decimal point: \"{text}\""),
                None => range::unit_hint(&source, unit),
            };
            self.error(Problem::Unit { key: key.to_owned(), source }, value.span(), hint)
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
        whole: &TomlValue,
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
            return Err(self.error(problem, whole.span(), field.doc));
        };
        let name = field.name.to_owned();
        match field.kind {
            Kind::Text { .. }
                if matches!(value.get_ref(), DeValue::Integer(_) | DeValue::Float(_)) && !required =>
            {
                spec.names.push((name, vec![self.written(value).replace('_', "")]));
            }
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
            Kind::Table { catalogue, unit, .. } => {
                let table = self.nested(catalogue, field.name, value, unit.unwrap_or(signal))?;
                spec.tables.extend(table.map(|table| (name, table)));
            }
            Kind::Tables { catalogue } => {
                let list = value
                    .get_ref()
                    .as_array()
                    .ok_or_else(|| self.wrong_type(field.name, "a list of tables", value))?;
                for one in list.iter() {
                    let table = self.nested(catalogue, field.name, one, signal)?;
                    spec.tables.extend(table.map(|table| (name.clone(), table)));
                }
            }
            Kind::Number { .. } | Kind::Choice { .. } => {}
        }
        Ok(())
    }

    fn names(&self, key: &str, value: &TomlValue, count: usize) -> Result<Vec<String>, ScenarioError> {
        let expected = match count {
            0 => "a list of names".to_owned(),
            _ => format!("a list of {count} names"),
        };
        let wrong = || self.wrong_type(key, &expected, value);
        if let (0, Some(table)) = (count, value.get_ref().as_table()) {
            // Lists by the name of what they are for: each word is kept with it.
            let mut names = Vec::new();
            for (owner, list) in table {
                let list = self.names(owner.get_ref(), list, 0)?;
                names.extend(list.into_iter().map(|word| format!("{}={word}", owner.get_ref())));
            }
            return Ok(names);
        }
        let list = value.get_ref().as_array().ok_or_else(wrong)?;
        let names: Option<Vec<String>> =
            list.iter().map(|v| v.get_ref().as_str().map(str::to_owned)).collect();
        names.filter(|n| count == 0 || n.len() == count).ok_or_else(wrong)
    }

    /// A law or signal inside a part; nothing if what is wrong with it was noted already.
    fn nested(
        &self,
        catalogue: &str,
        key: &str,
        value: &TomlValue,
        signal: &str,
    ) -> Result<Option<Spec>, ScenarioError> {
        if catalogue == "law" {
            let own = self.laws.borrow();
            let card = self.kind_of(
                "law",
                key,
                value,
                own.iter().copied().chain(LawKind::all()).map(LawKind::card),
            )?;
            return Ok(self.spec(&card, &format!("law `{}`", card.name), value, "1", Some(card.name)));
        }
        if catalogue == "unknown" {
            let card = UnknownEntry::CARD;
            return Ok(self.spec(&card, "an unknown", value, "1", None));
        }
        let card = self.kind_of("signal", key, value, SignalKind::ALL.iter().map(|k| k.card()))?;
        let before = self.count();
        let spec = self.spec(&card, &format!("signal `{}`", card.name), value, signal, None);
        let error = spec.as_ref().filter(|_| self.count() == before).and_then(SignalKind::fault);
        match error {
            Some(error) => {
                let problem = Problem::Signal { signal: card.name.to_owned(), error };
                let hint = format!("`bristle show {}` explains its parameters", card.name);
                Err(self.error(problem, value.span(), hint))
            }
            None => Ok(spec),
        }
    }
}
