//! What an importer holds, and how its calls reach it: the same for every version of the standard.

use crate::instance::Instance;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended; both versions of the standard number it alike.
pub(crate) type FmiStatus = c_int;
pub(crate) const OK: FmiStatus = 0;
pub(crate) const DISCARD: FmiStatus = 2;
pub(crate) const ERROR: FmiStatus = 3;

/// What is said of a fault of our own.
const FAULT: &str = "a fault of the library itself; please report it";

pub(crate) type Logger2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, FmiStatus, *const c_char, *const c_char, ...);
pub(crate) type Logger3 = unsafe extern "C" fn(*mut c_void, FmiStatus, *const c_char, *const c_char);

/// Where errors are told.
#[derive(Clone)]
pub(crate) enum FmiLog {
    /// A function of FMI 2.0, with its environment and the name of the instance.
    Two(Option<Logger2>, *mut c_void, CString),
    /// A function of FMI 3.0 with its environment.
    Three(Option<Logger3>, *mut c_void),
}

impl FmiLog {
    /// Tells the importer what went wrong.
    pub(crate) fn tell(&self, message: &str) {
        let text = |words: &str| CString::new(words.replace('\0', " ")).unwrap_or_default();
        let category = c"logStatusError".as_ptr();
        match self {
            FmiLog::Two(Some(logger), environment, name) => {
                // What follows is a format.
                let message = text(&message.replace('%', "%%"));
                // SAFETY: the importer's own function and environment; the texts live until it returns.
                unsafe { logger(*environment, name.as_ptr(), ERROR, category, message.as_ptr()) };
            }
            FmiLog::Three(Some(logger), environment) => {
                let message = text(message);
                // SAFETY: the importer's own function and environment; the texts live until it returns.
                unsafe { logger(*environment, ERROR, category, message.as_ptr()) };
            }
            FmiLog::Two(None, ..) | FmiLog::Three(None, _) => {}
        }
    }
}

/// What an importer holds.
pub(crate) struct Component {
    pub(crate) instance: Instance,
    pub(crate) log: FmiLog,
    pub(crate) start: f64,
    /// Whether an event was caused by time or inputs, which may have jumped.
    pub(crate) is_jump: bool,
}

impl Component {
    /// Refuses arrays of another length than there are states.
    pub(crate) fn check_count(&self, count: usize) -> Result<(), String> {
        let dim = self.instance.dim();
        if count == dim { Ok(()) } else { Err(format!("{count} values for {dim} states")) }
    }

    /// Copies the values of variables.
    pub(crate) fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), String> {
        for (value, reference) in values.iter_mut().zip(references) {
            *value = self.instance.get(*reference)?;
        }
        Ok(())
    }

    /// Sets variables.
    pub(crate) fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        self.is_jump = true;
        let mut pairs = references.iter().zip(values);
        pairs.try_for_each(|(reference, value)| self.instance.set(*reference, *value))
    }
}

/// Hands a new instance to the importer, or tells why there is none.
pub(crate) fn hand_over(
    log: FmiLog,
    make: impl FnOnce() -> Result<Instance, String> + std::panic::UnwindSafe,
) -> *mut c_void {
    match catch_unwind(make) {
        Ok(Ok(instance)) => {
            Box::into_raw(Box::new(Component { instance, log, start: 0.0, is_jump: false })).cast()
        }
        failed => {
            log.tell(&failed.map_or_else(|_| FAULT.to_owned(), |made| made.err().unwrap_or_default()));
            std::ptr::null_mut()
        }
    }
}

/// Takes an instance back.
///
/// # Safety
/// `component` is null or what [`hand_over`] gave, freed once.
pub(crate) unsafe fn free(component: *mut c_void) {
    if !component.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(component.cast::<Component>()) });
    }
}

/// Runs the body of a call on a component: nothing unwinds into the importer, errors go to its log.
pub(crate) fn with(
    component: *mut c_void,
    body: impl FnOnce(&mut Component) -> Result<(), String>,
) -> FmiStatus {
    let component = component.cast::<Component>();
    if component.is_null() {
        return ERROR;
    }
    // SAFETY: the importer passes what it was given and has not freed.
    let component = unsafe { &mut *component };
    match catch_unwind(AssertUnwindSafe(|| body(component))) {
        Ok(Ok(())) => OK,
        Ok(Err(message)) => {
            component.log.tell(&message);
            ERROR
        }
        Err(_) => {
            component.log.tell(FAULT);
            ERROR
        }
    }
}

/// A text of the importer, if there is one.
///
/// # Safety
/// `text` is null or ends with a zero byte.
pub(crate) unsafe fn words<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: not null, and the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// The array behind a pointer of the importer.
///
/// # Safety
/// `pointer` points to `count` values, or `count` is zero.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], String> {
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
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, count: usize) -> Result<&'a mut [T], String> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&mut []),
        (_, true) => Err("a null pointer where an array is due".to_owned()),
        // SAFETY: not null and as long as the importer says.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// A saved state that an importer holds.
pub(crate) type SavedBytes = Vec<u8>;

/// The functions that both versions of the standard have, under their names there.
macro_rules! both_versions {
    (
        free: $free:ident,
        exit_initialisation: $exit_initialisation:ident,
        terminate: $terminate:ident,
        reset: $reset:ident,
        save: $save:ident,
        restore: $restore:ident,
        forget: $forget:ident,
        saved_size: $saved_size:ident,
        to_bytes: $to_bytes:ident,
        from_bytes: $from_bytes:ident,
        enter_event_mode: $enter_event_mode:ident,
        enter_continuous_time_mode: $enter_continuous_time_mode:ident,
        set_time: $set_time:ident,
        set_states: $set_states:ident,
        states: $states:ident,
        derivatives: $derivatives:ident,
        indicators: $indicators:ident,
        nominals: $nominals:ident,
    ) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $free(c: *mut c_void) {
            // SAFETY: what an instantiation gave, freed once.
            unsafe { crate::component::free(c) }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $exit_initialisation(c: *mut c_void) -> FmiStatus {
            with(c, |component| component.instance.start(component.start))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $terminate(c: *mut c_void) -> FmiStatus {
            with(c, |_| Ok(()))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $reset(c: *mut c_void) -> FmiStatus {
            with(c, |component| component.instance.reset())
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $save(c: *mut c_void, state: *mut *mut c_void) -> FmiStatus {
            with(c, |component| {
                // SAFETY: a place of the importer.
                let place = unsafe { slice_mut(state, 1)? };
                let bytes = component.instance.save()?;
                if place[0].is_null() {
                    place[0] = Box::into_raw(Box::new(bytes)).cast();
                } else {
                    // SAFETY: what an earlier call gave and nobody has freed.
                    unsafe { *place[0].cast::<SavedBytes>() = bytes };
                }
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $restore(c: *mut c_void, state: *mut c_void) -> FmiStatus {
            with(c, |component| {
                // SAFETY: what saving gave.
                let bytes = unsafe { slice(state.cast::<SavedBytes>(), 1)? };
                component.instance.restore(&bytes[0])
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $forget(c: *mut c_void, state: *mut *mut c_void) -> FmiStatus {
            with(c, |_| {
                // SAFETY: a place of the importer.
                let place = unsafe { slice_mut(state, 1)? };
                if !place[0].is_null() {
                    // SAFETY: what saving gave, freed once: the place is emptied.
                    drop(unsafe { Box::from_raw(place[0].cast::<SavedBytes>()) });
                    place[0] = std::ptr::null_mut();
                }
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $saved_size(c: *mut c_void, state: *mut c_void, size: *mut usize) -> FmiStatus {
            with(c, |_| {
                // SAFETY: what saving gave, and a place of the importer.
                let (bytes, size) = unsafe { (slice(state.cast::<SavedBytes>(), 1)?, slice_mut(size, 1)?) };
                size[0] = bytes[0].len();
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $to_bytes(
            c: *mut c_void,
            state: *mut c_void,
            to: *mut u8,
            size: usize,
        ) -> FmiStatus {
            with(c, |_| {
                // SAFETY: what saving gave, and room of the importer.
                let (bytes, to) = unsafe { (slice(state.cast::<SavedBytes>(), 1)?, slice_mut(to, size)?) };
                let room = to.get_mut(..bytes[0].len()).ok_or("too little room for the saved state")?;
                room.copy_from_slice(&bytes[0]);
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $from_bytes(
            c: *mut c_void,
            from: *const u8,
            size: usize,
            state: *mut *mut c_void,
        ) -> FmiStatus {
            with(c, |_| {
                // SAFETY: bytes and a place of the importer.
                let (from, place) = unsafe { (slice(from, size)?, slice_mut(state, 1)?) };
                place[0] = Box::into_raw(Box::new(from.to_vec())).cast();
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        extern "C" fn $enter_event_mode(c: *mut c_void) -> FmiStatus {
            with(c, |component| {
                component.instance.check_kind(FmiKind::ModelExchange)?;
                component.is_jump = true;
                component.instance.enter_event_mode();
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        extern "C" fn $enter_continuous_time_mode(c: *mut c_void) -> FmiStatus {
            with(c, |component| {
                component.instance.leave_event_mode();
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        extern "C" fn $set_time(c: *mut c_void, t: f64) -> FmiStatus {
            with(c, |component| component.instance.set_time(t))
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $set_states(c: *mut c_void, x: *const f64, count: usize) -> FmiStatus {
            with(c, |component| {
                // SAFETY: an array of `count`, the importer's promise.
                component.instance.set_states(unsafe { slice(x, count)? })
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $states(c: *mut c_void, x: *mut f64, count: usize) -> FmiStatus {
            with(c, |component| {
                component.check_count(count)?;
                // SAFETY: an array of `count`, the importer's promise.
                unsafe { slice_mut(x, count)? }.copy_from_slice(component.instance.states());
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $derivatives(c: *mut c_void, rates: *mut f64, count: usize) -> FmiStatus {
            with(c, |component| {
                component.check_count(count)?;
                // SAFETY: an array of `count`, the importer's promise.
                component.instance.derivatives(unsafe { slice_mut(rates, count)? });
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $indicators(c: *mut c_void, indicators: *mut f64, count: usize) -> FmiStatus {
            with(c, |component| {
                // SAFETY: an array of `count`, the importer's promise.
                component.instance.indicators(unsafe { slice_mut(indicators, count)? })
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $nominals(c: *mut c_void, nominals: *mut f64, count: usize) -> FmiStatus {
            with(c, |component| {
                component.check_count(count)?;
                // SAFETY: an array of `count`, the importer's promise.
                component.instance.nominals(unsafe { slice_mut(nominals, count)? });
                Ok(())
            })
        }
    };
}
pub(crate) use both_versions;
