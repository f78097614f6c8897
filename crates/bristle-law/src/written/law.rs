//! A written law, read and checked, and the same with its numbers.

use super::code::{Code, Compiler, Meaning, Names, Place, RESERVED};
use super::formula::{self, Formula, Misread, is_letter};
use super::{Draft, WrittenError};
use crate::LawKind;
use crate::law::At;
use bristle_core::units::{self, Dimension};
use bristle_core::{Card, Dual, Field, Kind, Mode, Scalar, StateCard, StateRole};
use std::hash::{Hash, Hasher};
use std::sync::RwLock;

/// A law has at most so many parameters.
const MOST_PARAMETERS: usize = 24;

/// A law has at most so many states.
const MOST_STATES: usize = 8;

/// A law read from text. All laws that were read are kept, each once, for as long as the program runs.
#[derive(Debug)]
pub struct WrittenLaw {
    draft: Draft,
    card: Card,
    code: Code,
    force: Place,
    rates: Vec<Place>,
    limit: Option<Place>,
    /// Where each event's value stands, and the states it sets.
    events: Vec<(Place, Vec<(usize, Place)>)>,
    initial: Vec<f64>,
    scales: Vec<Option<f64>>,
    /// Places of the parameters that are speeds.
    speeds: Vec<usize>,
}

impl PartialEq for WrittenLaw {
    fn eq(&self, other: &Self) -> bool {
        self.card.name == other.card.name
    }
}

impl Eq for WrittenLaw {}

impl Hash for WrittenLaw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.card.name.hash(state);
    }
}

static LAWS: RwLock<Vec<&'static WrittenLaw>> = RwLock::new(Vec::new());

/// The written law of that name.
pub(crate) fn named(name: &str) -> Option<&'static WrittenLaw> {
    LAWS.read().ok()?.iter().find(|law| law.card.name == name).copied()
}

/// Reads a draft, or finds the law that was read from the same.
pub(super) fn enter(draft: &Draft) -> Result<&'static WrittenLaw, Vec<WrittenError>> {
    let same = |laws: &[&'static WrittenLaw]| laws.iter().find(|law| law.draft == *draft).copied();
    if let Some(law) = LAWS.read().ok().and_then(|laws| same(&laws)) {
        return Ok(law);
    }
    let mut law = read(draft)?;
    let mut laws = LAWS.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(law) = same(&laws) {
        return Ok(law);
    }
    // A second law of one name is told from the first.
    let of_name = laws.iter().filter(|l| l.draft.name == draft.name).count();
    if of_name > 0 {
        law.card.name = leak(&format!("{}~{}", draft.name, of_name + 1));
    }
    let law: &'static WrittenLaw = Box::leak(Box::new(law));
    laws.push(law);
    Ok(law)
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// What is wrong so far.
struct Errors(Vec<WrittenError>);

impl Errors {
    fn note(&mut self, key: &str, text: &str, misread: Misread) {
        let Misread { span, reason, hint } = misread;
        self.0.push(WrittenError { key: key.to_owned(), text: text.to_owned(), span, reason, hint });
    }

    fn say(&mut self, key: &str, text: &str, reason: impl Into<String>, hint: impl Into<String>) {
        self.note(key, text, Misread { span: 0..text.len(), reason: reason.into(), hint: hint.into() });
    }

    /// A formula, or nothing if it cannot be read.
    fn formula(&mut self, key: &str, text: &str) -> Option<Formula> {
        formula::read(text).map_err(|e| self.note(key, text, e)).ok()
    }

    /// A quantity of a dimension.
    fn quantity(&mut self, key: &str, text: &str, dimension: Dimension) -> Option<f64> {
        let read = units::parse(text, &dimension.to_string());
        read.map_err(|e| self.say(key, text, e.to_string(), format!("for example \"1 {dimension}\""))).ok()
    }

    /// A name that formulas can hold.
    fn name(&mut self, what: &str, name: &str, seen: &mut Vec<String>) {
        let key = format!("{what}.{name}");
        let is_word = name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
        if !is_word {
            self.say(&key, name, "it is not a name", "letters, digits and underscores make a name");
        } else if RESERVED.contains(&name)
            || name == "if"
            || formula::Function::ALL.iter().any(|f| f.0 == name)
        {
            self.say(&key, name, "this name has a meaning of its own in formulas", "choose another name");
        } else if seen.iter().any(|s| s == name) {
            self.say(&key, name, "this name is given twice", "choose another name for one of them");
        }
        seen.push(name.to_owned());
    }
}

fn read(draft: &Draft) -> Result<WrittenLaw, Vec<WrittenError>> {
    let mut errors = Errors(Vec::new());
    if LawKind::ALL.iter().any(|kind| kind.card().name == draft.name) {
        errors.say("name", &draft.name, "the catalogue has a law of this name", "give yours another name");
    }
    let mut seen = Vec::new();
    let (parameters, fields, speeds) = parameters(draft, &mut errors, &mut seen);
    let states = states(draft, &mut errors, &mut seen);
    draft.terms.iter().for_each(|(name, _)| errors.name("where", name, &mut seen));
    let terms: Vec<Option<Formula>> =
        draft.terms.iter().map(|(name, text)| errors.formula(&format!("where.{name}"), text)).collect();

    let mut names = Names::new();
    for (i, (parameter, (dimension, value))) in draft.parameters.iter().zip(&parameters).enumerate() {
        names.insert(&parameter.name, Meaning::Parameter(i, *dimension, *value));
    }
    for (i, (state, known)) in draft.states.iter().zip(&states).enumerate() {
        names.insert(&state.name, Meaning::State(i, known.dimension, known.range));
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

    let mut compiler = Compiler::new(&names);
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
    let limit =
        draft.limit.as_ref().and_then(|text| place(&mut compiler, &mut errors, "limit", text, newton));
    let mut events = Vec::new();
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
        let Some(when) = errors.formula(&format!("{key}.when"), &event.when) else { continue };
        match compiler.any(&when) {
            Ok(place) => events.push((place, set)),
            Err(e) => errors.note(&format!("{key}.when"), &event.when, e),
        }
    }
    let code = compiler.finish();
    let Some(force) = force.filter(|_| errors.0.is_empty()) else { return Err(errors.0) };
    let card = card(draft, fields, &states, limit.is_some());
    Ok(WrittenLaw {
        draft: draft.clone(),
        card,
        code,
        force,
        rates,
        limit,
        events,
        initial: states.iter().map(|s| s.initial).collect(),
        scales: states.iter().map(|s| s.scale).collect(),
        speeds,
    })
}

/// Adds a formula that must measure something, or notes what is wrong with it.
fn place(
    compiler: &mut Compiler,
    errors: &mut Errors,
    key: &str,
    text: &str,
    dimension: Dimension,
) -> Option<Place> {
    let formula = errors.formula(key, text)?;
    compiler.add(&formula, dimension).map_err(|e| errors.note(key, text, e)).ok()
}

/// What parameters measure and are, their fields, and which of them are speeds.
#[allow(clippy::type_complexity)]
fn parameters(
    draft: &Draft,
    errors: &mut Errors,
    seen: &mut Vec<String>,
) -> (Vec<(Dimension, f64)>, Vec<Field>, Vec<usize>) {
    if draft.parameters.len() > MOST_PARAMETERS {
        let reason =
            format!("{} parameters, but a law has at most {MOST_PARAMETERS}", draft.parameters.len());
        errors.say("parameters", &draft.name, reason, "write constants into the formulas");
    }
    let (mut all, mut fields, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
    for (i, parameter) in draft.parameters.iter().enumerate() {
        errors.name("parameters", &parameter.name, seen);
        let key = format!("parameters.{}", parameter.name);
        let (value, dimension) = units::quantity(&parameter.default).unwrap_or_else(|e| {
            errors.say(
                &key,
                &parameter.default,
                e.to_string(),
                "a value with its unit: \"1.5 N\", \"1 mm/s\", \"0.3\"",
            );
            (0.0, Dimension::ONE)
        });
        let mut bound = |text: &Option<String>, otherwise: f64| match text {
            Some(text) => errors.quantity(&key, text, dimension).unwrap_or(otherwise),
            None => otherwise,
        };
        let (min, max) = (bound(&parameter.min, -units::LARGEST), bound(&parameter.max, units::LARGEST));
        if !(min..=max).contains(&value) {
            errors.say(
                &key,
                &parameter.default,
                "the value lies outside its own range",
                "widen `min` and `max`",
            );
        }
        if Dimension::of("m/s") == Ok(dimension) {
            speeds.push(i);
        }
        all.push((dimension, value));
        fields.push(Field {
            name: leak(&parameter.name),
            symbol: leak(&parameter.name),
            doc: leak(&parameter.doc),
            kind: Kind::Number {
                unit: leak(&dimension.to_string()),
                default: Some(value),
                min,
                max,
                force: None,
                whole: false,
                signal: false,
            },
            role: parameter.role,
        });
    }
    (all, fields, speeds)
}

/// What is known of a state.
struct KnownState {
    dimension: Dimension,
    initial: f64,
    range: [f64; 2],
    scale: Option<f64>,
}

fn states(draft: &Draft, errors: &mut Errors, seen: &mut Vec<String>) -> Vec<KnownState> {
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

/// The card of a draft. The names of all laws that were read stay for as long as the program runs.
fn card(draft: &Draft, fields: Vec<Field>, states: &[KnownState], is_set_valued: bool) -> Card {
    let mut doc = draft.doc.trim().to_owned();
    if doc.is_empty() {
        doc = format!("The law `{}`, written in a scenario.", draft.name);
    }
    doc.push_str("\n\n```text\n");
    let mut line = |left: &str, right: &str| doc.push_str(&format!("{left} = {right}\n"));
    draft.terms.iter().for_each(|(name, text)| line(name, text));
    draft.rates.iter().for_each(|(name, text)| line(&format!("d{name}/dt"), text));
    line("F", &draft.force);
    if let Some(limit) = &draft.limit {
        line("|F| at rest ≤", limit);
    }
    doc.push_str("```\n");
    let cards: Vec<StateCard> = draft
        .states
        .iter()
        .zip(states)
        .map(|(state, known)| StateCard {
            name: leak(&state.name),
            unit: leak(&known.dimension.to_string()),
            role: state.role.unwrap_or(if Dimension::of("m") == Ok(known.dimension) {
                StateRole::Deflection
            } else {
                StateRole::Strength
            }),
        })
        .collect();
    let tags: &[&str] = if is_set_valued { &["written", "set-valued"] } else { &["written"] };
    Card {
        name: leak(&draft.name),
        doc: leak(&doc),
        fields: Box::leak(fields.into_boxed_slice()),
        states: Box::leak(cards.into_boxed_slice()),
        cite: &[],
        tags: Box::leak(tags.to_vec().into_boxed_slice()),
    }
}

impl WrittenLaw {
    /// Its card. A second law of one name gets a number behind it.
    pub fn card(&self) -> Card {
        self.card
    }

    /// Whether element 0 is the direction of sliding.
    fn keeps_direction(&self) -> bool {
        self.code.uses_direction() || self.limit.is_some()
    }
}

/// A written law with its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Written<S> {
    law: &'static WrittenLaw,
    numbers: [S; MOST_PARAMETERS],
}

impl<S> Written<S> {
    pub(crate) fn law(&self) -> &'static WrittenLaw {
        self.law
    }
}

impl<S: Scalar> Written<S> {
    pub(crate) fn new(law: &'static WrittenLaw, numbers: &[S]) -> Self {
        Written { law, numbers: std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(S::zero())) }
    }

    /// The modes of the choices among those of all elements.
    fn choices<'m>(&self, mode: &'m [Mode]) -> &'m [Mode] {
        mode.get(usize::from(self.law.keeps_direction())..).unwrap_or(&[])
    }

    fn values(&self, at: &At<S>, z: &[S]) -> super::code::Values<S> {
        self.law.code.run(&self.numbers, at, self.choices(at.mode), z)
    }

    pub(crate) fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let values = self.values(at, z);
        for (slot, place) in dz.iter_mut().zip(&self.law.rates) {
            *slot = values[*place as usize];
        }
        at.closed(values[self.law.force as usize])
    }

    pub(crate) fn limit(&self, at: &At<S>, z: &[S]) -> Option<S> {
        let place = self.law.limit?;
        Some(at.closed(self.values(at, z)[place as usize]))
    }

    pub(crate) fn lock_speed(&self, _at: &At<S>) -> S {
        S::zero()
    }

    pub(crate) fn coasts(&self) -> bool {
        false
    }

    pub(crate) fn uses_hold(&self) -> bool {
        self.law.code.uses_hold()
    }

    pub(crate) fn keeps_direction(&self) -> bool {
        self.law.keeps_direction()
    }

    pub(crate) fn elements(&self) -> usize {
        usize::from(self.law.keeps_direction()) + self.law.code.choices() + self.law.events.len()
    }

    pub(crate) fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        let mut next = 0;
        if let Some(mode) = at.mode.first().filter(|_| self.law.keeps_direction()) {
            g[0] = at.v * mode.sign();
            next = 1;
        }
        let values = self.values(at, z);
        for border in self.law.code.borders(&values) {
            g[next] = border * at.mode[next].sign();
            next += 1;
        }
        for (place, _) in &self.law.events {
            g[next] = values[*place as usize];
            next += 1;
        }
    }

    pub(crate) fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        let first = usize::from(self.law.keeps_direction()) + self.law.code.choices();
        let Some((_, set)) = fired.checked_sub(first).and_then(|i| self.law.events.get(i)) else {
            mode[fired] = mode[fired].reversed();
            return;
        };
        let p = self.numbers.map(|p| p.value());
        let values = self.law.code.run(&p, at, self.choices(mode), z);
        for (state, place) in set {
            z[*state] = values[*place as usize];
        }
        self.settle(at, z, mode);
    }

    /// Sets the modes of the choices by the values.
    fn settle(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let first = usize::from(self.law.keeps_direction());
        let p = self.numbers.map(|p| p.value());
        let direction = &mode[..first.min(mode.len())];
        let at = At { mode: direction, ..*at };
        let values = self.law.code.run(&p, &at, &[], z);
        let found: Vec<bool> = self.law.code.borders(&values).map(|b| b > 0.0).collect();
        for (slot, is_less) in mode[first..].iter_mut().zip(found) {
            *slot = if is_less { Mode::Forward } else { Mode::Backward };
        }
    }

    pub(crate) fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        if self.law.keeps_direction()
            && let Some(mode) = mode.first_mut()
        {
            *mode = Mode::of(at.v);
        }
        self.settle(at, z, mode);
    }

    pub(crate) fn released(&self, _at: &At<f64>, _mode: &mut [Mode]) {}

    pub(crate) fn initial(&self, z: &mut [f64]) {
        z.copy_from_slice(&self.law.initial);
    }

    /// What the author says, else the size of the state in steady sliding, else its initial value.
    pub(crate) fn scales(&self, n: f64, scale: &mut [f64]) {
        let p = self.numbers.map(|p| p.value());
        let steady = [1.0, 1e-2].into_iter().find_map(|v| steady(self.law, &p, v, n.max(1e-3)));
        for (i, slot) in scale.iter_mut().enumerate() {
            let is_size = |x: &f64| x.is_finite() && *x > 1e-15;
            let found = steady.as_ref().map(|z| z[i].abs()).filter(is_size);
            let start = Some(self.law.initial[i].abs()).filter(is_size);
            *slot = self.law.scales[i].or(found).or(start).unwrap_or(1.0);
        }
    }

    /// The least of the law's own speeds, where its force turns smoothly.
    pub(crate) fn finest_speed(&self) -> Option<f64> {
        if self.law.keeps_direction() { None } else { self.peak_width() }
    }

    /// The least of the law's own speeds.
    pub(crate) fn peak_width(&self) -> Option<f64> {
        let speeds = self.law.speeds.iter().map(|i| self.numbers[*i].value().abs());
        speeds.filter(|v| *v > 0.0).min_by(f64::total_cmp)
    }

    pub(crate) fn fault(&self) -> Option<&'static str> {
        let numbers = &self.numbers[..self.law.draft.parameters.len()];
        let is_number = numbers.iter().all(|p| p.value().is_finite());
        if !is_number {
            return Some("a parameter is not a number");
        }
        let changed = {
            let mut draft = self.law.draft.clone();
            for (parameter, (value, field)) in
                draft.parameters.iter_mut().zip(numbers.iter().zip(self.law.card.fields))
            {
                let Kind::Number { unit, .. } = field.kind else { continue };
                parameter.default = if unit == "1" {
                    format!("{:e}", value.value())
                } else {
                    format!("{:e} {unit}", value.value())
                };
                (parameter.min, parameter.max) = (None, None);
            }
            read(&draft)
        };
        changed
            .is_err()
            .then_some("with these numbers a divisor can be zero, or a root or logarithm has none")
    }

    pub(crate) fn caution(&self, _n: f64) -> Option<&'static str> {
        None
    }
}

/// The states of steady sliding, by Newton's method.
fn steady(law: &WrittenLaw, p: &[f64], v: f64, n: f64) -> Option<Vec<f64>> {
    let count = law.initial.len();
    let lifted: Vec<Dual<MOST_STATES>> = p.iter().map(|p| Dual::from(*p)).collect();
    let at = At::sliding(Dual::from(v), Dual::from(n));
    let mut z = law.initial.clone();
    for _ in 0..60 {
        let seeded: Vec<Dual<MOST_STATES>> =
            z.iter().enumerate().map(|(i, z)| bristle_core::seed(*z, i)).collect();
        let values = law.code.run(&lifted, &at, &[], &seeded);
        let mut rows: Vec<Vec<f64>> = law
            .rates
            .iter()
            .map(|place| {
                let rate = values[*place as usize];
                rate.eps[..count].iter().copied().chain([-rate.re]).collect()
            })
            .collect();
        let step = solve(&mut rows)?;
        let size: f64 =
            z.iter().zip(&step).map(|(z, d)| (d / (z + d).abs().max(1e-300)).abs()).fold(0.0, f64::max);
        z.iter_mut().zip(&step).for_each(|(z, d)| *z += d);
        if !z.iter().all(|z| z.is_finite()) {
            return None;
        }
        if size < 1e-6 {
            return Some(z);
        }
    }
    None
}

/// Elimination with pivots; the last entry of each row is its right-hand side.
fn solve(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k] == 0.0 || !rows[k][k].is_finite() {
            return None;
        }
        for i in 0..n {
            if i != k {
                let factor = rows[i][k] / rows[k][k];
                for j in k..=n {
                    rows[i][j] -= factor * rows[k][j];
                }
            }
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}
