//! Why a probe gave no answer.

use bristle_mech::MechError;
use bristle_solve::SolveError;
use thiserror::Error;

/// Why a law could not be measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The integration failed.
    #[error("probe of `{law}`: {source}")]
    Solve {
        /// The law.
        law: String,
        /// Why.
        source: SolveError,
    },
    /// The law does not fit the bench.
    #[error("under law `{law}`: {source}")]
    Law {
        /// The law.
        law: String,
        /// Why.
        source: MechError,
    },
    /// What was to be measured did not come about.
    #[error("{reason}")]
    Unmeasured {
        /// Why.
        reason: String,
    },
    /// Cancelled by the caller.
    #[error("stopped before the end")]
    Stopped,
}
