//! Mechanisms against closed forms.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

mod belt;
mod capstan;
mod mechanisms;
mod signals;
mod stack;
