//! What a user types and sees.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bad_cables;
mod bad_input;
mod bad_machines;
mod bad_records;
mod bench;
mod certify;
mod commands;
mod interrupted;
mod lost_work;
mod own_outcomes;
mod terminal;
mod vary;
