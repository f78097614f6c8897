//! The sections of a scenario beside its parts.

use crate::error::Problem;
use crate::read::Reader;
use bristle_core::{Card, Described};
use bristle_mech::Spec;
use bristle_solve::{Method, Solver};
use toml::de::DeTable;

/// How to integrate.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "solver",
    entry(
        name = "method",
        text,
        optional,
        doc = "Which method; `bristle list methods` shows them. `auto` chooses by the stiffness it sees."
    )
)]
pub struct SolverSettings<S> {
    /// Relative tolerance of each step.
    #[param(symbol = "rtol", unit = "1", default = 1e-9, min = Solver::RTOL[0], max = Solver::RTOL[1])]
    pub rtol: S,
    /// Absolute tolerance of each step, in units of each state's typical magnitude; `rtol` unless given.
    #[param(symbol = "atol", unit = "1", default = f64::NAN, min = Solver::ATOL[0], max = Solver::ATOL[1])]
    pub atol: S,
    /// Largest step; the duration unless given.
    #[param(symbol = "h_max", unit = "s", default = f64::NAN, min = 1e-15)]
    pub h_max: S,
    /// Largest number of steps before giving up.
    #[param(symbol = "n_max", unit = "1", default = 1e8, min = 1.0, whole)]
    pub max_steps: S,
}

/// A number to be found.
///
/// Between `from` and `to`, or known beforehand as `value` with the standard error `within`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "unknown",
    entry(name = "path", text, doc = "The number, such as `pad.law.F_d` or `tie.k`."),
    entry(name = "with", names = 0, doc = "Other numbers that have the same value."),
    entry(
        name = "from",
        text,
        optional,
        doc = "Smallest value, with its unit; chosen from the record unless given."
    ),
    entry(name = "to", text, optional, doc = "Largest value, with its unit."),
    entry(name = "start", text, optional, doc = "A value to begin with, beside all that are tried."),
    entry(name = "value", text, optional, doc = "What is known of it beforehand."),
    entry(name = "within", text, optional, doc = "The standard error of that.")
)]
pub struct UnknownEntry {}

/// How to integrate; what is wrong is noted.
pub fn solver(reader: &Reader, root: &DeTable) -> Option<Solver> {
    let mut solver = Solver::default();
    let card = SolverSettings::<f64>::CARD;
    let Some(value) = root.get("solver") else {
        solver.rtol = card.defaults()[0];
        solver.atol = solver.rtol;
        return Some(solver);
    };
    let spec = reader.spec(&card, "solver", value, "1", None)?;
    solver.rtol = spec.numbers[0];
    solver.atol = if spec.numbers[1].is_nan() { spec.numbers[0] } else { spec.numbers[1] };
    solver.h_max = Some(spec.numbers[2]).filter(|h| !h.is_nan());
    solver.max_steps = spec.numbers[3] as usize;
    if let Some(word) = spec.named("method").first() {
        let Some(method) = Method::named(word) else {
            let near = crate::synonyms::meant(word, Method::ALL.iter().map(|m| m.card().name));
            let hint = match near {
                _ if word == "generalised_alpha" => {
                    "cables are moved by the methods of everything else: leave it out for `auto`".to_owned()
                }
                _ if Method::EVERY.iter().any(|m| m.name() == word) => {
                    "this build leaves it out; build with the feature `diffsol`, or take `auto`".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => "`bristle list methods` lists them".to_owned(),
            };
            let problem = Problem::UnknownKind { what: "method".to_owned(), name: word.clone() };
            reader.report(reader.error(problem, reader.span_of(root, &["solver", "method"]), hint));
            return None;
        };
        solver.method = method;
    }
    Some(solver)
}

/// A question as it is written: which one, and its values.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the scenario calls it.
    pub name: String,
    /// Its card.
    pub card: Card,
    /// Its values.
    pub spec: Spec,
}

/// What is wrong with the values of a question together, and at which key.
pub type QuestionError = dyn Fn(&Card, &Spec) -> Option<(&'static str, String)>;

/// The questions that could be read, from a catalogue of them; what is wrong with the others is noted.
pub fn questions(reader: &Reader, root: &DeTable, cards: &[Card], error: &QuestionError) -> Vec<Question> {
    let mut questions = Vec::new();
    let missing = || {
        let end = reader.text.len();
        let hint = "ask a question: [studies.run] with kind = \"simulate\" and duration = \"10 s\"";
        reader.report(reader.error(Problem::MissingSection { section: "[studies]" }, end..end, hint));
    };
    let Some(value) = root.get("studies") else {
        missing();
        return questions;
    };
    let Some(table) = reader.keep(reader.table("studies", value)) else { return questions };
    for (key, value) in table {
        let (before, name) = (reader.count(), key.get_ref().to_string());
        reader.name("study", key);
        let kinds = cards.iter().copied();
        let Some(card) = reader.keep(reader.kind_of("study", &name, value, kinds)) else { continue };
        let owner = format!("study `{}`", card.name);
        let Some(spec) = reader.spec(&card, &owner, value, "1", None) else { continue };
        if reader.count() > before {
            continue;
        }
        if let Some((key, reason)) = error(&card, &spec) {
            let span = reader.span_of(root, &["studies", &name, key]);
            let hint = format!("`bristle show {}` explains its parameters", card.name);
            reader.report(reader.error(Problem::Study { study: name, reason }, span, hint));
            continue;
        }
        questions.push(Question { name, card, spec });
    }
    if table.is_empty() {
        missing();
    }
    questions
}
