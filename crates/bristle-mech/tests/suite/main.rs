//! Mechanisms against closed forms.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod asymmetry;
mod belt;
mod blows;
mod capstan;
mod control;
mod coupled_slips;
mod couplings;
mod every_mechanism;
mod every_part;
mod every_signal;
mod every_slip;
mod geared_rest;
mod live;
mod loads;
mod long_chains;
mod loops;
mod lossy_trains;
mod mechanisms;
mod one_way;
mod own_states;
mod plane;
mod random;
mod recorded;
mod rope_bands;
mod rope_machines;
mod roped;
mod ropes;
mod rotors;
mod signals;
mod stack;
mod stepping;
