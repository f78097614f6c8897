//! Integration of stick-slip motion: located events, exact derivatives, restarts at no cost.

mod auto;
mod breaks;
mod control;
mod dynamics;
mod error;
mod evaluator;
mod factors;
mod guards;
mod integrator;
mod jacobian;
pub mod methods;
pub mod problems;
mod small;
mod solver;
mod source;
mod switch;
mod tolerance;
mod trajectory;

pub use dynamics::{Band, Dynamics, Point, State};
pub use error::SolveError;
pub use evaluator::Evaluator;
pub use factors::Factors;
pub use integrator::{Flow, Follow, Integrator, Segment};
pub use jacobian::Jacobian;
pub use methods::Method;
pub use solver::{NoWatch, Output, Solver, Watch};
pub use trajectory::{Event, Samples, Statistics, Trajectory};
