//! The laws of the catalogue, written as text, are the laws of the catalogue.

use bristle_core::{Dual, Mode, Scalar, seed};
use bristle_law::{AnyLaw, At, DraftEvent, DraftParameter, DraftState, LawKind, OPEN, WrittenDraft};
use toml::{Table, Value};

/// What a scenario would read from a section.
fn draft(name: &str, law: &Table) -> WrittenDraft {
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
    WrittenDraft {
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
        ..WrittenDraft::default()
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
        let is_free =
            !exponents.contains(&field.name) && !["mu_s", "v_s", "v_0", "gamma3"].contains(&field.name);
        if *value == 0.0 && !exponents.contains(&field.name) {
            *value = numbers.next();
        } else if is_free {
            *value *= 0.8 + 0.2 * numbers.next();
        }
        own[place] = *value;
    }
    [own, written]
}

/// How many elements both have.
fn elements(law: &AnyLaw<f64>, text: &AnyLaw<f64>) -> usize {
    assert_eq!(law.elements(), text.elements(), "elements");
    assert_eq!(law.keeps_direction() && law.elements() > 0, text.keeps_direction(), "direction");
    law.elements()
}

/// A parameter by its name.
fn parameter(kind: LawKind, numbers: &[f64], name: &str) -> f64 {
    numbers[kind.card().numbers().position(|f| f.name == name).unwrap()]
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(scale) || a == b
}

/// All laws, and all that differ.
#[test]
fn every_law_of_the_catalogue_written_as_text_is_the_same() {
    let pairs = pairs();
    assert_eq!(pairs.len(), LawKind::ALL.len());
    let differs = |(kind, written): &(LawKind, LawKind)| {
        std::panic::catch_unwind(|| check(*kind, *written, &mut Numbers(7))).is_err()
    };
    let wrong: Vec<&str> =
        pairs.iter().filter(|pair| differs(pair)).map(|(kind, _)| kind.card().name).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The modes of the text: the stop of `adams_like` lies ahead, so that it needs no direction.
fn as_text(name: &str, mode: &[Mode]) -> Vec<Mode> {
    let mut mode = mode.to_vec();
    if name == "adams_like" && mode.get(1) == Some(&Mode::Backward) {
        mode[1] = Mode::Forward;
    }
    mode
}

/// Whether a set of modes can be: a stop that lies behind has been left.
fn can_be(name: &str, mode: &[Mode]) -> bool {
    // Without modes the lock of `karnopp` counts as armed, that of the text goes by the speed.
    if name == "karnopp" && mode.is_empty() {
        return false;
    }
    name != "adams_like" || mode.len() < 2 || mode[1] == Mode::Stick || mode[1] == mode[0]
}

/// How many points each law is compared at: sets of parameters, and points with each of them.
const POINTS: [usize; 2] = [40, 250];

/// Force, rates, slopes, what is borne at rest, lock speed and guards at random points in the modes that belong to them and in
/// those that follow.
fn check(kind: LawKind, written: LawKind, numbers: &mut Numbers) {
    let name = kind.card().name;
    let (states, choices) = (kind.states(), kind.card().default_choices());
    assert_eq!(written.states(), states, "{name}");
    let starts =
        [kind.build(&kind.card().defaults(), &choices), written.build(&written.card().defaults(), &[])];
    let [z0, z1] = starts.map(|law| {
        let mut z = vec![0.0; states];
        law.initial(&mut z);
        z
    });
    assert_eq!(z0, z1, "{name}");
    for _ in 0..POINTS[0] {
        let [own, other] = parameters(kind, written, numbers);
        let (law, text) = (kind.build(&own, &choices), written.build(&other, &[]));
        assert_eq!((law.fault(), text.fault()), (None, None), "{name}");
        let elements = elements(&law, &text);
        assert_eq!(law.uses_hold(), text.uses_hold(), "{name}");
        for _ in 0..POINTS[1] {
            let mut place = Place::random(&law, states, numbers);
            if ["dieterich", "perrin_rice", "ruina", "lugre_dwell", "gonthier"].contains(&name) {
                let last = place.z.len() - 1;
                place.z[last] = place.z[last].abs();
            }
            for mode in follow(name, &law, &text, elements, &place) {
                compare(name, [&own, &other], [kind, written], &choices, &place, &mode);
            }
        }
    }
}

/// The modes in which a motion starts at a place and those that each event leads to, which are the same for both; and none.
fn follow(
    name: &str,
    law: &AnyLaw<f64>,
    text: &AnyLaw<f64>,
    elements: usize,
    place: &Place,
) -> Vec<Vec<Mode>> {
    let at = At { hold: place.hold, ..At::sliding(place.v, place.n) };
    let mut modes = [vec![Mode::Stick; elements], vec![Mode::Stick; elements]];
    law.start(&at, &place.z, &mut modes[0]);
    text.start(&at, &place.z, &mut modes[1]);
    let told = || format!("{name} at v = {:e}, n = {:e}, z = {:?}", place.v, place.n, place.z);
    assert_eq!(as_text(name, &modes[0]), modes[1], "{} starts", told());
    let guard = |mode: &[Mode], z: &[f64], element: usize| {
        let mut g = vec![0.0; elements];
        text.guards(&At { mode, ..at }, z, &mut g);
        g[element]
    };
    let mut sets = vec![modes[0].clone(), Vec::new()];
    for fired in 0..elements {
        // The system decides about the direction of set-valued laws.
        if law.limit(&at, &place.z).is_some() && fired == 0 {
            continue;
        }
        let (mut here, mut mode) = (place.z.clone(), modes[0].clone());
        let (mut there, mut other) = (place.z.clone(), modes[1].clone());
        law.switch(fired, &At { mode: &modes[0], ..at }, &mut here, &mut mode);
        text.switch(fired, &At { mode: &modes[1], ..at }, &mut there, &mut other);
        // What is not watched never fires.
        let now = guard(&modes[1], &place.z, fired);
        if now != 1.0 && now < 0.5 + place.n && can_be(name, &mode) {
            // Where a mode may not stay, the events of the text lead on one by one, the law goes at once.
            for element in 1..elements {
                if other != as_text(name, &mode) && guard(&other, &there, element) < 0.0 {
                    let before = other.clone();
                    text.switch(element, &At { mode: &before, ..at }, &mut there, &mut other);
                }
            }
            assert_eq!(as_text(name, &mode), other, "{} switches {fired} in {:?}", told(), modes[0]);
            // The load of formulas is never below that of an open contact, nor are the deflections it leaves.
            let mut floor = vec![0.0; here.len()];
            law.scales(OPEN, &mut floor);
            let is_open = place.n < OPEN;
            let same = |((a, b), floor): ((&f64, &f64), &f64)| {
                close(*a, *b, 1e-12) || is_open && (a - b).abs() <= *floor
            };
            assert!(
                here.iter().zip(&there).zip(&floor).all(same),
                "{} switches {fired}: {here:?} {there:?}",
                told()
            );
        }
        sets.push(mode);
    }
    sets.retain(|mode| can_be(name, mode));
    sets
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
    let texts = as_text(name, mode);
    let lift = |p: &[f64]| -> Vec<Dual<5>> { p.iter().map(|p| Dual::from(*p)).collect() };
    let run = |law: AnyLaw<Dual<5>>, mode: &[Mode]| {
        let at = At { v: seed::<5>(place.v, 0), n: Dual::from(place.n), hold: Dual::from(place.hold), mode };
        let mut dz = vec![Dual::from(0.0); states];
        let mut all = vec![law.eval(&at, &seeded, &mut dz)];
        all.extend(dz);
        all.extend(law.limit(&at, &seeded));
        all.push(law.lock_speed(&at));
        all
    };
    let pair = [run(kind.build(&lift(own), choices), mode), run(written.build(&lift(other), &[]), &texts)];
    assert_eq!(pair[0].len(), pair[1].len(), "{name}");
    let told = || format!("{name} at v = {:e}, n = {:e}, z = {:?}, {mode:?}", place.v, place.n, place.z);
    for (i, (a, b)) in pair[0].iter().zip(&pair[1]).enumerate() {
        // Differences of springs and dampers lose digits to their parts.
        let parts = if i == 0 { 0.0 } else { place.v.abs() };
        assert!(
            close(a.value(), b.value(), 1e-3 * parts),
            "{}: {i}: {:e} {:e}",
            told(),
            a.value(),
            b.value()
        );
        // Near and beyond break-away the slope of the root is limited, in derivatives alone.
        let is_limited = name == "frdyn2" && mode.first().is_none_or(|m| *m == Mode::Stick) && {
            let [mu_s, sigma0, sigma1] = ["mu_s", "sigma0", "sigma1"].map(|name| parameter(kind, own, name));
            (sigma0 * place.z[0] + sigma1 * place.v).abs() > (1.0 - 1e-6) * mu_s * place.n
        };
        if !is_limited {
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
    let guards = |law: AnyLaw<f64>, mode: &[Mode]| {
        let mut g = vec![0.0; mode.len()];
        law.guards(&At { mode, hold: place.hold, ..At::sliding(place.v, place.n) }, &place.z, &mut g);
        g
    };
    let (a, b) = (guards(kind.build(own, choices), mode), guards(written.build(other, &[]), &texts));
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        // Where nothing is watched any positive number will do.
        let idle = *a >= 1.0 && *b == 1.0;
        // The load of formulas is never below that of an open contact.
        let idle = idle || place.n < OPEN && (a - b).abs() <= OPEN;
        assert!(
            idle || close(*a, *b, 1e-3 * place.n.max(place.v.abs())),
            "{}: guard {i}: {a:e} {b:e}",
            told()
        );
    }
}
