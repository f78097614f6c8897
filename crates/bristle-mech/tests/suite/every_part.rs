//! What every part has to satisfy, in random mechanisms: energy is accounted for, exact derivatives agree with differences, the
//! whole experiment may be shifted or mirrored, and its card and its page in the manual are complete.
//!
//! A part that is added to the catalogue needs an entry in [`entry`]; without one a test fails that names it.

use crate::couplings::{Seen, assemble, signal, watch_to};
use crate::mechanisms::part;
use crate::random::Random;

use bristle_core::{Dual, Kind, Mode, partial, seed};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Point};
use std::path::Path;

/// Bodies that a part is tried among.
#[derive(Clone, Copy, PartialEq)]
enum Among {
    Masses,
    Rotors,
    Plane,
    /// Tried with ropes, in `ropes.rs`.
    Ropes,
}

type Entry = (Among, Vec<(&'static str, Spec)>);

fn coulomb() -> Spec {
    let card = LawKind::Coulomb.card();
    Spec::of(&card).with(&card, "mu_s", 0.4).with(&card, "mu_d", 0.3)
}

fn sine(amplitude: f64, frequency: f64) -> Spec {
    signal(SignalKind::Sine, &[("amplitude", amplitude), ("frequency", frequency)])
}

/// The part under test, with numbers of its own, among bodies called `a` and `b` (masses, or planar masses), `c` and `d` (rotors).
fn entry(kind: PartKind, r: &mut Random) -> Option<Entry> {
    let joins = |numbers: &[(&str, f64)], names: [&str; 2]| part(kind, numbers).naming("between", &names);
    let on = |numbers: &[(&str, f64)], name: &str| part(kind, numbers).naming("on", &[name]);
    let one = |among: Among, spec: Spec| Some((among, vec![("tried", spec)]));
    let (k, d, x) = (r.decade(50.0, 500.0), r.decade(0.5, 5.0), r.between(-0.02, 0.02));
    match kind.card().name {
        "mass" => {
            one(Among::Masses, part(kind, &[("mass", r.decade(0.5, 5.0)), ("v", r.between(-1.0, 1.0))]))
        }
        "planar_mass" => one(Among::Plane, part(kind, &[("mass", 2.0), ("x", 3.0), ("vy", x)])),
        "trolley" => one(Among::Masses, part(kind, &[("mass", 2.0), ("v", 0.3)])),
        "anchor" => {
            let tie = part(PartKind::Spring, &[("k", k)]).naming("between", &["a", "tried"]);
            Some((Among::Masses, vec![("tried", part(kind, &[("x", x)])), ("tie", tie)]))
        }
        "drive" => {
            let tie = part(PartKind::Spring, &[("k", k)]).naming("between", &["a", "tried"]);
            Some((
                Among::Masses,
                vec![("tried", part(kind, &[("v", 0.2)]).holding("velocity", sine(0.3, 1.3))), ("tie", tie)],
            ))
        }
        "planar_drive" => {
            let tie =
                part(PartKind::Segment, &[("k", k), ("length", 0.5)]).naming("between", &["a", "tried"]);
            Some((
                Among::Plane,
                vec![("tried", part(kind, &[("vx", 0.2), ("x", 1.0), ("y", 0.4)])), ("tie", tie)],
            ))
        }
        "spring" => one(
            Among::Masses,
            joins(&[("rest", x), ("preload", r.between(-2.0, 2.0))], ["a", "b"]).holding(
                "k",
                signal(SignalKind::Sine, &[("mean", k), ("amplitude", 0.3 * k), ("frequency", 0.7)]),
            ),
        ),
        "cubic_spring" => {
            one(Among::Masses, joins(&[("k", -k), ("cubic", 1e4 * k), ("rest", x)], ["a", "b"]))
        }
        "table_spring" => {
            let mut spec = joins(&[("rest", x)], ["a", "b"]);
            spec.lists = vec![
                ("stretches".into(), vec![-0.1, 0.0, 0.05]),
                ("forces".into(), vec![-k * 0.2, 0.0, k * 0.02]),
            ];
            one(Among::Masses, spec)
        }
        "torsion_table_spring" => {
            let mut spec = joins(&[("rest", x)], ["c", "d"]);
            spec.lists = vec![
                ("twists".into(), vec![-0.1, 0.0, 0.05]),
                ("torques".into(), vec![-k * 0.2, 0.0, k * 0.02]),
            ];
            one(Among::Rotors, spec)
        }
        "tether" => one(Among::Masses, joins(&[("length", 0.01), ("k", k), ("d", d)], ["a", "b"])),
        "maxwell_element" => one(Among::Masses, joins(&[("k", k), ("d", d)], ["a", "b"])),
        "damper" => one(Among::Masses, joins(&[("d", d), ("quadratic", 2.0 * d)], ["a", "b"])),
        "segment" => one(Among::Plane, joins(&[("k", k), ("d", d), ("length", 1.0)], ["a", "b"])),
        "gravity" => one(Among::Masses, part(kind, &[("angle", 0.3)])),
        "force" => one(Among::Masses, on(&[("value", r.between(-3.0, 3.0))], "a").naming("against", &["b"])),
        "contact" => {
            one(Among::Masses, joins(&[("load", r.decade(2.0, 20.0))], ["a", "b"]).holding("law", coulomb()))
        }
        "planar_contact" => one(
            Among::Plane,
            joins(&[("load", r.decade(2.0, 20.0))], ["a", "ground"]).holding("law", coulomb()),
        ),
        "rotor" => one(
            Among::Rotors,
            part(kind, &[("inertia", r.decade(0.5, 5.0)), ("speed", r.between(-1.0, 1.0))]),
        ),
        "rotary_anchor" => {
            let tie = part(PartKind::TorsionSpring, &[("k", k)]).naming("between", &["c", "tried"]);
            Some((Among::Rotors, vec![("tried", part(kind, &[("angle", x)])), ("tie", tie)]))
        }
        "rotary_drive" => {
            let tie = part(PartKind::TorsionSpring, &[("k", k)]).naming("between", &["c", "tried"]);
            Some((
                Among::Rotors,
                vec![("tried", part(kind, &[]).holding("speed", sine(0.3, 1.3))), ("tie", tie)],
            ))
        }
        "torsion_spring" => one(Among::Rotors, joins(&[("k", k), ("rest", x), ("preload", 1.0)], ["c", "d"])),
        "torsion_cubic_spring" => {
            let numbers = [("k", k), ("cubic", 100.0 * k), ("preload", 1.0), ("rest", x)];
            one(Among::Rotors, joins(&numbers, ["c", "d"]))
        }
        "torsion_damper" => one(Among::Rotors, joins(&[("d", d), ("quadratic", d)], ["c", "d"])),
        "backlash" => {
            let card = kind.card();
            let word = if r.unit() < 0.5 { "full" } else { "eased" };
            one(
                Among::Rotors,
                joins(&[("play", 0.02), ("k", 10.0 * k), ("d", d)], ["c", "d"])
                    .choosing(&card, "damping", word),
            )
        }
        "eddy_brake" => one(Among::Rotors, joins(&[("peak", 3.0), ("speed", 0.4)], ["c", "d"])),
        "linear_eddy_brake" => one(Among::Masses, joins(&[("peak", 3.0), ("speed", 0.4)], ["a", "b"])),
        "torque" => {
            one(Among::Rotors, on(&[], "c").naming("against", &["d"]).holding("value", sine(3.0, 0.9)))
        }
        "clutch" => {
            let force = signal(SignalKind::Sine, &[("mean", 5.0), ("amplitude", 10.0), ("frequency", 0.8)]);
            one(
                Among::Rotors,
                joins(&[("radius", 0.3), ("faces", 2.0)], ["c", "d"])
                    .holding("force", force)
                    .holding("law", coulomb()),
            )
        }
        "brake" => one(
            Among::Rotors,
            on(&[("force", r.decade(2.0, 20.0)), ("radius", 0.3)], "c").holding("law", coulomb()),
        ),
        "freewheel" => one(Among::Rotors, joins(&[("restitution", 0.3)], ["c", "d"])),
        "gear" => {
            let losses = [("ratio", -2.5), ("efficiency", 0.8), ("bearing", 0.1), ("back_bearing", 0.3)];
            let third = part(PartKind::Rotor, &[("inertia", 0.3)]);
            Some((
                Among::Rotors,
                vec![("e", third), ("tried", joins(&losses, ["c", "e"]).naming("support", &["d"]))],
            ))
        }
        "rack" => {
            let pinion = part(PartKind::Rotor, &[("inertia", 0.1)]);
            let rack = part(kind, &[("radius", 0.2)]).naming("body", &["a"]).naming("rotor", &["e"]);
            Some((Among::Masses, vec![("e", pinion), ("tried", rack)]))
        }
        "lever" => {
            let other = part(PartKind::Mass, &[("mass", 0.7)]);
            Some((
                Among::Masses,
                vec![("e", other), ("tried", joins(&[("first", 0.3), ("second", 0.5)], ["e", "a"]))],
            ))
        }
        "planetary" => {
            let ring = part(PartKind::Rotor, &[("inertia", 0.4)]);
            let gear = part(kind, &[("ratio", 1.7)])
                .naming("sun", &["c"])
                .naming("ring", &["e"])
                .naming("carrier", &["d"]);
            Some((Among::Rotors, vec![("e", ring), ("tried", gear)]))
        }
        "stop" => one(
            Among::Masses,
            joins(
                &[("at", 0.01), ("k", 10.0 * k), ("d", d), ("damping", 0.5), ("exponent", 1.5)],
                ["a", "b"],
            ),
        ),
        "rotary_stop" => one(
            Among::Rotors,
            joins(
                &[("at", 0.01), ("k", 10.0 * k), ("d", d), ("damping", 0.5), ("exponent", 1.5)],
                ["c", "d"],
            ),
        ),
        "rotary_hard_stop" => one(Among::Rotors, joins(&[("at", 0.02), ("restitution", 0.5)], ["c", "d"])),
        "hard_stop" => one(Among::Masses, joins(&[("at", 0.02), ("restitution", 0.5)], ["a", "b"])),
        "pid" => one(
            Among::Masses,
            on(
                &[("position", 0.05), ("kp", k), ("ki", 20.0), ("kd", d), ("filter", 0.01), ("limit", 6.0)],
                "a",
            )
            .naming("reads", &["b"]),
        ),
        "rotary_pid" => one(
            Among::Rotors,
            on(&[("kp", k), ("ki", 20.0), ("kd", d), ("dead_band", 0.01)], "c")
                .holding("angle", sine(0.1, 0.5)),
        ),
        "sampled_pid" => one(
            Among::Masses,
            on(
                &[
                    ("period", 0.0613),
                    ("position", 0.05),
                    ("kp", 20.0),
                    ("kd", 2.0),
                    ("delay", 0.01),
                    ("quantum", 1.0 / 4096.0),
                ],
                "a",
            ),
        ),
        "rotary_sampled_pid" => one(
            Among::Rotors,
            on(
                &[
                    ("period", 0.0613),
                    ("angle", 0.05),
                    ("kp", 20.0),
                    ("kd", 2.0),
                    ("delay", 0.01),
                    ("quantum", 1.0 / 4096.0),
                ],
                "c",
            )
            .naming("reads", &["d"]),
        ),
        "capstan" | "cable" | "cable_end" | "drum" | "drum_servo" | "drum_motor" => {
            Some((Among::Ropes, Vec::new()))
        }
        _ => None,
    }
}

/// A mechanism around the part under test.
fn mechanism(kind: PartKind, seed: u64) -> Option<Vec<(&'static str, Spec)>> {
    let r = &mut Random(seed);
    let (among, tried) = entry(kind, r).unwrap_or_else(|| {
        panic!("part `{}` has no entry in every_part.rs: add one that puts it among bodies", kind.card().name)
    });
    let body = |kind: PartKind, numbers: &[(&str, f64)]| part(kind, numbers);
    let mut parts: Vec<(&'static str, Spec)> = Vec::new();
    if among == Among::Masses {
        for (name, tie) in [("a", "tie_a"), ("b", "tie_b")] {
            parts.push((
                name,
                body(PartKind::Mass, &[("mass", r.decade(0.5, 3.0)), ("v", r.between(-0.5, 0.5))]),
            ));
            parts.push((
                tie,
                body(PartKind::Spring, &[("k", r.decade(20.0, 80.0))]).naming("between", &[name, "ground"]),
            ));
        }
        parts
            .push(("push", body(PartKind::Force, &[]).naming("on", &["b"]).holding("value", sine(4.0, 1.1))));
    }
    if among == Among::Rotors {
        for (name, tie) in [("c", "tie_c"), ("d", "tie_d")] {
            // A planetary gear says how one of its rotors turns; what starts moving is left to the others.
            let speed = if name == "d" || kind == PartKind::Planetary { 0.0 } else { r.between(-0.5, 0.5) };
            parts.push((name, body(PartKind::Rotor, &[("inertia", r.decade(0.5, 3.0)), ("speed", speed)])));
            parts.push((
                tie,
                body(PartKind::TorsionSpring, &[("k", r.decade(20.0, 80.0))])
                    .naming("between", &[name, "ground"]),
            ));
        }
        parts.push((
            "turn",
            body(PartKind::Torque, &[]).naming("on", &["d"]).holding("value", sine(4.0, 1.1)),
        ));
    }
    if among == Among::Plane {
        for (name, tie, x) in [("a", "tie_a", 0.6), ("b", "tie_b", -0.7)] {
            parts.push((
                name,
                body(
                    PartKind::PlanarMass,
                    &[("mass", r.decade(0.5, 3.0)), ("x", x), ("y", 0.5), ("vx", 0.2), ("vy", -0.3)],
                ),
            ));
            parts.push((
                tie,
                body(PartKind::Segment, &[("k", r.decade(20.0, 80.0)), ("length", 0.6)])
                    .naming("between", &[name, "ground"]),
            ));
        }
    }
    parts.extend(tried);
    (among != Among::Ropes).then_some(parts)
}

/// Every part in a few mechanisms.
fn each(mut check: impl FnMut(&str, &[(&str, Spec)])) {
    for kind in PartKind::ALL {
        for seed in 1..=3 {
            if let Some(parts) = mechanism(*kind, seed) {
                check(&format!("{} in mechanism {seed}", kind.card().name), &parts);
            }
        }
    }
}

fn run(label: &str, parts: &[(&str, Spec)]) -> (System, Seen) {
    let system = assemble(parts).unwrap_or_else(|e| panic!("{label}: {e}"));
    let seen = watch_to(1e-11, &system, 1.5, 0.05);
    (system, seen)
}

#[test]
fn energy_is_accounted_for() {
    each(|label, parts| {
        let (_, seen) = run(label, parts);
        assert!(seen.imbalance() < 1e-7, "{label}: {:e}", seen.imbalance());
    });
}

/// Directional derivatives in dual numbers against central differences of the rates, at states of a run.
#[test]
fn exact_derivatives_agree_with_differences() {
    each(|label, parts| {
        let (system, seen) = run(label, parts);
        let (p, samples) = (system.params().to_vec(), &seen.trajectory.samples);
        let n = system.dim();
        for i in (0..samples.len()).step_by(7) {
            let (t, mode): (f64, Vec<Mode>) = (samples.t[i], samples.modes(i).to_vec());
            let x = samples.row(i).to_vec();
            let rates = |x: &[f64]| {
                let mut dx = vec![0.0; n];
                system.rates(Point { t, x, p: &p, mode: &mode }, &mut dx);
                dx
            };
            for j in 0..n {
                let h = 1e-6 * x[j].abs().max(1e-2);
                let [ahead, behind] = [h, -h].map(|h| {
                    let mut moved = x.clone();
                    moved[j] += h;
                    rates(&moved)
                });
                let plain = |numbers: &[f64]| numbers.iter().map(|x| Dual::<1>::from(*x)).collect::<Vec<_>>();
                let (mut exact, mut seeded, numbers) = (plain(&vec![0.0; n]), plain(&x), plain(&p));
                seeded[j] = seed(x[j], 0);
                system.rates(Point { t: t.into(), x: &seeded, p: &numbers, mode: &mode }, &mut exact);
                for k in 0..n {
                    let difference = (ahead[k] - behind[k]) / (2.0 * h);
                    let found = partial(&exact[k], 0);
                    // Kinks between both differences are no mistake of the derivative.
                    let size = 1e-4 * (1.0 + difference.abs() + found.abs() + ahead[k].abs() / h * 1e-9);
                    let middle = rates(&x)[k];
                    let bends = (ahead[k] + behind[k] - 2.0 * middle).abs() / h;
                    assert!(
                        (difference - found).abs() <= size + bends,
                        "{label}: state {j}, rate {k} at {t}: {difference} against {found}"
                    );
                }
            }
        }
    });
}

/// Starts and fixed places of bodies, by the line they are on.
const PLACES: [&str; 4] = ["q", "x", "y", "angle"];

/// The same experiment somewhere else: everything has the same velocities and forces. The ground stays where it is, so that what is
/// tied to it is tied to an anchor instead, which is shifted as well.
#[test]
fn shifting_the_whole_experiment_changes_nothing() {
    each(|label, parts| {
        let (_, here) = run(label, parts);
        // Whole steps of what a sampled controller measures in.
        let shift = 0.375;
        let mut moved: Vec<(&str, Spec)> = parts
            .iter()
            .map(|(name, spec)| {
                let kind = PartKind::named(&spec.kind).unwrap();
                let card = kind.card();
                let mut spec = spec.clone();
                let is_place = card.tags.contains(&"body");
                if is_place {
                    for place in PLACES {
                        if let Some(i) = card.numbers().position(|f| f.name == place) {
                            spec.numbers[i] += shift;
                        }
                    }
                }
                // A controller is told where to go.
                for wanted in ["position", "angle"].into_iter().filter(|_| spec.kind.ends_with("pid")) {
                    if let Some(i) = card.numbers().position(|f| f.name == wanted) {
                        spec.numbers[i] += shift;
                        if let Some((_, signal)) = spec.tables.iter_mut().find(|(field, _)| field == wanted) {
                            spec.numbers[i] -= shift;
                            signal.numbers[0] += shift;
                        }
                    }
                }
                let line = if card.tags.contains(&"rotary") || spec.kind == "gear" {
                    "rotary_floor"
                } else {
                    "floor"
                };
                for (_, names) in &mut spec.names {
                    names.iter_mut().filter(|n| *n == "ground").for_each(|n| *n = line.to_owned());
                }
                (*name, spec)
            })
            .collect();
        moved.push(("floor", part(PartKind::Anchor, &[("x", shift), ("y", shift)])));
        moved.push(("rotary_floor", part(PartKind::RotaryAnchor, &[("angle", shift)])));
        let (system, there) = run(label, &moved);
        same(label, &system, &here, &there, |_| 1.0);
    });
}

/// The same experiment seen in a mirror: everything that has a direction changes its sign.
#[test]
fn mirrored_input_gives_mirrored_output() {
    each(|label, parts| {
        let (_, here) = run(label, parts);
        let mirrored: Vec<(&str, Spec)> = parts.iter().map(|(name, spec)| (*name, in_mirror(spec))).collect();
        let (system, there) = run(label, &mirrored);
        let sized = ["segment", "planar_contact"];
        let sizes: Vec<&str> = parts
            .iter()
            .filter(|(_, s)| bears_one_way(s) || sized.contains(&s.kind.as_str()))
            .map(|(n, _)| *n)
            .collect();
        same(label, &system, &here, &there, |channel| {
            let (part, quantity) = channel.rsplit_once('.').unwrap_or(("", channel));
            let even =
                ["load", "loss", "power", "kinetic", "potential", "input", "length", "since", "reaction"];
            // Sizes of vectors, and what bears one way.
            let is_size = sizes.contains(&part) && !["force_x", "force_y"].contains(&quantity);
            if even.contains(&quantity) || is_size { 1.0 } else { -1.0 }
        });
    });
}

fn bears_one_way(spec: &Spec) -> bool {
    ["tether", "freewheel"].contains(&spec.kind.as_str()) || spec.kind.ends_with("stop")
}

/// A part with all its directions reversed; what bears one way is named the other way round.
fn in_mirror(spec: &Spec) -> Spec {
    const ODD: [&str; 14] = [
        "q", "v", "x", "y", "vx", "vy", "angle", "speed", "value", "rest", "preload", "position", "signal",
        "velocity",
    ];
    let card = PartKind::named(&spec.kind).unwrap().card();
    let mut spec = spec.clone();
    if spec.kind == "eddy_brake" || spec.kind == "linear_eddy_brake" {
        return spec;
    }
    if bears_one_way(&spec) {
        spec.names.iter_mut().for_each(|(_, names)| names.reverse());
        return spec;
    }
    for (field, number) in card.numbers().zip(&mut spec.numbers) {
        if ODD.contains(&field.name) && *number != 0.0 {
            *number = -*number;
        }
    }
    for (field, table) in &mut spec.tables {
        if ODD.contains(&field.as_str()) {
            let card = SignalKind::named(&table.kind).unwrap().card();
            for (field, number) in card.numbers().zip(&mut table.numbers) {
                if matches!(field.kind, Kind::Number { unit, .. } if unit.starts_with("signal")) {
                    *number = -*number;
                }
            }
        }
    }
    if spec.kind.ends_with("table_spring") {
        for (_, list) in &mut spec.lists {
            list.iter_mut().for_each(|x| *x = -*x);
            list.reverse();
        }
    }
    spec
}

/// Compares velocities, forces and energies of two runs, each column to 1e-5 of its size: kinks of tables and clamped dampers, which
/// are not located, leave some of that.
fn same(label: &str, system: &System, here: &Seen, there: &Seen, sign: impl Fn(&str) -> f64) {
    // Positions, slips against the ground among them, and what belongs to them.
    let moved = [
        "slip",
        "q",
        "x",
        "y",
        "angle",
        "wanted",
        "stretch",
        "twist",
        "mode",
        "integral",
        "filtered",
        "a",
        "acceleration",
        "ax",
        "ay",
        "potential",
        "input",
    ];
    for channel in system.channels() {
        let name = channel.name.as_str();
        let quantity = name.rsplit('.').next().unwrap_or(name);
        let is_kept = here.has(name)
            && !moved.contains(&quantity)
            && !name.starts_with("tie_")
            && !name.contains("floor");
        if !is_kept {
            continue;
        }
        let (a, b) = (here.all(name), there.all(name));
        let size = a.iter().fold(1e-3, |m: f64, x| m.max(x.abs()));
        for (row, t) in here.trajectory.samples.t.iter().enumerate() {
            // At a switch there are several rows of one time.
            let is_single = here.trajectory.samples.t.iter().filter(|s| *s == t).count() == 1;
            let Some(other) = there.trajectory.samples.t.iter().position(|s| s == t).filter(|_| is_single)
            else {
                continue;
            };
            let expected = sign(name) * a[row];
            assert!(
                (b[other] - expected).abs() <= 1e-5 * size,
                "{label}: {name} at {t}: {} against {expected}",
                b[other]
            );
        }
    }
}

#[test]
fn cards_and_pages_are_complete() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/parts");
    for kind in PartKind::ALL {
        let card = kind.card();
        assert!(
            card.title().ends_with('.') && card.doc.contains("```text"),
            "{}: a sentence and its equation",
            card.name
        );
        assert!(
            pages.join(format!("{}.md", card.name)).is_file(),
            "{}: no page, run `cargo xtask gen`",
            card.name
        );
        for field in card.fields {
            assert!(field.doc.ends_with('.'), "{}.{}: a sentence", card.name, field.name);
            if let Kind::Number { unit, .. } = field.kind {
                assert!(
                    !field.symbol.is_empty() && !unit.is_empty(),
                    "{}.{}: symbol and unit",
                    card.name,
                    field.name
                );
            }
        }
    }
}
