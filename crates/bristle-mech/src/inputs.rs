//! What is set from outside while a run goes on.

use crate::builder::{Builder, Placed};
use crate::coordinate::{Coordinate, Follows};
use crate::error::MechError;
use crate::system::System;
use bristle_core::{Card, Kind};
use bristle_law::LawKind;

/// A value that is set from outside while a run goes on: a signal of kind `input`.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveInput {
    /// What it drives, such as `push.signal`, `belt.velocity`, `pad.load` or `pad.law.mu_s`.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
    /// A sentence.
    pub doc: &'static str,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
    /// The place of its value among the parameters; its slope and the time of the value follow.
    pub place: usize,
}

impl LiveInput {
    /// The places of its value, its slope and the time of the value.
    pub fn places(&self) -> [usize; 3] {
        [self.place, self.place + 1, self.place + 2]
    }

    /// Its value at time `t`, by these parameters.
    pub fn value(&self, p: &[f64], t: f64) -> f64 {
        let [value, slope, since] = self.places().map(|place| p[place]);
        if slope == 0.0 { value } else { value + slope * (t - since) }
    }

    /// Whether it may have this value.
    pub fn admits(&self, value: f64) -> bool {
        value.is_finite() && (self.min..=self.max).contains(&value)
    }
}

impl System {
    /// What is set from outside, in the order of the scenario.
    pub fn inputs(&self) -> &[LiveInput] {
        &self.inputs
    }
}

/// The inputs among the parameters, with what their cards say of what they drive.
pub(crate) fn gather(found: &[(String, usize)], placed: &[Placed]) -> Vec<LiveInput> {
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    let one = |(path, place): &(String, usize)| {
        let mut words = path.split('.');
        let part = words.next().and_then(|name| placed.iter().find(|p| p.name == name));
        let mut as_forces = false;
        let mut card: Option<Card> = part.map(|p| p.kind.card());
        let mut field = words.next();
        if field == Some("law") {
            let law = part.and_then(|p| p.spec.table("law"));
            as_forces = law.is_some_and(|law| law.as_forces);
            card = law.and_then(|law| LawKind::named(&law.kind)).map(LawKind::card);
            field = words.next();
        }
        let field = card.zip(field).and_then(|(card, name)| card.field(name));
        // A term of a sum may be anything, whatever the sum has to be.
        let is_whole = words.next().is_none();
        let (unit, [min, max]) = match field.map(|f| f.kind) {
            Some(Kind::Number { force: Some(_), min, .. }) if as_forces => ("N", [min, f64::INFINITY]),
            Some(Kind::Number { unit, min, max, .. }) => (unit, [min, max]),
            Some(Kind::Table { unit: Some(unit), .. }) => (unit, free),
            _ => ("1", free),
        };
        let [min, max] = if is_whole { [min, max] } else { free };
        let doc = field.map_or("", |f| f.doc);
        LiveInput { name: path.clone(), unit, doc, min, max, place: *place }
    };
    found.iter().map(one).collect()
}

impl Builder<'_> {
    /// Notes inputs that a run could not follow.
    pub(crate) fn refuse_inputs(&mut self, has_ropes: bool) {
        for body in &self.bodies {
            for c in [Some(body.x), body.y].into_iter().flatten() {
                let Coordinate::Driven { signal: Some((signal, follows)), .. } = &self.coordinates[c] else {
                    continue;
                };
                if !signal.has_input() {
                    continue;
                }
                let (reason, hint) = if *follows == Follows::Position {
                    (
                        "a position that is set from outside would jump, and what it carries with it",
                        "make the velocity an input, or pull with a spring whose end is driven",
                    )
                } else if has_ropes {
                    (
                        "beside cables the velocity of a drive cannot be set from outside",
                        "make a force, a torque or the angle of a servo an input",
                    )
                } else {
                    continue;
                };
                self.errors.push(MechError::Misfit {
                    part: body.name.clone(),
                    field: "kind",
                    reason: reason.to_owned(),
                    hint: hint.to_owned(),
                });
            }
        }
    }
}
