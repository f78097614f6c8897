//! Normal loads that change with time: friction follows them, and a contact whose load is gone is open.

use crate::mechanisms::{law, part, run};
use bristle_law::LawKind;
use bristle_mech::{MechError, PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output, Trajectory};

/// A signal with these numbers.
fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A law in coefficients.
fn friction(kind: LawKind, numbers: &[(&str, f64)]) -> Spec {
    Spec { as_forces: false, ..law(kind, numbers) }
}

/// A block of 2 kg on the ground under this load and law, pushed by `push`.
fn block(v: f64, push: f64, load: Spec, law: Spec) -> System {
    let pad = part(PartKind::Contact, &[]).naming("between", &["block", "ground"]);
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 2.0), ("v", v)])),
        ("push", part(PartKind::Force, &[("value", push)]).naming("on", &["block"])),
        ("pad", pad.holding("load", load).holding("law", law)),
    ];
    System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap()
}

fn column(system: &System, run: &Trajectory, name: &str) -> Vec<f64> {
    let place = system.channels().iter().position(|c| c.name == name).unwrap();
    system.columns(system.params(), &run.samples, 0..run.samples.len()).swap_remove(place)
}

/// What the energy balance leaves.
fn imbalance(system: &System, run: &Trajectory) -> f64 {
    let [kinetic, potential, input, loss] =
        ["kinetic", "potential", "input", "loss"].map(|name| column(system, run, &format!("energy.{name}")));
    let total = |i: usize| kinetic[i] + potential[i] - input[i] + loss[i];
    (0..kinetic.len()).map(|i| (total(i) - total(0)).abs()).fold(0.0, f64::max)
}

/// The load grows as `n = s t`, so that `v = v₀ − μ s t²/(2m)` until the block stops at `t = √(2 m v₀/(μ s))`.
#[test]
fn a_rising_load_brakes_a_block() {
    let (mu, slope, v) = (0.4, 30.0, 3.0);
    let coulomb = friction(LawKind::Coulomb, &[("mu_s", mu), ("mu_d", mu)]);
    let system = block(v, 0.0, signal(SignalKind::Ramp, &[("slope", slope)]), coulomb);
    let run = run(&system, 1e-11, 2.0, &Output::Grid { step: 0.01 });
    let stop = (2.0 * 2.0 * v / (mu * slope)).sqrt();
    for (t, speed) in run.samples.t.iter().zip(column(&system, &run, "block.v")) {
        let expected = if *t < stop { v - mu * slope * t * t / 4.0 } else { 0.0 };
        assert!((speed - expected).abs() < 1e-9, "at {t}: {speed} against {expected}");
    }
    // It is open at first, when there is no load yet.
    let last = run.events.last().unwrap();
    assert!((last.t - stop).abs() < 1e-9 && imbalance(&system, &run) < 1e-9);
}

/// Held while `F < μ n(t)`, the block lets go when the falling load has come down to `F/μ`, and glides once the load is gone.
#[test]
fn a_falling_load_lets_a_block_go() {
    let (mu, push) = (0.5, 6.0);
    let coulomb = friction(LawKind::Coulomb, &[("mu_s", mu), ("mu_d", mu)]);
    let load = signal(SignalKind::Ramp, &[("from", 40.0), ("slope", -10.0)]);
    let system = block(0.0, push, load, coulomb);
    let run = run(&system, 1e-11, 8.0, &Output::Grid { step: 0.01 });
    let (free, open) = ((40.0 - push / mu) / 10.0, 4.0);
    assert!((run.events[0].t - free).abs() < 1e-9, "{}", run.events[0].t);
    // m v̇ = μ s (t − t₁) until the contact is open, then m v̇ = F.
    let rate = mu * 10.0;
    let at_open = rate * (open - free) * (open - free) / 4.0;
    for (t, speed) in run.samples.t.iter().zip(column(&system, &run, "block.v")) {
        let expected = match *t {
            t if t < free => 0.0,
            t if t < open => rate * (t - free) * (t - free) / 4.0,
            t => at_open + push * (t - open) / 2.0,
        };
        assert!((speed - expected).abs() < 1e-8, "at {t}: {speed} against {expected}");
    }
    assert!(column(&system, &run, "pad.load").iter().all(|n| *n >= 0.0));
    assert!(imbalance(&system, &run) < 1e-8);
}

/// A pulsating load holds a block for part of every period, under every law; the energy balance closes.
#[test]
fn a_pulsating_load_holds_and_lets_go() {
    for &kind in LawKind::ALL {
        let law = friction(kind, &[("mu_s", 0.4), ("mu_d", 0.3)]);
        let load = signal(SignalKind::Sine, &[("mean", 10.0), ("amplitude", 20.0), ("frequency", 1.0)]);
        let system = block(0.0, 4.0, load, law);
        let run = run(&system, 1e-9, 5.0, &Output::Grid { step: 0.005 });
        let (speed, load) = (column(&system, &run, "block.v"), column(&system, &run, "pad.load"));
        let far = *column(&system, &run, "block.q").last().unwrap();
        assert!(far > 0.1 && far < 25.0, "{}: {far}", kind.card().name);
        // While the contact is open the block gains what the push gives it.
        for i in 1..load.len() {
            if load[i - 1] == 0.0 && load[i] == 0.0 {
                let gain = 2.0 * (run.samples.t[i] - run.samples.t[i - 1]);
                assert!((speed[i] - speed[i - 1] - gain).abs() < 1e-7, "{}", kind.card().name);
            }
        }
        assert!(imbalance(&system, &run) < 1e-7, "{}: {}", kind.card().name, imbalance(&system, &run));
    }
}

/// A law in forces knows no load, and a number beside a signal would be dropped.
#[test]
fn a_load_is_given_once() {
    let load = || signal(SignalKind::Constant, &[("value", 10.0)]);
    let assemble = |numbers: &[(&str, f64)], law: Spec| {
        let pad = part(PartKind::Contact, numbers).naming("between", &["block", "ground"]);
        let parts = [
            ("block", part(PartKind::Mass, &[("mass", 1.0)])),
            ("pad", pad.holding("load", load()).holding("law", law)),
        ];
        System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec)))
    };
    let forces = assemble(&[], law(LawKind::Coulomb, &[])).unwrap_err();
    assert_eq!(forces, MechError::LoadAndForces { part: "pad".to_owned() });
    let twice = assemble(&[("load", 5.0)], friction(LawKind::Coulomb, &[])).unwrap_err();
    assert!(matches!(twice, MechError::Signal { field, .. } if field == "load"));
}
