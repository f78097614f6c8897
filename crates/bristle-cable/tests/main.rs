//! The cable against closed forms and against the independent reference values in `data/`.

// Helpers stand outside the test functions, where the lint would not look for the exception.
#![allow(clippy::unwrap_used)]

mod allocation;
mod capstan;
mod common;
mod dynamics;
mod faults;
mod golden;
mod several;
mod small;
mod statics;
mod structure;
mod vibration;
