//! What can go wrong while a study runs.

use bristle_mech::MechError;
use bristle_record::RecordError;
use bristle_solve::SolveError;
use thiserror::Error;

/// Why a run gave no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The integration failed.
    #[error("study `{study}`: {source}")]
    Solve {
        /// The study.
        study: String,
        /// Why.
        source: SolveError,
    },
    /// A law does not fit the mechanism.
    #[error("under law `{law}`: {source}")]
    Law {
        /// The law.
        law: String,
        /// Why.
        source: MechError,
    },
    /// Results could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A scenario without a simulation cannot be compared.
    #[error("`{scenario}` has no study of kind `simulate` to compare laws in")]
    NothingToCompare {
        /// The scenario.
        scenario: String,
    },
    /// A case's own data do not fit together.
    #[error("case `{case}`: {reason}")]
    Case {
        /// The case.
        case: String,
        /// What does not fit.
        reason: String,
    },
    /// A case's built-in scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] crate::scenario::ScenarioError),
    /// Stopped by whoever looks on.
    #[error("stopped before the end")]
    Stopped,
    /// A path that names no parameter.
    #[error("there is no parameter `{path}`")]
    NoSuchParameter {
        /// The path.
        path: String,
    },
}
