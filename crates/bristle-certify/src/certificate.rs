//! One law, all probes.

use super::bench::{DAMPING, LawBench};
use super::probes::break_away::BreakAway;
use super::probes::cost::BeltCost;
use super::probes::dwell::Dwell;
use super::probes::fixed_step::FixedStepLimit;
use super::probes::hold::{Hold, HoldVerdict, LIGHT, worst};
use super::probes::kernel::Kernel;
use super::probes::lag::Lag;
use super::probes::levels::Levels;
use super::probes::methods::ByMethod;
use super::probes::passivity::Passivity;
use super::probes::presliding::Presliding;
use super::probes::pulses::Pulses;
use super::probes::release::Release;
use super::probes::rotation::Rotation;
use super::probes::shake::Shake;
use super::probes::smoothness::Smoothness;
use super::probes::steady::SteadyCurve;
use super::{bench_for, probes};
use crate::CertifyError;
use crate::pennestri2016;
use bristle_law::LawKind;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many probes there are.
pub const PROBES: usize = 17;

/// A finding, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Measured<T> {
    /// What was found.
    Found(T),
    /// Nothing.
    Missing {
        /// Why.
        not_measured: String,
    },
}

impl<T> Measured<T> {
    /// What was found, if anything.
    pub fn found(&self) -> Option<&T> {
        match self {
            Measured::Found(value) => Some(value),
            Measured::Missing { .. } => None,
        }
    }
}

/// How the light block of the holds, releases and pulses is damped.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Damping {
    /// Share of the critical damping of the block on a spring of the stiffness with which the law begins.
    pub share: f64,
    /// The damper, N s/m; zero for a law without deflection, which needs none.
    pub damper: f64,
}

/// Everything measured about one law.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// The law.
    pub law: &'static str,
    /// Its numbers, in SI.
    pub parameters: BTreeMap<&'static str, f64>,
    /// How the bench was damped.
    pub damping: Damping,
    /// What it bears.
    pub levels: Measured<Levels>,
    /// Long holds below the static level.
    pub hold: Measured<Vec<Hold>>,
    /// The same hold by every method.
    pub methods: Measured<Vec<ByMethod>>,
    /// Hold and release.
    pub release: Measured<Release>,
    /// Pulses below the static level.
    pub pulses: Measured<Pulses>,
    /// Small oscillating load.
    pub shake: Measured<Shake>,
    /// Break-away force against rate.
    pub break_away: Measured<BreakAway>,
    /// Friction lag.
    pub lag: Measured<Lag>,
    /// Hysteresis before sliding; nothing for a law that does not spring back.
    pub presliding: Measured<Option<Presliding>>,
    /// Slide, hold, slide.
    pub dwell: Measured<Dwell>,
    /// Steady curve.
    pub steady: Measured<SteadyCurve>,
    /// Random motions.
    pub passivity: Measured<Passivity>,
    /// Sliding in the plane; nothing for a law without a vector form.
    pub rotation: Measured<Option<Rotation>>,
    /// How smooth the force is.
    pub smoothness: Measured<Smoothness>,
    /// What it costs.
    pub cost: Measured<BeltCost>,
    /// Largest explicit step.
    pub fixed_step: Measured<FixedStepLimit>,
    /// The law's own fixed step; nothing for a law without one.
    pub kernel: Measured<Option<Kernel>>,
}

impl Certificate {
    /// What became of the holds below the static level: the worst of them.
    pub fn verdict(&self) -> Option<HoldVerdict> {
        self.hold.found().map(|holds| worst(holds))
    }
}

/// Counts the probes made, and passes on nothing but the wish to stop.
struct Clerk<'a> {
    done: &'a AtomicUsize,
}

impl Clerk<'_> {
    fn note<T>(&self, found: Result<T, CertifyError>) -> Result<Measured<T>, CertifyError> {
        self.done.fetch_add(1, Ordering::Relaxed);
        match found {
            Ok(value) => Ok(Measured::Found(value)),
            Err(CertifyError::Stopped) => Err(CertifyError::Stopped),
            Err(fault) => Ok(Measured::Missing { not_measured: fault.to_string() }),
        }
    }
}

fn nothing_to_measure(why: &str) -> CertifyError {
    CertifyError::Unmeasured { reason: why.to_owned() }
}

/// Makes every probe of one law.
pub fn certify_law(
    kind: LawKind,
    stop: &AtomicBool,
    done: &AtomicUsize,
) -> Result<Certificate, CertifyError> {
    let clerk = Clerk { done };
    let mut bench = bench_for(kind, Some(stop));
    let levels = clerk.note(probes::levels::measure(&bench))?;
    let reached = levels.found().copied();
    let (kinetic, breaking) = reached.map_or((f64::NAN, f64::NAN), |l| (l.kinetic, l.breaking));
    bench.mass = kinetic.abs().max(1e-6);
    bench.stiffness = reached.map_or(0.0, |l| l.stiffness);
    let damping = Damping { share: DAMPING, damper: bench.damper(LIGHT * bench.mass) };
    let ready = || match reached {
        Some(_) => Ok(()),
        None => Err(nothing_to_measure("the levels could not be measured")),
    };
    macro_rules! probe {
        ($call:expr) => {
            clerk.note(ready().and_then(|()| $call))?
        };
    }
    let soft = pennestri2016::soft_specimen(kind);
    let soft = soft.map(|law| LawBench { law, load: f64::NAN, mass: 1.0, stiffness: 0.0, ..bench.clone() });
    let release = probe!(probes::release::measure(&bench, breaking));
    let stiffness = release.found().and_then(|r| r.stiffness);
    let presliding = || stiffness.map(|k| probes::presliding::measure(&bench, breaking, k)).transpose();
    let names = kind.card().numbers().map(|f| f.name).collect::<Vec<_>>();
    Ok(Certificate {
        law: kind.card().name,
        parameters: names.into_iter().zip(bench.law.numbers.iter().copied()).collect(),
        hold: probe!(probes::hold::measure(&bench, breaking)),
        methods: probe!(probes::methods::measure(&bench, breaking)),
        pulses: probe!(probes::pulses::measure(&bench, breaking)),
        shake: probe!(probes::shake::measure(&bench, kinetic, soft.as_ref())),
        break_away: probe!(probes::break_away::measure(&bench, breaking)),
        lag: probe!(probes::lag::measure(&bench, kinetic)),
        presliding: probe!(presliding()),
        dwell: probe!(probes::dwell::measure(&bench, breaking)),
        steady: probe!(probes::steady::measure(&bench)),
        passivity: probe!(probes::passivity::measure(&bench, kinetic)),
        rotation: probe!(probes::rotation::measure(&bench, breaking)),
        smoothness: probe!(probes::smoothness::measure(&bench)),
        cost: probe!(probes::cost::measure(&bench)),
        fixed_step: probe!(probes::fixed_step::measure(&bench, breaking)),
        kernel: probe!(probes::kernel::measure(&bench, breaking)),
        damping,
        levels,
        release,
    })
}
