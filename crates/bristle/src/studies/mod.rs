//! Questions put to a system: one file each.

use crate::error::RunError;
use crate::outcome::Answer;
use crate::progress::Progress;
use crate::scenario::{Scenario, Study};
use bristle_core::{Card, Described};

pub mod simulate;

pub use simulate::Simulate;

/// Makes the catalogue of studies from one list.
macro_rules! studies {
    ($($file:ident :: $study:ident),* $(,)?) => {
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

            /// Answers the question.
            pub fn answer(self, scenario: &Scenario, study: &Study, progress: &mut dyn Progress) -> Result<Answer, RunError> {
                match self { $(StudyKind::$study => $file::answer(scenario, study, progress),)* }
            }
        }
    };
}

studies! {
    simulate::Simulate,
}

impl StudyKind {
    /// The study of that name.
    pub fn named(name: &str) -> Option<StudyKind> {
        Self::ALL.iter().copied().find(|kind| kind.card().name == name)
    }
}
