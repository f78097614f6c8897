//! Gears, racks, levers and planetary gears, against closed forms and against the same mechanism reduced by hand.

use crate::mechanisms::part;
use crate::random::Random;
use bristle_law::LawKind;
use bristle_mech::{MechError, PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output, Solver, Trajectory};
use cpu_time::ThreadTime;

/// A system of named parts.
pub fn assemble(parts: &[(&str, Spec)]) -> Result<System, MechError> {
    let parts: Vec<(String, Spec)> = parts.iter().map(|(n, s)| ((*n).to_owned(), s.clone())).collect();
    System::assemble(&parts)
}

/// A run and its outputs.
pub struct Seen {
    pub trajectory: Trajectory,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Seen {
    pub fn all(&self, name: &str) -> &[f64] {
        let place = self.names.iter().position(|n| n == name);
        assert!(place.is_some(), "no output {name} among {:?}", self.names);
        &self.columns[place.unwrap()]
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    pub fn last(&self, name: &str) -> f64 {
        *self.all(name).last().unwrap()
    }

    /// The value at the row nearest to a time.
    pub fn at(&self, name: &str, t: f64) -> f64 {
        let times = &self.trajectory.samples.t;
        let near = |i: &usize| (times[*i] - t).abs();
        let row = (0..times.len()).min_by(|a, b| near(a).total_cmp(&near(b))).unwrap();
        self.all(name)[row]
    }

    /// What the energy balance leaves, relative to the largest energy.
    pub fn imbalance(&self) -> f64 {
        let [kinetic, potential, input, loss] =
            ["kinetic", "potential", "input", "loss"].map(|name| self.all(&format!("energy.{name}")));
        let total = |i: usize| kinetic[i] + potential[i] - input[i] + loss[i];
        let all = kinetic.iter().chain(potential).chain(input).chain(loss);
        let largest = all.fold(1e-30, |m: f64, e| m.max(e.abs()));
        (0..kinetic.len()).map(|i| (total(i) - total(0)).abs()).fold(0.0, f64::max) / largest
    }
}

/// A tight run with a row every `step`.
pub fn watch(system: &System, duration: f64, step: f64) -> Seen {
    watch_to(1e-11, system, duration, step)
}

/// A run to a tolerance.
pub fn watch_to(rtol: f64, system: &System, duration: f64, step: f64) -> Seen {
    let p = system.params().to_vec();
    let solver = Solver::with_tolerance(rtol);
    let run = solver.run(system, &p, system.initial(&p), duration, &Output::Grid { step }, &mut ()).unwrap();
    let columns = system.columns(&p, &run.samples, 0..run.samples.len());
    let names = system.channels().into_iter().map(|c| c.name).collect();
    Seen { trajectory: run, names, columns }
}

pub fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

fn coulomb(mu_s: f64, mu_d: f64) -> Spec {
    let card = LawKind::Coulomb.card();
    Spec::of(&card).with(&card, "mu_s", mu_s).with(&card, "mu_d", mu_d)
}

fn rotor(inertia: f64) -> Spec {
    part(PartKind::Rotor, &[("inertia", inertia)])
}

fn torque(on: &str, value: f64) -> Spec {
    part(PartKind::Torque, &[("value", value)]).naming("on", &[on])
}

fn gear(a: &str, b: &str, ratio: f64) -> Spec {
    part(PartKind::Gear, &[("ratio", ratio)]).naming("between", &[a, b])
}

fn brake(on: &str, load: f64, radius: f64, law: Spec) -> Spec {
    let numbers = [("load", load), ("radius", radius)];
    part(PartKind::Contact, &numbers).naming("between", &[on, "ground"]).holding("law", law)
}

/// A torque on the fast wheel accelerates it as if it had the inertia `J₁ + J₂/i²`; the teeth carry the rest.
#[test]
fn a_gear_reflects_the_inertia_behind_it() {
    let (j1, j2, tau) = (0.2, 3.0, 1.5);
    for ratio in [5.0, -5.0, 0.25] {
        let parts = [
            ("motor", rotor(j1)),
            ("load", rotor(j2)),
            ("mesh", gear("motor", "load", ratio)),
            ("push", torque("motor", tau)),
        ];
        let seen = watch(&assemble(&parts).unwrap(), 2.0, 0.1);
        let rate = tau / (j1 + j2 / (ratio * ratio));
        assert!((seen.last("motor.speed") - 2.0 * rate).abs() < 1e-10);
        assert!((seen.last("load.speed") - 2.0 * rate / ratio).abs() < 1e-10);
        assert!((seen.last("load.angle") - 2.0 * rate / ratio).abs() < 1e-9);
        assert!((seen.last("mesh.torque") + j2 * rate / (ratio * ratio)).abs() < 1e-10);
        assert!(seen.imbalance() < 1e-10);
    }
}

/// Gears in a row multiply: the last wheel feels the torque times both ratios.
#[test]
fn gears_in_a_row_multiply() {
    let parts = [
        ("c", rotor(4.0)),
        ("second", gear("b", "c", 3.0)),
        ("b", rotor(0.5)),
        ("a", rotor(0.1)),
        ("first", gear("a", "b", 2.0)),
        ("push", torque("a", 1.0)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    let rate = 1.0 / (0.1 + 0.5 / 4.0 + 4.0 / 36.0);
    assert!((seen.last("a.speed") - rate).abs() < 1e-10);
    assert!((seen.last("c.speed") - rate / 6.0).abs() < 1e-10);
    // What each mesh passes on accelerates all that lies behind it; the torque is that on the first of its wheels.
    assert!((seen.last("second.torque") + 4.0 * rate / 6.0 / 3.0).abs() < 1e-10);
    assert!((seen.last("first.torque") + (0.5 / 4.0 + 4.0 / 36.0) * rate).abs() < 1e-10);
}

/// A hoist: `(J + m r²) α = τ − m g r`, and the rack carries `m (g + r α)`.
#[test]
fn a_hoist_lifts_what_its_torque_exceeds() {
    let (j, m, r, tau, g) = (0.05, 12.0, 0.1, 20.0, 9.81);
    let parts = [
        ("drum", rotor(j)),
        ("cage", part(PartKind::Mass, &[("mass", m), ("q", 0.5)])),
        ("rope", part(PartKind::Rack, &[("radius", r)]).naming("body", &["cage"]).naming("rotor", &["drum"])),
        ("weight", part(PartKind::Force, &[("value", -m * g)]).naming("on", &["cage"])),
        ("push", torque("drum", tau)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    let rate = (tau - m * g * r) / (j + m * r * r);
    assert!((seen.last("drum.speed") - rate).abs() < 1e-9);
    assert!((seen.last("cage.q") - 0.5 - r * rate / 2.0).abs() < 1e-9);
    assert!((seen.last("rope.force") - m * (g + r * rate)).abs() < 1e-9);
    assert!(seen.imbalance() < 1e-10);
}

/// A lever holds a weight with another at arms in inverse proportion, and swings `(m_a + m_b (l_b/l_a)²) a = F` otherwise.
#[test]
fn a_lever_balances_by_its_arms() {
    let lever = part(PartKind::Lever, &[("first", 0.5), ("second", 2.0)]).naming("between", &["a", "b"]);
    let force = |on: &str, value: f64| part(PartKind::Force, &[("value", value)]).naming("on", &[on]);
    let mass = |m: f64| part(PartKind::Mass, &[("mass", m)]);
    let run = |pull: f64| {
        let parts = [
            ("a", mass(8.0)),
            ("b", mass(1.0)),
            ("beam", lever.clone()),
            ("fa", force("a", pull)),
            ("fb", force("b", 10.0)),
        ];
        watch(&assemble(&parts).unwrap(), 1.0, 0.1)
    };
    assert!(run(40.0).last("b.v").abs() < 1e-12);
    let seen = run(88.0);
    let rate = 48.0 / (8.0 + 16.0);
    assert!((seen.last("a.v") - rate).abs() < 1e-10 && (seen.last("b.v") + 4.0 * rate).abs() < 1e-10);
}

/// With the ring held the sun turns `1 + ρ` times as fast as the carrier; with all three free they share a torque as the
/// equations of Lagrange say.
#[test]
fn a_planetary_gear_divides_speed_and_torque() {
    let (js, jr, jc, rho, tau) = (0.1, 0.7, 0.4, 2.5, 3.0);
    let planetary = |ring: &str| {
        let names = part(PartKind::Planetary, &[("ratio", rho)])
            .naming("sun", &["sun"])
            .naming("carrier", &["carrier"]);
        names.naming("ring", &[ring])
    };
    let parts = [
        ("sun", rotor(js)),
        ("carrier", rotor(jc)),
        ("set", planetary("ground")),
        ("push", torque("sun", tau)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    let rate = tau / (js + jc / (1.0 + rho).powi(2));
    assert!((seen.last("sun.speed") - rate).abs() < 1e-10);
    assert!((seen.last("carrier.speed") - rate / (1.0 + rho)).abs() < 1e-10);

    let parts = [
        ("sun", rotor(js)),
        ("ring", rotor(jr)),
        ("carrier", rotor(jc)),
        ("set", planetary("ring")),
        ("push", torque("sun", tau)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    // ω_c = (ω_s + ρ ω_r)/(1 + ρ): the mass matrix of sun and ring.
    let (a, b) = (1.0 / (1.0 + rho), rho / (1.0 + rho));
    let (mss, msr, mrr) = (js + jc * a * a, jc * a * b, jr + jc * b * b);
    let det = mss * mrr - msr * msr;
    let (sun, ring) = (tau * mrr / det, -tau * msr / det);
    assert!((seen.last("sun.speed") - sun).abs() < 1e-10);
    assert!((seen.last("ring.speed") - ring).abs() < 1e-10);
    assert!((seen.last("carrier.speed") - (a * sun + b * ring)).abs() < 1e-10);
    assert!(seen.imbalance() < 1e-10);
}

/// A brake behind a gear holds a torque of `μ_s n r/i` before it, and not a bit more.
#[test]
fn a_brake_behind_a_gear_holds_what_the_ratio_leaves() {
    let (mu, n, r, ratio, slope) = (0.4, 50.0, 0.2, 8.0, 0.1);
    let ramp = signal(SignalKind::Ramp, &[("slope", slope)]);
    let push = part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", ramp);
    let parts = [
        ("motor", rotor(0.1)),
        ("wheel", rotor(2.0)),
        ("mesh", gear("motor", "wheel", ratio)),
        ("push", push),
        ("brake", brake("wheel", n, r, coulomb(mu, mu / 2.0))),
    ];
    let limit = mu * n * r / ratio;
    let seen = watch(&assemble(&parts).unwrap(), 1.2 * limit / slope, 0.01);
    let slip = &seen.trajectory.events[0];
    assert!((slip.t - limit / slope).abs() < 1e-9, "{} against {}", slip.t, limit / slope);
    let before = seen.trajectory.samples.t.iter().filter(|t| **t < slip.t).count();
    assert!(seen.all("wheel.speed")[..before].iter().all(|v| *v == 0.0));
    assert!(seen.last("wheel.speed") > 0.1 && seen.imbalance() < 1e-9);
}

/// Two brakes, one on each side of a gear, hold together: `μ n r` before it and `μ n r/i` from behind it.
#[test]
fn brakes_on_both_sides_of_a_gear_hold_together() {
    let (ratio, slope) = (4.0, 1.0);
    let ramp = signal(SignalKind::Ramp, &[("slope", slope)]);
    let push = part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", ramp);
    let parts = [
        ("motor", rotor(0.1)),
        ("wheel", rotor(2.0)),
        ("mesh", gear("motor", "wheel", ratio)),
        ("push", push),
        ("near", brake("motor", 10.0, 0.1, coulomb(0.5, 0.5))),
        ("far", brake("wheel", 40.0, 0.2, coulomb(0.3, 0.3))),
    ];
    let limit = 0.5 * 10.0 * 0.1 + 0.3 * 40.0 * 0.2 / ratio;
    let seen = watch(&assemble(&parts).unwrap(), 2.0, 0.01);
    assert!((seen.trajectory.events[0].t - limit / slope).abs() < 1e-8, "{:?}", seen.trajectory.events[0]);
    // Half way both carry the same part of what they can.
    let part = 0.5 * limit;
    let near = limit / slope / 2.0;
    assert!((seen.at("near.torque", near) - 0.5 * part / limit).abs() < 2e-2 * 0.5);
    assert!((seen.at("far.torque", near) - 2.4 * part / limit).abs() < 2e-2 * 2.4);
    let rate = (2.0 - limit).powi(2) / 2.0 / (0.1 + 2.0 / ratio / ratio);
    assert!((seen.last("motor.speed") - rate).abs() < 1e-8);
    assert!(seen.imbalance() < 1e-9);
}

/// Stick-slip through a gear is that of one rotor with the inertia `J₁ + J₂/i²` and friction at the radius `r/i`.
#[test]
fn stick_slip_through_a_gear_is_that_of_the_reduced_rotor() {
    let (j1, j2, ratio, r) = (0.6, 3.6, 2.0, 1.2);
    for kind in [LawKind::Coulomb, LawKind::LuGre, LawKind::Karnopp, LawKind::ElastoPlastic] {
        let card = kind.card();
        let law = Spec::of(&card).with(&card, "mu_s", 0.5).with(&card, "mu_d", 0.25);
        let between = ["bit", "table"];
        let string = part(PartKind::TorsionSpring, &[("k", 4.0)]).naming("between", &between);
        let mud = part(PartKind::TorsionDamper, &[("d", 0.05)]).naming("between", &between);
        let table = part(PartKind::RotaryDrive, &[("speed", 0.6)]);
        let geared = [
            ("bit", rotor(j1)),
            ("table", table.clone()),
            ("string", string.clone()),
            ("mud", mud.clone()),
            ("wheel", rotor(j2)),
            ("mesh", gear("wheel", "bit", 1.0 / ratio)),
            ("rub", brake("wheel", 8.0, r, law.clone())),
        ];
        let reduced = [
            ("bit", rotor(j1 + j2 / (ratio * ratio))),
            ("table", table),
            ("string", string),
            ("mud", mud),
            ("rub", brake("bit", 8.0, r / ratio, law)),
        ];
        let [geared, reduced] =
            [&geared[..], &reduced[..]].map(|p| watch_to(1e-13, &assemble(p).unwrap(), 20.0, 0.05));
        let stuck = reduced.all("rub.slip_rate").iter().filter(|v| v.abs() < 1e-3).count();
        assert!(stuck > 50 && stuck < 390, "{}: it sticks and slips: {stuck}", card.name);
        for name in ["bit.angle", "bit.speed", "rub.force", "rub.slip", "energy.loss", "energy.input"] {
            // A damped bristle that slides changes its force by n σ₁ σ₀ |v|/g = 1e9 N per metre of deflection, and a stiff step
            // leaves rounding of 1e-17 m in that; nothing else feels it.
            let least = if card.has_bristles() && name == "rub.force" { 1e-7 } else { 1e-11 };
            for (a, b) in geared.all(name).iter().zip(reduced.all(name)) {
                assert!((a - b).abs() <= least * (1.0 + b.abs()), "{}, {name}: {a} against {b}", card.name);
            }
        }
    }
}

/// A drive behind a gear turns what follows it, whatever it weighs; what it supplies is what the brake loses and the rotor stores.
#[test]
fn a_drive_supplies_what_its_followers_take() {
    let sine = signal(SignalKind::Sine, &[("amplitude", 0.3), ("frequency", 1.0)]);
    let parts = [
        ("drive", part(PartKind::RotaryDrive, &[]).holding("speed", sine)),
        ("wheel", rotor(2.0)),
        ("mesh", gear("wheel", "drive", 3.0)),
        ("rub", brake("wheel", 10.0, 0.2, Spec::of(&LawKind::LuGre.card()))),
        ("disc", rotor(0.5)),
        ("shaft", part(PartKind::TorsionSpring, &[("k", 60.0)]).naming("between", &["wheel", "disc"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 3.2, 0.01);
    for (t, speed) in seen.trajectory.samples.t.iter().zip(seen.all("wheel.speed")) {
        assert!((speed - 0.9 * (std::f64::consts::TAU * t).sin()).abs() < 1e-9);
    }
    assert!(seen.last("energy.loss") > 1.0 && seen.imbalance() < 1e-8, "{}", seen.imbalance());
}

/// A clutch between a free rotor and one behind a gear: momentum as the ratio has it, and the known loss.
#[test]
fn a_clutch_to_a_geared_rotor_ends_with_one_speed() {
    let (j1, j2, j3, ratio) = (0.5, 0.2, 6.0, 3.0);
    let contact =
        part(PartKind::Contact, &[("load", 20.0), ("radius", 0.1)]).naming("between", &["engine", "pinion"]);
    let parts = [
        ("engine", part(PartKind::Rotor, &[("inertia", j1), ("speed", 30.0)])),
        ("pinion", rotor(j2)),
        ("wheel", rotor(j3)),
        ("mesh", gear("pinion", "wheel", ratio)),
        ("clutch", contact.holding("law", coulomb(0.4, 0.4))),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 40.0, 0.1);
    let (behind, tau) = (j2 + j3 / (ratio * ratio), 0.4 * 20.0 * 0.1);
    let both = j1 * behind / (j1 + behind);
    assert!((seen.trajectory.events[0].t - both * 30.0 / tau).abs() < 1e-8);
    assert!((seen.last("clutch.loss") - 0.5 * both * 900.0).abs() < 1e-7);
    assert!((seen.last("engine.speed") - j1 * 30.0 / (j1 + behind)).abs() < 1e-9);
    assert!((seen.last("engine.speed") - ratio * seen.last("wheel.speed")).abs() < 1e-12);
    assert!(seen.imbalance() < 1e-9);
}

/// What cannot be coupled is refused, with the name of the part.
#[test]
fn couplings_that_contradict_others_are_refused() {
    let error = |parts: &[(&str, Spec)]| assemble(parts).unwrap_err().to_string();
    let [a, b] = ["a", "b"].map(|name| (name, rotor(1.0)));
    let (first, second) = (("first", gear("a", "b", 2.0)), ("second", gear("b", "a", 3.0)));
    let text = error(&[a.clone(), b.clone(), first.clone(), second]);
    let settled = "settled already by `first`, so that none of them is left to follow";
    assert!(text.contains("`second`") && text.contains(settled), "{text}");
    let drive = |name| (name, part(PartKind::RotaryDrive, &[("speed", 1.0)]));
    let text = error(&[a.clone(), drive("x"), drive("y"), ("mesh", gear("x", "y", 2.0))]);
    assert!(text.contains("`mesh`") && text.contains("neither can move"), "{text}");
    let two =
        [a.clone(), b.clone(), drive("x"), ("one", gear("a", "x", 2.0)), ("two", gear("a", "ground", 1.0))];
    assert!(error(&two).contains("`two`"));
    let fast = ("b", part(PartKind::Rotor, &[("inertia", 1.0), ("speed", 3.0)]));
    let faster = ("a", part(PartKind::Rotor, &[("inertia", 1.0), ("speed", 4.0)]));
    let text = error(&[faster, fast, first]);
    assert!(text.contains("`first`") && text.contains("starts with a velocity of 4"), "{text}");
    let body = ("body", part(PartKind::Mass, &[("mass", 1.0)]));
    let text = error(&[a.clone(), body, ("mesh", gear("a", "body", 2.0))]);
    assert!(text.contains("`mesh`") && text.contains("moves along a line"), "{text}");
    assert!(error(&[a, b, ("mesh", gear("a", "b", 0.0))]).contains("ratio of zero"));
}

/// A random train of rotors and bodies: gears, a planetary gear, racks, freewheels and stops among springs and friction.
fn random_train(r: &mut Random) -> Vec<(String, Spec)> {
    let count = 3 + r.below(4);
    let name = |i: usize| if i == 0 { "ground".to_owned() } else { format!("r{i}") };
    let mut parts: Vec<(String, Spec)> = Vec::new();
    for i in 1..=count {
        parts.push((name(i), rotor(r.decade(0.1, 5.0))));
    }
    // A tree: each rotor is coupled to at most one before it.
    for i in 2..=count {
        let other = name(1 + r.below(i - 1));
        match r.below(5) {
            0 | 1 => {
                let ratio = r.decade(0.2, 5.0) * if r.unit() < 0.5 { 1.0 } else { -1.0 };
                parts.push((format!("g{i}"), gear(&name(i), &other, ratio)));
            }
            2 if i > 2 => {
                let [sun, ring] = [name(i - 1), name(i - 2)];
                let set = part(PartKind::Planetary, &[("ratio", r.between(0.5, 4.0))]);
                let set = set.naming("carrier", &[&name(i)]).naming("sun", &[&sun]).naming("ring", &[&ring]);
                parts.push((format!("p{i}"), set));
            }
            3 => {
                let free = part(PartKind::Freewheel, &[]).naming("between", &[&name(i), &other]);
                parts.push((format!("w{i}"), free));
            }
            _ => {}
        }
        if r.unit() < 0.7 {
            let spring = part(PartKind::TorsionSpring, &[("k", r.decade(5.0, 500.0))]);
            parts.push((format!("s{i}"), spring.naming("between", &[&name(i), &name(r.below(i))])));
        }
    }
    let kinds = [
        LawKind::Coulomb,
        LawKind::Benson,
        LawKind::Karnopp,
        LawKind::Quinn,
        LawKind::LuGre,
        LawKind::Dahl,
        LawKind::ElastoPlastic,
        LawKind::VelocityBased,
    ];
    for k in 0..1 + r.below(4) {
        let a = 1 + r.below(count);
        let b = (a + 1 + r.below(count)) % (count + 1);
        let numbers = [("load", r.decade(1.0, 50.0)), ("radius", r.decade(0.05, 0.5))];
        let law = Spec::of(&r.of(&kinds).card());
        let contact =
            part(PartKind::Contact, &numbers).naming("between", &[&name(a), &name(b)]).holding("law", law);
        parts.push((format!("c{k}"), contact));
    }
    if r.unit() < 0.5 {
        let radius = r.decade(0.05, 0.5);
        let rack =
            part(PartKind::Rack, &[("radius", radius)]).naming("body", &["cart"]).naming("rotor", &["r1"]);
        parts.push(("cart".to_owned(), part(PartKind::Mass, &[("mass", r.decade(0.5, 20.0))])));
        parts.push(("rack".to_owned(), rack));
        let stop =
            part(PartKind::HardStop, &[("at", r.decade(0.01, 0.3)), ("restitution", r.between(0.0, 0.7))]);
        parts.push(("stop".to_owned(), stop.naming("between", &["cart", "ground"])));
    }
    for k in 0..1 + r.below(2) {
        let numbers = [("amplitude", r.decade(0.5, 30.0)), ("frequency", r.decade(0.2, 4.0))];
        let push = part(PartKind::Torque, &[]).naming("on", &[&name(1 + r.below(count))]);
        parts.push((format!("t{k}"), push.holding("value", signal(SignalKind::Sine, &numbers))));
    }
    parts
}

/// None of them loses energy that is not accounted for; the solver checks after every step that what sticks does not slide.
#[test]
fn random_trains_keep_their_energy() {
    let count = std::env::var("BRISTLE_TRAINS").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    let (mut ran, mut faults) = (0, Vec::new());
    for seed in 0..count {
        let parts = random_train(&mut Random(seed));
        let system = match System::assemble(&parts) {
            Ok(system) => system,
            Err(MechError::Misfit { .. } | MechError::NothingMoves { .. } | MechError::SelfJoined { .. }) => {
                continue;
            }
            Err(error) => panic!("{seed}: {error}"),
        };
        let solver = Solver::with_tolerance(1e-9);
        let p = system.params().to_vec();
        let begun = ThreadTime::now();
        let mut reached = 0.0;
        let mut patience = |t: f64, _: &[f64], _: &[bristle_core::Mode]| {
            reached = t;
            begun.elapsed() < std::time::Duration::from_secs(3)
        };
        let run = system.run(&solver, 3.0, &Output::Grid { step: 0.01 }, &mut patience);
        match run {
            Err(error) => faults.push(format!("{seed}: {error} at {reached}")),
            _ if reached < 2.9 => {
                let kinds = parts.iter().map(|(name, spec)| {
                    let law = spec.table("law").map_or("", |law| law.kind.as_str());
                    format!("{name} {} {law} {:?}", spec.kind, spec.names)
                });
                let kinds: Vec<String> = kinds.collect();
                faults.push(format!("{seed}: not beyond {reached} s\n{}", kinds.join("\n")));
            }
            Ok(run) => {
                ran += 1;
                let columns = system.columns(&p, &run.samples, 0..run.samples.len());
                let names = system.channels().into_iter().map(|c| c.name).collect();
                let left = Seen { trajectory: run, names, columns }.imbalance();
                if left > 1e-5 {
                    faults.push(format!("{seed}: {left:.1e} of the energy"));
                }
            }
        }
    }
    assert!(faults.is_empty() && ran as u64 > count / 2, "{ran} ran\n{}", faults.join("\n"));
}

/// A gear with losses between a motor and a load.
fn lossy(ratio: f64, numbers: &[(&str, f64)], motor: [f64; 2], load: [f64; 2], torques: [f64; 2]) -> System {
    let mut all = vec![("ratio", ratio)];
    all.extend_from_slice(numbers);
    let body = |[inertia, speed]: [f64; 2]| part(PartKind::Rotor, &[("inertia", inertia), ("speed", speed)]);
    let parts = [
        ("motor", body(motor)),
        ("load", body(load)),
        ("mesh", part(PartKind::Gear, &all).naming("between", &["motor", "load"])),
        ("push", torque("motor", torques[0])),
        ("weight", torque("load", torques[1])),
    ];
    assemble(&parts).unwrap()
}

/// Driven forwards a gear passes on `η` of what goes in, `(J_b + i² η J_a) α_b = i (η τ − B) − M`; driven backwards the motor
/// gets `η₂` of what the load gives.
#[test]
fn a_lossy_gear_passes_on_part_of_the_power() {
    let (ja, jb, i, eta, back, bearing) = (0.2, 3.0, 4.0, 0.7, 0.5, 0.1);
    let numbers = [("efficiency", eta), ("back_efficiency", back), ("bearing", bearing)];
    let (tau, load) = (2.0, 3.0);
    let seen = watch(&lossy(i, &numbers, [ja, 0.0], [jb, 0.0], [tau, -load]), 1.0, 0.1);
    let rate = (i * (eta * tau - bearing) - load) / (jb + i * i * eta * ja);
    assert!((seen.last("load.speed") - rate).abs() < 1e-10, "{} {rate}", seen.last("load.speed"));
    // What the friction takes is what goes in less what comes out.
    let out = (jb * rate + load) / i;
    assert!((seen.last("mesh.friction") - (tau - ja * i * rate - out)).abs() < 1e-10);
    assert!(seen.imbalance() < 1e-10);
    // The load turns the motor: τ' is negative, and x = τ' s + B of it drives, s = −1.
    let seen = watch(&lossy(i, &numbers, [ja, 0.0], [jb, 0.0], [0.0, -load]), 1.0, 0.1);
    // J_b α_b = −M + i τ',  J_a i α_b = −η₂ (τ' − B).
    let rate = -(load - i * bearing) / (jb + i * i * ja / back);
    assert!((seen.last("load.speed") - rate).abs() < 1e-10, "{} {rate}", seen.last("load.speed"));
    assert!(seen.imbalance() < 1e-10);
}

/// A worm gear that no load drives back holds it for a day, and lets it down when the motor helps.
#[test]
fn a_self_locking_gear_holds_its_load() {
    let numbers = [("efficiency", 0.6), ("back_efficiency", 0.0)];
    let seen = watch(&lossy(20.0, &numbers, [0.01, 0.0], [5.0, 0.0], [0.0, -40.0]), 86400.0, 600.0);
    assert!(seen.all("load.angle").iter().all(|angle| *angle == 0.0));
    assert_eq!(seen.last("mesh.mode"), 0.0);
    let seen = watch(&lossy(20.0, &numbers, [0.01, 0.0], [5.0, 0.0], [-0.1, -40.0]), 1.0, 0.1);
    // Lowering, the load's torque stays in the teeth: the motor alone accelerates itself and what it must take along.
    assert!(seen.last("load.speed") < 0.0 && seen.imbalance() < 1e-9);
    // Running, the load neither drives it nor is braked: all of its power stays in the teeth.
    let seen = watch(&lossy(20.0, &numbers, [0.01, -20.0], [5.0, -1.0], [0.0, -40.0]), 5.0, 0.1);
    assert!((seen.last("load.speed") + 1.0).abs() < 1e-12, "{}", seen.last("load.speed"));
    assert!((seen.last("mesh.loss") - 200.0).abs() < 1e-9 && seen.imbalance() < 1e-9);
}

/// Two lossy gears in a row multiply their efficiencies.
#[test]
fn lossy_gears_in_a_row_multiply_their_efficiencies() {
    let gear = |a: &str, b: &str, ratio: f64, eta: f64| {
        part(PartKind::Gear, &[("ratio", ratio), ("efficiency", eta)]).naming("between", &[a, b])
    };
    let parts = [
        ("c", rotor(4.0)),
        ("second", gear("b", "c", 3.0, 0.8)),
        ("b", rotor(0.5)),
        ("a", rotor(0.1)),
        ("first", gear("a", "b", 2.0, 0.9)),
        ("push", torque("a", 1.0)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    // Each stage: what goes in is what comes out over its efficiency.
    let rate = 1.0 / (0.1 + (0.5 + 4.0 / 9.0 / 0.8) / 4.0 / 0.9);
    assert!((seen.last("a.speed") - rate).abs() < 1e-10, "{} {rate}", seen.last("a.speed"));
    assert!(seen.imbalance() < 1e-10);
}

/// An efficiency over the speed: `J α = η(ω) τ` behind a light motor, of which ω follows by its own equation.
#[test]
fn an_efficiency_over_the_speed_is_followed() {
    let mut gear = part(PartKind::Gear, &[("ratio", 1.0)]).naming("between", &["motor", "load"]);
    gear.lists = vec![("speeds".into(), vec![0.0, 10.0]), ("efficiencies".into(), vec![0.5, 1.0])];
    let parts =
        [("motor", rotor(1e-9)), ("load", rotor(2.0)), ("mesh", gear), ("push", torque("motor", 3.0))];
    let seen = watch(&assemble(&parts).unwrap(), 4.0, 0.1);
    // 2 ω̇ = 3 (0.5 + 0.05 ω) up to 10 rad/s, then 2 ω̇ = 3.
    let rate: f64 = 3.0 * 0.05 / 2.0;
    for (t, speed) in seen.trajectory.samples.t.iter().zip(seen.all("load.speed")) {
        let expected = 10.0 * ((rate * t).exp() - 1.0);
        assert!((speed - expected).abs() < 1e-7, "{speed} {expected}");
    }
}
