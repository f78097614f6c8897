//! One law under one block: the bench on which laws are tried.

use crate::error::RunError;
use bristle_law::{At, LawKind};
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Point, SolveError, Solver, Trajectory};
use std::sync::atomic::{AtomicBool, Ordering};

/// Tolerance of the experiments: many findings are yes or no, and drifts of 10⁻⁶ of the motion must show.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// More steps than this in one run are not worth waiting for.
const MOST_STEPS: usize = 2_000_000;

/// A block under one law.
#[derive(Clone, Debug)]
pub(crate) struct Bench<'a> {
    /// The law with its numbers.
    pub law: Spec,
    /// Normal load in newtons, or NaN for a law whose levels are forces.
    pub load: f64,
    /// As many kilograms as the kinetic level has newtons, so that every law is tried at the same accelerations.
    pub mass: f64,
    /// Damping of the air, N s/m: enough to still a bristle that has no damping of its own, too little to carry load.
    pub air: f64,
    /// Set by whoever wants the work to end.
    pub stop: Option<&'a AtomicBool>,
}

/// A part with some of its numbers.
pub(crate) fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A signal with some of its numbers.
pub(crate) fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// Straight lines through points.
pub(crate) fn polyline(points: &[(f64, f64)]) -> Spec {
    let mut line = signal(SignalKind::Polyline, &[]);
    line.lists.push(("times".to_owned(), points.iter().map(|p| p.0).collect()));
    line.lists.push(("values".to_owned(), points.iter().map(|p| p.1).collect()));
    line
}

/// A force over time on the block.
pub(crate) fn force(signal: Spec) -> Spec {
    part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", signal)
}

impl Bench<'_> {
    /// The law's kind, if the catalogue has it.
    pub(crate) fn kind(&self) -> Result<LawKind, RunError> {
        let law = self.law.kind.clone();
        LawKind::named(&law).ok_or_else(|| RunError::Case {
            case: "certificate".to_owned(),
            reason: format!("no law `{law}`"),
        })
    }

    /// The load the law sees: one newton where its levels are forces.
    pub(crate) fn normal(&self) -> f64 {
        if self.load.is_nan() { 1.0 } else { self.load }
    }

    /// Whether the law is set-valued at rest.
    pub(crate) fn is_set_valued(&self) -> Result<bool, RunError> {
        let kind = self.kind()?;
        let law = kind.build(&self.law.numbers, &self.law.choices);
        Ok(law.limit(&At::sliding(0.0, self.normal()), &vec![0.0; kind.states()]).is_some())
    }

    /// A mechanism of these parts and the contact `floor` between `block` and its counter-surface.
    pub(crate) fn assemble(&self, counter: &str, mut parts: Vec<(&str, Spec)>) -> Result<System, RunError> {
        let contact = part(PartKind::Contact, &[("load", self.load)]);
        let contact = contact.naming("between", &["block", counter]).holding("law", self.law.clone());
        parts.push(("floor", contact));
        let parts: Vec<(String, Spec)> = parts.into_iter().map(|(n, s)| (n.to_owned(), s)).collect();
        System::assemble(&parts).map_err(|source| RunError::Law { law: self.law.kind.clone(), source })
    }

    /// A block of so many kilograms on the ground under forces over time.
    pub(crate) fn pushed(&self, mass: f64, forces: Vec<(&'static str, Spec)>) -> Result<System, RunError> {
        let mut parts = vec![("block", part(PartKind::Mass, &[("mass", mass)]))];
        parts.extend(forces.into_iter().map(|(name, signal)| (name, force(signal))));
        if self.air > 0.0 {
            let air = part(PartKind::Damper, &[("d", self.air)]).naming("between", &["block", "ground"]);
            parts.push(("air", air));
        }
        self.assemble("ground", parts)
    }

    /// The method of the experiments.
    pub(crate) fn solver(&self) -> Solver {
        Solver { max_steps: MOST_STEPS, ..Solver::with_tolerance(TOLERANCE) }
    }

    fn failed(&self, source: SolveError) -> RunError {
        RunError::Solve { study: format!("probe of {}", self.law.kind), source }
    }

    /// Whether the work should go on.
    pub(crate) fn goes_on(&self) -> bool {
        self.stop.is_none_or(|stop| !stop.load(Ordering::Relaxed))
    }

    /// Runs anything that can be integrated, from a start of its own.
    pub(crate) fn run<D: Dynamics>(
        &self,
        dynamics: &D,
        start: bristle_solve::State,
        end: f64,
        output: &Output,
        solver: &Solver,
    ) -> Result<Trajectory, RunError> {
        let mut watch = |_: f64, _: &[f64], _: &[bristle_core::Mode]| self.goes_on();
        let run = solver.run(dynamics, dynamics.params(), start, end, output, &mut watch);
        let run = run.map_err(|source| self.failed(source))?;
        if self.goes_on() { Ok(run) } else { Err(RunError::Stopped) }
    }

    /// Where the block is at the given times.
    ///
    /// A long rest may make one method chatter within rounding and another not. If all do, the block counts as resting
    /// where it was: a hybrid law at rest may chatter between the directions of a motion of the size of rounding.
    pub(crate) fn places(
        &self,
        system: &System,
        times: &[f64],
        first: &Solver,
    ) -> Result<Vec<f64>, RunError> {
        let mut rested = f64::INFINITY;
        let others =
            [Method::Auto, Method::Rodas5p, Method::Rodas4].into_iter().filter(|m| *m != first.method);
        for method in [first.method].into_iter().chain(others) {
            match self.places_by(system, times, &Solver { method, ..*first }) {
                Err(RunError::Solve { source: SolveError::Chatter { t, .. }, .. }) => rested = rested.min(t),
                other => return other,
            }
        }
        let end = rested * (1.0 - 1e-6);
        let before: Vec<f64> = times.iter().copied().filter(|t| *t < end).chain([end]).collect();
        let mut places = self.places_by(system, &before, first)?;
        let last = places.pop().unwrap_or(0.0);
        places.resize(times.len(), last);
        Ok(places)
    }

    /// The same by one method, or how it failed.
    pub(crate) fn places_by(
        &self,
        system: &System,
        times: &[f64],
        solver: &Solver,
    ) -> Result<Vec<f64>, RunError> {
        let end = times.last().copied().unwrap_or(0.0);
        let start = system.initial(system.params());
        let run = self.run(system, start, end, &Output::Times(times.to_vec()), solver)?;
        // Switches leave rows of their own; those asked for are found by their times.
        let samples = &run.samples;
        let at = |time: &f64| {
            let row = samples.t.iter().rposition(|t| t == time);
            row.map_or(run.end.x[0], |i| samples.row(i)[0])
        };
        Ok(times.iter().map(at).collect())
    }

    /// The largest friction force until `end`, or until the block is faster than `speed`.
    pub(crate) fn largest_force(
        &self,
        system: &System,
        from: f64,
        end: f64,
        speed: f64,
    ) -> Result<f64, RunError> {
        let force = system.channels().iter().position(|c| c.name == "floor.force").unwrap_or(0);
        let p = system.params();
        let mut fault = None;
        // A long rest may make one method chatter within rounding and another not.
        for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dop853] {
            let mut largest: f64 = 0.0;
            let mut watch = |t: f64, x: &[f64], mode: &[bristle_core::Mode]| {
                let point = Point { t, x, p, mode };
                if t >= from {
                    largest = largest.max(system.observe(&point)[force].abs());
                }
                x[1].abs() < speed && self.goes_on()
            };
            let solver = Solver { method, ..self.solver() };
            match solver.run(system, p, system.initial(p), end, &Output::Ends, &mut watch) {
                Ok(_) if self.goes_on() => return Ok(largest),
                Ok(_) => return Err(RunError::Stopped),
                Err(source @ SolveError::Chatter { .. }) => fault = Some(self.failed(source)),
                Err(source) => return Err(self.failed(source)),
            }
        }
        Err(fault.unwrap_or(RunError::Stopped))
    }
}
