//! From measured records to friction laws with honest intervals.
//!
//! ```text
//! min Σ [(y(t_i; θ) − y_i)/σ]²    over bounded θ, mostly by its logarithm
//! ```
//!
//! | item | role |
//! |---|---|
//! | [`Unknown`], [`Coordinates`] | what is to be found: bounds, priors, orderings, shares |
//! | [`Experiment`], [`FitRecord`] | what can be simulated, and what was measured |
//! | [`Rig`] | one contact: prescribed, pulled by a spring, or under a mass; exact derivatives through switches |
//! | [`FitCurve`] | steady points of force against speed |
//! | [`ThinnedExperiment`], [`filter`] | inverse dynamics: motion and force behind filters without a shift |
//! | [`search()`](fn@search) | many starts, bounded descents, a growing horizon |
//! | [`plan`](mod@plan) | which experiment would tell the numbers of a law |
//! | [`fit()`](fn@fit) | all of it, with covariances, intervals, and what cannot be known |
//!
//! Derivatives are exact: the equations run in numbers that carry them, and the time of a switch moves with the unknowns.

mod curve;
mod descent;
mod error;
mod estimate;
mod experiment;
pub mod filter;
mod identify;
mod intervals;
mod objective;
pub mod plan;
mod random;
mod rig;
mod search;
mod statistics;
mod thinned;
mod unknown;

pub use curve::FitCurve;
pub use descent::{DescentPlace, descend, descend_among};
pub use error::FitError;
pub use estimate::{AtBound, Comparison, Estimate, FitResult, VAGUE, compare, fit};
pub use experiment::{Experiment, FitRecord, FitTerm, Residuals, Sensor};
pub use identify::Doubt;
pub use intervals::{Interval, bootstrap, profile};
pub use objective::{Linearised, Objective};
pub use random::Random;
pub use rig::{Begin, Mount, RIG_NUMBERS, Rig, RigCourse, RigNumber, RigQuantity, RigServo};
pub use search::{Search, SearchResult, search};
pub use statistics::{Series, Spread, spread};
pub use thinned::ThinnedExperiment;
pub use unknown::{Coordinates, Order, Unknown};
