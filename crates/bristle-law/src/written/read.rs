//! A draft becomes the contents of a law: numbers, states and operations, or everything that is wrong with it.

use super::code::{Compiler, Meaning, Names, RESERVED};
use super::formula::{self, Formula, Misread, is_letter};
use super::modes::{self, Changes, REVERSAL};
use super::run::{CodePlace, LawCode};
use super::{DraftState, WrittenDraft, WrittenError};
use crate::LawKind;
use bristle_core::units::{self, Dimension};

/// A law has at most so many parameters.
pub(super) const MOST_PARAMETERS: usize = 24;

/// A law has at most so many states.
pub(super) const MOST_STATES: usize = 8;

/// What a draft says, read and checked.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) parameters: Vec<KnownParameter>,
    pub(super) states: Vec<KnownState>,
    pub(super) code: LawCode,
    pub(super) force: CodePlace,
    pub(super) rates: Vec<CodePlace>,
    /// The rates without load, where they are others.
    pub(super) open: Vec<Option<CodePlace>>,
    pub(super) limit: Option<CodePlace>,
    pub(super) lock_speed: Option<CodePlace>,
    /// What changes the modes that the author has declared.
    pub(super) changes: Changes,
    /// Where the value of each other event stands, and the states it sets.
    pub(super) events: Vec<(CodePlace, Vec<(usize, CodePlace)>)>,
}

/// What is wrong so far.
pub(super) struct Errors(pub(super) Vec<WrittenError>);

impl Errors {
    pub(super) fn note(&mut self, key: &str, text: &str, misread: Misread) {
        let Misread { span, reason, hint } = misread;
        self.0.push(WrittenError { key: key.to_owned(), text: text.to_owned(), span, reason, hint });
    }

    pub(super) fn say(&mut self, key: &str, text: &str, reason: impl Into<String>, hint: impl Into<String>) {
        self.note(key, text, Misread { span: 0..text.len(), reason: reason.into(), hint: hint.into() });
    }

    /// A formula, or nothing if it cannot be read.
    pub(super) fn formula(&mut self, key: &str, text: &str) -> Option<Formula> {
        formula::read(text).map_err(|e| self.note(key, text, e)).ok()
    }

    /// A quantity of a dimension.
    fn quantity(&mut self, key: &str, text: &str, dimension: Dimension) -> Option<f64> {
        let read = units::parse(text, &dimension.to_string());
        read.map_err(|e| self.say(key, text, e.to_string(), format!("for example \"1 {dimension}\""))).ok()
    }

    /// A name that formulas can hold.
    pub(super) fn name(&mut self, what: &str, name: &str, seen: &mut Vec<String>) {
        let key = format!("{what}.{name}");
        let is_word = name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
        if !is_word {
            self.say(&key, name, "it is not a name", "letters, digits and underscores make a name");
        } else if RESERVED.contains(&name)
            || ["if", "choose", REVERSAL].contains(&name)
            || formula::BuiltIn::ALL.iter().any(|f| f.0 == name)
        {
            self.say(&key, name, "this name has a meaning of its own in formulas", "choose another name");
        } else if seen.iter().any(|s| s == name) {
            self.say(&key, name, "this name is given twice", "choose another name for one of them");
        }
        seen.push(name.to_owned());
    }
}

/// Reads a draft, with its own numbers or with others in their place.
pub(super) fn read(draft: &WrittenDraft, numbers: Option<&[f64]>) -> Result<Contents, Vec<WrittenError>> {
    let mut errors = Errors(Vec::new());
    if LawKind::all().any(|kind| kind.card().name == draft.name) {
        errors.say("name", &draft.name, "the catalogue has a law of this name", "give yours another name");
    }
    let mut seen = Vec::new();
    let mut parameters = parameters(draft, &mut errors, &mut seen);
    for (parameter, number) in parameters.iter_mut().zip(numbers.unwrap_or_default()) {
        parameter.value = *number;
    }
    let states = states(draft, &mut errors, &mut seen);
    draft.terms.iter().for_each(|(name, _)| errors.name("where", name, &mut seen));
    let values = modes::values(draft, &mut errors, &mut seen);
    let terms: Vec<Option<Formula>> =
        draft.terms.iter().map(|(name, text)| errors.formula(&format!("where.{name}"), text)).collect();

    let mut names = Names::new();
    for (i, (parameter, known)) in draft.parameters.iter().zip(&parameters).enumerate() {
        names.insert(&parameter.name, Meaning::Parameter(i, known.dimension, known.value));
    }
    for (i, (state, known)) in draft.states.iter().zip(&states).enumerate() {
        names.insert(&state.name, Meaning::State(i, known.dimension, known.range));
    }
    for (name, mode, value) in &values {
        names.insert(name, Meaning::Mode(*mode, *value));
    }
    for ((name, _), term) in draft.terms.iter().zip(&terms) {
        if let Some(term) = term {
            names.insert(name, Meaning::Term(term));
        }
    }
    // A term is judged where it is written; whoever uses it says nothing more.
    for ((name, text), term) in draft.terms.iter().zip(&terms) {
        if let Some(term) = term
            && let Err(e) = Compiler::new(&names).any(term)
        {
            errors.note(&format!("where.{name}"), text, e);
        }
    }
    if !errors.0.is_empty() {
        return Err(errors.0);
    }

    let mut compiler = Compiler::before_modes(&names);
    let mut changes = modes::changes(draft, &values, &mut compiler, &mut errors);
    let newton = Dimension::of("N").unwrap_or(Dimension::ONE);
    let force = match draft.force.trim() {
        "" => {
            errors.say(
                "force",
                "",
                "the force is missing",
                "force = \"…\" in newtons, positive against positive sliding",
            );
            None
        }
        text => place(&mut compiler, &mut errors, "force", text, newton),
    };
    let second = Dimension::of("s").unwrap_or(Dimension::ONE);
    let mut rates = Vec::new();
    for (state, known) in draft.states.iter().zip(&states) {
        match draft.rates.iter().find(|(name, _)| *name == state.name) {
            Some((name, text)) => {
                rates.extend(place(
                    &mut compiler,
                    &mut errors,
                    &format!("rates.{name}"),
                    text,
                    known.dimension.over(second),
                ));
            }
            None => {
                let unit = known.dimension.over(second);
                let hint = format!("rates = {{ {} = \"…\" }} in {unit}", state.name);
                errors.say(
                    &format!("states.{}", state.name),
                    &state.name,
                    "the rate of this state is missing",
                    hint,
                );
            }
        }
    }
    for (name, text) in &draft.rates {
        if !draft.states.iter().any(|s| s.name == *name) {
            let hint = format!("states = {{ {name} = \"unit\" }} declares it");
            errors.say(&format!("rates.{name}"), text, format!("there is no state `{name}`"), hint);
        }
    }
    for (name, text) in &draft.open {
        if !draft.states.iter().any(|s| s.name == *name) {
            let hint = "the rate of a state of the law while the surfaces are apart";
            errors.say(&format!("open.{name}"), text, format!("there is no state `{name}`"), hint);
        }
    }
    let mut apart = |(state, known): (&DraftState, &KnownState)| {
        let (name, text) = draft.open.iter().find(|(name, _)| *name == state.name)?;
        place(&mut compiler, &mut errors, &format!("open.{name}"), text, known.dimension.over(second))
    };
    let open = draft.states.iter().zip(&states).map(&mut apart).collect();
    let limit =
        draft.limit.as_ref().and_then(|text| place(&mut compiler, &mut errors, "limit", text, newton));
    let speed = Dimension::of("m/s").unwrap_or(Dimension::ONE);
    let lock_speed = draft
        .lock_speed
        .as_ref()
        .and_then(|text| place(&mut compiler, &mut errors, "lock_speed", text, speed));
    if let Some(text) = draft.lock_speed.as_ref().filter(|_| draft.limit.is_none()) {
        errors.say("lock_speed", text, "nothing is locked without a `limit`", "give what is borne at rest");
    }
    let mut events = Vec::new();
    let mut next_change = 0;
    for (i, event) in draft.events.iter().enumerate() {
        let key = format!("events.{i}");
        let mut set = Vec::new();
        for (name, text) in &event.set {
            let key = format!("{key}.set.{name}");
            let Some(state) = draft.states.iter().position(|s| s.name == *name) else {
                errors.say(
                    &key,
                    text,
                    format!("there is no state `{name}`"),
                    "an event sets states of the law",
                );
                continue;
            };
            set.extend(
                place(&mut compiler, &mut errors, &key, text, states[state].dimension)
                    .map(|place| (state, place)),
            );
        }
        if event.from.is_some() || event.to.is_some() {
            if let Some(change) = changes.all.get_mut(next_change) {
                change.set = set;
                next_change += 1;
            }
            continue;
        }
        let Some(when) = errors.formula(&format!("{key}.when"), &event.when) else { continue };
        match compiler.any(&when) {
            Ok(place) => events.push((place, set)),
            Err(e) => errors.note(&format!("{key}.when"), &event.when, e),
        }
    }
    let code = compiler.finish();
    let Some(force) = force.filter(|_| errors.0.is_empty()) else { return Err(errors.0) };
    Ok(Contents { parameters, states, code, force, rates, open, limit, lock_speed, changes, events })
}

/// Adds a formula that must measure something, or notes what is wrong with it.
fn place(
    compiler: &mut Compiler,
    errors: &mut Errors,
    key: &str,
    text: &str,
    dimension: Dimension,
) -> Option<CodePlace> {
    let formula = errors.formula(key, text)?;
    compiler.add(&formula, dimension).map_err(|e| errors.note(key, text, e)).ok()
}

/// What is known of a parameter.
#[derive(Debug)]
pub(super) struct KnownParameter {
    pub(super) dimension: Dimension,
    pub(super) value: f64,
    pub(super) range: [f64; 2],
}

fn parameters(draft: &WrittenDraft, errors: &mut Errors, seen: &mut Vec<String>) -> Vec<KnownParameter> {
    if draft.parameters.len() > MOST_PARAMETERS {
        let reason =
            format!("{} parameters, but a law has at most {MOST_PARAMETERS}", draft.parameters.len());
        errors.say("parameters", &draft.name, reason, "write constants into the formulas");
    }
    let mut all = Vec::new();
    for parameter in &draft.parameters {
        errors.name("parameters", &parameter.name, seen);
        let key = format!("parameters.{}", parameter.name);
        let (value, dimension) = units::quantity(&parameter.default).unwrap_or_else(|e| {
            let hint = "a value with its unit: \"1.5 N\", \"1 mm/s\", \"0.3\"";
            errors.say(&key, &parameter.default, e.to_string(), hint);
            (0.0, Dimension::ONE)
        });
        let mut bound = |text: &Option<String>, otherwise: f64| match text {
            Some(text) => errors.quantity(&key, text, dimension).unwrap_or(otherwise),
            None => otherwise,
        };
        let range = [bound(&parameter.min, -units::LARGEST), bound(&parameter.max, units::LARGEST)];
        if !(range[0]..=range[1]).contains(&value) {
            errors.say(
                &key,
                &parameter.default,
                "the value lies outside its own range",
                "widen `min` and `max`",
            );
        }
        all.push(KnownParameter { dimension, value, range });
    }
    all
}

/// What is known of a state.
#[derive(Debug)]
pub(super) struct KnownState {
    pub(super) dimension: Dimension,
    pub(super) initial: f64,
    range: [f64; 2],
    pub(super) scale: Option<f64>,
}

fn states(draft: &WrittenDraft, errors: &mut Errors, seen: &mut Vec<String>) -> Vec<KnownState> {
    if draft.states.len() > MOST_STATES {
        let reason = format!("{} states, but a law has at most {MOST_STATES}", draft.states.len());
        errors.say("states", &draft.name, reason, "describe the contact with fewer");
    }
    let mut all = Vec::new();
    for state in &draft.states {
        errors.name("states", &state.name, seen);
        let key = format!("states.{}", state.name);
        let dimension = Dimension::of(&state.unit).unwrap_or_else(|e| {
            errors.say(&key, &state.unit, e.to_string(), "a unit: \"m\", \"s\", \"1\"");
            Dimension::ONE
        });
        let mut read =
            |text: &Option<String>| text.as_ref().and_then(|t| errors.quantity(&key, t, dimension));
        let (initial, scale) = (read(&state.initial).unwrap_or(0.0), read(&state.scale));
        let range = [read(&state.min).unwrap_or(-1e30), read(&state.max).unwrap_or(1e30)];
        if !(range[0]..=range[1]).contains(&initial) {
            errors.say(
                &key,
                &state.unit,
                "the initial value lies outside the range",
                "give `initial` within `min` and `max`",
            );
        }
        if scale.is_some_and(|s| s <= 0.0) {
            errors.say(&key, &state.unit, "the scale must be positive", "give the state's typical size");
        }
        all.push(KnownState { dimension, initial, range, scale });
    }
    all
}
