//! Conformance of every method, and the behaviour of runs.

#![allow(clippy::unwrap_used)]

mod breaks;
mod closed_forms;
mod events;
mod every_method;
mod memory;
mod runs;
