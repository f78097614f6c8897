//! The two set-ups of the paper under its six laws.

use bristle_cable::{
    CableError, CableMethod, CableSignal, CableState, CableSystem, Friction, GeneralisedAlpha,
    GeneralisedAlphaRun, Integration,
};
use bristle_law::LawKind;
use bristle_study::RunError;
use bristle_study::Scenario;
use bristle_study::cable::CableModel;

/// A law of Table II: Quinn, or its rounded variant with `β = 2 − α`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QuinnVariant {
    pub(super) alpha: f64,
}

impl QuinnVariant {
    pub(super) const QUINN: QuinnVariant = QuinnVariant { alpha: 1.0 };

    /// All six, in the order of the table.
    pub(super) const ALL: [QuinnVariant; 6] = [
        QuinnVariant::QUINN,
        QuinnVariant { alpha: 0.99 },
        QuinnVariant { alpha: 0.95 },
        QuinnVariant { alpha: 0.9 },
        QuinnVariant { alpha: 0.75 },
        QuinnVariant { alpha: 0.5 },
    ];

    /// As ids have it.
    pub(super) fn key(self) -> String {
        if self == QuinnVariant::QUINN { "quinn".to_owned() } else { format!("cdq_{}", self.alpha) }
    }

    /// As legends have it.
    pub(super) fn label(self) -> String {
        if self == QuinnVariant::QUINN { "Quinn".to_owned() } else { format!("CDQ, $α$ = {}", self.alpha) }
    }
}

/// What the text does not print, or is varied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub(super) length: f64,
    pub(super) elements: usize,
    pub(super) gravity: f64,
}

impl Setup {
    /// The well-resolved cable of 2 m.
    pub(super) const SHORT: Setup = Setup { length: 2.0, elements: 40, gravity: 9.81 };
    /// The cable that comes nearest to the published ratios.
    pub(super) const LONG: Setup = Setup { length: 4.5, ..Setup::SHORT };
    /// The cable with the density as printed: its weight vanishes.
    pub(super) const MASSLESS: Setup = Setup { gravity: 0.0, ..Setup::SHORT };
}

fn read(text: &str, name: &str, setup: Setup, law: QuinnVariant) -> Result<CableModel, RunError> {
    let mut scenario = Scenario::from_text(text, name, ".".as_ref())?;
    let mut changes = vec![
        ("rope.length", setup.length),
        ("rope.elements", setup.elements as f64),
        ("earth.g", setup.gravity),
    ];
    if law != QuinnVariant::QUINN {
        scenario = scenario.with_law(LawKind::Cdq)?;
        changes.push(("drum.law.alpha", law.alpha));
    }
    let scenario = scenario.with(&changes)?;
    let missing = || RunError::Case { case: "westin2020".to_owned(), reason: format!("{name} has no cable") };
    scenario.cable().cloned().ok_or_else(missing)
}

/// Scenario I with equal loads.
pub(super) fn capstan(setup: Setup, law: QuinnVariant) -> Result<CableModel, RunError> {
    read(include_str!("capstan.toml"), "capstan.toml", setup, law)
}

/// Scenario II.
pub(super) fn pulley(setup: Setup, law: QuinnVariant) -> Result<CableModel, RunError> {
    read(include_str!("pulley.toml"), "pulley.toml", setup, law)
}

/// A cable's error as an error of the case.
pub(super) fn fail(error: CableError) -> RunError {
    RunError::Cable { study: "westin2020".to_owned(), reason: error.to_string() }
}

/// The cable with something changed.
pub(super) trait ChangedCable: Sized {
    /// The same with the load on the right raised smoothly to `ratio` times the holding load within `duration`.
    fn with_ramp(self, ratio: f64, duration: f64) -> Result<Self, RunError>;

    /// The same with another friction on its drum.
    fn with_friction(self, friction: Friction) -> Result<Self, RunError>;

    /// A run of the generalised-α method without an account of energies.
    fn plain_run(&self, start: CableState) -> Result<Box<dyn Integration + '_>, RunError>;

    /// The same, integrated otherwise.
    fn with_steps(self, step: f64, newton_tolerance: f64) -> Self;
}

impl ChangedCable for CableModel {
    fn with_ramp(mut self, ratio: f64, duration: f64) -> Result<CableModel, RunError> {
        let mut cable = self.system.cable().clone();
        cable.ends[1].force[1] = CableSignal::Ramp { from: -98.1, to: -98.1 * ratio, start: 0.0, duration };
        self.system = CableSystem::new(cable).map_err(fail)?;
        Ok(self)
    }

    fn with_friction(mut self, friction: Friction) -> Result<CableModel, RunError> {
        let mut cable = self.system.cable().clone();
        cable.drums[0].friction = friction;
        self.system = CableSystem::new(cable).map_err(fail)?;
        Ok(self)
    }

    fn plain_run(&self, start: CableState) -> Result<Box<dyn Integration + '_>, RunError> {
        match self.method {
            CableMethod::GeneralisedAlpha(method) => {
                Ok(Box::new(GeneralisedAlphaRun::new(&self.system, method, start).map_err(fail)?))
            }
            other => other.start(&self.system, start).map_err(fail),
        }
    }

    fn with_steps(mut self, step: f64, newton_tolerance: f64) -> CableModel {
        let method = GeneralisedAlpha { step, newton_tolerance, ..GeneralisedAlpha::default() };
        self.method = CableMethod::GeneralisedAlpha(method);
        self
    }
}
