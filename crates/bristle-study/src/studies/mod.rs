//! Questions put to a system: one file each.

use crate::error::RunError;
use crate::progress::watched;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_core::{Card, Described};
use bristle_mech::Spec;
use bristle_solve::Progress;

pub mod boundary;
pub mod branch;
pub mod drawing;
pub mod limit;
pub mod map;
pub mod optimise;
pub mod orbit;
pub mod simulate;
pub mod spectrum;
pub mod stages;
pub mod steady;
pub mod subject;
pub mod sweep;
pub mod vary;
pub mod work_precision;

pub use boundary::Boundary;
pub use branch::Branch;
pub use limit::Limit;
pub use map::Map;
pub use optimise::Optimise;
pub use orbit::Orbit;
pub use simulate::Simulate;
pub use spectrum::Spectrum;
pub use stages::Stages;
pub use steady::Steady;
pub use sweep::Sweep;
pub use vary::Vary;
pub use work_precision::WorkPrecision;

/// Makes the catalogue of studies from one list.
macro_rules! studies {
    ($($file:ident :: $study:ident $(: $checks:path)?),* $(,)?) => {
        /// Which question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum StudyKind {
            $(#[doc = concat!("See [`", stringify!($study), "`](struct@", stringify!($study), ").")] $study,)*
        }

        impl StudyKind {
            /// Every study, in the order of the catalogue.
            pub const ALL: &'static [StudyKind] = &[$(StudyKind::$study),*];

            /// The study's card.
            pub fn card(self) -> Card {
                match self { $(StudyKind::$study => <$study<f64> as Described>::CARD,)* }
            }

            /// What is wrong with the values together, and at which key.
            pub(crate) fn error(self, spec: &Spec) -> Option<(&'static str, String)> {
                match self { $(StudyKind::$study => None$(.or_else(|| $checks(spec)))?,)* }
            }

            fn ask(self, scenario: &Scenario, study: &Study, progress: &mut dyn Progress) -> Result<Answer, RunError> {
                match self { $(StudyKind::$study => $file::answer(scenario, study, progress),)* }
            }
        }
    };
}

studies! {
    simulate::Simulate: simulate::error,
    steady::Steady,
    branch::Branch,
    boundary::Boundary,
    map::Map,
    orbit::Orbit: orbit::error,
    sweep::Sweep: sweep::error,
    stages::Stages: stages::error,
    spectrum::Spectrum: spectrum::error,
    work_precision::WorkPrecision: work_precision::error,
    limit::Limit,
    vary::Vary,
    optimise::Optimise: optimise::error,
}

/// What is wrong with a list of multiplicities, which count returns.
fn multiplicities(spec: &Spec) -> Option<(&'static str, String)> {
    let bad = spec.list("multiplicities").iter().find(|n| !(1.0..=64.0).contains(*n) || n.fract() != 0.0)?;
    Some(("multiplicities", format!("{bad} returns: a whole number from 1 to 64 is meant")))
}

impl StudyKind {
    /// Answers the question.
    pub fn answer(
        self,
        scenario: &Scenario,
        study: &Study,
        progress: &mut dyn Progress,
    ) -> Result<Answer, RunError> {
        let mut answer = match self {
            // These go forward in time, or from cell to cell, and ask often enough themselves.
            StudyKind::Simulate
            | StudyKind::Stages
            | StudyKind::Sweep
            | StudyKind::WorkPrecision
            | StudyKind::Vary
            | StudyKind::Optimise => self.ask(scenario, study, progress)?,
            _ => watched(progress, |progress| self.ask(scenario, study, progress))
                .unwrap_or(Err(RunError::Stopped))?,
        };
        if self.sees_what_is_steady() {
            answer.facts.extend(subject::View::of(scenario).fact());
        }
        Ok(answer)
    }

    /// Whether it asks for what is steady or periodic, seen from a frame that moves along.
    fn sees_what_is_steady(self) -> bool {
        use StudyKind::{Boundary, Branch, Map, Orbit, Steady, Sweep};
        matches!(self, Boundary | Branch | Map | Orbit | Steady | Sweep)
    }

    /// What makes the study impossible before it has begun.
    pub(crate) fn obstacle(self, study: &Study) -> Option<RunError> {
        if self == StudyKind::Sweep { sweep::obstacle(study) } else { None }
    }

    /// The study of that name.
    pub fn named(name: &str) -> Option<StudyKind> {
        Self::ALL.iter().copied().find(|kind| kind.card().name == name)
    }
}
