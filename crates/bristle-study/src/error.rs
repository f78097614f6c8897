//! What can go wrong while a study runs.

use bristle_certify::CertifyError;
use bristle_mech::{LiveError, MechError};
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
    /// An analysis failed.
    #[error("study `{study}`: {source}")]
    Analysis {
        /// The study.
        study: String,
        /// Why.
        source: bristle_analysis::AnalysisError,
    },
    /// Steady states and cycles were asked of a mechanism that is driven in time.
    #[error("study `{study}`: the mechanism is driven in time; only `simulate` and `stages` can follow that")]
    DependsOnTime {
        /// The study.
        study: String,
    },
    /// Nothing could be fitted.
    #[error("study `{study}`: {reason}")]
    Fit {
        /// The study.
        study: String,
        /// Why, with a way out.
        reason: String,
    },
    /// A cable could not be brought to rest or moved.
    #[error("study `{study}`: {reason}")]
    Cable {
        /// The study.
        study: String,
        /// Why, in the words of the scenario, with a way out.
        reason: String,
    },
    /// An experiment could not be planned.
    #[error("study `{study}`: {reason}")]
    Plan {
        /// The study.
        study: String,
        /// Why, in the words of the scenario.
        reason: String,
    },
    /// The file for finished cells cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Store {
        /// The file.
        path: String,
        /// What the operating system says.
        reason: String,
    },
    /// The folder for finished runs refuses.
    #[error("{source}")]
    Runs {
        /// Why.
        source: bristle_vary::store::StoreError,
    },
    /// So many runs have to be wanted.
    #[error("{runs:e} runs at {rate:.0} a second take {}", duration(*seconds))]
    TooLong {
        /// How many.
        runs: u64,
        /// Measured on the first of them, on all cores.
        rate: f64,
        /// How long, s.
        seconds: f64,
    },
    /// Nothing in the scenario varies.
    #[error("`{scenario}` has no study of kind `vary`")]
    NothingToVary {
        /// The scenario.
        scenario: String,
    },
    /// A law does not fit the mechanism.
    #[error("under law `{law}`: {source}")]
    Law {
        /// The law.
        law: String,
        /// Why.
        source: MechError,
    },
    /// Numbers that do not go together, in a law or on a cable.
    #[error("with these parameters: {source}")]
    Parameters {
        /// What does not fit.
        source: MechError,
    },
    /// A run by the caller's clock cannot begin.
    #[error(transparent)]
    Live {
        /// Why.
        source: LiveError,
    },
    /// A run that was to begin at rest cannot.
    #[error("study `{study}` cannot start in equilibrium: {reason}")]
    NoEquilibrium {
        /// The study.
        study: String,
        /// Why not.
        reason: String,
    },
    /// Results could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Nothing in the scenario has a law that another could stand in for.
    #[error("`{scenario}` has no contact or drum with a law to compare others with")]
    NoLaw {
        /// The scenario.
        scenario: String,
    },
    /// A scenario without a simulation cannot be compared.
    #[error("`{scenario}` has no study of kind `simulate` to compare laws in")]
    NothingToCompare {
        /// The scenario.
        scenario: String,
    },
    /// The run that others were to be compared with is wrong.
    #[error(
        "the reference run is wrong: contact `{contact}` sticks at t = {t:.6} s under {force:.6} N, more than its limit of \
         {limit:.6} N"
    )]
    Reference {
        /// The contact.
        contact: String,
        /// When, s.
        t: f64,
        /// What it carries, N.
        force: f64,
        /// What it can carry, N.
        limit: f64,
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
    Scenario(#[from] bristle_scenario::ScenarioError),
    /// A law without bristles has no bristle parameters.
    #[error("law `{law}` has no bristles to suggest parameters for")]
    NoBristles {
        /// The law.
        law: String,
    },
    /// An estimate that leads out of a parameter's range.
    #[error("`{name}` of law `{law}` would be {value:e} {unit}, outside {min:e} to {max:e}")]
    OutOfRange {
        /// The law.
        law: String,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// Smallest admissible value.
        min: f64,
        /// Largest admissible value.
        max: f64,
    },
    /// Cancelled by the caller.
    #[error("stopped before the end")]
    Stopped,
    /// A number that cannot be changed.
    #[error(transparent)]
    Change(#[from] bristle_scenario::ChangeError),
}

impl From<CertifyError> for RunError {
    fn from(error: CertifyError) -> RunError {
        match error {
            CertifyError::Solve { law, source } => {
                RunError::Solve { study: format!("probe of {law}"), source }
            }
            CertifyError::Law { law, source } => RunError::Law { law, source },
            CertifyError::Stopped => RunError::Stopped,
            other => RunError::Case { case: "certificate".to_owned(), reason: other.to_string() },
        }
    }
}

/// A long time in words.
fn duration(seconds: f64) -> String {
    let days = seconds / 86_400.0;
    match days {
        d if d > 730.0 => format!("{:.0} years", d / 365.25),
        d if d > 2.0 => format!("{d:.0} days"),
        d => format!("{:.1} hours", 24.0 * d),
    }
}
