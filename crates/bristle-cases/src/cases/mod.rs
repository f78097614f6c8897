//! Published experiments, run again: one folder per paper.
//!
//! A case is its scenarios, its published numbers (`published.toml`) and a few lines that say how each number is
//! read off a run. The machinery here joins the two and judges.

use bristle_core::{Card, Described};
use bristle_record::{Data, Record};
use bristle_solve::Progress;
use bristle_study::RunError;

mod cell;
mod front;
pub mod reading;
mod tally;

pub use cell::{Basis, CellComparison, Computed, NumberKind, Published, compare_cells, table_of};
pub use front::front_page;
pub use tally::Tally;

/// What running a case again gave.
#[derive(Clone, Debug)]
pub struct CaseOutcome {
    /// The report.
    pub record: Record,
    /// Every published number beside ours.
    pub cells: Vec<CellComparison>,
    /// Columns of numbers worth keeping, if any.
    pub data: Data,
}

/// Makes the catalogue of cases from one list.
macro_rules! cases {
    ($($file:ident :: $case:ident),* $(,)?) => {
        /// Which published experiment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CaseKind {
            $(#[doc = concat!("See [`", stringify!($case), "`](struct@", stringify!($case), ").")] $case,)*
        }

        impl CaseKind {
            /// Every case, in the order of the catalogue.
            pub const ALL: &'static [CaseKind] = &[$(CaseKind::$case),*];

            /// The case's card.
            pub fn card(self) -> Card {
                match self { $(CaseKind::$case => <$case as Described>::CARD,)* }
            }

            /// Runs every experiment of the case again.
            pub fn reproduce(self, progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
                match self { $(CaseKind::$case => $file::reproduce(progress),)* }
            }
        }

        $(pub use $file::$case;)*
    };
}

pub mod hieu2021;
pub mod pennestri2016;
pub mod rill2023;
pub mod westin2020;

cases! {
    rill2023::Rill2023,
    pennestri2016::Pennestri2016,
    hieu2021::Hieu2021,
    westin2020::Westin2020,
}

impl CaseKind {
    /// The case of that name.
    pub fn named(name: &str) -> Option<CaseKind> {
        Self::ALL.iter().copied().find(|kind| kind.card().name == name)
    }
}
