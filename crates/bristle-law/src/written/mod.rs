//! Laws written as text: parameters, states and formulas with units, no Rust at all.
//!
//! A [`WrittenDraft`] is what somebody wrote; [`LawKind::written`] reads its formulas, checks their units, and gives a law that differs from
//! those of the catalogue in nothing: it has a card, runs in every number type, keeps the direction of sliding as a mode where its
//! formulas hold `abs(v)` or `sign(v)`, and locates the border of every `if` as an event. Modes that a law declares are remembered
//! and change at its events.

mod card;
mod code;
mod expression;
mod formula;
mod law;
mod modes;
mod reach;
mod read;
mod run;
mod steady;

pub use expression::Expression;
pub use law::{Written, WrittenLaw};

use crate::LawKind;
use bristle_core::{Role, StateRole};
use std::ops::Range;
use thiserror::Error;

/// A law as somebody wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenDraft {
    /// What scenarios call it.
    pub name: String,
    /// What it is, in a sentence or more.
    pub doc: String,
    /// Its parameters, in order.
    pub parameters: Vec<DraftParameter>,
    /// Its states, in order.
    pub states: Vec<DraftState>,
    /// Terms with a name, used by the formulas below and by each other.
    pub terms: Vec<(String, String)>,
    /// The rate of each state, by its name.
    pub rates: Vec<(String, String)>,
    /// The rates of states while the surfaces are apart, by name; those that are not given go on as under load.
    pub open: Vec<(String, String)>,
    /// The friction force, N, positive against positive sliding.
    pub force: String,
    /// The largest force borne at rest, N: makes the law set-valued there.
    pub limit: Option<String>,
    /// The speed at which a sliding contact of a set-valued law is locked, m/s; zero unless given.
    pub lock_speed: Option<String>,
    /// Modes that the law remembers: names, and two or three values of each, of which it begins with the first.
    pub modes: Vec<(String, Vec<String>)>,
    /// What happens to states and modes when a value falls below zero.
    pub events: Vec<DraftEvent>,
}

/// A parameter as somebody wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftParameter {
    /// Its name in formulas.
    pub name: String,
    /// A sentence.
    pub doc: String,
    /// Its value with a unit, `"1.5 N"`.
    pub default: String,
    /// Its smallest value with a unit, if it has one.
    pub min: Option<String>,
    /// Its largest value with a unit, if it has one.
    pub max: Option<String>,
    /// What it is to a law, if the author says so.
    pub role: Option<Role>,
}

/// A state as somebody wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftState {
    /// Its name in formulas.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value before anything has happened, with a unit; zero unless given.
    pub initial: Option<String>,
    /// Its smallest value with a unit, if the formulas keep it above.
    pub min: Option<String>,
    /// Its largest value with a unit, if the formulas keep it below.
    pub max: Option<String>,
    /// Its typical size with a unit, for tolerances; found from steady sliding unless given.
    pub scale: Option<String>,
    /// What it is, if the author says so.
    pub role: Option<StateRole>,
}

/// A jump of states, or a change of a mode, as somebody wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftEvent {
    /// A formula; the event happens where it falls below zero. For a change of a mode also `reversal`: where the slip reverses.
    pub when: String,
    /// The value of a mode that it leads away from, `slider.sticks`.
    pub from: Option<String>,
    /// The value of the same mode that it leads to.
    pub to: Option<String>,
    /// New values of states, by name.
    pub set: Vec<(String, String)>,
}

/// What is wrong with a law somebody wrote.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("`{text}`: {reason}")]
pub struct WrittenError {
    /// Which entry: `force`, `rates.z`, `parameters.F_s` …
    pub key: String,
    /// The text of the entry.
    pub text: String,
    /// The place within that text.
    pub span: Range<usize>,
    /// What is wrong.
    pub reason: String,
    /// A way out.
    pub hint: String,
}

impl LawKind {
    /// The law somebody wrote. The same draft always gives the same law.
    ///
    /// ```
    /// use bristle_law::{At, WrittenDraft, DraftParameter, LawKind};
    ///
    /// let mu = DraftParameter {
    ///     name: "mu".into(), doc: String::new(), default: "0.3".into(), min: None, max: None, role: None,
    /// };
    /// let draft = WrittenDraft { name: "own".into(), parameters: vec![mu], force: "mu * n * sign(v)".into(), ..WrittenDraft::default() };
    /// let law = LawKind::written(&draft).unwrap();
    /// let force = law.build(&[0.25], &[]).eval(&At::sliding(-0.1, 4.0), &[], &mut []);
    /// assert_eq!(force, -1.0);
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place and a way out.
    pub fn written(draft: &WrittenDraft) -> Result<LawKind, Vec<WrittenError>> {
        law::enter(draft)
    }
}
