//! Everything that can be named, in one place: for `list`, `show`, the manual and the schema.

use bristle_cases::CaseKind;
use bristle_core::{Card, Described};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind};
use bristle_scenario::SolverSettings;
use bristle_solve::Method;
use bristle_study::StudyKind;

/// A catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogueKind {
    /// Friction laws.
    Laws,
    /// Bodies, elements and contacts.
    Parts,
    /// Time functions.
    Signals,
    /// Integration methods.
    Methods,
    /// Questions.
    Studies,
    /// Published experiments.
    Cases,
    /// Sections of a scenario with settings of their own.
    Settings,
}

impl CatalogueKind {
    /// Every catalogue.
    pub const ALL: &'static [CatalogueKind] = &[
        CatalogueKind::Laws,
        CatalogueKind::Parts,
        CatalogueKind::Signals,
        CatalogueKind::Methods,
        CatalogueKind::Studies,
        CatalogueKind::Cases,
        CatalogueKind::Settings,
    ];

    /// What a user types.
    pub fn name(self) -> &'static str {
        match self {
            CatalogueKind::Laws => "laws",
            CatalogueKind::Parts => "parts",
            CatalogueKind::Signals => "signals",
            CatalogueKind::Methods => "methods",
            CatalogueKind::Studies => "studies",
            CatalogueKind::Cases => "cases",
            CatalogueKind::Settings => "settings",
        }
    }

    /// What one entry is called.
    pub fn one(self) -> &'static str {
        match self {
            CatalogueKind::Laws => "law",
            CatalogueKind::Parts => "part",
            CatalogueKind::Signals => "signal",
            CatalogueKind::Methods => "method",
            CatalogueKind::Studies => "study",
            CatalogueKind::Cases => "case",
            CatalogueKind::Settings => "settings",
        }
    }
}

/// The cards of a catalogue, in its order.
pub fn cards(catalogue: CatalogueKind) -> Vec<Card> {
    match catalogue {
        CatalogueKind::Laws => LawKind::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Parts => PartKind::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Signals => SignalKind::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Methods => Method::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Studies => StudyKind::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Cases => CaseKind::ALL.iter().map(|k| k.card()).collect(),
        CatalogueKind::Settings => vec![SolverSettings::<f64>::CARD],
    }
}
