//! Ways out of a run that gave no answer.

use crate::error::RunError;
use bristle_analysis::AnalysisError;
use bristle_mech::{LiveError, MechError};
use bristle_scenario::ChangeError;
use bristle_solve::SolveError;
use bristle_vary::store::StoreError;

/// What to do about a rate that has overflowed.
const NOT_FINITE: &str = "values are too large or too small there; write them in fitting units";

impl RunError {
    /// What can be done about it.
    pub fn hint(&self) -> String {
        match self {
            RunError::Solve { source, .. } => of_solver(source),
            RunError::Analysis { source: AnalysisError::NotFinite { .. }, .. } => NOT_FINITE.to_owned(),
            RunError::Analysis { .. } => {
                "look at the motion first with a study of kind `simulate`, or ask over another range"
                    .to_owned()
            }
            RunError::DependsOnTime { .. } => {
                "ask `simulate` or `stages`, or drive at a constant speed".to_owned()
            }
            RunError::Fit { .. } => {
                "`bristle show fit` explains the study; the manual has a chapter on measurements".to_owned()
            }
            RunError::Cable { .. } => {
                "`bristle show cable` and `bristle show limit` explain the parameters".to_owned()
            }
            RunError::Runs { source: StoreError::Other { .. } } => {
                "name another folder for these runs with `--store DIR`; nothing was changed".to_owned()
            }
            RunError::Runs { source: StoreError::Busy { .. } } => {
                "wait for it, or run another shard with `--shard`".to_owned()
            }
            RunError::Runs { source: StoreError::Missing { .. } } => {
                "name the folder that was given with `--store`".to_owned()
            }
            RunError::Runs { .. } => {
                "runs that were finished are safe; the same command goes on from them, or name another folder with `--store DIR`"
                    .to_owned()
            }
            RunError::TooLong { .. } => {
                "say `--yes` if that is meant, take fewer runs, or divide them with `--shard i/n` over several machines"
                    .to_owned()
            }
            RunError::NothingToVary { .. } => {
                "say what varies with `--set belt.v=0.2:0.6:41`, or add [studies.vary] with kind = \"vary\"".to_owned()
            }
            RunError::Plan { .. } => "`bristle show plan` explains what a plan needs".to_owned(),
            RunError::Store { .. } => "name a file that can be written in `store`".to_owned(),
            RunError::Law { source: MechError::Misfit { hint, .. }, .. }
            | RunError::Parameters { source: MechError::Misfit { hint, .. } }
            | RunError::Live { source: LiveError::Mech(MechError::Misfit { hint, .. }) } => hint.clone(),
            RunError::Live { source: LiveError::NoSuchInput { near: Some(near), .. } } => {
                format!("did you mean `{near}`?")
            }
            RunError::Live { .. } => "`bristle show input` explains inputs".to_owned(),
            RunError::NoLaw { .. } => {
                "give a contact or a drum one, such as `law = { kind = \"quinn\" }`".to_owned()
            }
            RunError::Law { law, .. } => {
                format!("`bristle show {law}` explains its parameters; leave it out of `--laws`")
            }
            RunError::Parameters { .. } => "change the law's other parameters with it".to_owned(),
            RunError::NothingToCompare { .. } => {
                "add [studies.run] with kind = \"simulate\" and duration = \"10 s\"".to_owned()
            }
            RunError::NoBristles { .. } => "`bristle list laws` tells which have bristles".to_owned(),
            RunError::OutOfRange { name, .. } => {
                format!("give `{name}` yourself, or another estimate of its cause")
            }
            RunError::Change(ChangeError::NoSuchParameter { near: Some(near), .. }) => format!("did you mean `{near}`?"),
            RunError::Change(_) => {
                "`bristle check` lists the parts, `bristle show PART` their parameters".to_owned()
            }
            RunError::Record(_) => "choose another folder with `--out DIR`".to_owned(),
            RunError::Scenario(_) => "`bristle check` tells all that is wrong with it".to_owned(),
            RunError::Stopped => "nothing was written; run it again to the end".to_owned(),
            _ => "`bristle check` reads the scenario again and tells what is in it".to_owned(),
        }
    }
}

/// The same for an integration.
fn of_solver(error: &SolveError) -> String {
    match error {
        SolveError::StepTooSmall { .. } => {
            "loosen `rtol` in [solver], take method = \"rodas5p\", or look for values that differ by many powers of ten"
        }
        SolveError::Chatter { .. } => "loosen `rtol` in [solver], or take a law with bristles for that contact",
        SolveError::NotFinite { .. } => NOT_FINITE,
        SolveError::TooManySteps { .. } => {
            "raise `max_steps` or loosen `rtol` in [solver], or ask for a shorter duration"
        }
        SolveError::BadTolerance { .. } => "`bristle show solver` tells the range",
        SolveError::BadSpan { .. } => "give a positive duration",
        SolveError::NotBuilt { .. } | SolveError::Backend { .. } => "take method = \"auto\" in [solver]",
        _ => "loosen `rtol` in [solver], or take another method; `bristle list methods` lists them",
    }
    .to_owned()
}
