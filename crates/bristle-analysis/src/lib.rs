//! bristle-analysis
pub mod boundary;
pub mod branch;
mod continuation;
mod error;
pub mod hopf;
pub mod linear;
pub mod map;
pub mod problems;
pub mod scope;
pub mod steady;
mod tangent;
pub use continuation::{End, Pace};
pub use error::AnalysisError;
