//! Scenarios end to end.

mod examples;
mod generated;
mod robustness;
