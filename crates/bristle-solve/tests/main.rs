//! Conformance of every method, and the behaviour of runs.

mod breaks;
mod closed_forms;
mod events;
mod every_method;
mod memory;
mod runs;
