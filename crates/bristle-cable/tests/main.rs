//! The cable against closed forms and against the independent reference values in `data/`.

// Helpers stand outside the test functions, where the lint would not look for the exception.
// Some tests print what they found.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod allocation;
mod atwood;
mod capstan;
mod common;
mod dynamics;
mod explicit;
mod faults;
mod golden;
mod karnopp;
mod several;
mod small;
mod statics;
mod steps;
mod structure;
mod tension;
mod vibration;
