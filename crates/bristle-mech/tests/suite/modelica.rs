//! Friction examples of the Modelica Standard Library 4, against the reference trajectories its maintainers publish (made with
//! Dymola at a tolerance of about 1e-6): agreement to 1e-4 of each quantity's range.

use crate::couplings::{Seen, assemble, signal, watch};
use crate::mechanisms::{law, part};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};
use std::f64::consts::PI;

fn coulomb(mu_s: f64, mu_d: f64) -> Spec {
    let card = LawKind::Coulomb.card();
    Spec::of(&card).with(&card, "mu_s", mu_s).with(&card, "mu_d", mu_d)
}

fn rotor(inertia: f64, speed: f64) -> Spec {
    part(PartKind::Rotor, &[("inertia", inertia), ("speed", speed)])
}

/// A jump to a level at a time.
fn from(start: f64, height: f64) -> Spec {
    signal(SignalKind::Pulse, &[("height", height), ("start", start), ("width", 1e3)])
}

/// Compares outputs at times with reference values, each to 1e-4 of its range.
fn compare(seen: &Seen, range: f64, name: &str, rows: &[(f64, f64)]) {
    for &(t, expected) in rows {
        let found = seen.at(name, t);
        assert!((found - expected).abs() <= 1e-4 * range, "{name} at {t}: {found} against {expected}");
    }
}

/// `Rotational.Examples.CoupledClutches`: four rotors in a row, three clutches, one of which opens where its force passes zero.
#[test]
fn coupled_clutches() {
    let clutch = |a: &str, b: &str, force: Spec| {
        let part = part(PartKind::Clutch, &[("radius", 1.0)]).naming("between", &[a, b]);
        part.holding("force", force).holding("law", coulomb(0.55, 0.5))
    };
    let swing = signal(SignalKind::Sine, &[("amplitude", 20.0), ("frequency", 0.2), ("phase", PI / 2.0)]);
    let push = signal(SignalKind::Sine, &[("amplitude", 10.0), ("frequency", 5.0)]);
    let parts = [
        ("a", rotor(1.0, 10.0)),
        ("b", rotor(1.0, 0.0)),
        ("c", rotor(1.0, 0.0)),
        ("d", rotor(1.0, 0.0)),
        ("push", part(PartKind::Torque, &[]).naming("on", &["a"]).holding("value", push)),
        ("first", clutch("a", "b", swing)),
        ("second", clutch("b", "c", from(0.4, 20.0))),
        ("third", clutch("c", "d", from(0.9, 20.0))),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.5, 0.005);
    let speed = [(0.185, 8.2012792523), (0.56, 5.07077341566), (0.94, 3.33891950484), (1.5, 3.24703456524)];
    compare(&seen, 7.0, "a.speed", &speed);
    compare(&seen, 7.5, "a.angle", &[(0.75, 5.13846347332), (1.5, 7.4860921839)]);
    compare(
        &seen,
        10.0,
        "first.slip_rate",
        &[(0.375, 2.86771030605), (0.75, 0.661340947469), (1.5, 0.783826964343)],
    );
    compare(&seen, 3.7, "second.slip_rate", &[(0.56, 1.94910758804), (0.94, 0.0)]);
    compare(&seen, 3.3, "third.slip_rate", &[(0.56, 1.6), (1.125, 0.270824862945), (1.5, 0.0)]);
    for (name, modes) in [("first.mode", [1.0, 0.0, 1.0]), ("second.mode", [1.0, 0.0, 0.0])] {
        assert_eq!([0.56, 0.94, 1.125].map(|t| seen.at(name, t)), modes, "{name}");
    }
    assert!(seen.imbalance() < 1e-8);
}

/// A motor, a clutch, a spring and a brake that grips: torsional vibration with stick and slip.
#[test]
fn a_clutch_and_a_brake_with_a_spring_between() {
    let sine = |amplitude: f64, start: f64| {
        let numbers = [
            ("amplitude", amplitude),
            ("frequency", 100.0 / (2.0 * PI)),
            ("start", start),
            ("phase", 100.0 * start),
        ];
        signal(SignalKind::Sine, &numbers)
    };
    // The torque ends at 0.5 s.
    let sum = Spec::of(&SignalKind::Sum.card())
        .holding("terms", sine(200.0, 0.0))
        .holding("terms", sine(-200.0, 0.5));
    let clutch =
        part(PartKind::Clutch, &[("force", 160.0), ("radius", 1.0)]).naming("between", &["motor", "middle"]);
    let brake =
        part(PartKind::Brake, &[("radius", 1.0)]).naming("on", &["load"]).holding("force", from(0.5, 1600.0));
    let between = ["middle", "load"];
    let parts = [
        ("motor", rotor(1.0, 100.0)),
        ("middle", rotor(0.05, 90.0)),
        ("load", rotor(1.0, 90.0)),
        ("push", part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", sum)),
        ("clutch", clutch.holding("law", coulomb(0.5, 0.5))),
        ("shaft", part(PartKind::TorsionSpring, &[("k", 160.0)]).naming("between", &between)),
        ("loss", part(PartKind::TorsionDamper, &[("d", 1.0)]).naming("between", &between)),
        ("brake", brake.holding("law", coulomb(0.5, 0.5))),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
    let speed = [(0.01, 100.298708362), (0.37, 97.3530258782), (0.75, 73.0912431214), (1.88, -2.53732570462)];
    compare(&seen, 105.0, "motor.speed", &speed);
    compare(&seen, 102.0, "motor.angle", &[(0.37, 35.5950773647), (1.5, 101.18986019), (3.0, 101.564999391)]);
    compare(&seen, 90.0, "clutch.slip_rate", &[(0.6, 68.0393984523), (1.12, 43.5449626354), (3.0, 0.0)]);
    compare(
        &seen,
        1.2,
        "shaft.twist",
        &[(0.37, 0.072123316977), (0.6, 0.764120633219), (3.0, -0.195985155867)],
    );
    assert_eq!([0.37, 1.12, 2.25].map(|t| seen.at("clutch.mode", t)), [0.0, 1.0, 0.0]);
    assert_eq!([0.51, 1.12].map(|t| seen.at("brake.mode", t)), [1.0, 0.0]);
    assert!(seen.imbalance() < 1e-8);
}

/// `Translational.Examples.Friction`: Stribeck friction under a swinging force, and a body that a spring throws against a stop.
#[test]
fn stribeck_friction_and_a_stop() {
    let rough =
        |levels: [f64; 2]| law(LawKind::Benson, &[("mu_d", levels[0]), ("mu_s", levels[1]), ("c", 2.0)]);
    let contact = |on: &str, levels: [f64; 2]| {
        part(PartKind::Contact, &[]).naming("between", &[on, "ground"]).holding("law", rough(levels))
    };
    let viscous = |on: &str| part(PartKind::Damper, &[("d", 1.0)]).naming("between", &[on, "ground"]);
    let stop = |names: [&str; 2]| part(PartKind::HardStop, &[("at", 0.4)]).naming("between", &names);
    let swing = signal(SignalKind::Sine, &[("amplitude", 25.0), ("frequency", 0.25)]);
    let spring = part(PartKind::Spring, &[("k", 500.0), ("rest", -0.25)]);
    let parts = [
        ("free", part(PartKind::Mass, &[("mass", 1.0)])),
        ("push", part(PartKind::Force, &[]).naming("on", &["free"]).holding("signal", swing)),
        ("rub", contact("free", [5.0, 15.0])),
        ("oil", viscous("free")),
        ("stopped", part(PartKind::Mass, &[("mass", 1.0), ("v", -5.0)])),
        ("spring", spring.naming("between", &["stopped", "ground"])),
        ("rub2", contact("stopped", [3.0, 8.0])),
        ("oil2", viscous("stopped")),
        ("right", stop(["stopped", "ground"])),
        ("left", stop(["ground", "stopped"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 5.0, 0.01);
    let free = [(0.62, 0.100889747584), (1.25, 3.81514365562), (2.5, 13.4519045631), (5.0, 1.76846282132)];
    compare(&seen, 13.5, "free.q", &free);
    compare(&seen, 20.0, "free.v", &[(1.87, 9.52908036505), (3.75, -10.4200660197), (5.0, 6.86485858981)]);
    compare(
        &seen,
        0.4,
        "stopped.q",
        &[(0.01, -0.0553909421694), (0.62, -0.317070193739), (5.0, -0.247515848)],
    );
    compare(&seen, 6.0, "stopped.v", &[(0.01, -6.03042957044), (0.62, -0.110729015924), (5.0, 0.0)]);
    assert!(seen.all("stopped.q").iter().all(|q| *q > -0.4 - 1e-9) && seen.imbalance() < 1e-8);
}

/// `Translational.Examples.ElastoGap`: a mass tied between walls, and one that only strikes them; dampers never pull.
#[test]
fn elastic_gaps() {
    let tie =
        |a: &str, b: &str| part(PartKind::Spring, &[("k", 10.0), ("rest", 1.0)]).naming("between", &[a, b]);
    let damper = |a: &str, b: &str| part(PartKind::Damper, &[("d", 1.5)]).naming("between", &[a, b]);
    let wall = |q: f64| part(PartKind::Anchor, &[("x", q)]);
    // The gap from the left wall is `q − q_left`; it pushes where that is less than 1.5 m.
    let gap = |a: &str, b: &str| {
        part(PartKind::Stop, &[("at", -1.5), ("k", 10.0), ("d", 1.5)]).naming("between", &[a, b])
    };
    let mass = || part(PartKind::Mass, &[("mass", 1.0), ("q", 2.0)]);
    let parts = [
        ("left", wall(-2.0)),
        ("right", wall(2.0)),
        ("tied", mass()),
        ("t1", tie("tied", "left")),
        ("t2", tie("right", "tied")),
        ("d1", damper("tied", "left")),
        ("d2", damper("right", "tied")),
        ("loose", mass()),
        ("g1", gap("left", "loose")),
        ("g2", gap("loose", "right")),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 5.0, 0.01);
    let right =
        |rows: &[(f64, f64)]| -> Vec<(f64, f64)> { rows.iter().map(|(t, l)| (*t, 2.0 - l)).collect() };
    let tied =
        right(&[(0.62, 2.53914728208), (1.25, 1.9315250414), (2.5, 2.03598815474), (5.0, 2.00035037856)]);
    compare(&seen, 2.6, "tied.q", &tied);
    compare(&seen, 4.0, "tied.v", &[(0.62, -1.89208081012), (1.25, 1.23827485064), (5.0, -0.00419323748774)]);
    let loose =
        right(&[(0.62, 1.6255270521), (1.25, 3.3443098766), (2.5, 1.31685218873), (5.0, 2.70788702356)]);
    compare(&seen, 3.4, "loose.q", &loose);
    compare(&seen, 6.0, "loose.v", &[(0.62, -3.42715020688), (2.5, 1.7905898842), (5.0, 0.537529709681)]);
    assert!(seen.imbalance() < 1e-8);
}

/// `Rotational.Examples.LossyGearDemo1`: a gear that passes on half of the power in either direction, and is stuck in between.
#[test]
fn a_lossy_gear() {
    let gear =
        part(PartKind::Gear, &[("ratio", 2.0), ("efficiency", 0.5)]).naming("between", &["motor", "load"]);
    let swing = signal(SignalKind::Sine, &[("amplitude", 10.0), ("frequency", 1.0)]);
    let ramp = signal(SignalKind::Ramp, &[("from", -10.0), ("slope", 2.5)]);
    let parts = [
        ("motor", rotor(1.0, 0.0)),
        ("load", rotor(1.5, 0.0)),
        ("gear", gear),
        ("push", part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", swing)),
        ("pull", part(PartKind::Torque, &[]).naming("on", &["load"]).holding("value", ramp)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 0.5, 0.0025);
    let angle = [
        (0.0475, -0.000712349378222),
        (0.0975, -0.0011168879456),
        (0.2975, -0.000550025023603),
        (0.3475, 8.4198818654e-05),
        (0.4475, 0.000208357924764),
        (0.5, 1.66216871678e-05),
    ];
    compare(&seen, 1.32e-3, "load.angle", &angle);
    let speed = [
        (0.0475, -0.0200788766294),
        (0.2475, 0.00525418553736),
        (0.3475, 0.00940368517559),
        (0.5, -0.0162619240386),
    ];
    compare(&seen, 0.037, "load.speed", &speed);
    let modes = [
        (0.0025, -1.0),
        (0.08, -1.0),
        (0.0875, 0.0),
        (0.195, 0.0),
        (0.2025, 1.0),
        (0.37, 1.0),
        (0.375, 0.0),
        (0.4625, 0.0),
        (0.4675, -1.0),
    ];
    for (t, mode) in modes {
        assert_eq!(seen.at("gear.mode", t), mode, "at {t}");
    }
    assert!(seen.imbalance() < 1e-8);
}
