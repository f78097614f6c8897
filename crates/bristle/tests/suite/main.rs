//! Scenarios end to end.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod add_a_law;
mod analysis_studies;
mod benchmark;
mod cables;
mod catalogues;
mod certify;
mod crane;
mod delicate;
mod every_study;
mod examples;
mod export;
mod fuzz;
mod generated;
mod hieu2021;
mod memory;
mod modelica;
mod own_laws;
mod pennestri2016;
mod recorded;
mod rill2023;
mod robustness;
mod twins;
mod verdicts;
mod westin2020;
