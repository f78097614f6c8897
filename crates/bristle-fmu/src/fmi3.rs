//! The functions importers call, as FMI 3.0 wants them.
//!
//! The models are those of FMI 2.0: every variable is a scalar of type `Float64`, nothing has clocks, and Co-Simulation has no events of
//! its own. What belongs to the rest of the standard answers that there is nothing of the kind.

#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::component::{
    ERROR, FmiLog, FmiStatus, Logger3, SavedBytes, both_versions, hand_over, slice, slice_mut, with, words,
};
use crate::instance::{FmiKind, Instance};
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

both_versions! {
    free: fmi3FreeInstance,
    exit_initialisation: fmi3ExitInitializationMode,
    terminate: fmi3Terminate,
    reset: fmi3Reset,
    save: fmi3GetFMUState,
    restore: fmi3SetFMUState,
    forget: fmi3FreeFMUState,
    saved_size: fmi3SerializedFMUStateSize,
    to_bytes: fmi3SerializeFMUState,
    from_bytes: fmi3DeserializeFMUState,
    enter_event_mode: fmi3EnterEventMode,
    enter_continuous_time_mode: fmi3EnterContinuousTimeMode,
    set_time: fmi3SetTime,
    set_states: fmi3SetContinuousStates,
    states: fmi3GetContinuousStates,
    derivatives: fmi3GetContinuousStateDerivatives,
    indicators: fmi3GetEventIndicators,
    nominals: fmi3GetNominalsOfContinuousStates,
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// A model from the folder of its resources.
///
/// # Safety
/// `token` and `resources` are null or end with a zero byte.
unsafe fn instantiate(
    token: *const c_char,
    resources: *const c_char,
    environment: *mut c_void,
    logger: Option<Logger3>,
    kind: FmiKind,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    let [token, resources] = [token, resources].map(|text| unsafe { words(text) });
    hand_over(FmiLog::Three(logger, environment), || {
        let (Some(token), Some(resources)) = (token, resources) else {
            return Err(
                "an FMU is made with its token and the place of its resources: one is null".to_owned()
            );
        };
        Instance::new(Path::new(&*resources.to_string_lossy()), &token.to_string_lossy(), kind)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    logger: Option<Logger3>,
) -> *mut c_void {
    // SAFETY: the importer's promise.
    unsafe { instantiate(token, resources, environment, logger, FmiKind::ModelExchange) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: *const u32,
    _count: usize,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _update: *const c_void,
) -> *mut c_void {
    // SAFETY: the importer's promise.
    unsafe { instantiate(token, resources, environment, logger, FmiKind::CoSimulation) }
}

#[unsafe(no_mangle)]
extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _clock: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> *mut c_void {
    FmiLog::Three(logger, environment).tell("this model is not for Scheduled Execution");
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
extern "C" fn fmi3SetDebugLogging(
    c: *mut c_void,
    _on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> FmiStatus {
    // Errors are all that is ever told, and always.
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi3EnterInitializationMode(
    c: *mut c_void,
    _has_tolerance: bool,
    _tolerance: f64,
    start: f64,
    _has_stop: bool,
    _stop: f64,
) -> FmiStatus {
    with(c, |component| {
        component.start = start;
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetFloat64(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    room: usize,
) -> FmiStatus {
    with(c, |component| {
        check_room(count, room)?;
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice_mut(values, room)?) };
        component.get(references, values)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3SetFloat64(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    room: usize,
) -> FmiStatus {
    with(c, |component| {
        check_room(count, room)?;
        // SAFETY: arrays of `count`, the importer's promise.
        let (references, values) = unsafe { (slice(references, count)?, slice(values, room)?) };
        component.set(references, values)
    })
}

/// Every variable is a scalar.
fn check_room(count: usize, room: usize) -> Result<(), String> {
    if count == room {
        Ok(())
    } else {
        Err(format!("{room} values for {count} variables, each of them a scalar"))
    }
}

/// There are no variables of other types.
fn none_of(c: *mut c_void, count: usize, kind: &str) -> FmiStatus {
    with(c, |_| if count == 0 { Ok(()) } else { Err(format!("this model has no variables of type {kind}")) })
}

/// Functions for variables of types that no model has.
macro_rules! no_variables {
    ($($get:ident $set:ident $value:ty, $kind:literal;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $get(c: *mut c_void, _r: *const u32, count: usize, _v: *mut $value, _n: usize) -> FmiStatus {
            none_of(c, count, $kind)
        }

        #[unsafe(no_mangle)]
        extern "C" fn $set(c: *mut c_void, _r: *const u32, count: usize, _v: *const $value, _n: usize) -> FmiStatus {
            none_of(c, count, $kind)
        }
    )* };
}

no_variables! {
    fmi3GetFloat32 fmi3SetFloat32 f32, "Float32";
    fmi3GetInt8 fmi3SetInt8 i8, "Int8";
    fmi3GetUInt8 fmi3SetUInt8 u8, "UInt8";
    fmi3GetInt16 fmi3SetInt16 i16, "Int16";
    fmi3GetUInt16 fmi3SetUInt16 u16, "UInt16";
    fmi3GetInt32 fmi3SetInt32 i32, "Int32";
    fmi3GetUInt32 fmi3SetUInt32 u32, "UInt32";
    fmi3GetInt64 fmi3SetInt64 i64, "Int64";
    fmi3GetUInt64 fmi3SetUInt64 u64, "UInt64";
    fmi3GetBoolean fmi3SetBoolean bool, "Boolean";
    fmi3GetString fmi3SetString *const c_char, "String";
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetBinary(
    c: *mut c_void,
    _r: *const u32,
    count: usize,
    _sizes: *mut usize,
    _v: *mut *const u8,
    _n: usize,
) -> FmiStatus {
    none_of(c, count, "Binary")
}

#[unsafe(no_mangle)]
extern "C" fn fmi3SetBinary(
    c: *mut c_void,
    _r: *const u32,
    count: usize,
    _sizes: *const usize,
    _v: *const *const u8,
    _n: usize,
) -> FmiStatus {
    none_of(c, count, "Binary")
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetClock(c: *mut c_void, _r: *const u32, count: usize, _v: *mut bool) -> FmiStatus {
    none_of(c, count, "Clock")
}

#[unsafe(no_mangle)]
extern "C" fn fmi3SetClock(c: *mut c_void, _r: *const u32, count: usize, _v: *const bool) -> FmiStatus {
    none_of(c, count, "Clock")
}

/// Functions about clocks, of which there are none; those with one array and those with two.
macro_rules! no_clocks {
    ($($name:ident $($value:ty),+;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(c: *mut c_void, _r: *const u32, count: usize, $(_: $value),+) -> FmiStatus {
            none_of(c, count, "Clock")
        }
    )* };
}

no_clocks! {
    fmi3GetIntervalDecimal *mut f64, *mut c_int;
    fmi3GetIntervalFraction *mut u64, *mut u64, *mut c_int;
    fmi3GetShiftDecimal *mut f64;
    fmi3GetShiftFraction *mut u64, *mut u64;
    fmi3SetIntervalDecimal *const f64;
    fmi3SetIntervalFraction *const u64, *const u64;
    fmi3SetShiftDecimal *const f64;
    fmi3SetShiftFraction *const u64, *const u64;
}

#[unsafe(no_mangle)]
extern "C" fn fmi3ActivateModelPartition(c: *mut c_void, _clock: u32, _t: f64) -> FmiStatus {
    none_of(c, 1, "Clock")
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetNumberOfVariableDependencies(c: *mut c_void, _r: u32, _count: *mut usize) -> FmiStatus {
    with(c, |_| Err("dependencies of single elements are not told: no variable is an array".to_owned()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetVariableDependencies(
    c: *mut c_void,
    _dependent: u32,
    _of: *mut usize,
    _independents: *mut u32,
    _on: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> FmiStatus {
    fmi3GetNumberOfVariableDependencies(c, 0, std::ptr::null_mut())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetDirectionalDerivative(
    c: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    along: *const f64,
    along_count: usize,
    answers: *mut f64,
    answer_count: usize,
) -> FmiStatus {
    with(c, |component| {
        check_room(known_count, along_count)?;
        check_room(unknown_count, answer_count)?;
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
extern "C" fn fmi3GetAdjointDerivative(
    c: *mut c_void,
    _unknowns: *const u32,
    _unknown_count: usize,
    _knowns: *const u32,
    _known_count: usize,
    _along: *const f64,
    _along_count: usize,
    _answers: *mut f64,
    _answer_count: usize,
) -> FmiStatus {
    with(c, |_| Err("adjoint derivatives are not offered".to_owned()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi3EnterConfigurationMode(c: *mut c_void) -> FmiStatus {
    with(c, |_| Err("there are no structural parameters".to_owned()))
}

#[unsafe(no_mangle)]
extern "C" fn fmi3ExitConfigurationMode(c: *mut c_void) -> FmiStatus {
    fmi3EnterConfigurationMode(c)
}

#[unsafe(no_mangle)]
extern "C" fn fmi3EvaluateDiscreteStates(c: *mut c_void) -> FmiStatus {
    with(c, |_| Ok(()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3UpdateDiscreteStates(
    c: *mut c_void,
    more_needed: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    states_changed: *mut bool,
    next_defined: *mut bool,
    next: *mut f64,
) -> FmiStatus {
    with(c, |component| {
        let flags = [more_needed, terminate, nominals_changed, states_changed, next_defined];
        if flags.iter().any(|place| place.is_null()) || next.is_null() {
            return Err("a null pointer where a value is due".to_owned());
        }
        let changed = component.instance.event(std::mem::take(&mut component.is_jump))?;
        let values = [false, false, false, changed.states, changed.next.is_some()];
        // SAFETY: places of the importer, none of them null.
        flags.iter().zip(values).for_each(|(place, value)| unsafe { **place = value });
        // SAFETY: a place of the importer, not null.
        unsafe { *next = changed.next.unwrap_or(0.0) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3CompletedIntegratorStep(
    c: *mut c_void,
    _no_set_state: bool,
    enter_event_mode: *mut bool,
    terminate: *mut bool,
) -> FmiStatus {
    with(c, |component| {
        // SAFETY: places of the importer.
        let (enter, terminate) = unsafe { (slice_mut(enter_event_mode, 1)?, slice_mut(terminate, 1)?) };
        enter[0] = component.instance.complete_step();
        terminate[0] = false;
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNumberOfEventIndicators(c: *mut c_void, count: *mut usize) -> FmiStatus {
    with(c, |component| {
        // SAFETY: a place of the importer.
        let place = unsafe { slice_mut(count, 1)? };
        place[0] = component.instance.indicator_count();
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNumberOfContinuousStates(c: *mut c_void, count: *mut usize) -> FmiStatus {
    with(c, |component| {
        // SAFETY: a place of the importer.
        let place = unsafe { slice_mut(count, 1)? };
        place[0] = component.instance.dim();
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn fmi3EnterStepMode(c: *mut c_void) -> FmiStatus {
    with(c, |component| component.instance.check_kind(FmiKind::CoSimulation))
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetOutputDerivatives(
    c: *mut c_void,
    _r: *const u32,
    count: usize,
    _orders: *const i32,
    _values: *mut f64,
    _room: usize,
) -> FmiStatus {
    with(c, |_| if count == 0 { Ok(()) } else { Err("derivatives of outputs are not offered".to_owned()) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3DoStep(
    c: *mut c_void,
    t: f64,
    length: f64,
    _no_set_state: bool,
    event_needed: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    reached: *mut f64,
) -> FmiStatus {
    let status = with(c, |component| component.instance.step(t, length));
    for flag in [event_needed, terminate, early_return] {
        if !flag.is_null() {
            // SAFETY: a place of the importer, not null.
            unsafe { *flag = false };
        }
    }
    if !reached.is_null() {
        // SAFETY: a place of the importer, not null.
        unsafe { *reached = if status == ERROR { t } else { t + length } };
    }
    status
}
