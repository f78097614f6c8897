//! Integration of stick-slip motion: located events, exact derivatives, cheap restarts.
//!
//! ```text
//! ẋ = f(t, x, p)   while the modes hold: guards g(t, x, p) > 0
//! a guard at zero: switch modes (and states), go on
//! ```
//!
//! | type | role |
//! |---|---|
//! | [`Dynamics`] | rates, guards and switches, written once for every number type |
//! | [`Solver`], [`Method`] | a method with its tolerances; `auto` chooses by the stiffness it sees |
//! | [`Output`], [`Observer`] | what a run records, and who may stop it |
//! | [`Trajectory`] | samples, events and statistics |
//! | [`Integrator`], [`AcceptedStep`] | the same steps without a trajectory, all buffers reused: for shooting, continuation, and clocks of others |
//! | [`SavedRun`] | where a run is, to be kept and gone on from |
//! | [`Evaluator`], [`Jacobian`], [`Factors`], [`Dense`] | exact derivatives and the linear systems of a step |
//! | [`Bracket`] | where a function of one variable vanishes |
//! | [`Structure`] | the same of a system that solves them in its own way |
//! | [`Recorded`] | rates, guards and sparse derivatives in one set of modes, as straight-line programs |
//! | [`problems`] | classics and friction problems with known answers |
//!
//! ```
//! use bristle_solve::{Dynamics, Output, Solver, problems::CoulombBelt};
//!
//! let belt = CoulombBelt;
//! let run = Solver::default().run(&belt, belt.params(), belt.initial(), 50.0, &Output::Grid { step: 0.1 }, &mut ())?;
//! // The block breaks away when the spring bears the static friction.
//! assert!((run.events[0].t - 23.544).abs() < 1e-9);
//! # Ok::<(), bristle_solve::SolveError>(())
//! ```
//!
//! Limits: ordinary differential equations only (no mass matrix, no constraints), forward in time, one dense or banded Jacobian. A
//! guard that changes its sign an even number of times within a step, with both end rates of the same sign, is missed: cap the step with
//! [`Solver::h_max`] where that matters.

mod auto;
mod breaks;
mod cancel;
mod control;
mod duals;
mod dynamics;
mod energy_control;
mod erased;
mod error;
mod evaluator;
mod experience;
mod guards;
mod integrator;
mod jacobian;
mod landing;
mod linalg;
pub mod methods;
mod observer;
pub mod problems;
mod programs;
mod progress;
mod recorded;
mod roots;
mod saved;
mod small;
mod solver;
mod stall;
mod step_end;
mod step_memory;
mod structure;
mod switch;
mod tolerance;
mod trajectory;

#[cfg(feature = "jit")]
pub use bristle_tape::allow_machine_code;
pub use cancel::{Cancel, Cancelled};
pub use dynamics::{Bandwidth, Dynamics, Point, State, rates_by_halves};
pub use energy_control::Energies;
pub use error::{SolveError, Violation};
pub use evaluator::Evaluator;
pub use experience::Experience;
pub use integrator::{Flow, Integrator};
pub use jacobian::Jacobian;
pub use linalg::{Dense, Factors, inverse_columns};
pub use methods::Method;
pub use observer::{AcceptedStep, Observer};
pub use programs::Recordings;
pub use progress::Progress;
pub use recorded::{Recorded, RecordedError, RecordedJacobian};
pub use roots::Bracket;
pub use saved::SavedRun;
pub use solver::{Output, Solver};
pub use structure::Structure;
pub use tolerance::FineDifference;
pub use trajectory::{Event, Samples, Statistics, Trajectory};
