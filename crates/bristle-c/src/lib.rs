//! bristle from C: every friction law behind one handle in the caller's memory.
//!
//! The header `include/bristle.h` is written from the doc comments of this crate (`cargo xtask gen`), `include/bristle.hpp` wraps it
//! for C++. What holds for all functions:
//!
//! * They answer a [`Status`]; zero is success. After anything else [`bristle_error`] says in words what was wrong, and
//!   nothing has been changed.
//! * A [`bristle_law`](LawHandle) is plain memory: keep it on the stack, in a struct, copy it; there is nothing to free. States and modes are
//!   arrays of the caller.
//! * Nothing is allocated, but for the texts of cards, which are made once when the first of them is asked for.
//! * Different threads may use different handles, and one handle as long as nobody sets its parameters.
//! * SI units throughout.

mod catalogue;
mod law;
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
pub use status::{Status, bristle_error, bristle_version};
