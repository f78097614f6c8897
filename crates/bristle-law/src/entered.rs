//! Laws that were entered while the program runs, beside those of the catalogue: read from text, or brought by other crates.

use crate::laws::LawKind;
use std::sync::{PoisonError, RwLock};

static LAWS: RwLock<Vec<LawKind>> = RwLock::new(Vec::new());

/// The first law that was entered and fits.
pub(crate) fn find(fits: impl Fn(LawKind) -> bool) -> Option<LawKind> {
    LAWS.read().unwrap_or_else(PoisonError::into_inner).iter().copied().find(|law| fits(*law))
}

/// All that were entered.
pub(crate) fn all() -> Vec<LawKind> {
    LAWS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Enters what is made in view of those that are there; one that fits already is kept.
pub(crate) fn enter(fits: impl Fn(LawKind) -> bool, make: impl FnOnce(&[LawKind]) -> LawKind) -> LawKind {
    let mut laws = LAWS.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(law) = laws.iter().copied().find(|law| fits(*law)) {
        return law;
    }
    let law = make(&laws);
    laws.push(law);
    law
}
