//! Equilibria, bifurcations and cycles of the belt oscillator against recomputed reference values, and of small
//! systems against closed forms.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod coulomb;
mod cycles;
mod drift;
mod equilibria;
mod fold;
mod lanes;
mod orbits;
mod reference;
mod sweeps;
