//! The laws of the catalogue, written as text, are the laws of the catalogue.

use bristle_core::{Dual, Mode, Scalar, seed};
use bristle_law::{AnyLaw, At, Draft, DraftEvent, DraftParameter, DraftState, LawKind, OPEN};
use toml::{Table, Value};

/// What a scenario would read from a section.
fn draft(name: &str, law: &Table) -> Draft {
    let empty = Table::new();
    let of = |key: &str| law.get(key).map_or(&empty, |value| value.as_table().unwrap());
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let formulas = |key: &str| of(key).iter().map(|(name, value)| (name.clone(), text(value))).collect();
    let parameter = |(name, value): (&String, &Value)| DraftParameter {
        name: name.clone(),
        doc: String::new(),
        default: text(value),
        min: None,
        max: None,
        role: None,
    };
    let state = |(name, value): (&String, &Value)| {
        let table = value.as_table();
        let entry = |key: &str| table.and_then(|t| t.get(key)).map(text);
        DraftState {
            name: name.clone(),
            unit: entry("unit").unwrap_or_else(|| text(value)),
            initial: entry("initial"),
            min: None,
            max: None,
            scale: None,
            role: None,
        }
    };
    let mode = |(name, values): (&String, &Value)| {
        (name.clone(), values.as_array().unwrap().iter().map(text).collect())
    };
    let event = |event: &Value| {
        let entry = |key: &str| event.get(key).map(text);
        let set = event.get("set").map(|set| set.as_table().unwrap());
        let set = set.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect();
        DraftEvent { when: entry("when").unwrap(), from: entry("from"), to: entry("to"), set }
    };
    Draft {
        name: name.to_owned(),
        parameters: of("parameters").iter().map(parameter).collect(),
        states: of("states").iter().map(state).collect(),
        terms: formulas("where"),
        rates: formulas("rates"),
        open: formulas("open"),
        force: text(&law["force"]),
        limit: law.get("limit").map(text),
        lock_speed: law.get("lock_speed").map(text),
        modes: of("modes").iter().map(mode).collect(),
        events: law.get("events").and_then(Value::as_array).into_iter().flatten().map(event).collect(),
        ..Draft::default()
    }
}

/// Each law of the catalogue with its text.
fn pairs() -> Vec<(LawKind, LawKind)> {
    let file: Table = include_str!("data/laws_as_text.toml").parse().unwrap();
    let sections = file["laws"].as_table().unwrap();
    let pair = |(name, section): (&String, &Value)| {
        let law = LawKind::named(name.trim_start_matches("text_")).unwrap_or_else(|| panic!("{name}"));
        let draft = draft(name, section.as_table().unwrap());
        (law, LawKind::written(&draft).unwrap_or_else(|e| panic!("{name}: {e:#?}")))
    };
    sections.iter().map(pair).collect()
}

/// Numbers from 0 to 1, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.next() < 0.5 { -1.0 } else { 1.0 }
    }

    /// Of any size between two, as likely in each decade.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.next())
    }
}

/// A point where both can be asked.
struct Place {
    v: f64,
    n: f64,
    hold: f64,
    z: Vec<f64>,
}

impl Place {
    fn random(law: &AnyLaw<f64>, states: usize, numbers: &mut Numbers) -> Place {
        let n = if numbers.next() < 0.1 { 0.1 * OPEN } else { numbers.between(0.1, 1e3) };
        let mut scale = vec![1.0; states];
        law.scales(n, &mut scale);
        let v = numbers.sign() * numbers.between(1e-7, 10.0);
        // Of either sign, from far within what a state is in sliding to beyond it; ages are never negative.
        let state = |scale: &f64| {
            let size = scale * numbers.between(1e-3, 3.0);
            (size, numbers.sign())
        };
        let signed: Vec<(f64, f64)> = scale.iter().map(state).collect();
        let z = signed.into_iter().map(|(size, sign)| size * sign).collect();
        Place { v, n, hold: n * (2.0 * numbers.next() - 1.0), z }
    }
}

/// The parameters of both at which they are compared: random ones around the defaults, those of the text in its own order.
fn parameters(law: LawKind, text: LawKind, numbers: &mut Numbers) -> [Vec<f64>; 2] {
    let mut own = law.card().defaults();
    let mut written = text.card().defaults();
    let names: Vec<&str> = law.card().numbers().map(|f| f.name).collect();
    let exponents = ["gamma", "alpha", "nu", "p", "beta", "e"];
    for (field, value) in text.card().numbers().zip(&mut written) {
        let place = names.iter().position(|n| *n == field.name);
        let place = place.unwrap_or_else(|| panic!("{} has no {}", law.card().name, field.name));
        assert!((own[place] - *value).abs() <= 1e-12 * value.abs(), "{}.{}", law.card().name, field.name);
        // Viscous friction is zero by default; static levels stay above kinetic ones.
        let is_free = !exponents.contains(&field.name) && !["mu_s", "v_s", "v_0", "gamma3"].contains(&field.name);
        if *value == 0.0 && !exponents.contains(&field.name) {
            *value = numbers.next();
        } else if is_free {
            *value *= 0.8 + 0.2 * numbers.next();
        }
        own[place] = *value;
    }
    [own, written]
}

/// The elements of the text that stand for those of the law: modes that are only borders have no twin.
fn sort(law: &AnyLaw<f64>, text: &AnyLaw<f64>) -> usize {
    assert_eq!(law.elements(), text.elements(), "elements");
    assert_eq!(law.keeps_direction() && law.elements() > 0, text.keeps_direction(), "direction");
    law.elements()
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(scale) || a == b
}

/// Force, rates, slopes, what is borne at rest, lock speed and guards at random points in the modes that belong to them and in
/// all others.
#[test]
fn every_law_of_the_catalogue_written_as_text_is_the_same() {
    let mut numbers = Numbers(7);
    let pairs = pairs();
    assert_eq!(pairs.len(), 34);
    for (kind, written) in pairs {
        let name = kind.card().name;
        let (states, choices) = (kind.states(), kind.card().default_choices());
        assert_eq!(written.states(), states, "{name}");
        for _ in 0..40 {
            let [own, other] = parameters(kind, written, &mut numbers);
            let (law, text) = (kind.build(&own, &choices), written.build(&other, &[]));
            assert_eq!((law.fault(), text.fault()), (None, None), "{name}");
            let elements = sort(&law, &text);
            assert_eq!(law.uses_hold(), text.uses_hold(), "{name}");
            let (mut z0, mut z1) = (vec![0.0; states], vec![0.0; states]);
            law.initial(&mut z0);
            text.initial(&mut z1);
            if own == kind.card().defaults() {
                assert_eq!(z0, z1, "{name}");
            }
            for _ in 0..50 {
                let mut place = Place::random(&law, states, &mut numbers);
                if ["dieterich", "ruina", "lugre_dwell", "gonthier"].contains(&name) {
                    let last = place.z.len() - 1;
                    place.z[last] = place.z[last].abs();
                }
                let at = At { hold: place.hold, ..At::sliding(place.v, place.n) };
                let mut modes = [vec![Mode::Stick; elements], vec![Mode::Stick; elements]];
                law.start(&at, &place.z, &mut modes[0]);
                text.start(&at, &place.z, &mut modes[1]);
                assert_eq!(modes[0], modes[1], "{name} starts at v = {}, n = {}, {:?}", place.v, place.n, place.z);
                let mut sets = vec![modes[0].clone(), Vec::new()];
                for fired in 0..elements {
                    let (mut here, mut mode) = (place.z.clone(), modes[0].clone());
                    let (mut there, mut other) = (place.z.clone(), modes[0].clone());
                    // The system decides about the direction of set-valued laws.
                    if law.limit(&at, &place.z).is_some() && fired == 0 {
                        continue;
                    }
                    law.switch(fired, &At { mode: &modes[0], ..at }, &mut here, &mut mode);
                    text.switch(fired, &At { mode: &modes[0], ..at }, &mut there, &mut other);
                    let watched = |law: &AnyLaw<f64>, mode: &[Mode]| {
                        let mut g = vec![0.0; elements];
                        law.guards(&At { mode, ..at }, &place.z, &mut g);
                        g[fired] != 1.0 && g[fired] < 0.5 + place.n
                    };
                    // What is not watched never fires; a fresh start may lead on at once.
                    if watched(&text, &modes[0]) && name != "elasto_plastic" {
                        assert_eq!(mode, other, "{name} switches {fired} in {:?}", modes[0]);
                        let same = here.iter().zip(&there).all(|(a, b)| close(*a, *b, 1e-12));
                        assert!(same, "{name} switches {fired}: {here:?} {there:?}");
                    }
                    sets.push(mode);
                }
                for mode in &sets {
                    compare(name, [&own, &other], [kind, written], &choices, &place, mode);
                }
            }
        }
    }
}

fn compare(
    name: &str,
    [own, other]: [&[f64]; 2],
    [kind, written]: [LawKind; 2],
    choices: &[bristle_core::Choice],
    place: &Place,
    mode: &[Mode],
) {
    let states = place.z.len();
    let seeded: Vec<Dual<5>> = place.z.iter().enumerate().map(|(i, z)| seed(*z, 1 + i)).collect();
    let at = At { v: seed::<5>(place.v, 0), n: Dual::from(place.n), hold: Dual::from(place.hold), mode };
    let lift = |p: &[f64]| -> Vec<Dual<5>> { p.iter().map(|p| Dual::from(*p)).collect() };
    let run = |law: AnyLaw<Dual<5>>| {
        let mut dz = vec![Dual::from(0.0); states];
        let mut all = vec![law.eval(&at, &seeded, &mut dz)];
        all.extend(dz);
        all.extend(law.limit(&at, &seeded));
        all.push(law.lock_speed(&at));
        all
    };
    let pair = [run(kind.build(&lift(own), choices)), run(written.build(&lift(other), &[]))];
    assert_eq!(pair[0].len(), pair[1].len(), "{name}");
    let told = || format!("{name} at v = {:e}, n = {:e}, z = {:?}, {mode:?}", place.v, place.n, place.z);
    for (i, (a, b)) in pair[0].iter().zip(&pair[1]).enumerate() {
        // Differences of springs and dampers lose digits to their parts.
        let parts = if i == 0 { 0.0 } else { place.v.abs() };
        assert!(close(a.value(), b.value(), 1e-3 * parts), "{}: {i}: {:e} {:e}", told(), a.value(), b.value());
        // The slope of a root is limited near break-away, in derivatives alone.
        if name != "frdyn2" {
            let largest = a.eps.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            for k in 0..5 {
                let near = (a.eps[k] - b.eps[k]).abs() <= 1e-9 * a.eps[k].abs().max(1e-3 * largest).max(1e-6);
                assert!(near, "{}: slope {k} of {i}: {:e} {:e}", told(), a.eps[k], b.eps[k]);
            }
        }
    }
    if mode.is_empty() {
        return;
    }
    let guards = |law: AnyLaw<f64>| {
        let mut g = vec![0.0; mode.len()];
        law.guards(&At { mode, hold: place.hold, ..At::sliding(place.v, place.n) }, &place.z, &mut g);
        g
    };
    let (a, b) = (guards(kind.build(own, choices)), guards(written.build(other, &[])));
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        // Where nothing is watched any positive number will do.
        let idle = *a >= 1.0 && *b == 1.0;
        assert!(idle || close(*a, *b, 1e-3 * place.n.max(place.v.abs())), "{}: guard {i}: {a:e} {b:e}", told());
    }
}
