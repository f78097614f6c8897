//! The benchmark pack: test problems with reference solutions that other simulators can be compared with.
//!
//! | function | role |
//! |---|---|
//! | [`problems`] | the list of problems |
//! | [`solve`] | the reference solution of one, with an estimate of its error |
//! | [`export`] | all of them as a folder that needs no bristle to be used |
//! | [`score`] | how far a foreign result is off |

mod coverage;
mod error;
mod export;
mod problem;
mod score;
mod sheet;

pub use coverage::Coverage;
pub use error::BenchmarkError;
pub use export::{Pack, export};
pub use problem::{PackProblem, Solution, problems, solve};
pub use score::{Misfit, Score, score};
pub use sheet::PackSheet;
