//! The C interface: equal to Rust to the last bit, without allocations, with words for every refusal.

// Helpers of tests fail by panicking, as tests do; calls are made as C makes them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::undocumented_unsafe_blocks)]

mod calls;
mod compiled;
mod header;
mod runs;
