//! FMUs as importers use them: the shared library is opened and called through its C functions.

// Helpers of tests fail by panicking, as tests do; calls are made as C makes them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::undocumented_unsafe_blocks)]

mod exchange;
mod files;
mod host;
mod law;
mod steps;
