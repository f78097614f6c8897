//! The two set-ups of the paper under its six laws.

use bristle_cable::{
    CableError, CableSignal, CableSystem, DrumDrive, FlexibleCable, Friction, GeneralisedAlpha,
    GeneralisedAlphaRun,
};
use bristle_law::LawKind;
use bristle_mech::CableAlone;
use bristle_study::RunError;
use bristle_study::Scenario;

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

/// The cable of a set-up as the paper moves it: even steps of the generalised-α method.
#[derive(Clone, Debug)]
pub(super) struct PublishedCable {
    pub(super) cable: CableAlone,
    pub(super) method: GeneralisedAlpha,
}

fn read(text: &str, name: &str, setup: Setup, law: QuinnVariant) -> Result<PublishedCable, RunError> {
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
    let cable = scenario.system.cable_alone().ok_or_else(missing)?;
    let cable = cable.map_err(|source| RunError::Parameters { source })?;
    Ok(PublishedCable { cable, method: GeneralisedAlpha::default() })
}

/// Scenario I with equal loads.
pub(super) fn capstan(setup: Setup, law: QuinnVariant) -> Result<PublishedCable, RunError> {
    read(include_str!("capstan.toml"), "capstan.toml", setup, law)
}

/// Scenario II, its drum turned by the servo of the paper.
pub(super) fn pulley(setup: Setup, law: QuinnVariant) -> Result<PublishedCable, RunError> {
    let pulley = read(include_str!("pulley.toml"), "pulley.toml", setup, law)?;
    let target = CableSignal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    pulley.changed(|cable| cable.drums[0].drive = DrumDrive::Servo { kp: 100.0, kd: 20.0, target })
}

/// A cable's error as an error of the case.
pub(super) fn fail(error: CableError) -> RunError {
    RunError::Cable { study: "westin2020".to_owned(), reason: error.to_string() }
}

impl PublishedCable {
    /// The same with something changed.
    fn changed(mut self, change: impl FnOnce(&mut FlexibleCable)) -> Result<PublishedCable, RunError> {
        let mut cable = self.cable.system.cable().clone();
        change(&mut cable);
        self.cable.system = CableSystem::new(cable).map_err(fail)?;
        Ok(self)
    }

    /// The same with the load on the right raised smoothly to `ratio` times the holding load within `duration`.
    pub(super) fn with_ramp(self, ratio: f64, duration: f64) -> Result<PublishedCable, RunError> {
        let load = CableSignal::Ramp { from: -98.1, to: -98.1 * ratio, start: 0.0, duration };
        self.changed(|cable| cable.ends[1].force[1] = load)
    }

    /// The same with another friction on its drum.
    pub(super) fn with_friction(self, friction: Friction) -> Result<PublishedCable, RunError> {
        self.changed(|cable| cable.drums[0].friction = friction)
    }

    /// The same, integrated with other steps.
    pub(super) fn with_steps(mut self, step: f64, newton_tolerance: f64) -> PublishedCable {
        self.method = GeneralisedAlpha { step, newton_tolerance, ..GeneralisedAlpha::default() };
        self
    }

    /// A run from rest.
    pub(super) fn run(&self) -> Result<GeneralisedAlphaRun<'_>, RunError> {
        let start = self.cable.start().map_err(fail)?;
        GeneralisedAlphaRun::new(&self.cable.system, self.method, start).map_err(fail)
    }
}
