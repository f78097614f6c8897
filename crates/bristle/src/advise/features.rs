//! What a law can do, measured by small experiments on a single block.

use crate::error::RunError;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output, SolveError, Solver};

/// What a law was seen to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Speed of creep under half the kinetic level, m/s.
    pub creep: f64,
    /// Whether it holds half the kinetic level without creep.
    pub holds: bool,
    /// Whether it holds a load between the kinetic and the static level, put on slowly.
    pub bears_static: bool,
    /// How far the block springs back when half the kinetic level is taken away, m.
    pub spring_back: f64,
    /// Whether it springs back at all.
    pub has_presliding: bool,
    /// Displacement per cycle under a load that stays below the static level, m.
    pub drift: f64,
    /// Whether that is more than a thousandth of the whole displacement.
    pub drifts: bool,
    /// Largest friction force when a spring pulls the block loose slowly and a hundred times faster, N.
    pub break_away: [f64; 2],
    /// Whether these differ by more than a hundredth.
    pub is_rate_dependent: bool,
}

/// Slower than this counts as rest, m/s.
const REST: f64 = 1e-7;

/// Tolerance of the experiments: features are yes or no, and drifts of 10⁻⁶ of the motion must show.
const TOLERANCE: f64 = 1e-9;

/// Measures a law with the given kinetic and static level in newtons; `load` is the normal load, or NaN for a law
/// whose levels are forces.
///
/// The block weighs as many kilograms as the kinetic level has newtons, so that every law is tried at the same
/// accelerations.
pub fn measure(law: &Spec, levels: (f64, f64), load: f64) -> Result<Features, RunError> {
    let (kinetic, peak) = levels;
    let bench = Bench { law, load, mass: kinetic.max(1e-6) };
    let (creep, spring_back) = bench.hold(0.5 * kinetic, 1.0)?;
    // Above the kinetic level slowly: some laws break away the earlier the faster they are loaded.
    let (high_creep, _) = bench.hold(kinetic + 0.2 * (peak - kinetic), 20.0)?;
    // A bristle without damping rings on for long, by a small part of its deflection.
    let rest = REST.max(1e-2 * spring_back.abs());
    let (drift, whole) = bench.shake(kinetic)?;
    let break_away = [bench.pull(peak, 0.1)?, bench.pull(peak, 10.0)?];
    Ok(Features {
        creep,
        holds: creep.abs() < rest,
        bears_static: peak > kinetic && high_creep.abs() < rest,
        spring_back,
        has_presliding: spring_back > 1e-10,
        drift,
        drifts: drift.abs() > 1e-3 * whole.abs(),
        break_away,
        is_rate_dependent: (break_away[1] - break_away[0]).abs() > 0.01 * break_away[0].abs(),
    })
}

/// A block under one law.
struct Bench<'a> {
    law: &'a Spec,
    load: f64,
    mass: f64,
}

fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

impl Bench<'_> {
    fn assemble(&self, counter: &str, mut parts: Vec<(&str, Spec)>) -> Result<System, RunError> {
        let contact = part(PartKind::Contact, &[("load", self.load)]);
        let contact = contact.naming("between", &["block", counter]).holding("law", self.law.clone());
        parts.push(("floor", contact));
        let parts: Vec<(String, Spec)> = parts.into_iter().map(|(n, s)| (n.to_owned(), s)).collect();
        System::assemble(&parts).map_err(|source| RunError::Law { law: self.law.kind.clone(), source })
    }

    /// Where the block is at the given times.
    ///
    /// A hybrid law that has come to rest may chatter between the directions of a motion of the size of rounding;
    /// the block then stays where it is.
    fn places(&self, system: &System, times: &[f64]) -> Result<Vec<f64>, RunError> {
        let mut end = times.last().copied().unwrap_or(0.0);
        loop {
            let due: Vec<f64> = times.iter().copied().filter(|t| *t <= end).collect();
            let solver = Solver { max_steps: 2_000_000, ..Solver::with_tolerance(TOLERANCE) };
            let (p, output) = (system.params(), Output::Times(due));
            match solver.run(system, p, system.initial(p), end, &output, &mut ()) {
                Ok(run) => {
                    // Switches leave rows of their own; those asked for are found by their times.
                    let samples = &run.samples;
                    let at = |time: &f64| {
                        let row = samples.t.iter().rposition(|t| t == time);
                        row.map_or(run.end.x[0], |i| samples.row(i)[0])
                    };
                    return Ok(times.iter().map(at).collect());
                }
                Err(SolveError::Chatter { t, .. }) if t > 0.0 && t < end => end = t * (1.0 - 1e-6),
                Err(source) => {
                    return Err(RunError::Solve { study: format!("probe of {}", self.law.kind), source });
                }
            }
        }
    }

    /// A load is put on within `ramp` seconds, taken away and put on again: creep under it after a long time, and how
    /// far the block sprang back between.
    fn hold(&self, force: f64, ramp: f64) -> Result<(f64, f64), RunError> {
        let step = |to: f64, start: f64| {
            signal(SignalKind::SmoothStep, &[("to", to), ("start", start * ramp), ("duration", ramp)])
        };
        let (up, down, again) = (step(force, 0.0), step(-force, 1.5), step(force, 3.5));
        let force = |s: Spec| part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", s);
        // A light block: bristles ring fast, settle soon, and the slow load hardly excites them.
        let block = part(PartKind::Mass, &[("mass", 1e-3 * self.mass)]);
        // A bristle without damping would ring through the whole run. This damper ends that within a second, and beside
        // the slope of any friction curve it is nothing.
        let brake =
            part(PartKind::Damper, &[("d", 2e-2 * self.mass)]).naming("between", &["block", "ground"]);
        let mut parts = vec![("block", block), ("brake", brake)];
        parts.extend([("up", force(up)), ("down", force(down)), ("again", force(again))]);
        let system = self.assemble("ground", parts)?;
        // Relaxation over seconds, as of the stick-slip law within its threshold, has then died out.
        let late = 4.5 * ramp + 15.0;
        let x = self.places(&system, &[1.5 * ramp, 3.5 * ramp, late, late + 4.0])?;
        Ok(((x[3] - x[2]) / 4.0, x[0] - x[1]))
    }

    /// Displacement per cycle after a jerk, and the whole displacement: the mean of the last five of twenty cycles.
    fn shake(&self, kinetic: f64) -> Result<(f64, f64), RunError> {
        let mut jerk = signal(SignalKind::Polyline, &[("scale", kinetic)]);
        jerk.lists.push(("times".to_owned(), vec![0.0, 0.1, 0.2]));
        jerk.lists.push(("values".to_owned(), vec![0.0, 2.0, 0.5]));
        let numbers = [("amplitude", 0.25 * kinetic), ("frequency", 2.0), ("start", 0.2)];
        let force = |s: Spec| part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", s);
        let shake = force(signal(SignalKind::Sine, &numbers));
        let block = part(PartKind::Mass, &[("mass", self.mass)]);
        let parts = vec![("block", block), ("jerk", force(jerk)), ("shake", shake)];
        let system = self.assemble("ground", parts)?;
        let x = self.places(&system, &[7.7, 10.2])?;
        Ok(((x[1] - x[0]) / 5.0, x[1]))
    }

    /// Largest friction force while a spring that rides on a belt is stretched by `rate` static levels per second, up
    /// to six of them: a soft bristle needs some way to yield.
    fn pull(&self, peak: f64, rate: f64) -> Result<f64, RunError> {
        let speed = 1.0;
        let parts = vec![
            ("block", part(PartKind::Mass, &[("mass", self.mass), ("v", speed)])),
            ("belt", part(PartKind::Drive, &[("v", speed)])),
            (
                "tie",
                part(PartKind::Spring, &[("k", rate * peak / speed)]).naming("between", &["block", "ground"]),
            ),
        ];
        let system = self.assemble("belt", parts)?;
        let force = system.channels().iter().position(|c| c.name == "floor.force").unwrap_or(0);
        let p = system.params();
        let mut largest: f64 = 0.0;
        let mut watch = |t: f64, x: &[f64], mode: &[bristle_core::Mode]| {
            let point = bristle_solve::Point { t, x, p, mode };
            largest = largest.max(system.observe(&point)[force].abs());
            true
        };
        let solver = Solver { max_steps: 2_000_000, ..Solver::with_tolerance(TOLERANCE) };
        let fault = |source| RunError::Solve { study: format!("probe of {}", self.law.kind), source };
        solver.run(&system, p, system.initial(p), 6.0 / rate, &Output::Ends, &mut watch).map_err(fault)?;
        Ok(largest)
    }
}
