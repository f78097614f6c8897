//! Numbers of a scenario by their paths, judged as those of a file are.

use crate::range::{Outside, outside};
use bristle_core::units::short;
use bristle_core::units::{LARGEST, SMALLEST};
use bristle_core::{Card, Kind, nearest};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};
use thiserror::Error;

/// Why a number cannot be changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ChangeError {
    /// A path that names no parameter.
    #[error("there is no parameter `{path}`")]
    NoSuchParameter {
        /// The path.
        path: String,
        /// The path that may have been meant.
        near: Option<String>,
    },
    /// A value that a parameter cannot have.
    #[error("`{path}` cannot be {value}; it must be {must_be}")]
    Inadmissible {
        /// The path.
        path: String,
        /// The value with its unit.
        value: String,
        /// What it must be, in words.
        must_be: String,
    },
}

/// A number of a part, of its law or of one of its signals.
struct ChangeSlot<'a> {
    /// What it may be called: `tie.k`, `pad.law.mu_s` and, of a law stated in forces, also `pad.law.F_s`.
    paths: Vec<String>,
    value: &'a mut f64,
    range: [f64; 2],
    whole: bool,
    unit: String,
}

/// Changes one number of the parts.
///
/// # Errors
/// [`ChangeError::NoSuchParameter`] with the path that may have been meant, [`ChangeError::Inadmissible`].
pub fn set(parts: &mut [(String, Spec)], path: &str, value: f64) -> Result<(), ChangeError> {
    let mut slots = slots(parts);
    let Some(place) = slots.iter().position(|slot| slot.paths.iter().any(|p| p == path)) else {
        return Err(no_such(path, &slots));
    };
    let slot = slots.swap_remove(place);
    // What a number is already, it may be: an end that never comes is larger than any that can be written.
    let is_computable = value == 0.0 || value == *slot.value || (SMALLEST..=LARGEST).contains(&value.abs());
    let must_be = match outside(value, slot.range, slot.whole, &slot.unit) {
        Some(Outside::Range(range)) if value.is_finite() => range,
        Some(Outside::Fraction) => "a whole number".to_owned(),
        None if is_computable => {
            *slot.value = value;
            return Ok(());
        }
        _ => format!("a number from {SMALLEST:e} to {LARGEST:e}, or zero"),
    };
    let unit = if slot.unit == "1" { String::new() } else { format!(" {}", slot.unit) };
    Err(ChangeError::Inadmissible { path: path.to_owned(), value: short(value) + &unit, must_be })
}

/// A number of a scenario.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// What it is called, such as `tie.k`.
    pub path: String,
    /// Its value, in SI.
    pub value: f64,
    /// Its unit.
    pub unit: String,
}

/// What a number of the parts may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowed {
    /// Its present value, in SI.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Whether it counts something.
    pub whole: bool,
}

/// What the number of that path may be.
///
/// # Errors
/// [`ChangeError::NoSuchParameter`] with the path that may have been meant.
pub fn allowed(parts: &[(String, Spec)], path: &str) -> Result<Allowed, ChangeError> {
    let mut parts = parts.to_vec();
    let mut slots = slots(&mut parts);
    match slots.iter().position(|slot| slot.paths.iter().any(|p| p == path)) {
        Some(place) => {
            let ChangeSlot { value, range, whole, unit, .. } = slots.swap_remove(place);
            Ok(Allowed { value: *value, unit, range, whole })
        }
        None => Err(no_such(path, &slots)),
    }
}

fn no_such(path: &str, slots: &[ChangeSlot]) -> ChangeError {
    let near = nearest(path, slots.iter().flat_map(|slot| &slot.paths).map(String::as_str));
    ChangeError::NoSuchParameter { path: path.to_owned(), near: near.map(str::to_owned) }
}

/// Every number of the parts but those of laws.
pub fn parameters(parts: &[(String, Spec)]) -> Vec<Parameter> {
    let mut parts = parts.to_vec();
    let of_parts = slots(&mut parts).into_iter().filter_map(|slot| {
        let path = slot.paths.into_iter().next().filter(|path| !path.contains(".law."))?;
        Some(Parameter { path, value: *slot.value, unit: slot.unit })
    });
    of_parts.collect()
}

/// All numbers of the parts.
fn slots(parts: &mut [(String, Spec)]) -> Vec<ChangeSlot<'_>> {
    let mut slots = Vec::new();
    for (name, spec) in parts {
        if let Some(card) = PartKind::named(&spec.kind).map(PartKind::card) {
            gather(name, &card, spec, "1", &mut slots);
        }
    }
    slots
}

/// The numbers of a spec and of what it holds, under the paths the assembled system gives them; `signal` is what a signal
/// measures.
fn gather<'a>(path: &str, card: &Card, spec: &'a mut Spec, signal: &str, slots: &mut Vec<ChangeSlot<'a>>) {
    let as_forces = spec.as_forces;
    for (field, value) in card.numbers().zip(&mut spec.numbers) {
        let Kind::Number { unit, min, max, force, whole, .. } = field.kind else { continue };
        let mut paths = vec![format!("{path}.{}", field.name)];
        let (unit, max) = match force.filter(|_| as_forces) {
            Some(force) => {
                paths.push(format!("{path}.{force}"));
                ("N", f64::INFINITY)
            }
            None => (unit, max),
        };
        let unit = unit.replace("signal", signal);
        slots.push(ChangeSlot { paths, value, range: [min, max], whole, unit });
    }
    let (owner, mut terms) = (card, 0);
    for (field, table) in &mut spec.tables {
        let card = match field.as_str() {
            "law" => LawKind::named(&table.kind).map(LawKind::card),
            _ => SignalKind::named(&table.kind).map(SignalKind::card),
        };
        let path = if field == "terms" { format!("{path}.{terms}") } else { format!("{path}.{field}") };
        terms += usize::from(field == "terms");
        // The unit of a signal is that of what it drives.
        let signal = match owner.field(field).map(|f| f.kind) {
            Some(Kind::Table { unit: Some(unit), .. } | Kind::Number { unit, signal: true, .. }) => unit,
            _ => signal,
        };
        if let Some(card) = card {
            gather(&path, &card, table, signal, slots);
        }
    }
}
