//! Bodies that turn, against closed forms and against bodies that slide.
//!
//! With `x = r φ`, `m = J/r²` and forces `τ/r` a rotor at the radius `r` is a mass on a line.

use crate::couplings::{assemble, signal, watch_to};
use crate::mechanisms::{part, run};
use bristle_law::LawKind;
use bristle_law::laws::Coulomb;
use bristle_mech::mechanism::{GROUND, Machine, MachineRun, Mechanism, default};
use bristle_mech::parts::{Contact, RotaryDrive, Rotor, Spring, Torque, TorsionDamper, TorsionSpring};
use bristle_mech::{MechError, PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output, Solver};

/// A tight run with a thousand rows.
fn simulate(mechanism: &Mechanism, duration: f64) -> MachineRun {
    let mut machine: Machine = mechanism.build().unwrap();
    machine.solver = Solver::with_tolerance(1e-11);
    machine.simulate(duration).unwrap()
}

/// What the energy balance leaves, relative to the largest energy.
fn imbalance(run: &MachineRun) -> f64 {
    let [kinetic, potential, input, loss] =
        ["kinetic", "potential", "input", "loss"].map(|name| run.named(&format!("energy.{name}")));
    let total = |i: usize| kinetic[i] + potential[i] - input[i] + loss[i];
    let largest =
        kinetic.iter().chain(potential).chain(input).chain(loss).fold(1e-30, |m: f64, e| m.max(e.abs()));
    (0..kinetic.len()).map(|i| (total(i) - total(0)).abs()).fold(0.0, f64::max) / largest
}

/// `φ = φ₀ cos ωt` with `ω² = k/J`; the torque of the spring is `k φ`.
#[test]
fn a_torsional_pendulum_has_its_period() {
    let mut m = Mechanism::new();
    let disc = m.rotor("disc", Rotor { inertia: 2.0, angle: 0.1, ..default() });
    m.torsion_spring("wire", [disc, GROUND], TorsionSpring { k: 8.0, ..default() });
    let run = simulate(&m, 10.0 * std::f64::consts::PI);
    for (t, angle) in run.time().iter().zip(run.column(disc.angle())) {
        assert!((angle - 0.1 * (2.0 * t).cos()).abs() < 1e-8);
    }
    for (angle, torque) in run.column(disc.angle()).iter().zip(run.named("wire.torque")) {
        assert!((torque - 8.0 * angle).abs() < 1e-14);
    }
    assert!(imbalance(&run) < 1e-8);
}

/// A brake of torque `μ n r` stops a rotor at `t = J ω₀/(μ n r)` after the angle `J ω₀²/(2 μ n r)`.
#[test]
fn a_brake_stops_a_rotor_when_and_where_it_should() {
    let (j, w, mu, n, r) = (0.3, 20.0, 0.4, 50.0, 0.12);
    let mut m = Mechanism::new();
    let wheel = m.rotor("wheel", Rotor { inertia: j, speed: w, ..default() });
    let contact = Contact { load: n, radius: r, ..default() };
    let brake = m.contact("brake", [wheel, GROUND], contact, Coulomb { mu_s: mu, mu_d: mu });
    let run = simulate(&m, 4.0);
    let stop = &run.trajectory.events[0];
    assert!((stop.t - j * w / (mu * n * r)).abs() < 1e-9, "{}", stop.t);
    let angle = j * w * w / (2.0 * mu * n * r);
    assert!((run.last(wheel.angle()) - angle).abs() < 1e-8);
    assert!((run.last(brake.slip()) - r * angle).abs() < 1e-8);
    assert!((run.last(brake.loss()) - j * w * w / 2.0).abs() < 1e-8);
    let (torque, force) = (run.column(brake.torque()), run.column(brake.force()));
    assert!((torque[10] - mu * n * r).abs() < 1e-12 && (force[10] - mu * n).abs() < 1e-12);
    assert!(run.last(wheel.speed()) == 0.0 && imbalance(&run) < 1e-9);
}

/// A drill string: the table turns, the string winds up, the bit sticks and slips. At the radius of one metre it is a block
/// that is pulled over the ground by a spring; at any other it is that block on the scale of the radius.
#[test]
fn a_drill_string_sticks_and_slips_like_a_block_on_the_ground() {
    let (mass, k, d, speed) = (1.5, 4.0, 0.05, 0.6);
    for kind in [LawKind::Coulomb, LawKind::LuGre, LawKind::Karnopp] {
        let card = kind.card();
        let law = Spec::of(&card).with(&card, "mu_s", 0.5).with(&card, "mu_d", 0.25);
        let contact = |radius: f64| part(PartKind::Contact, &[("load", 8.0), ("radius", radius)]);
        let parts = |names: [&str; 2], list: Vec<(&str, Spec)>, radius: f64| {
            let rub = contact(radius).naming("between", &["bit", "ground"]).holding("law", law.clone());
            let mut all: Vec<(String, Spec)> =
                list.into_iter().map(|(name, spec)| (name.to_owned(), spec)).collect();
            all.push(("rub".to_owned(), rub));
            let system = System::assemble(&all).unwrap();
            let run = run(&system, 1e-11, 30.0, &Output::Grid { step: 0.05 });
            let columns = system.columns(system.params(), &run.samples, 0..run.samples.len());
            let place = |name: &str| system.channels().iter().position(|c| c.name == name).unwrap();
            let wanted =
                [names[0], names[1], "rub.force", "rub.slip", "rub.slip_rate", "energy.loss", "energy.input"];
            wanted.map(|name| columns[place(name)].clone())
        };
        let between = ["bit", "table"];
        let line = parts(
            ["bit.q", "bit.v"],
            vec![
                ("bit", part(PartKind::Mass, &[("mass", mass)])),
                ("table", part(PartKind::Drive, &[("v", speed)])),
                ("string", part(PartKind::Spring, &[("k", k)]).naming("between", &between)),
                ("mud", part(PartKind::Damper, &[("d", d)]).naming("between", &between)),
            ],
            f64::NAN,
        );
        let turning = |r: f64| {
            parts(
                ["bit.angle", "bit.speed"],
                vec![
                    ("bit", part(PartKind::Rotor, &[("inertia", mass * r * r)])),
                    ("table", part(PartKind::RotaryDrive, &[("speed", speed / r)])),
                    (
                        "string",
                        part(PartKind::TorsionSpring, &[("k", k * r * r)]).naming("between", &between),
                    ),
                    ("mud", part(PartKind::TorsionDamper, &[("d", d * r * r)]).naming("between", &between)),
                ],
                r,
            )
        };
        let is_stuck = |v: &&f64| v.abs() < 1e-3;
        let stuck = line[4].iter().filter(is_stuck).count();
        assert!(stuck > 100 && stuck < 550, "{}: it sticks and slips: {stuck}", card.name);
        for (a, b) in line.iter().flatten().zip(turning(1.0).iter().flatten()) {
            assert!((a - b).abs() <= 1e-9, "{}: {a} against {b}", card.name);
        }
        // On another scale the steps differ, and so does what the tolerance leaves.
        let r = 0.25;
        let scale = [1.0 / r, 1.0 / r, 1.0, 1.0, 1.0, 1.0, 1.0];
        for ((line, turning), scale) in line.iter().zip(&turning(r)).zip(scale) {
            let size = line.iter().fold(0.0, |m: f64, v| m.max(v.abs())) * scale;
            for (a, b) in line.iter().zip(turning) {
                assert!((a * scale - b).abs() <= 2e-5 * size, "{}: {} against {b}", card.name, a * scale);
            }
        }
    }
}

/// A torque spins a rotor up against a damper: `ω = (τ/d)(1 − e^{−dt/J})`; a signal stands where the number would.
#[test]
fn a_torque_over_time_spins_a_rotor_up() {
    let (j, d, tau) = (0.5, 2.0, 3.0);
    let mut m = Mechanism::new();
    let wheel = m.rotor("wheel", Rotor { inertia: j, ..default() });
    m.torsion_damper("bearing", [wheel, GROUND], TorsionDamper { d, ..default() });
    m.torque("motor", wheel, Torque { value: tau });
    let run = simulate(&m, 2.0);
    for (t, speed) in run.time().iter().zip(run.column(wheel.speed())) {
        assert!((speed - tau / d * (1.0 - (-d * t / j).exp())).abs() < 1e-8);
    }
    assert!(imbalance(&run) < 1e-8);

    // τ = a sin(2πft): the speed is what the integral says, without a damper.
    let sine = SignalKind::Sine.card();
    let signal = Spec::of(&sine).with(&sine, "amplitude", 3.0).with(&sine, "frequency", 0.5);
    let mut m = Mechanism::new();
    let wheel = m.rotor("wheel", Rotor { inertia: j, ..default() });
    m.part("motor", part(PartKind::Torque, &[]).naming("on", &["wheel"]).holding("value", signal.clone()));
    let pi = std::f64::consts::PI;
    let run = simulate(&m, 2.0);
    for (t, speed) in run.time().iter().zip(run.column(wheel.speed())) {
        assert!((speed - 3.0 / (j * pi) * (1.0 - (pi * t).cos())).abs() < 1e-8);
    }
    assert!(imbalance(&run) < 1e-8);
    // A number beside the signal would be dropped.
    m.part(
        "other",
        part(PartKind::Torque, &[("value", 1.0)]).naming("on", &["wheel"]).holding("value", signal),
    );
    assert!(matches!(m.build().unwrap_err(), MechError::Signal { part, .. } if part == "other"));
}

/// A drive turns as its signal says, whether of speed or of angle.
#[test]
fn a_rotary_drive_follows_speed_or_angle() {
    let ramp = SignalKind::Ramp.card();
    let rise = Spec::of(&ramp).with(&ramp, "slope", 0.5);
    for (field, expected) in [("speed", 0.25 * 9.0 + 0.1), ("angle", 0.5 * 3.0 + 0.2 * 3.0)] {
        let numbers = if field == "speed" { [("angle", 0.1)] } else { [("speed", 0.2)] };
        let mut m = Mechanism::new();
        m.part("table", part(PartKind::RotaryDrive, &numbers).holding(field, rise.clone()));
        m.rotor("wheel", Rotor { inertia: 1.0, ..default() });
        let run = simulate(&m, 3.0);
        let angle = run.named("table.angle").last().unwrap();
        assert!((angle - expected).abs() < 1e-12, "{field}: {angle}");
    }
}

/// Two brakes at different radii hold a wheel together up to the sum of their torques, each in proportion to what it can bear.
#[test]
fn brakes_at_two_radii_hold_together() {
    let law = || Coulomb { mu_s: 0.5, mu_d: 0.5 };
    let [inner, outer] =
        [Contact { load: 40.0, radius: 0.1, ..default() }, Contact { load: 30.0, radius: 0.3, ..default() }];
    let most = 0.5 * (40.0 * 0.1 + 30.0 * 0.3);
    for (share, holds) in [(0.99, true), (1.01, false)] {
        let mut m = Mechanism::new();
        let wheel = m.rotor("wheel", Rotor { inertia: 0.2, ..default() });
        let brakes = [
            m.contact("inner", [wheel, GROUND], inner, law()),
            m.contact("outer", [wheel, GROUND], outer, law()),
        ];
        m.torque("motor", wheel, Torque { value: share * most });
        let run = simulate(&m, 1.0);
        let turned = run.last(wheel.angle());
        if holds {
            assert!(turned == 0.0, "{turned}");
            let [a, b] = brakes.map(|brake| run.last(brake.torque()));
            assert!((a + b - share * most).abs() < 1e-9 && (a / 2.0 - b / 4.5).abs() < 1e-9, "{a} and {b}");
        } else {
            let expected = (share - 1.0) * most / 0.2 / 2.0;
            assert!((turned - expected).abs() < 1e-8, "{turned} against {expected}");
        }
        assert!(imbalance(&run) < 1e-8);
    }
}

/// Two wheels that rub on each other end at one speed, that of their common angular momentum.
#[test]
fn a_slipping_clutch_brings_two_wheels_to_one_speed() {
    let mut m = Mechanism::new();
    let fast = m.rotor("fast", Rotor { inertia: 0.4, speed: 30.0, ..default() });
    let slow = m.rotor("slow", Rotor { inertia: 0.6, speed: -5.0, ..default() });
    let clutch = Contact { load: 100.0, radius: 0.2, ..default() };
    m.contact("clutch", [fast, slow], clutch, Coulomb { mu_s: 0.4, mu_d: 0.3 });
    let run = simulate(&m, 3.0);
    let common = 0.4 * 30.0 - 0.6 * 5.0;
    assert!(
        (run.last(fast.speed()) - common).abs() < 1e-9 && run.last(fast.speed()) == run.last(slow.speed())
    );
    let shared = 0.4 * 0.6 / (0.4 + 0.6);
    assert!((run.trajectory.events[0].t - shared * 35.0 / (0.3 * 100.0 * 0.2)).abs() < 1e-9);
    assert!(imbalance(&run) < 1e-9);
}

/// What turns and what slides is not joined by accident: the part, the body and a way out are named.
#[test]
fn parts_refuse_bodies_on_the_wrong_kind_of_line() {
    let mut m = Mechanism::new();
    let wheel = m.rotor("wheel", Rotor { inertia: 1.0, ..default() });
    let table = m.rotary_drive("table", RotaryDrive { speed: 1.0, ..default() });
    m.torsion_spring("shaft", [wheel, table], TorsionSpring { k: 1.0, ..default() });
    let wrong = |change: &dyn Fn(&mut Mechanism)| {
        let mut m = m.clone();
        change(&mut m);
        m.build().unwrap_err()
    };
    let spring = wrong(&|m| m.spring("tie", [wheel, GROUND], Spring { k: 1.0, ..default() }));
    assert_eq!(
        spring.to_string(),
        "part `tie` goes with what moves along a line, but `wheel` turns about an axis"
    );
    let MechError::WrongLine { hint, .. } = spring else { panic!("{spring}") };
    assert!(
        hint.contains("torsion_spring") && hint.contains("contact") && !hint.contains(" spring"),
        "{hint}"
    );
    let force = wrong(&|m| m.part("push", part(PartKind::Force, &[("value", 1.0)]).naming("on", &["wheel"])));
    let MechError::WrongLine { hint, field: "on", .. } = force else { panic!("{force}") };
    assert!(hint.contains("torque"), "{hint}");
    let mixed = wrong(&|m| {
        let block = m.mass("block", default::<bristle_mech::parts::Mass<f64>>());
        m.contact("rub", [wheel, block], Contact { load: 1.0, radius: 0.1, ..default() }, Coulomb::default());
    });
    assert!(matches!(mixed, MechError::Range { .. } | MechError::WrongLine { .. }), "{mixed}");
    let bare = wrong(&|m| {
        m.contact("rub", [wheel, GROUND], Contact { load: 1.0, ..default() }, Coulomb::default());
    });
    assert_eq!(bare, MechError::Radius { part: "rub".to_owned(), is_given: false });
}

/// A brake of limit `μ_s N r` holds a torque just below it for 1e6 s without any creep, and lets go where a torque that rises
/// reaches it.
#[test]
fn a_brake_holds_below_its_limit_and_lets_go_at_it() {
    let limit = 0.4 * 100.0 * 0.1;
    let card = LawKind::Coulomb.card();
    let law = Spec::of(&card).with(&card, "mu_s", 0.4).with(&card, "mu_d", 0.3);
    let braked = |torque: Spec| {
        let brake = part(PartKind::Brake, &[("force", 100.0), ("radius", 0.1)]).naming("on", &["wheel"]);
        [
            ("wheel", part(PartKind::Rotor, &[("inertia", 0.5)])),
            ("brake", brake.holding("law", law.clone())),
            ("torque", torque.naming("on", &["wheel"])),
        ]
    };
    let below = part(PartKind::Torque, &[("value", limit * (1.0 - 1e-9))]);
    let seen = watch_to(1e-9, &assemble(&braked(below)).unwrap(), 1e6, 1e5);
    assert!(seen.all("wheel.angle").iter().chain(seen.all("wheel.speed")).all(|x| *x == 0.0));
    let rising = part(PartKind::Torque, &[])
        .holding("value", signal(SignalKind::Ramp, &[("slope", 0.01 * limit), ("start", 10.0)]));
    let seen = watch_to(1e-9, &assemble(&braked(rising)).unwrap(), 120.0, 1.0);
    assert!((seen.trajectory.events[0].t - 110.0).abs() < 1e-9, "{}", seen.trajectory.events[0].t);
    assert!(seen.at("wheel.angle", 109.0) == 0.0 && seen.last("wheel.speed") > 0.0);
}

/// Bristles that hold: below break-away an elasto-plastic brake yields a little and then holds for 1e6 s without creep; it lets go
/// where the torque that rises reaches its limit and the bristles slip, later than a set-valued one by what they bend.
#[test]
fn a_brake_of_bristles_holds_without_creep_and_lets_go() {
    let (limit, sigma0) = (0.4 * 100.0 * 0.1, 1e6);
    let card = LawKind::ElastoPlastic.card();
    let law = Spec::of(&card)
        .with(&card, "mu_s", 0.4)
        .with(&card, "mu_d", 0.3)
        .with(&card, "sigma0", sigma0)
        .with(&card, "z_ba", 2.5e-5);
    let braked = |torque: Spec| {
        let brake = part(PartKind::Brake, &[("force", 100.0), ("radius", 0.1)]).naming("on", &["wheel"]);
        [
            ("wheel", part(PartKind::Rotor, &[("inertia", 0.5)])),
            ("brake", brake.holding("law", law.clone())),
            ("torque", torque.naming("on", &["wheel"])),
        ]
    };
    // The bristles hold elastically up to a part of break-away, which the law names.
    let below = part(PartKind::Torque, &[])
        .holding("value", signal(SignalKind::SmoothStep, &[("to", 0.5 * limit), ("duration", 1.0)]));
    let seen = watch_to(1e-9, &assemble(&braked(below)).unwrap(), 1e6, 1e5);
    // k = σ₀ r² of the bristles; they have rung down long before the first hundred thousand seconds are over.
    let bent = 0.5 * limit / (sigma0 * 0.01);
    let late = seen.trajectory.samples.t.iter().zip(seen.all("wheel.angle")).filter(|(t, _)| **t >= 1e5);
    let late: Vec<f64> = late.map(|(_, angle)| *angle).collect();
    assert!(late.len() >= 10 && late.iter().all(|a| (a - bent).abs() < 1e-15), "{late:?} against {bent}");
    let rising = part(PartKind::Torque, &[])
        .holding("value", signal(SignalKind::Ramp, &[("slope", 0.01 * limit), ("start", 10.0)]));
    let seen = watch_to(1e-9, &assemble(&braked(rising)).unwrap(), 120.0, 0.01);
    let peak = seen.all("brake.torque").iter().fold(0.0, |m: f64, t| m.max(*t));
    let slips = seen.all("wheel.speed").iter().position(|v| *v > 0.01).unwrap();
    let t = seen.trajectory.samples.t[slips];
    assert!((peak - limit).abs() < 0.01 * limit, "{peak} of {limit}");
    assert!((110.0 - 1.0..110.0 + 1.0).contains(&t), "{t}");
}
