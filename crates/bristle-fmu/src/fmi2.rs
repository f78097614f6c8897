//! The functions importers call, as FMI 2.0.4 wants them.

#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::component::{
    DISCARD, ERROR, FmiLog, FmiStatus, Logger2, SavedBytes, both_versions, hand_over, slice, slice_mut, with,
    words,
};
use crate::instance::{FmiKind, Instance};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;

/// What the importer lends.
#[repr(C)]
pub struct Callbacks {
    logger: Option<Logger2>,
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

both_versions! {
    free: fmi2FreeInstance,
    exit_initialisation: fmi2ExitInitializationMode,
    terminate: fmi2Terminate,
    reset: fmi2Reset,
    save: fmi2GetFMUstate,
    restore: fmi2SetFMUstate,
    forget: fmi2FreeFMUstate,
    saved_size: fmi2SerializedFMUstateSize,
    to_bytes: fmi2SerializeFMUstate,
    from_bytes: fmi2DeSerializeFMUstate,
    enter_event_mode: fmi2EnterEventMode,
    enter_continuous_time_mode: fmi2EnterContinuousTimeMode,
    set_time: fmi2SetTime,
    set_states: fmi2SetContinuousStates,
    states: fmi2GetContinuousStates,
    derivatives: fmi2GetDerivatives,
    indicators: fmi2GetEventIndicators,
    nominals: fmi2GetNominalsOfContinuousStates,
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
    let [name, guid, location] = [name, guid, location].map(|text| unsafe { words(text) });
    let (logger, environment) = if callbacks.is_null() {
        (None, std::ptr::null_mut())
    } else {
        // SAFETY: not null, the importer's.
        let callbacks = unsafe { &*callbacks };
        (callbacks.logger, callbacks.environment)
    };
    let log = FmiLog::Two(logger, environment, name.unwrap_or(c"FMU").to_owned());
    hand_over(log, || {
        let (Some(guid), Some(location)) = (guid, location) else {
            return Err("an FMU is made with its GUID and the place of its resources: one is null".to_owned());
        };
        let integration = match kind {
            0 => FmiKind::ModelExchange,
            1 => FmiKind::CoSimulation,
            _ => return Err(format!("there is no kind {kind} of FMU: 0 is Model Exchange, 1 Co-Simulation")),
        };
        Instance::new(&folder(&location.to_string_lossy()), &guid.to_string_lossy(), integration)
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetDebugLogging(
    c: *mut c_void,
    _on: c_int,
    _count: usize,
    _categories: *const *const c_char,
) -> FmiStatus {
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
) -> FmiStatus {
    with(c, |component| {
        component.start = start;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2EnterInitializationMode(c: *mut c_void) -> FmiStatus {
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetReal(
    c: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *mut f64,
) -> FmiStatus {
    with(c, |component| {
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice_mut(values, count)?) };
        component.get(references, values)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetReal(
    c: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *const f64,
) -> FmiStatus {
    with(c, |component| {
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice(values, count)?) };
        component.set(references, values)
    })
}

/// There are no variables of other types.
fn none_of(c: *mut c_void, count: usize, kind: &str) -> FmiStatus {
    with(c, |_| if count == 0 { Ok(()) } else { Err(format!("this model has no variables of type {kind}")) })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetInteger(c: *mut c_void, _r: *const c_uint, count: usize, _v: *mut c_int) -> FmiStatus {
    none_of(c, count, "Integer")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetBoolean(c: *mut c_void, _r: *const c_uint, count: usize, _v: *mut c_int) -> FmiStatus {
    none_of(c, count, "Boolean")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetString(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *mut *const c_char,
) -> FmiStatus {
    none_of(c, count, "String")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetInteger(c: *mut c_void, _r: *const c_uint, count: usize, _v: *const c_int) -> FmiStatus {
    none_of(c, count, "Integer")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetBoolean(c: *mut c_void, _r: *const c_uint, count: usize, _v: *const c_int) -> FmiStatus {
    none_of(c, count, "Boolean")
}

#[unsafe(no_mangle)]
extern "C" fn fmi2SetString(
    c: *mut c_void,
    _r: *const c_uint,
    count: usize,
    _v: *const *const c_char,
) -> FmiStatus {
    none_of(c, count, "String")
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
) -> FmiStatus {
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
unsafe extern "C" fn fmi2NewDiscreteStates(c: *mut c_void, info: *mut EventInfo) -> FmiStatus {
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
unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: *mut c_void,
    _no_set_state: c_int,
    enter_event_mode: *mut c_int,
    terminate: *mut c_int,
) -> FmiStatus {
    with(c, |component| {
        // SAFETY: places of the importer.
        let (enter, terminate) = unsafe { (slice_mut(enter_event_mode, 1)?, slice_mut(terminate, 1)?) };
        enter[0] = c_int::from(component.instance.complete_step());
        terminate[0] = 0;
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
) -> FmiStatus {
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
) -> FmiStatus {
    with(c, |_| if count == 0 { Ok(()) } else { Err("derivatives of outputs are not offered".to_owned()) })
}

#[unsafe(no_mangle)]
extern "C" fn fmi2DoStep(c: *mut c_void, t: f64, length: f64, _no_set_state: c_int) -> FmiStatus {
    with(c, |component| component.instance.step(t, length))
}

#[unsafe(no_mangle)]
extern "C" fn fmi2CancelStep(_c: *mut c_void) -> FmiStatus {
    ERROR
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetStatus(_c: *mut c_void, _kind: c_int, _value: *mut FmiStatus) -> FmiStatus {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetRealStatus(_c: *mut c_void, _kind: c_int, _value: *mut f64) -> FmiStatus {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetIntegerStatus(_c: *mut c_void, _kind: c_int, _value: *mut c_int) -> FmiStatus {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetBooleanStatus(_c: *mut c_void, _kind: c_int, _value: *mut c_int) -> FmiStatus {
    DISCARD
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetStringStatus(_c: *mut c_void, _kind: c_int, _value: *mut *const c_char) -> FmiStatus {
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
