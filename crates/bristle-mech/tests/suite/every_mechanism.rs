//! Random mechanisms with any law: none ends with a contact above its limit, a stuck contact that slides, or energy that is not
//! accounted for, unless the run says so.
//!
//! One to six masses, one to five contacts, loops among them, springs, dampers, forces and drives over time. The invariant is
//! checked by the solver after every step; the energy balance is checked here, against what was exchanged. More mechanisms than
//! in every test run: `BRISTLE_MECHANISMS=2000`.

use crate::mechanisms::part;
use crate::random::Random;
use bristle_core::Kind;
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Point, SolveError, Solver, Trajectory};
use cpu_time::ThreadTime;
use std::time::Duration;

/// A run takes no longer than this on the processor: six seconds as users run it, and so much longer in a build for tests as that
/// is slower.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 6 });

/// A law whose numbers lie around their defaults.
fn random_law(r: &mut Random, kind: LawKind) -> Spec {
    let card = kind.card();
    loop {
        let mut spec = Spec::of(&card);
        for (slot, field) in spec.numbers.iter_mut().zip(card.numbers()) {
            let Kind::Number { min, max, .. } = field.kind else { continue };
            if *slot != 0.0 && slot.is_finite() {
                *slot = (*slot * r.decade(0.2, 5.0)).clamp(min, max);
            }
        }
        if kind.build::<f64>(&spec.numbers, &spec.choices).fault().is_none() {
            return spec;
        }
    }
}

fn random_signal(r: &mut Random, size: f64) -> Spec {
    let (kind, numbers): (SignalKind, Vec<(&str, f64)>) = match r.below(4) {
        0 => (SignalKind::Sine, vec![("amplitude", size), ("frequency", r.decade(0.1, 20.0))]),
        1 => (SignalKind::Ramp, vec![("slope", size * r.between(-1.0, 1.0))]),
        2 => {
            let (start, width) = (r.between(0.0, 3.0), r.decade(1e-3, 1.0));
            (SignalKind::Pulse, vec![("height", size), ("start", start), ("width", width), ("period", 0.0)])
        }
        _ => (SignalKind::SmoothStep, vec![("to", size), ("start", r.between(0.0, 2.0)), ("duration", 0.5)]),
    };
    let card = kind.card();
    numbers.into_iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, value))
}

/// A mechanism and the laws in it.
pub fn random_mechanism(r: &mut Random) -> (System, Vec<LawKind>) {
    let masses = 1 + r.below(6);
    let name = |i: usize| if i == 0 { "ground".to_owned() } else { format!("m{i}") };
    let mut parts: Vec<(String, Spec)> = Vec::new();
    for i in 1..=masses {
        let v = if r.unit() < 0.4 { r.between(-0.4, 0.4) } else { 0.0 };
        let q = if r.unit() < 0.3 { r.between(-0.1, 0.1) } else { 0.0 };
        parts.push((name(i), part(PartKind::Mass, &[("mass", r.decade(0.1, 40.0)), ("q", q), ("v", v)])));
    }
    let has_belt = r.unit() < 0.5;
    if has_belt {
        let mut belt = part(PartKind::Drive, &[("v", r.between(-0.2, 0.2))]);
        if r.unit() < 0.5 {
            let size = r.decade(1e-3, 0.3);
            belt = belt.holding("velocity", random_signal(r, size));
        }
        parts.push(("belt".into(), belt));
    }
    for i in 1..=masses {
        let other = name(r.below(i));
        if r.unit() < 0.8 {
            let k = r.decade(20.0, 3e4);
            parts.push((
                format!("s{i}"),
                part(PartKind::Spring, &[("k", k)]).naming("between", &[&name(i), &other]),
            ));
        }
        if r.unit() < 0.4 {
            let d = r.decade(0.1, 100.0);
            parts.push((
                format!("d{i}"),
                part(PartKind::Damper, &[("d", d)]).naming("between", &[&name(i), &other]),
            ));
        }
    }
    let mut laws = Vec::new();
    for k in 0..1 + r.below(5) {
        let a = 1 + r.below(masses);
        let b = loop {
            let b = r.below(masses + 1);
            if b != a {
                break b;
            }
        };
        let other = if has_belt && r.unit() < 0.4 { "belt".to_owned() } else { name(b) };
        let kind = *r.of(LawKind::ALL);
        laws.push(kind);
        let contact = part(PartKind::Contact, &[("load", r.decade(1.0, 400.0))])
            .naming("between", &[&name(a), &other])
            .holding("law", random_law(r, kind));
        parts.push((format!("c{k}"), contact));
    }
    for k in 0..r.below(3) {
        let (on, size) = (name(1 + r.below(masses)), r.decade(1.0, 200.0));
        let force = part(PartKind::Force, &[]).naming("on", &[&on]).holding("signal", random_signal(r, size));
        parts.push((format!("f{k}"), force));
    }
    (System::assemble(&parts).unwrap(), laws)
}

/// Energy that is not accounted for, over all that was exchanged.
fn gap(system: &System, run: &Trajectory) -> f64 {
    let p = system.params();
    let channels = system.channels();
    let place = |name: &str| channels.iter().position(|c| c.name == name).unwrap();
    let places = ["energy.kinetic", "energy.potential", "energy.input", "energy.loss"].map(place);
    let (mut last, mut first) = (None::<[f64; 4]>, [0.0; 4]);
    let mut exchanged = 0.0;
    for i in 0..run.samples.len() {
        let samples = &run.samples;
        let point = Point { t: samples.seen[i], x: samples.row(i), p, mode: samples.modes(i) };
        let all = system.observe(&point);
        let now = places.map(|c| all[c]);
        match last {
            Some(last) => exchanged += now.iter().zip(&last).map(|(a, b)| (a - b).abs()).sum::<f64>(),
            None => first = now,
        }
        last = Some(now);
    }
    let [kinetic, potential, input, loss] = std::array::from_fn(|k| last.unwrap()[k] - first[k]);
    (kinetic + potential - input + loss).abs() / exchanged.max(1e-9)
}

enum Fate {
    Finished(f64),
    /// So far it came.
    Slow(f64),
    Refused(SolveError),
}

fn fate(system: &System, solver: &Solver, patience: Duration) -> Fate {
    let begun = ThreadTime::now();
    let (mut is_slow, mut reached) = (false, 0.0);
    let mut watch = |t: f64, _: &[f64], _: &[bristle_core::Mode]| {
        reached = t;
        is_slow = begun.elapsed() > patience;
        !is_slow
    };
    let run = system.run(solver, 5.0, &Output::Grid { step: 5e-3 }, &mut watch);
    match run {
        _ if is_slow => Fate::Slow(reached),
        Ok(run) => Fate::Finished(gap(system, &run)),
        Err(SolveError::TooManySteps { t, .. }) => Fate::Slow(t),
        Err(error) => Fate::Refused(error),
    }
}

/// What became of some mechanisms, one line for each that did not finish or lost energy.
#[derive(Default)]
struct Tally {
    count: usize,
    finished: usize,
    worst: f64,
    slow: Vec<String>,
    refused: Vec<String>,
    leaks: Vec<String>,
}

impl Tally {
    fn run(&mut self, case: &str, system: &System, solver: &Solver, patience: Duration) {
        self.count += 1;
        match fate(system, solver, patience) {
            Fate::Finished(gap) => {
                self.finished += 1;
                self.worst = self.worst.max(gap);
                if gap > 1e-6 || gap.is_nan() {
                    self.leaks.push(format!("{case}: {gap:.1e}"));
                }
            }
            Fate::Slow(t) => self.slow.push(format!("{case}: not beyond {t} s")),
            Fate::Refused(error) => self.refused.push(format!("{case}: {error}")),
        }
    }

    fn tell(&self, title: &str) {
        let Tally { count, finished, worst, slow, refused, leaks } = self;
        println!(
            "{title}: {finished} of {count} finished, {} refused, {} slow; worst gap {worst:.1e}\n{}",
            refused.len(),
            slow.len(),
            [slow.as_slice(), refused, leaks].concat().join("\n")
        );
        assert!(leaks.is_empty(), "energy is lost:\n{}", leaks.join("\n"));
    }
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn mechanisms(seed: u64, rtol: f64) {
    let only = number("BRISTLE_MECHANISM");
    let mut tally = Tally::default();
    for case in 0..number("BRISTLE_MECHANISMS").unwrap_or(240) {
        let mut r = Random(seed.wrapping_mul(1_000_003).wrapping_add(case as u64 * 7919));
        let (system, laws) = random_mechanism(&mut r);
        let method = match r.below(4) {
            0 => *r.of(&[Method::Rodas4, Method::Rodas5p]),
            _ => Method::Auto,
        };
        if only.is_none_or(|only| only == case) {
            let solver = Solver { method, rtol, atol: rtol, max_steps: 3_000_000, ..Solver::default() };
            tally.run(&format!("case {case}, {laws:?}, {method:?}"), &system, &solver, PATIENCE);
        }
    }
    tally.tell(&format!("at {rtol:.0e}"));
    let Tally { finished, count, .. } = tally;
    assert!(only.is_some() || 100 * finished >= 99 * count, "only {finished} of {count} finish");
}

/// Explicit methods take their time with stiff laws; what they finish is right.
#[test]
fn no_method_ends_with_a_wrong_contact() {
    for &method in Method::ALL {
        let mut tally = Tally::default();
        for case in 0..number("BRISTLE_MECHANISMS").map_or(8, |n| n / 10) {
            let (system, laws) = random_mechanism(&mut Random(77_000_003 + case as u64 * 7919));
            let solver = Solver { method, max_steps: 3_000_000, ..Solver::with_tolerance(1e-8) };
            tally.run(&format!("case {case}, {laws:?}"), &system, &solver, PATIENCE / 8);
        }
        tally.tell(method.name());
    }
}

#[test]
fn random_mechanisms_run_at_a_tight_tolerance() {
    mechanisms(1, 1e-9);
}

#[test]
fn random_mechanisms_run_at_a_loose_tolerance() {
    mechanisms(2, 1e-6);
}
