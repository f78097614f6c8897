//! Scenarios end to end.

mod add_a_law;
mod examples;
mod generated;
mod pennestri2016;
mod robustness;
