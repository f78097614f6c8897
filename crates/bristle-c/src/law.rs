//! A law in the caller's memory.

use crate::catalogue::write;
use crate::status::{Refusal, Status, guarded, refuse, text};
use bristle_core::{Choice, Dual, Kind, Mode, nearest, seed};
use bristle_law::{AnyLaw, LawKind, fixed_step};
use std::ffi::c_char;
use std::mem::{align_of, size_of};

/// The most numbers, choices, states and elements a law of the catalogue has; a test holds the catalogue to them.
pub(crate) const NUMBERS: usize = 32;
pub(crate) const CHOICES: usize = 4;
pub(crate) const ROOM: usize = 12;

/// A friction law with its parameters. Plain memory of the caller: it may be copied and needs not be freed. Make it with
/// `bristle_law_init`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LawHandle {
    /// Not for the caller.
    opaque: [u64; 128],
}

/// Where a contact is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LawPoint {
    /// Slip rate, m/s: velocity of the body minus velocity of its counter-surface.
    pub v: f64,
    /// Normal load, N.
    pub n: f64,
    /// For laws that stick by a set of forces, N: the force that would keep the slip rate; in `bristle_law_step`, the force that would
    /// bring the contact to rest within the step. Zero for all others.
    pub hold: f64,
}

/// What stands in a [`LawHandle`].
pub(crate) struct Handle {
    magic: u64,
    pub(crate) kind: LawKind,
    law: AnyLaw<f64>,
    numbers: [f64; NUMBERS],
    choices: [Choice; CHOICES],
    states: usize,
    elements: usize,
}

/// Tells a handle from memory nobody has written to.
const MAGIC: u64 = 0x6272_6973_746c_6531;

const _: () =
    assert!(size_of::<Handle>() <= size_of::<LawHandle>() && align_of::<Handle>() <= align_of::<LawHandle>());

impl Handle {
    /// A law with the presets of its card.
    fn new(kind: LawKind) -> Result<Handle, Refusal> {
        let card = kind.card();
        let mut numbers = [0.0; NUMBERS];
        for (number, field) in numbers.iter_mut().zip(card.numbers()) {
            *number = field.kind.default().unwrap_or(f64::NAN);
        }
        Handle::of(kind, numbers, [Choice(0); CHOICES])
    }

    /// A law of these numbers and choices, if they go together.
    fn of(kind: LawKind, numbers: [f64; NUMBERS], choices: [Choice; CHOICES]) -> Result<Handle, Refusal> {
        let card = kind.card();
        let (n, c, states) = (card.numbers().count(), card.choices().count(), card.states.len());
        let law = kind.build(&numbers[..n.min(NUMBERS)], &choices[..c.min(CHOICES)]);
        let elements = law.elements();
        if n > NUMBERS || c > CHOICES || states > ROOM || elements > ROOM {
            return Err(refuse(Status::Fault, format_args!("{} does not fit into a handle", card.name)));
        }
        if let Some(why) = law.fault() {
            return Err(refuse(Status::BadValue, format_args!("{}: {why}", card.name)));
        }
        Ok(Handle { magic: MAGIC, kind, law, numbers, choices, states, elements })
    }

    fn count(&self) -> usize {
        self.kind.card().numbers().count()
    }

    /// The place of a number, or which name was probably meant.
    fn place(&self, name: &str) -> Result<usize, Refusal> {
        let card = self.kind.card();
        card.numbers().position(|f| f.name == name).ok_or_else(|| {
            let hint = nearest(name, card.numbers().map(|f| f.name));
            let law = card.name;
            match hint {
                Some(near) => refuse(
                    Status::UnknownName,
                    format_args!("{law} has no parameter `{name}`; did you mean `{near}`?"),
                ),
                None => refuse(Status::UnknownName, format_args!("{law} has no parameter `{name}`")),
            }
        })
    }
}

/// The law behind a pointer of the caller.
///
/// # Safety
/// The pointer is null or points to a `LawHandle` that lives as long as the answer is used and is not written to meanwhile.
pub(crate) unsafe fn handle<'a>(law: *const LawHandle) -> Result<&'a Handle, Refusal> {
    if law.is_null() {
        return Err(refuse(Status::Null, format_args!("the law is a null pointer")));
    }
    let words = law.cast::<u64>();
    if !words.is_aligned() {
        return Err(refuse(
            Status::NotInitialised,
            format_args!("the law does not begin at a multiple of 8 bytes"),
        ));
    }
    // SAFETY: not null, aligned, the caller's memory; the offset of the mark lies within it.
    let magic = unsafe { words.byte_add(std::mem::offset_of!(Handle, magic)).read() };
    if magic != MAGIC {
        return Err(refuse(
            Status::NotInitialised,
            format_args!("the law was never made: call bristle_law_init first"),
        ));
    }
    // SAFETY: the mark says that `bristle_law_init` wrote a handle here, which has no part that could be dropped.
    Ok(unsafe { &*law.cast::<Handle>() })
}

/// The arrays of a contact, taken from the caller.
struct ContactCall<'a> {
    handle: &'a Handle,
    at: LawPoint,
    z: [f64; ROOM],
    mode: [Mode; ROOM],
    has_modes: bool,
}

impl ContactCall<'_> {
    fn z(&self) -> &[f64] {
        &self.z[..self.handle.states]
    }

    /// Where the contact is, as laws take it.
    fn here(&self) -> bristle_law::At<'_, f64> {
        let LawPoint { v, n, hold } = self.at;
        bristle_law::At { v, n, hold, mode: self.modes() }
    }

    fn modes(&self) -> &[Mode] {
        if self.has_modes { &self.mode[..self.handle.elements] } else { &[] }
    }
}

/// Reads the arrays of a contact and refuses what no contact can be.
///
/// # Safety
/// The pointers are null or point to what their types say; `z` holds as many numbers as the law has states, `mode` as many as it has
/// elements.
unsafe fn contact<'a>(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *const f64,
    mode: *const i8,
) -> Result<ContactCall<'a>, Refusal> {
    // SAFETY: the caller's promise.
    let handle = unsafe { handle(law)? };
    if at.is_null() || (z.is_null() && handle.states > 0) {
        let what = if at.is_null() { "where the contact is" } else { "the array of states" };
        return Err(refuse(Status::Null, format_args!("{what} is a null pointer")));
    }
    // SAFETY: not null, the caller's promise.
    let at = unsafe { at.read() };
    check("slip rate v", at.v, f64::NEG_INFINITY)?;
    check("load n", at.n, 0.0)?;
    check("holding force hold", at.hold, f64::NEG_INFINITY)?;
    let mut states = [0.0; ROOM];
    for (i, state) in states.iter_mut().enumerate().take(handle.states) {
        // SAFETY: as many numbers as the law has states, by the caller's promise.
        *state = unsafe { z.add(i).read() };
        check("state", *state, f64::NEG_INFINITY)?;
    }
    let (mut modes, has_modes) = ([Mode::Stick; ROOM], !mode.is_null());
    for (i, slot) in modes.iter_mut().enumerate().take(if has_modes { handle.elements } else { 0 }) {
        // SAFETY: as many as the law has elements, by the caller's promise.
        *slot = Mode::of(f64::from(unsafe { mode.add(i).read() }));
    }
    Ok(ContactCall { handle, at, z: states, mode: modes, has_modes })
}

/// Refuses what is no number, and what lies below the least.
fn check(what: &str, value: f64, least: f64) -> Result<(), Refusal> {
    if !value.is_finite() {
        return Err(refuse(Status::BadValue, format_args!("the {what} is {value}: it must be finite")));
    }
    if value < least {
        return Err(refuse(
            Status::BadValue,
            format_args!("the {what} is {value}: it must be {least} or more"),
        ));
    }
    Ok(())
}

/// Writes numbers into an array of the caller.
///
/// # Safety
/// `to` is null or has room for them.
unsafe fn write_all(to: *mut f64, values: &[f64]) -> Result<(), Refusal> {
    if values.is_empty() {
        return Ok(());
    }
    if to.is_null() {
        return Err(refuse(Status::Null, format_args!("an array for answers is a null pointer")));
    }
    for (i, value) in values.iter().enumerate() {
        // SAFETY: there is room, by the caller's promise.
        unsafe { to.add(i).write(*value) };
    }
    Ok(())
}

/// Writes modes into an array of the caller.
///
/// # Safety
/// `to` is null or has room for them.
unsafe fn write_modes(to: *mut i8, modes: &[Mode]) {
    for (i, mode) in modes.iter().enumerate().take(if to.is_null() { 0 } else { modes.len() }) {
        // SAFETY: not null, and there is room, by the caller's promise.
        unsafe { to.add(i).write(mode.sign() as i8) };
    }
}

/// Makes the law of that name, with the presets of its card.
///
/// # Safety
/// `law` is null or may be written to, `name` is null or a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_init(law: *mut LawHandle, name: *const c_char) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, "the name of the law")? };
        let Some(kind) = LawKind::ALL.iter().copied().find(|k| k.card().name == name) else {
            let near = nearest(name, LawKind::ALL.iter().map(|k| k.card().name));
            return Err(match near {
                Some(near) => refuse(
                    Status::UnknownName,
                    format_args!("there is no law `{name}`; did you mean `{near}`?"),
                ),
                None => refuse(Status::UnknownName, format_args!("there is no law `{name}`")),
            });
        };
        let handle = Handle::new(kind)?;
        // SAFETY: null is refused; a handle fits into a `LawHandle`.
        unsafe { write(law.cast::<Handle>(), handle) }
    })
}

/// Sets parameters by name, all of them or none: levels that must keep an order are set in one call.
///
/// # Safety
/// `law` is null or a handle; `names` and `values` are arrays of `count`, the names texts that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_set(
    law: *mut LawHandle,
    names: *const *const c_char,
    values: *const f64,
    count: usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let handle = unsafe { handle(law)? };
        if count > 0 && (names.is_null() || values.is_null()) {
            return Err(refuse(Status::Null, format_args!("names or values are a null pointer")));
        }
        let mut numbers = handle.numbers;
        for i in 0..count {
            // SAFETY: arrays of `count`, by the caller's promise.
            let (name, value) =
                unsafe { (text(names.add(i).read(), "the name of a parameter")?, values.add(i).read()) };
            let place = handle.place(name)?;
            if let Some(field) = handle.kind.card().numbers().nth(place)
                && let Kind::Number { unit, min, max, .. } = field.kind
                && !field.kind.admits(value)
            {
                let law = handle.kind.card().name;
                return Err(refuse(
                    Status::BadValue,
                    format_args!("{law}: {name} = {value} {unit} lies outside {min} ... {max}"),
                ));
            }
            numbers[place] = value;
        }
        let changed = Handle::of(handle.kind, numbers, handle.choices)?;
        // SAFETY: it was a handle before.
        unsafe { write(law.cast::<Handle>(), changed) }
    })
}

/// Reads a parameter.
///
/// # Safety
/// `law` is null or a handle, `name` null or a text that ends with a zero byte, `value` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_get(
    law: *const LawHandle,
    name: *const c_char,
    value: *mut f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (handle, name) = unsafe { (handle(law)?, text(name, "the name of the parameter")?) };
        let place = handle.place(name)?;
        // SAFETY: null is refused.
        unsafe { write(value, handle.numbers[place]) }
    })
}

/// Chooses an option by name, such as the form of a curve.
///
/// # Safety
/// `law` is null or a handle; `field` and `option` are null or texts that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_choose(
    law: *mut LawHandle,
    field: *const c_char,
    option: *const c_char,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (handle, field, option) = unsafe {
            (handle(law)?, text(field, "the name of the choice")?, text(option, "the name of the option")?)
        };
        let card = handle.kind.card();
        let found = card.choices().enumerate().find(|(_, f)| f.name == field);
        let Some((place, Kind::Choice { options })) = found.map(|(i, f)| (i, f.kind)) else {
            return Err(refuse(Status::UnknownName, format_args!("{} has no choice `{field}`", card.name)));
        };
        let Some(chosen) = options.iter().position(|o| *o == option) else {
            let near =
                nearest(option, options.iter().copied()).or(options.first().copied()).unwrap_or_default();
            return Err(refuse(
                Status::UnknownName,
                format_args!("{}: {field} has no option `{option}`; did you mean `{near}`?", card.name),
            ));
        };
        let mut choices = handle.choices;
        choices[place] = Choice(chosen as u8);
        let changed = Handle::of(handle.kind, handle.numbers, choices)?;
        // SAFETY: it was a handle before.
        unsafe { write(law.cast::<Handle>(), changed) }
    })
}

/// How many parameters the law has; zero for what is no handle.
///
/// # Safety
/// `law` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_parameters(law: *const LawHandle) -> usize {
    // SAFETY: the caller's promise.
    unsafe { handle(law) }.map_or(0, Handle::count)
}

/// How many internal states the law has, the length of every `z`; zero for what is no handle.
///
/// # Safety
/// `law` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_states(law: *const LawHandle) -> usize {
    // SAFETY: the caller's promise.
    unsafe { handle(law) }.map_or(0, |h| h.states)
}

/// How many elements of the law remember a mode, the length of every `mode`; zero for what is no handle.
///
/// # Safety
/// `law` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_elements(law: *const LawHandle) -> usize {
    // SAFETY: the caller's promise.
    unsafe { handle(law) }.map_or(0, |h| h.elements)
}

/// Sets states and modes of a contact to which nothing has happened yet.
///
/// # Safety
/// `law` is null or a handle, `at` null or readable; `z` and `mode` have room for the states and elements, `mode` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_start(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *mut f64,
    mode: *mut i8,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let handle = unsafe { handle(law)? };
        let mut states = [0.0; ROOM];
        handle.law.initial(&mut states[..handle.states]);
        // SAFETY: the caller's promise; the states are our own here.
        let contact = unsafe { contact(law, at, states.as_ptr(), std::ptr::null())? };
        let mut modes = [Mode::Stick; ROOM];
        handle.law.start(&contact.here(), contact.z(), &mut modes[..handle.elements]);
        // SAFETY: room by the caller's promise.
        unsafe {
            write_all(z, contact.z())?;
            write_modes(mode, &modes[..handle.elements]);
        }
        Ok(Status::Ok)
    })
}

/// The friction force, N, positive against positive sliding, and the rates of the states.
///
/// `mode` may be null: directions are then taken from the slip rate.
///
/// # Safety
/// `law` is null or a handle, `at` null or readable; `z`, `dz` and `mode` are as long as the law has states and elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_eval(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *const f64,
    mode: *const i8,
    force: *mut f64,
    dz: *mut f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let contact = unsafe { contact(law, at, z, mode)? };
        let mut rates = [0.0; ROOM];
        let rates = &mut rates[..contact.handle.states];
        let answer = contact.handle.law.eval(&contact.here(), contact.z(), rates);
        // SAFETY: room by the caller's promise; null is refused.
        unsafe {
            write_all(dz, rates)?;
            write(force, answer)
        }
    })
}

/// The largest force borne at rest, N; `BRISTLE_STATUS_NONE` for a law that bears none without sliding.
///
/// # Safety
/// As for [`bristle_law_eval`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_limit(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *const f64,
    mode: *const i8,
    limit: *mut f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let contact = unsafe { contact(law, at, z, mode)? };
        match contact.handle.law.limit(&contact.here(), contact.z()) {
            // SAFETY: null is refused.
            Some(answer) => unsafe { write(limit, answer) },
            None => Ok(Status::None),
        }
    })
}

/// One guard for each element, positive while its mode holds; where one falls below zero, call `bristle_law_switch`.
///
/// # Safety
/// As for [`bristle_law_eval`]; `guards` is as long as the law has elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_guards(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *const f64,
    mode: *const i8,
    guards: *mut f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let contact = unsafe { contact(law, at, z, mode)? };
        let mut answers = [0.0; ROOM];
        let answers = &mut answers[..contact.handle.elements];
        contact.handle.law.guards(&contact.here(), contact.z(), answers);
        // SAFETY: room by the caller's promise.
        unsafe { write_all(guards, answers) }.map(|()| Status::Ok)
    })
}

/// Changes modes and, where the law says so, states after guard `fired`.
///
/// # Safety
/// As for [`bristle_law_eval`]; `z` and `mode` are written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_switch(
    law: *const LawHandle,
    fired: usize,
    at: *const LawPoint,
    z: *mut f64,
    mode: *mut i8,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let contact = unsafe { contact(law, at, z, mode)? };
        let (states, elements) = (contact.handle.states, contact.handle.elements);
        if fired >= elements {
            return Err(refuse(
                Status::BadValue,
                format_args!("guard {fired} of a law with {elements} elements"),
            ));
        }
        let (mut after, mut modes) = (contact.z, contact.mode);
        contact.handle.law.switch(fired, &contact.here(), &mut after[..states], &mut modes[..elements]);
        // SAFETY: room by the caller's promise.
        unsafe {
            write_all(z, &after[..states])?;
            write_modes(mode, &modes[..elements]);
        }
        Ok(Status::Ok)
    })
}

/// Force, rates and their exact derivatives: `jacobian` has a row for the force and one for each rate, a column for the slip rate, the
/// load, the holding force and each state; row after row.
///
/// # Safety
/// As for [`bristle_law_eval`]; `jacobian` has room for `(1 + states) * (3 + states)` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_jacobian(
    law: *const LawHandle,
    at: *const LawPoint,
    z: *const f64,
    mode: *const i8,
    force: *mut f64,
    dz: *mut f64,
    jacobian: *mut f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let contact = unsafe { contact(law, at, z, mode)? };
        let mut room = LawSlopes { values: [0.0; 1 + ROOM], slopes: [0.0; (1 + ROOM) * (3 + ROOM)] };
        match contact.handle.states {
            0..=1 => slopes::<4>(&contact, &mut room),
            2..=5 => slopes::<8>(&contact, &mut room),
            _ => slopes::<{ 3 + ROOM }>(&contact, &mut room),
        }
        let states = contact.handle.states;
        // SAFETY: room by the caller's promise; null is refused.
        unsafe {
            write_all(jacobian, &room.slopes[..(1 + states) * (3 + states)])?;
            write_all(dz, &room.values[1..1 + states])?;
            write(force, room.values[0])
        }
    })
}

/// Force and rates, and how they change with slip rate, load, holding force and states.
struct LawSlopes {
    values: [f64; 1 + ROOM],
    slopes: [f64; (1 + ROOM) * (3 + ROOM)],
}

fn slopes<const N: usize>(contact: &ContactCall, out: &mut LawSlopes) {
    let handle = contact.handle;
    let mut numbers = [Dual::<N>::constant(0.0); NUMBERS];
    for (lifted, number) in numbers.iter_mut().zip(&handle.numbers) {
        *lifted = Dual::constant(*number);
    }
    let card = handle.kind.card();
    let (count, choices) = (card.numbers().count(), card.choices().count());
    let law = handle.kind.build(&numbers[..count], &handle.choices[..choices]);
    let LawPoint { v, n, hold } = contact.at;
    let mode = contact.modes();
    let at = bristle_law::At { v: seed::<N>(v, 0), n: seed(n, 1), hold: seed(hold, 2), mode };
    let (mut z, mut dz) = ([Dual::<N>::constant(0.0); ROOM], [Dual::<N>::constant(0.0); ROOM]);
    for (i, state) in z.iter_mut().enumerate().take(handle.states) {
        *state = seed(contact.z[i], 3 + i);
    }
    let force = law.eval(&at, &z[..handle.states], &mut dz[..handle.states]);
    let columns = 3 + handle.states;
    for (row, answer) in std::iter::once(&force).chain(&dz[..handle.states]).enumerate() {
        out.values[row] = answer.re;
        out.slopes[row * columns..(row + 1) * columns].copy_from_slice(&answer.eps[..columns]);
    }
}

/// Slides for the time `h`, s, at the mean slip rate `at->v` under the load `at->n`; gives the force at the end, N. States and modes
/// are advanced. `BRISTLE_STATUS_NONE` for a law with states that has no step of fixed length; a curve without states is evaluated.
///
/// # Safety
/// As for [`bristle_law_eval`]; `z` and `mode` are written to and must not be null where the law has states or elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_step(
    law: *const LawHandle,
    at: *const LawPoint,
    h: f64,
    z: *mut f64,
    mode: *mut i8,
    force: *mut f64,
) -> Status {
    guarded(|| {
        check("step h", h, 0.0)?;
        // SAFETY: the caller's promise.
        let mut contact = unsafe { contact(law, at, z, mode)? };
        let Some(answer) = advance(&mut contact, h) else { return Ok(Status::None) };
        let (states, elements) = (contact.handle.states, contact.handle.elements);
        // SAFETY: room by the caller's promise; null is refused.
        unsafe {
            write_all(z, &contact.z[..states])?;
            write_modes(mode, &contact.mode[..elements]);
            write(force, answer)
        }
    })
}

/// One step of fixed length, if the law has one.
fn advance(contact: &mut ContactCall, h: f64) -> Option<f64> {
    let handle = contact.handle;
    let LawPoint { v, n, hold } = contact.at;
    let at = bristle_law::At { v, n, hold, mode: &[] };
    let (z, mode) = (&mut contact.z[..handle.states], &mut contact.mode[..handle.elements]);
    match fixed_step::kernel(&handle.law) {
        Some(kernel) => Some(kernel.step(&at, z, mode, h)),
        None if handle.states == 0 => {
            handle.law.start(&at, z, mode);
            Some(handle.law.eval(&bristle_law::At { mode, ..at }, z, &mut []))
        }
        None => None,
    }
}

/// Runs a whole record through `bristle_law_step`: `count` slip rates and loads, held for `h` seconds each, give as many forces. A
/// null `hold` stands for zeros. Stops at the first entry that cannot be and says which.
///
/// # Safety
/// As for [`bristle_law_step`]; `v`, `n`, `forces` and, if not null, `hold` are arrays of `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_scan(
    law: *const LawHandle,
    count: usize,
    v: *const f64,
    n: *const f64,
    hold: *const f64,
    h: f64,
    z: *mut f64,
    mode: *mut i8,
    forces: *mut f64,
) -> Status {
    guarded(|| {
        check("step h", h, 0.0)?;
        if count > 0 && (v.is_null() || n.is_null() || forces.is_null()) {
            return Err(refuse(Status::Null, format_args!("v, n or forces are a null pointer")));
        }
        let still = LawPoint { v: 0.0, n: 0.0, hold: 0.0 };
        // SAFETY: the caller's promise.
        let mut contact = unsafe { contact(law, &raw const still, z, mode)? };
        for i in 0..count {
            // SAFETY: arrays of `count`, by the caller's promise.
            let at = unsafe {
                let hold = if hold.is_null() { 0.0 } else { hold.add(i).read() };
                LawPoint { v: v.add(i).read(), n: n.add(i).read(), hold }
            };
            if !(at.v.is_finite() && at.n.is_finite() && at.n >= 0.0 && at.hold.is_finite()) {
                let LawPoint { v, n, hold } = at;
                return Err(refuse(
                    Status::BadValue,
                    format_args!(
                        "entry {i}: v = {v}, n = {n}, hold = {hold}: finite numbers, and a load of 0 or more"
                    ),
                ));
            }
            contact.at = at;
            let Some(force) = advance(&mut contact, h) else { return Ok(Status::None) };
            // SAFETY: an array of `count`, by the caller's promise.
            unsafe { forces.add(i).write(force) };
        }
        let (states, elements) = (contact.handle.states, contact.handle.elements);
        // SAFETY: room by the caller's promise.
        unsafe {
            write_all(z, &contact.z[..states])?;
            write_modes(mode, &contact.mode[..elements]);
        }
        Ok(Status::Ok)
    })
}
