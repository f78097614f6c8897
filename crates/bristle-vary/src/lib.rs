//! Many runs of anything: which points to run, how to keep what was found, and what it says.
//!
//! The crate knows no study and no mechanics: a run is an index, its point is a list of numbers, and what it found is another.
//!
//! | item | role |
//! |---|---|
//! | [`Marginal`] | what one parameter may be: levels, a range, a distribution |
//! | [`Design`], [`DesignKind`] | which points are run: grid, list, random, Latin hypercube, Sobol's sequence, Saltelli, Morris |
//! | [`Correlation`] | normal dependence between parameters, as a fit's covariance states it |
//! | [`saltelli`], [`morris`] | global sensitivities from the runs of their designs |
//! | [`statistics`] | percentiles, rank correlations, probabilities with their intervals |
//! | [`store`] | finished runs in files that survive a kill |
//! | [`evolution`] | minimises under constraints without derivatives |
//!
//! Every point depends on its index and the seed alone, so that any number of threads, shards and machines run the same ones.

mod correlation;
mod design;
mod error;
pub mod evolution;
mod marginal;
pub mod morris;
mod noise;
pub mod saltelli;
mod sobol;
mod sobol_numbers;
pub mod statistics;
pub mod store;

pub use correlation::Correlation;
pub use design::{Design, DesignKind};
pub use error::VaryError;
pub use marginal::Marginal;
pub use sobol::SOBOL_DIMENSIONS;
