//! A scenario that moves by the caller's clock.

use crate::catalogue::write;
use crate::status::{Refusal, Status, guarded, refuse, text};
use bristle_core::nearest;
use bristle_mech::{LiveError, LiveRun};
use bristle_solve::SavedRun;
use bristle_study::{RunError, Scenario};
use std::ffi::{CString, c_char};
use std::path::Path;

/// A scenario that moves by the caller's clock. `bristle_run_open` and `bristle_run_read` make one, `bristle_run_free` frees it.
pub struct ScenarioRun {
    run: LiveRun,
    inputs: Vec<[CString; 3]>,
    outputs: Vec<[CString; 2]>,
    /// The values of all outputs, as long as nothing has changed since.
    values: Vec<f64>,
    is_current: bool,
}

/// What can be set while a run goes on. The texts live as long as the run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InputText {
    /// Its name, such as `push.signal`.
    pub name: *const c_char,
    /// SI unit, `1` for a pure number.
    pub unit: *const c_char,
    /// What it is.
    pub doc: *const c_char,
    /// Its present value.
    pub value: f64,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
}

/// What can be read. The texts live as long as the run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OutputText {
    /// Its name, such as `block.q`.
    pub name: *const c_char,
    /// SI unit, `1` for a pure number.
    pub unit: *const c_char,
}

impl ScenarioRun {
    fn new(scenario: &Scenario) -> Result<ScenarioRun, Refusal> {
        let of = |error: RunError| {
            refuse(Status::BadScenario, format_args!("{}: {error}; {}", scenario.name, error.hint()))
        };
        let mut run = scenario.live().map_err(of)?;
        run.settle().map_err(failed)?;
        let terminated = |text: &str| CString::new(text).unwrap_or_default();
        let inputs = run.inputs().iter().map(|i| [i.name.as_str(), i.unit, i.doc].map(terminated)).collect();
        let outputs: Vec<_> =
            run.channels().iter().map(|c| [c.name.as_str(), c.unit].map(terminated)).collect();
        let values = Vec::with_capacity(outputs.len());
        Ok(ScenarioRun { run, inputs, outputs, values, is_current: false })
    }

    /// The values of all outputs here and now, with modes that go with the inputs.
    fn observe(&mut self) -> Result<&[f64], Refusal> {
        if !self.is_current {
            self.run.settle().map_err(failed)?;
            self.run.outputs_into(&mut self.values);
            self.is_current = true;
        }
        Ok(&self.values)
    }

    fn advance(&mut self, t: f64) -> Result<Status, Refusal> {
        self.is_current = false;
        self.run.advance(t).map_err(failed)?;
        Ok(Status::Ok)
    }
}

/// Why a run does not go on, or what it was given cannot be.
fn failed(error: LiveError) -> Refusal {
    let status = match error {
        LiveError::Value { .. } | LiveError::Count { .. } => Status::BadValue,
        LiveError::NoSuchInput { .. } => Status::UnknownName,
        _ => Status::Failed,
    };
    refuse(status, format_args!("{error}"))
}

/// The run behind a pointer of the caller.
///
/// # Safety
/// The pointer is null, or what `bristle_run_open`, `bristle_run_read` or `bristle_run_copy` gave and nobody has freed; nobody else
/// uses the run meanwhile.
unsafe fn run_of<'a>(run: *mut ScenarioRun) -> Result<&'a mut ScenarioRun, Refusal> {
    // SAFETY: the caller's promise; null gives nothing.
    unsafe { run.as_mut() }.ok_or_else(|| refuse(Status::Null, format_args!("the run is a null pointer")))
}

/// The same of a run that is only read.
///
/// # Safety
/// As for [`run_of`].
unsafe fn reading<'a>(run: *const ScenarioRun) -> Result<&'a ScenarioRun, Refusal> {
    // SAFETY: the caller's promise; null gives nothing.
    unsafe { run.as_ref() }.ok_or_else(|| refuse(Status::Null, format_args!("the run is a null pointer")))
}

/// Hands a run over to the caller.
///
/// # Safety
/// `to` is null or may be written to.
unsafe fn give(to: *mut *mut ScenarioRun, made: Result<ScenarioRun, Refusal>) -> Result<Status, Refusal> {
    if to.is_null() {
        return Err(refuse(Status::Null, format_args!("the place for the run is a null pointer")));
    }
    // SAFETY: not null, and the caller's to write to.
    unsafe { to.write(std::ptr::null_mut()) };
    let made = Box::into_raw(Box::new(made?));
    // SAFETY: as before.
    unsafe { write(to, made) }
}

/// Reads a scenario file and stands at its start. After anything but success `*run` is null.
///
/// # Safety
/// `path` is null or a text that ends with a zero byte, `run` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_open(path: *const c_char, run: *mut *mut ScenarioRun) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { text(path, "the path of the scenario") };
        let scenario = path.and_then(|path| {
            Scenario::from_file(Path::new(path))
                .map_err(|e| refuse(Status::BadScenario, format_args!("{}", e.plain())))
        });
        // SAFETY: the caller's promise.
        unsafe { give(run, scenario.and_then(|s| ScenarioRun::new(&s))) }
    })
}

/// The same of a scenario in memory; files it names are looked for in the present folder.
///
/// # Safety
/// `scenario` is null or a text that ends with a zero byte, `run` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_read(scenario: *const c_char, run: *mut *mut ScenarioRun) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let words = unsafe { text(scenario, "the scenario") };
        let scenario = words.and_then(|words| {
            Scenario::from_text(words, "scenario", Path::new("."))
                .map_err(|e| refuse(Status::BadScenario, format_args!("{}", e.plain())))
        });
        // SAFETY: the caller's promise.
        unsafe { give(run, scenario.and_then(|s| ScenarioRun::new(&s))) }
    })
}

/// Frees a run; null is left alone.
///
/// # Safety
/// `run` is null or a run that nobody has freed, and nobody uses it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_free(run: *mut ScenarioRun) {
    if !run.is_null() {
        // SAFETY: made by `give`, freed once by the caller's promise.
        let run = unsafe { Box::from_raw(run) };
        guarded(|| {
            drop(run);
            Ok(Status::Ok)
        });
    }
}

/// Makes another run that goes on exactly as this one, to the last bit.
///
/// # Safety
/// `run` is null or a run, `copy` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_copy(run: *const ScenarioRun, copy: *mut *mut ScenarioRun) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let other = unsafe { reading(run) }.map(|run| ScenarioRun {
            run: run.run.clone(),
            inputs: run.inputs.clone(),
            outputs: run.outputs.clone(),
            values: Vec::with_capacity(run.outputs.len()),
            is_current: false,
        });
        // SAFETY: the caller's promise.
        unsafe { give(copy, other) }
    })
}

/// How many inputs there are; zero for null.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_inputs(run: *const ScenarioRun) -> usize {
    // SAFETY: the caller's promise.
    unsafe { reading(run) }.map_or(0, |run| run.inputs.len())
}

/// How many outputs there are; zero for null.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_outputs(run: *const ScenarioRun) -> usize {
    // SAFETY: the caller's promise.
    unsafe { reading(run) }.map_or(0, |run| run.outputs.len())
}

/// Describes input `index`, `BRISTLE_STATUS_NONE` past the last.
///
/// # Safety
/// `run` is null or a run, `input` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_input(
    run: *const ScenarioRun,
    index: usize,
    input: *mut InputText,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { reading(run)? };
        let live = run.run.inputs().iter().zip(run.run.values()).nth(index);
        let Some(([name, unit, doc], (live, value))) = run.inputs.get(index).zip(live) else {
            return Ok(Status::None);
        };
        let [name, unit, doc] = [name, unit, doc].map(|text| text.as_ptr());
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(input, InputText { name, unit, doc, value, min: live.min, max: live.max }) }
    })
}

/// Describes output `index`, `BRISTLE_STATUS_NONE` past the last.
///
/// # Safety
/// `run` is null or a run, `output` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_output(
    run: *const ScenarioRun,
    index: usize,
    output: *mut OutputText,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let Some([name, unit]) = unsafe { reading(run)? }.outputs.get(index) else { return Ok(Status::None) };
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(output, OutputText { name: name.as_ptr(), unit: unit.as_ptr() }) }
    })
}

/// The place of a name among others, or which was probably meant.
///
/// # Safety
/// `name` is null or a text that ends with a zero byte, `index` null or may be written to.
unsafe fn find<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    what: &str,
    name: *const c_char,
    index: *mut usize,
) -> Result<Status, Refusal> {
    // SAFETY: the caller's promise.
    let name = unsafe { text(name, "the name")? };
    if let Some(place) = names.clone().position(|n| n == name) {
        // SAFETY: the caller's promise; null is refused.
        return unsafe { write(index, place) };
    }
    Err(match nearest(name, names) {
        Some(near) => {
            refuse(Status::UnknownName, format_args!("there is no {what} `{name}`; did you mean `{near}`?"))
        }
        None => refuse(Status::UnknownName, format_args!("there is no {what} `{name}`")),
    })
}

/// The place of an input by its name.
///
/// # Safety
/// `run` is null or a run, `name` null or a text that ends with a zero byte, `index` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_find_input(
    run: *const ScenarioRun,
    name: *const c_char,
    index: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { reading(run)? };
        // SAFETY: the caller's promise.
        unsafe { find(run.run.inputs().iter().map(|i| i.name.as_str()), "input", name, index) }
    })
}

/// The place of an output by its name.
///
/// # Safety
/// As for [`bristle_run_find_input`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_find_output(
    run: *const ScenarioRun,
    name: *const c_char,
    index: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { reading(run)? };
        // SAFETY: the caller's promise.
        unsafe { find(run.run.channels().iter().map(|c| c.name.as_str()), "output", name, index) }
    })
}

/// Sets input `index`; it counts from where the run is.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_set(run: *mut ScenarioRun, index: usize, value: f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        let count = run.inputs.len();
        if index >= count {
            return Err(refuse(Status::BadValue, format_args!("input {index} of a run with {count} inputs")));
        }
        run.run.set_input_at(index, value).map_err(failed)?;
        run.is_current = false;
        Ok(Status::Ok)
    })
}

/// Sets a number of a part or law by its path, such as `pad.law.mu_s`; it counts from where the run is. What says where the motion
/// begins changes nothing any more.
///
/// # Safety
/// `run` is null or a run, `path` null or a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_tune(run: *mut ScenarioRun, path: *const c_char, value: f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (run, path) = unsafe { (run_of(run)?, text(path, "the path of the number")?) };
        run.is_current = false;
        match run.run.set_param(path, value) {
            Ok(()) => Ok(Status::Ok),
            Err(LiveError::NoSuchInput { near, .. }) => Err(match near {
                Some(near) => refuse(
                    Status::UnknownName,
                    format_args!("there is no number `{path}`; did you mean `{near}`?"),
                ),
                None => refuse(Status::UnknownName, format_args!("there is no number `{path}`")),
            }),
            Err(error) => Err(failed(error)),
        }
    })
}

/// Moves on by `h` seconds; inputs keep their values, stick and slip are located on the way.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_step(run: *mut ScenarioRun, h: f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        if !(h.is_finite() && h >= 0.0) {
            return Err(refuse(
                Status::BadValue,
                format_args!("the step h is {h}: it must be finite and not negative"),
            ));
        }
        run.advance(run.run.time() + h)
    })
}

/// Moves on to the time `t`, s: as `bristle_run_step`, for a caller who counts.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_advance(run: *mut ScenarioRun, t: f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        let here = run.run.time();
        if !(t.is_finite() && t >= here) {
            return Err(refuse(
                Status::BadValue,
                format_args!("time {t} s: the run stands at {here} s already"),
            ));
        }
        run.advance(t)
    })
}

/// Where the clock stands, s; not a number for null.
///
/// # Safety
/// `run` is null or a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_time(run: *const ScenarioRun) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { reading(run) }.map_or(f64::NAN, |run| run.run.time())
}

/// Reads output `index`.
///
/// # Safety
/// `run` is null or a run, `value` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_get(run: *mut ScenarioRun, index: usize, value: *mut f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        let count = run.outputs.len();
        let Some(found) = run.observe()?.get(index).copied() else {
            return Err(refuse(
                Status::BadValue,
                format_args!("output {index} of a run with {count} outputs"),
            ));
        };
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(value, found) }
    })
}

/// Reads all outputs, as many as `bristle_run_outputs` says.
///
/// # Safety
/// `run` is null or a run, `values` null or an array of that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_get_all(run: *mut ScenarioRun, values: *mut f64) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { run_of(run)? }.observe()?;
        if values.is_null() {
            return Err(refuse(Status::Null, format_args!("the array for outputs is a null pointer")));
        }
        // SAFETY: not null, and as many as there are outputs by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), values, found.len()) };
        Ok(Status::Ok)
    })
}

/// Saves all that the run goes on from as bytes. `size` says how many there are, also where `room` is too little for them, which
/// answers `BRISTLE_STATUS_BAD_VALUE`; `bytes` may be null where `room` is zero, to ask for the size alone.
///
/// # Safety
/// `run` is null or a run, `bytes` null or an array of `room`, `size` null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_save(
    run: *mut ScenarioRun,
    bytes: *mut u8,
    room: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        let saved = run.run.save().map_err(failed)?.to_bytes();
        // SAFETY: the caller's promise; null is refused.
        unsafe { write(size, saved.len())? };
        if room == 0 {
            return Ok(Status::Ok);
        }
        if bytes.is_null() || room < saved.len() {
            let needed = saved.len();
            return Err(refuse(
                Status::BadValue,
                format_args!("room for {room} bytes, but a saved run has {needed}"),
            ));
        }
        // SAFETY: room by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(saved.as_ptr(), bytes, saved.len()) };
        Ok(Status::Ok)
    })
}

/// Goes on from where a run of the same scenario was saved.
///
/// # Safety
/// `run` is null or a run, `bytes` null or an array of `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_run_restore(run: *mut ScenarioRun, bytes: *const u8, size: usize) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run_of(run)? };
        if bytes.is_null() {
            return Err(refuse(Status::Null, format_args!("the saved run is a null pointer")));
        }
        // SAFETY: not null, and `size` bytes by the caller's promise.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size) };
        let foreign =
            || refuse(Status::BadValue, format_args!("these bytes are not a saved run of this scenario"));
        let saved = SavedRun::from_bytes(bytes).ok_or_else(foreign)?;
        run.run.restore(&saved).map_err(|_| foreign())?;
        run.is_current = false;
        Ok(Status::Ok)
    })
}
