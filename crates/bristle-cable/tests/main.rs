//! The cable against closed forms and against the independent reference values in `data/`.

mod capstan;
mod common;
mod dynamics;
mod faults;
mod golden;
mod small;
mod statics;
mod structure;
mod vibration;
