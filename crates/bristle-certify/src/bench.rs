//! One law under one block: the bench on which laws are tried.

use super::slide::SlipHistory;
use crate::CertifyError;
use bristle_core::StateRole;
use bristle_law::{At, LawKind};
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Point, SolveError, Solver, Trajectory};
use std::sync::atomic::{AtomicBool, Ordering};

/// Tolerance of the experiments: many findings are yes or no, and drifts of 10⁻⁶ of the motion must show.
pub const TOLERANCE: f64 = 1e-9;

/// More steps than this in one run are not worth waiting for.
const MOST_STEPS: usize = 2_000_000;

/// Share of the critical damping, of a block on the spring of its law, that every pushed block has: it ends the ringing
/// of a bristle that has no damping of its own, and carries no load at rest.
pub const DAMPING: f64 = 0.01;

/// What became of a block.
#[derive(Clone, Debug)]
pub enum BlockFate<T> {
    /// It stayed about where it was.
    Stayed(T),
    /// It broke away at this time.
    BrokeAway(f64),
}

impl<T> BlockFate<T> {
    /// What was found of a block that stayed; a probe that means nothing for another says so.
    pub fn stayed(self) -> Result<T, CertifyError> {
        match self {
            BlockFate::Stayed(found) => Ok(found),
            BlockFate::BrokeAway(t) => {
                let reason = format!("the block broke away after {t:.3} s");
                Err(CertifyError::Unmeasured { reason })
            }
        }
    }

    /// The same with what was found turned into something else.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> BlockFate<U> {
        match self {
            BlockFate::Stayed(found) => BlockFate::Stayed(change(found)),
            BlockFate::BrokeAway(t) => BlockFate::BrokeAway(t),
        }
    }
}

/// A block under one law.
#[derive(Clone, Debug)]
pub struct LawBench<'a> {
    /// The law with its numbers.
    pub law: Spec,
    /// Normal load in newtons, or NaN for a law whose levels are forces.
    pub load: f64,
    /// As many kilograms as the kinetic level has newtons, so that every law is tried at the same accelerations.
    pub mass: f64,
    /// Stiffness with which the law begins, N/m. It sets the damping of the block; zero for none.
    pub stiffness: f64,
    /// A block faster than this has broken away, m/s.
    pub loose: f64,
    /// Set by whoever wants the work to end.
    pub stop: Option<&'a AtomicBool>,
}

/// A part with some of its numbers.
pub fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A signal with some of its numbers.
pub fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// Straight lines through points.
pub fn polyline(points: &[(f64, f64)]) -> Spec {
    let mut line = signal(SignalKind::Polyline, &[]);
    line.lists.push(("times".to_owned(), points.iter().map(|p| p.0).collect()));
    line.lists.push(("values".to_owned(), points.iter().map(|p| p.1).collect()));
    line
}

/// A force over time on the block.
pub fn force(signal: Spec) -> Spec {
    part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", signal)
}

impl LawBench<'_> {
    /// The law's kind, if the catalogue has it.
    pub fn kind(&self) -> Result<LawKind, CertifyError> {
        let law = self.law.kind.clone();
        LawKind::named(&law).ok_or_else(|| CertifyError::Unmeasured { reason: format!("no law `{law}`") })
    }

    /// The load the law sees: one newton where its levels are forces.
    pub fn normal(&self) -> f64 {
        if self.load.is_nan() { 1.0 } else { self.load }
    }

    /// Whether the law is set-valued at rest.
    pub fn is_set_valued(&self) -> Result<bool, CertifyError> {
        let kind = self.kind()?;
        let law = kind.build(&self.law.numbers, &self.law.choices);
        Ok(law.limit(&At::sliding(0.0, self.normal()), &vec![0.0; kind.states()]).is_some())
    }

    /// A mechanism of these parts and the contact `floor` between `block` and its counter-surface.
    pub fn assemble(&self, counter: &str, mut parts: Vec<(&str, Spec)>) -> Result<System, CertifyError> {
        let contact = part(PartKind::Contact, &[("load", self.load)]);
        let contact = contact.naming("between", &["block", counter]).holding("law", self.law.clone());
        parts.push(("floor", contact));
        let parts: Vec<(String, Spec)> = parts.into_iter().map(|(n, s)| (n.to_owned(), s)).collect();
        System::assemble(&parts).map_err(|source| CertifyError::Law { law: self.law.kind.clone(), source })
    }

    /// A block of so many kilograms on the ground under forces over time.
    pub fn pushed(&self, mass: f64, forces: Vec<(&'static str, Spec)>) -> Result<System, CertifyError> {
        let mut parts = vec![("block", part(PartKind::Mass, &[("mass", mass)]))];
        parts.extend(forces.into_iter().map(|(name, signal)| (name, force(signal))));
        if self.stiffness > 0.0 {
            let air = part(PartKind::Damper, &[("d", self.damper(mass))]);
            parts.push(("air", air.naming("between", &["block", "ground"])));
        }
        self.assemble("ground", parts)
    }

    /// The damping of a pushed block of so many kilograms, N s/m.
    pub fn damper(&self, mass: f64) -> f64 {
        2.0 * DAMPING * (self.stiffness * mass).sqrt()
    }

    /// The stiffness with which the law begins, N/m: the rise of its force over the first thousandths of its deflection;
    /// zero for a law that has no deflection.
    pub fn first_stiffness(&self) -> Result<f64, CertifyError> {
        let (kind, mut scales) = (self.kind()?, vec![1.0; self.kind()?.states()]);
        kind.build(&self.law.numbers, &self.law.choices).scales(self.normal(), &mut scales);
        let states = kind.card().states;
        let bent = scales.iter().zip(states).filter(|(_, state)| state.role == StateRole::Deflection);
        let lengths = bent.map(|(scale, _)| *scale);
        let Some(length) = lengths.reduce(f64::min) else { return Ok(0.0) };
        let (slip, time) = (1e-3 * length, 0.02);
        let rows = self.slide_at(&SlipHistory::steady(slip / time), &[time, 2.0 * time])?;
        Ok(((rows[1].force - rows[0].force) / slip).max(0.0))
    }

    /// The method of the experiments.
    pub fn solver(&self) -> Solver {
        let solver = Solver { max_steps: MOST_STEPS, ..Solver::with_tolerance(TOLERANCE) };
        if self.creeps_at_rest() { Solver { atol: 1e-13, ..solver } } else { solver }
    }

    /// Whether the contact creeps by less than 10⁻¹² m/s at rest with a force that depends on by how much, so that
    /// velocities have to be followed further down than those of other laws.
    fn creeps_at_rest(&self) -> bool {
        self.kind().is_ok_and(|kind| kind.card().tags.contains(&"rate-and-state"))
    }

    fn failed(&self, source: SolveError) -> CertifyError {
        CertifyError::Solve { law: self.law.kind.clone(), source }
    }

    /// Whether the work should go on.
    pub fn goes_on(&self) -> bool {
        self.stop.is_none_or(|stop| !stop.load(Ordering::Relaxed))
    }

    /// Runs anything that can be integrated, from a start of its own.
    pub fn run<D: Dynamics>(
        &self,
        dynamics: &D,
        start: bristle_solve::State,
        end: f64,
        output: &Output,
        solver: &Solver,
    ) -> Result<Trajectory, CertifyError> {
        let mut watch = |_: f64, _: &[f64], _: &[bristle_core::Mode]| self.goes_on();
        let run = solver.run(dynamics, dynamics.params(), start, end, output, &mut watch);
        let run = run.map_err(|source| self.failed(source))?;
        if self.goes_on() { Ok(run) } else { Err(CertifyError::Stopped) }
    }

    /// Where the block is at the given times.
    ///
    /// A long rest may make one method chatter within rounding and another not. If all do, the block counts as resting
    /// where it was: a hybrid law at rest may chatter between the directions of a motion of the size of rounding.
    pub fn places(
        &self,
        system: &System,
        times: &[f64],
        first: &Solver,
    ) -> Result<BlockFate<Vec<f64>>, CertifyError> {
        let first = &if self.creeps_at_rest() { Solver { atol: 1e-15, ..*first } } else { *first };
        let mut rested = f64::INFINITY;
        let others =
            [Method::Auto, Method::Rodas5p, Method::Rodas4].into_iter().filter(|m| *m != first.method);
        for method in [first.method].into_iter().chain(others) {
            match self.places_by(system, times, &Solver { method, ..*first }) {
                Err(CertifyError::Solve { source: SolveError::Chatter { t, .. }, .. }) => {
                    rested = rested.min(t)
                }
                other => return other,
            }
        }
        let end = rested * (1.0 - 1e-6);
        let before: Vec<f64> = times.iter().copied().filter(|t| *t < end).chain([end]).collect();
        let resting = |mut places: Vec<f64>| {
            let last = places.pop().unwrap_or(0.0);
            places.resize(times.len(), last);
            places
        };
        Ok(self.places_by(system, &before, first)?.map(resting))
    }

    /// The same by one method, or how it failed.
    pub fn places_by(
        &self,
        system: &System,
        times: &[f64],
        solver: &Solver,
    ) -> Result<BlockFate<Vec<f64>>, CertifyError> {
        let end = times.last().copied().unwrap_or(0.0);
        let (p, mut loose) = (system.params(), None);
        let mut watch = |t: f64, x: &[f64], _: &[bristle_core::Mode]| {
            loose = (x[1].abs() > self.loose).then_some(t);
            loose.is_none() && self.goes_on()
        };
        let run = solver.run(system, p, system.initial(p), end, &Output::Times(times.to_vec()), &mut watch);
        let run = run.map_err(|source| self.failed(source))?;
        if !self.goes_on() {
            return Err(CertifyError::Stopped);
        }
        if let Some(t) = loose {
            return Ok(BlockFate::BrokeAway(t));
        }
        // Switches leave rows of their own; those asked for are found by their times.
        let samples = &run.samples;
        let at = |time: &f64| {
            let row = samples.t.iter().rposition(|t| t == time);
            row.map_or(run.end.x[0], |i| samples.row(i)[0])
        };
        Ok(BlockFate::Stayed(times.iter().map(at).collect()))
    }

    /// The largest friction force until `end`, or until the block is faster than `speed`.
    pub fn largest_force(
        &self,
        system: &System,
        from: f64,
        end: f64,
        speed: f64,
    ) -> Result<f64, CertifyError> {
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
                Ok(_) => return Err(CertifyError::Stopped),
                Err(source @ SolveError::Chatter { .. }) => fault = Some(self.failed(source)),
                Err(source) => return Err(self.failed(source)),
            }
        }
        Err(fault.unwrap_or(CertifyError::Stopped))
    }
}
