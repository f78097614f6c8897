//! What the library knows of its laws: names, parameters, states.

use crate::law::{LawHandle, handle};
use crate::status::{Refusal, Status, guarded, refuse};
use bristle_core::Kind;
use bristle_law::LawKind;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

/// What can be set on a law. The texts live as long as the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParameterCard {
    /// What `bristle_law_set` takes.
    pub name: *const c_char,
    /// SI unit, `1` for a pure number.
    pub unit: *const c_char,
    /// What it is.
    pub doc: *const c_char,
    /// Value of a law nobody has set anything on.
    pub preset: f64,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
}

/// An internal state of a law. The texts live as long as the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StateText {
    /// Its name.
    pub name: *const c_char,
    /// SI unit.
    pub unit: *const c_char,
}

/// The texts of one card, with the zero byte at their ends that C wants.
struct Texts {
    name: CString,
    parameters: Vec<[CString; 3]>,
    states: Vec<[CString; 2]>,
}

fn texts() -> &'static [Texts] {
    static TEXTS: OnceLock<Vec<Texts>> = OnceLock::new();
    let terminated = |text: &str| CString::new(text).unwrap_or_default();
    TEXTS.get_or_init(|| {
        let of = |kind: &LawKind| {
            let card = kind.card();
            let unit = |kind: &Kind| match *kind {
                Kind::Number { unit, .. } => unit,
                _ => "1",
            };
            Texts {
                name: terminated(card.name),
                parameters: card.numbers().map(|f| [f.name, unit(&f.kind), f.doc].map(terminated)).collect(),
                states: card.states.iter().map(|s| [s.name, s.unit].map(terminated)).collect(),
            }
        };
        LawKind::ALL.iter().map(of).collect()
    })
}

/// The texts of a law of the catalogue.
fn texts_of(kind: LawKind) -> Result<&'static Texts, Refusal> {
    let place = LawKind::ALL.iter().position(|k| *k == kind);
    let missing = || refuse(Status::Fault, format_args!("a law that is not in the catalogue"));
    place.and_then(|i| texts().get(i)).ok_or_else(missing)
}

/// How many laws there are.
#[unsafe(no_mangle)]
pub extern "C" fn bristle_law_count() -> usize {
    LawKind::ALL.len()
}

/// The name of law `index`, or null past the last.
#[unsafe(no_mangle)]
pub extern "C" fn bristle_law_name(index: usize) -> *const c_char {
    texts().get(index).map_or(std::ptr::null(), |t| t.name.as_ptr())
}

/// Describes parameter `index` of a law, `BRISTLE_STATUS_NONE` past the last.
///
/// # Safety
/// `law` is null or points to a handle, `parameter` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_parameter(
    law: *const LawHandle,
    index: usize,
    parameter: *mut ParameterCard,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let kind = unsafe { handle(law)? }.kind;
        let found = texts_of(kind)?.parameters.get(index).zip(kind.card().numbers().nth(index));
        let Some(([name, unit, doc], field)) = found else { return Ok(Status::None) };
        let (min, max) = match field.kind {
            Kind::Number { min, max, .. } => (min, max),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let preset = field.kind.default().unwrap_or(f64::NAN);
        let described =
            ParameterCard { name: name.as_ptr(), unit: unit.as_ptr(), doc: doc.as_ptr(), preset, min, max };
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(parameter, described) }
    })
}

/// Describes state `index` of a law, `BRISTLE_STATUS_NONE` past the last.
///
/// # Safety
/// `law` is null or points to a handle, `state` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_state(
    law: *const LawHandle,
    index: usize,
    state: *mut StateText,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let kind = unsafe { handle(law)? }.kind;
        let Some([name, unit]) = texts_of(kind)?.states.get(index) else { return Ok(Status::None) };
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(state, StateText { name: name.as_ptr(), unit: unit.as_ptr() }) }
    })
}

/// Writes an answer into the caller's memory.
///
/// # Safety
/// `to` is null or may be written to.
pub(crate) unsafe fn write<T>(to: *mut T, value: T) -> Result<Status, Refusal> {
    if to.is_null() {
        return Err(refuse(Status::Null, format_args!("the place for the answer is a null pointer")));
    }
    // SAFETY: not null, and the caller's to write to.
    unsafe { to.write(value) };
    Ok(Status::Ok)
}
