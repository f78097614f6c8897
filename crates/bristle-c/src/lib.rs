//! bristle from C: every friction law behind one handle in the caller's memory, and scenarios by the caller's clock.
//!
//! The header `include/bristle.h` is written from the doc comments of this crate (`cargo xtask gen`), `include/bristle.hpp` wraps it
//! for C++. What holds for all functions:
//!
//! * They answer a [`Status`]; zero is success. After anything else [`bristle_error`] says in words what was wrong, and
//!   nothing has been changed.
//! * A [`bristle_law`](LawHandle) is plain memory: keep it on the stack, in a struct, copy it; there is nothing to free. States and modes are
//!   arrays of the caller.
//! * No call on a law allocates, but for the texts of cards, which are made once when the first of them is asked for.
//! * A [`bristle_run`](ScenarioRun) is memory of the library: one that was made has to be freed, once.
//! * Different threads may use different handles, and one handle as long as nobody sets its parameters; a run belongs to one thread
//!   at a time.
//! * SI units throughout.

mod catalogue;
mod law;
#[cfg(feature = "scenarios")]
mod run;
mod status;

pub use catalogue::{
    ParameterCard, StateText, bristle_law_count, bristle_law_name, bristle_law_parameter, bristle_law_state,
};
pub use law::{
    LawHandle, LawPoint, bristle_law_choose, bristle_law_elements, bristle_law_eval, bristle_law_get,
    bristle_law_guards, bristle_law_init, bristle_law_jacobian, bristle_law_limit, bristle_law_parameters,
    bristle_law_scan, bristle_law_set, bristle_law_start, bristle_law_states, bristle_law_step,
    bristle_law_switch,
};
#[cfg(feature = "scenarios")]
pub use run::{
    InputText, OutputText, ScenarioRun, bristle_run_advance, bristle_run_copy, bristle_run_find_input,
    bristle_run_find_output, bristle_run_free, bristle_run_get, bristle_run_get_all, bristle_run_input,
    bristle_run_inputs, bristle_run_open, bristle_run_output, bristle_run_outputs, bristle_run_read,
    bristle_run_restore, bristle_run_save, bristle_run_set, bristle_run_step, bristle_run_time,
    bristle_run_tune,
};
pub use status::{Status, bristle_error, bristle_version};
