//! The functions importers call, as FMI 2.0.4 wants them.

#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::instance::{FmiKind, Instance};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

type Fmi2Status = c_int;
const OK: Fmi2Status = 0;
const DISCARD: Fmi2Status = 2;
const ERROR: Fmi2Status = 3;

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Fmi2Status, *const c_char, *const c_char, ...);

/// What the importer lends.
#[repr(C)]
pub struct Callbacks {
    logger: Option<Logger>,
    allocate: *const c_void,
    free: *const c_void,
    finished: *const c_void,
    environment: *mut c_void,
}

/// What has changed at an event.
#[repr(C)]
pub struct EventInfo {
    more_needed: c_int,
    terminate: c_int,
    nominals_changed: c_int,
    states_changed: c_int,
    next_defined: c_int,
    next: f64,
}

/// What an importer holds.
struct Component {
    instance: Instance,
    name: CString,
    logger: Option<Logger>,
    environment: *mut c_void,
    start: f64,
    /// Whether an event was caused by time or inputs, which may have jumped.
    is_jump: bool,
}

impl Component {
    fn log(&self, message: &str) {
        // SAFETY: the importer's own function and environment; the texts live until it returns.
        unsafe { log(self.logger, self.environment, &self.name, message) }
    }
}

/// Tells the importer what went wrong.
///
/// # Safety
/// `logger` is a function of the importer.
unsafe fn log(logger: Option<Logger>, environment: *mut c_void, name: &CStr, message: &str) {
    let Some(logger) = logger else { return };
    let text = CString::new(message.replace('%', "%%").replace('\0', " ")).unwrap_or_default();
    // SAFETY: the importer's own function; the texts live until it returns.
    unsafe { logger(environment, name.as_ptr(), ERROR, c"logStatusError".as_ptr(), text.as_ptr()) };
}

/// Runs the body of a call on a component: nothing unwinds into the importer, errors go to its log.
fn with(component: *mut c_void, body: impl FnOnce(&mut Component) -> Result<(), String>) -> Fmi2Status {
    let component = component.cast::<Component>();
    if component.is_null() {
        return ERROR;
    }
    // SAFETY: the importer passes what `fmi2Instantiate` gave it and has not freed.
    let component = unsafe { &mut *component };
    match catch_unwind(AssertUnwindSafe(|| body(component))) {
        Ok(Ok(())) => OK,
        Ok(Err(message)) => {
            component.log(&message);
            ERROR
        }
        Err(_) => {
            component.log("a fault of the library itself; please report it");
            ERROR
        }
    }
}

/// The array behind a pointer of the importer.
///
/// # Safety
/// `pointer` points to `count` values, or `count` is zero.
unsafe fn slice<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], String> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err("a null pointer where an array is due".to_owned()),
        // SAFETY: not null and as long as the importer says.
        _ => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// The same, to be written to.
///
/// # Safety
/// `pointer` points to `count` values nobody else uses, or `count` is zero.
unsafe fn slice_mut<'a, T>(pointer: *mut T, count: usize) -> Result<&'a mut [T], String> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&mut []),
        (_, true) => Err("a null pointer where an array is due".to_owned()),
        // SAFETY: not null and as long as the importer says.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// The folder that a URI of the importer names.
fn folder(uri: &str) -> PathBuf {
    let path = uri.strip_prefix("file:").unwrap_or(uri);
    let path = path.strip_prefix("//localhost").or(path.strip_prefix("//")).unwrap_or(path);
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/C:/…` on Windows.
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    PathBuf::from(if is_drive { path[1..].to_owned() } else { path })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    callbacks: *const Callbacks,
    _visible: c_int,
    _logging: c_int,
) -> *mut c_void {
    // SAFETY: null, or texts of the importer that end with a zero byte.
    let [name, guid, location] =
        [name, guid, location].map(|text| (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }));
    let (logger, environment) = if callbacks.is_null() {
        (None, std::ptr::null_mut())
    } else {
        // SAFETY: not null, the importer's.
        let callbacks = unsafe { &*callbacks };
        (callbacks.logger, callbacks.environment)
    };
    let made = catch_unwind(|| {
        let (Some(guid), Some(location)) = (guid, location) else {
            return Err("an FMU is made with its GUID and the place of its resources: one is null".to_owned());
        };
        let integration = match kind {
            0 => FmiKind::ModelExchange,
            1 => FmiKind::CoSimulation,
            _ => return Err(format!("there is no kind {kind} of FMU: 0 is Model Exchange, 1 Co-Simulation")),
        };
        Instance::new(&folder(&location.to_string_lossy()), &guid.to_string_lossy(), integration)
    });
    let name = name.unwrap_or(c"FMU");
    match made {
        Ok(Ok(instance)) => Box::into_raw(Box::new(Component {
            instance,
            name: name.to_owned(),
            logger,
            environment,
            start: 0.0,
            is_jump: false,
        }))
        .cast(),
        failed => {
            let message = match failed {
                Ok(Err(message)) => message,
                _ => "a fault of the library itself; please report it".to_owned(),
            };
            // SAFETY: the importer's own function.
            unsafe { log(logger, environment, name, &message) };
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2FreeInstance(component: *mut c_void) {
    if !component.is_null() {
        // SAFETY: what `fmi2Instantiate` gave, freed once.
        drop(unsafe { Box::from_raw(component.cast::<Component>()) });
    }
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetDebugLogging(
    c: *mut c_void,
    _on: c_int,
    _count: usize,
    _categories: *const *const c_char,
) -> Fmi2Status {
    // Errors are all that is ever told, and always.
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetupExperiment(
    c: *mut c_void,
    _has_tolerance: c_int,
    _tolerance: f64,
    start: f64,
    _has_stop: c_int,
    _stop: f64,
) -> Fmi2Status {
    with(c, |component| {
        component.start = start;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2EnterInitializationMode(c: *mut c_void) -> Fmi2Status {
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2ExitInitializationMode(c: *mut c_void) -> Fmi2Status {
    with(c, |component| component.instance.start(component.start))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2Terminate(c: *mut c_void) -> Fmi2Status {
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2Reset(c: *mut c_void) -> Fmi2Status {
    with(c, |component| component.instance.reset())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetReal(
    c: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *mut f64,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice_mut(values, count)?) };
        for (value, reference) in values.iter_mut().zip(references) {
            *value = component.instance.get(*reference)?;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetReal(
    c: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *const f64,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice(values, count)?) };
        component.is_jump = true;
        references
            .iter()
            .zip(values)
            .try_for_each(|(reference, value)| component.instance.set(*reference, *value))
    })
}

/// There are no variables of other types.
fn none_of(c: *mut c_void, count: usize, kind: &str) -> Fmi2Status {
    with(c, |_| if count == 0 { Ok(()) } else { Err(format!("this model has no variables of type {kind}")) })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetInteger(c: *mut c_void, _r: *const c_uint, count: usize, _v: *mut c_int) -> Fmi2Status {
    none_of(c, count, "Integer")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetBoolean(c: *mut c_void, _r: *const c_uint, count: usize, _v: *mut c_int) -> Fmi2Status {
    none_of(c, count, "Boolean")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetString(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *mut *const c_char,
) -> Fmi2Status {
    none_of(c, count, "String")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetInteger(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *const c_int,
) -> Fmi2Status {
    none_of(c, count, "Integer")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetBoolean(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *const c_int,
) -> Fmi2Status {
    none_of(c, count, "Boolean")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetString(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *const *const c_char,
) -> Fmi2Status {
    none_of(c, count, "String")
}

/// A saved state that an importer holds.
type Saved = Vec<u8>;

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetFMUstate(c: *mut c_void, state: *mut *mut c_void) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: a place of the importer.
        let place = unsafe { slice_mut(state, 1)? };
        let bytes = component.instance.save()?;
        if place[0].is_null() {
            place[0] = Box::into_raw(Box::new(bytes)).cast();
        } else {
            // SAFETY: what an earlier call gave and nobody has freed.
            unsafe { *place[0].cast::<Saved>() = bytes };
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetFMUstate(c: *mut c_void, state: *mut c_void) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: what `fmi2GetFMUstate` gave.
        let bytes = unsafe { slice(state.cast::<Saved>(), 1)? };
        component.instance.restore(&bytes[0])
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2FreeFMUstate(c: *mut c_void, state: *mut *mut c_void) -> Fmi2Status {
    with(c, |_| {
        // SAFETY: a place of the importer.
        let place = unsafe { slice_mut(state, 1)? };
        if !place[0].is_null() {
            // SAFETY: what `fmi2GetFMUstate` gave, freed once: the place is emptied.
            drop(unsafe { Box::from_raw(place[0].cast::<Saved>()) });
            place[0] = std::ptr::null_mut();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: *mut c_void,
    state: *mut c_void,
    size: *mut usize,
) -> Fmi2Status {
    with(c, |_| {
        // SAFETY: what `fmi2GetFMUstate` gave, and a place of the importer.
        let (bytes, size) = unsafe { (slice(state.cast::<Saved>(), 1)?, slice_mut(size, 1)?) };
        size[0] = bytes[0].len();
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SerializeFMUstate(
    c: *mut c_void,
    state: *mut c_void,
    to: *mut u8,
    size: usize,
) -> Fmi2Status {
    with(c, |_| {
        // SAFETY: what `fmi2GetFMUstate` gave, and room of the importer.
        let (bytes, to) = unsafe { (slice(state.cast::<Saved>(), 1)?, slice_mut(to, size)?) };
        let room = to.get_mut(..bytes[0].len()).ok_or("too little room for the saved state")?;
        room.copy_from_slice(&bytes[0]);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: *mut c_void,
    from: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Fmi2Status {
    with(c, |_| {
        // SAFETY: bytes and a place of the importer.
        let (from, place) = unsafe { (slice(from, size)?, slice_mut(state, 1)?) };
        place[0] = Box::into_raw(Box::new(from.to_vec())).cast();
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: *mut c_void,
    unknowns: *const c_uint,
    unknown_count: usize,
    knowns: *const c_uint,
    known_count: usize,
    along: *const f64,
    answers: *mut f64,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: arrays of these lengths, the importer's promise.
        let (unknowns, knowns, along, answers) = unsafe {
            (
                slice(unknowns, unknown_count)?,
                slice(knowns, known_count)?,
                slice(along, known_count)?,
                slice_mut(answers, unknown_count)?,
            )
        };
        answers.copy_from_slice(&component.instance.directional(unknowns, knowns, along)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2EnterEventMode(c: *mut c_void) -> Fmi2Status {
    with(c, |component| {
        component.is_jump = true;
        component.instance.enter_event_mode();
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2NewDiscreteStates(c: *mut c_void, info: *mut EventInfo) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: a place of the importer.
        let info = unsafe { slice_mut(info, 1)? };
        let changed = component.instance.event(std::mem::take(&mut component.is_jump))?;
        info[0] = EventInfo {
            more_needed: 0,
            terminate: 0,
            nominals_changed: 0,
            states_changed: c_int::from(changed.states),
            next_defined: c_int::from(changed.next.is_some()),
            next: changed.next.unwrap_or(0.0),
        };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2EnterContinuousTimeMode(c: *mut c_void) -> Fmi2Status {
    with(c, |component| {
        component.instance.leave_event_mode();
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: *mut c_void,
    _no_set_state: c_int,
    enter_event_mode: *mut c_int,
    terminate: *mut c_int,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: places of the importer.
        let (enter, terminate) = unsafe { (slice_mut(enter_event_mode, 1)?, slice_mut(terminate, 1)?) };
        enter[0] = c_int::from(component.instance.complete_step());
        terminate[0] = 0;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetTime(c: *mut c_void, t: f64) -> Fmi2Status {
    with(c, |component| component.instance.set_time(t))
}

/// Refuses arrays of another length than there are states.
fn check_count(component: &Component, count: usize) -> Result<(), String> {
    let dim = component.instance.dim();
    if count == dim { Ok(()) } else { Err(format!("{count} values for {dim} states")) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetContinuousStates(c: *mut c_void, x: *const f64, count: usize) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: an array of `count`, the importer's promise.
        component.instance.set_states(unsafe { slice(x, count)? })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetDerivatives(c: *mut c_void, rates: *mut f64, count: usize) -> Fmi2Status {
    with(c, |component| {
        check_count(component, count)?;
        // SAFETY: an array of `count`, the importer's promise.
        component.instance.derivatives(unsafe { slice_mut(rates, count)? });
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetEventIndicators(
    c: *mut c_void,
    indicators: *mut f64,
    count: usize,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: an array of `count`, the importer's promise.
        component.instance.indicators(unsafe { slice_mut(indicators, count)? })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetContinuousStates(c: *mut c_void, x: *mut f64, count: usize) -> Fmi2Status {
    with(c, |component| {
        check_count(component, count)?;
        // SAFETY: an array of `count`, the importer's promise.
        unsafe { slice_mut(x, count)? }.copy_from_slice(component.instance.states());
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(
    c: *mut c_void,
    nominals: *mut f64,
    count: usize,
) -> Fmi2Status {
    with(c, |component| {
        check_count(component, count)?;
        // SAFETY: an array of `count`, the importer's promise.
        component.instance.nominals(unsafe { slice_mut(nominals, count)? });
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: *mut c_void,
    references: *const c_uint,
    count: usize,
    orders: *const c_int,
    values: *const f64,
) -> Fmi2Status {
    with(c, |component| {
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, orders, values) =
            unsafe { (slice(references, count)?, slice(orders, count)?, slice(values, count)?) };
        for ((reference, order), value) in references.iter().zip(orders).zip(values) {
            component.instance.set_slope(*reference, *order, *value)?;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetRealOutputDerivatives(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _orders: *const c_int,
    _values: *mut f64,
) -> Fmi2Status {
    with(c, |_| if count == 0 { Ok(()) } else { Err("derivatives of outputs are not offered".to_owned()) })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2DoStep(c: *mut c_void, t: f64, length: f64, _no_set_state: c_int) -> Fmi2Status {
    with(c, |component| component.instance.step(t, length))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2CancelStep(_c: *mut c_void) -> Fmi2Status {
    ERROR
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetStatus(_c: *mut c_void, _kind: c_int, _value: *mut Fmi2Status) -> Fmi2Status {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetRealStatus(_c: *mut c_void, _kind: c_int, _value: *mut f64) -> Fmi2Status {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetIntegerStatus(_c: *mut c_void, _kind: c_int, _value: *mut c_int) -> Fmi2Status {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetBooleanStatus(_c: *mut c_void, _kind: c_int, _value: *mut c_int) -> Fmi2Status {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetStringStatus(_c: *mut c_void, _kind: c_int, _value: *mut *const c_char) -> Fmi2Status {
    DISCARD
}

#[cfg(test)]
mod fmi2_tests {
    use super::*;

    #[test]
    fn a_uri_is_a_folder() {
        for (uri, path) in [
            ("file:///a/b%20c/resources", "/a/b c/resources"),
            ("file:/a/b", "/a/b"),
            ("file://localhost/a/%C3%A9", "/a/é"),
            ("/a/100%", "/a/100%"),
        ] {
            assert_eq!(folder(uri), PathBuf::from(path));
        }
    }

    #[test]
    fn what_changed_has_the_size_of_the_standard() {
        assert_eq!(std::mem::size_of::<EventInfo>(), 32);
    }
}
