//! Why an analysis could not be completed.

use bristle_solve::SolveError;
use thiserror::Error;

/// Why an analysis could not be completed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A slice has the wrong length.
    #[error("{found} values where {expected} are needed")]
    Length {
        /// How many are needed.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// There is no such parameter.
    #[error("parameter {index} of {count} does not exist")]
    NoSuchParameter {
        /// Index asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The interval of a parameter has no length.
    #[error("the parameter range from {from} to {to} is empty")]
    EmptyRange {
        /// First value.
        from: f64,
        /// Last value.
        to: f64,
    },
    /// Newton's iteration did not converge.
    #[error(
        "Newton's iteration stopped after {iterations} steps with a correction of {correction:.1e} scales"
    )]
    Newton {
        /// Steps taken.
        iterations: usize,
        /// Length of the last correction in units of the state scales.
        correction: f64,
    },
    /// A Jacobian is singular, so that the solution is not isolated.
    #[error(
        "the Jacobian is singular: the solution is not isolated, as where bristles may hold a body anywhere in a range; `sweep` and \
         `orbit` follow the motion itself"
    )]
    Singular,
    /// No state both changes and matters: everything sticks, or coasts freely.
    #[error(
        "nothing here moves under forces that depend on the motion, so that there is no equilibrium to judge: everything sticks, or \
         gets faster under constant forces; begin where it slides under a damper or a friction that depends on the slip rate, or \
         `simulate` it"
    )]
    Still,
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration of a {size} × {size} matrix did not converge")]
    Eigenvalues {
        /// Size of the matrix.
        size: usize,
    },
    /// A rate, or its derivative by a state, is infinite or not a number.
    #[error("the rate of {state} or a derivative of it is not finite")]
    NotFinite {
        /// Whose rate.
        state: String,
    },
    /// No complex pair lies near the imaginary axis, so there is no Hopf point to describe.
    #[error("no complex pair of eigenvalues crosses the imaginary axis here")]
    NoHopf,
    /// Continuation came to a halt.
    #[error("the continuation step fell to {step:.1e} at parameter {parameter}")]
    StepTooSmall {
        /// Step length in the scaled metric.
        step: f64,
        /// Where.
        parameter: f64,
    },
    /// A trajectory did not return to the section.
    #[error("no return to the section within {limit} s")]
    NoReturn {
        /// How long was waited.
        limit: f64,
    },
    /// The section is tangent to the flow.
    #[error("the flow is tangent to the section")]
    Tangent,
    /// The integration failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Whoever asked wants the answer no longer.
    #[error(transparent)]
    Cancelled(#[from] bristle_solve::Cancelled),
}
