//! Modes that a law declares, and the events that change them.

use super::WrittenDraft;
use super::code::Compiler;
use super::read::Errors;
use super::run::{CodePlace, Leaving, VALUES};
use bristle_core::{Mode, Scalar};

/// What stands for a formula where an event happens as the slip reverses.
pub(super) const REVERSAL: &str = "reversal";

/// A value of a mode by its whole name, the place of the mode, and that of the value.
pub(super) type ModeValue = (String, u8, u8);

/// One way from a value of a mode to another.
#[derive(Debug)]
pub(super) struct Change {
    slot: u8,
    from: u8,
    to: u8,
    /// Where the value stands that falls below zero; nothing for a reversal.
    when: Option<CodePlace>,
    /// The states it sets.
    pub(super) set: Vec<(usize, CodePlace)>,
}

/// All that changes the declared modes.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) count: usize,
    pub(super) all: Vec<Change>,
}

/// The values of all declared modes.
pub(super) fn values(draft: &WrittenDraft, errors: &mut Errors, seen: &mut Vec<String>) -> Vec<ModeValue> {
    let mut all = Vec::new();
    for (slot, (mode, values)) in draft.modes.iter().enumerate() {
        errors.name("modes", mode, seen);
        let key = format!("modes.{mode}");
        if !(2..=VALUES.len()).contains(&values.len()) {
            let reason = format!("a mode has two or three values, not {}", values.len());
            errors.say(&key, mode, reason, "slider = [\"sticks\", \"slips\"]: the law begins with the first");
        }
        let mut own = Vec::new();
        for (value, name) in values.iter().enumerate() {
            errors.name(&key, name, &mut own);
            all.push((format!("{mode}.{name}"), slot as u8, value as u8));
        }
    }
    all
}

/// The events that change modes, in the order of the draft; what is wrong with them is noted.
pub(super) fn changes(
    draft: &WrittenDraft,
    values: &[ModeValue],
    compiler: &mut Compiler,
    errors: &mut Errors,
) -> Changes {
    let mut changes = Changes { count: draft.modes.len(), all: Vec::new() };
    let mut leaving = vec![Leaving::default(); draft.modes.len()];
    for (i, event) in draft.events.iter().enumerate() {
        let mut find = |key: &str, name: &Option<String>| {
            let key = format!("events.{i}.{key}");
            let Some(name) = name else {
                let hint =
                    "an event that changes a mode has both: from = \"slider.sticks\", to = \"slider.slips\"";
                errors.say(&format!("events.{i}.when"), &event.when, "`from` or `to` is missing", hint);
                return None;
            };
            let found = values.iter().find(|(n, ..)| n == name).map(|(_, slot, value)| (*slot, *value));
            if found.is_none() {
                let hint = bristle_core::nearest(name, values.iter().map(|(n, ..)| n.as_str())).map_or_else(
                    || {
                        "modes = { slider = [\"sticks\", \"slips\"] } declares slider.sticks and slider.slips"
                            .to_owned()
                    },
                    |near| format!("did you mean `{near}`?"),
                );
                errors.say(&key, name, format!("`{name}` is not the value of a mode"), hint);
            }
            found
        };
        if event.from.is_none() && event.to.is_none() {
            continue;
        }
        let (Some((slot, from)), Some((other, to))) = (find("from", &event.from), find("to", &event.to))
        else {
            continue;
        };
        if slot != other || from == to {
            let text = event.to.as_deref().unwrap_or_default();
            let hint = "`from` and `to` are two values of one mode";
            errors.say(&format!("events.{i}.to"), text, "an event changes one mode", hint);
            continue;
        }
        let mut when = None;
        if event.when.trim() == REVERSAL {
            compiler.keep_direction();
        } else {
            let key = format!("events.{i}.when");
            let Some(formula) = errors.formula(&key, &event.when) else { continue };
            match compiler.any(&formula) {
                Ok(place) => when = Some(place),
                Err(e) => {
                    errors.note(&key, &event.when, e);
                    continue;
                }
            }
        }
        if let (0, Some(when)) = (from, when) {
            leaving[usize::from(slot)].0.push((when, to));
        }
        changes.all.push(Change { slot, from, to, when, set: Vec::new() });
    }
    compiler.decide(leaving);
    changes
}

impl Changes {
    /// What can happen to a mode by its values, and where they stand.
    fn ahead(&self, slot: usize, mode: Mode) -> impl Iterator<Item = (&Change, CodePlace)> {
        let is_here = move |c: &&Change| usize::from(c.slot) == slot && VALUES[usize::from(c.from)] == mode;
        self.all.iter().filter(is_here).filter_map(|c| Some((c, c.when?)))
    }

    /// Positive while the mode holds; one where nothing is watched.
    pub(super) fn guard<S: Scalar>(&self, slot: usize, mode: Mode, values: &[S]) -> S {
        let all = self.ahead(slot, mode).map(|(_, when)| values[when as usize]);
        all.reduce(|a, b| a.min(b)).unwrap_or(S::one())
    }

    /// Lets the change happen whose value is least: the states it sets.
    pub(super) fn happen(&self, slot: usize, mode: &mut Mode, values: &[f64]) -> &[(usize, CodePlace)] {
        let of = |when: CodePlace| values[when as usize];
        let Some((change, _)) = self.ahead(slot, *mode).min_by(|a, b| of(a.1).total_cmp(&of(b.1))) else {
            return &[];
        };
        *mode = VALUES[usize::from(change.to)];
        &change.set
    }

    /// Lets the slip reverse: the states that are set.
    pub(super) fn reverse(&self, modes: &mut [Mode]) -> Vec<(usize, CodePlace)> {
        let mut set = Vec::new();
        for (slot, mode) in modes.iter_mut().enumerate() {
            let is_here = |c: &&Change| usize::from(c.slot) == slot && VALUES[usize::from(c.from)] == *mode;
            if let Some(change) = self.all.iter().filter(is_here).find(|c| c.when.is_none()) {
                *mode = VALUES[usize::from(change.to)];
                set.extend_from_slice(&change.set);
            }
        }
        set
    }

    /// The mode that the values lead to from the first.
    pub(super) fn begin(&self, slot: usize, values: &[f64]) -> Mode {
        let first = self.ahead(slot, Mode::Stick).find(|(_, when)| values[*when as usize] < 0.0);
        first.map_or(Mode::Stick, |(change, _)| VALUES[usize::from(change.to)])
    }
}
