//! What every signal has to satisfy: rates and integral belong to the value, breaks are where it jumps or bends, scaled numbers scale
//! it, a later start shifts it, and its card and its page in the manual are complete.
//!
//! A signal that is added to the catalogue needs an entry in [`entry`]; without one a test fails that names it.

use crate::couplings::signal;
use bristle_core::Kind;
use bristle_mech::{ParamList, Signal, SignalKind, Spec};
use std::path::Path;

/// A signal with numbers of its own.
fn entry(kind: SignalKind) -> Option<Spec> {
    let with = |numbers: &[(&str, f64)]| Some(signal(kind, numbers));
    match kind.card().name {
        "constant" => with(&[("value", 3.0)]),
        "input" => with(&[("value", -2.0)]),
        "step" => with(&[("from", 0.5), ("height", 2.0), ("start", 0.4)]),
        "smooth_step" => with(&[("from", -1.0), ("to", 2.0), ("start", 0.3), ("duration", 0.9)]),
        "ramp" => with(&[("from", 0.5), ("slope", -2.0), ("start", 0.2), ("duration", 0.7)]),
        "pulse" => with(&[
            ("base", 0.3),
            ("height", 2.0),
            ("start", 0.2),
            ("width", 0.3),
            ("rise", 0.1),
            ("period", 0.7),
        ]),
        "sine" => with(&[
            ("mean", 0.4),
            ("amplitude", 1.5),
            ("frequency", 1.3),
            ("phase", 0.2),
            ("start", 0.3),
            ("end", 1.6),
        ]),
        "trapezoid" => with(&[("height", 2.0), ("start", 0.2), ("end", 1.5), ("ramp", 0.3)]),
        "cycloid" => with(&[("rise", 2.0), ("start", 0.2), ("duration", 1.1)]),
        "polyline" => {
            let mut spec = signal(kind, &[("scale", 1.5)]);
            spec.lists = vec![("times".into(), vec![0.2, 0.9, 1.4]), ("values".into(), vec![1.0, -0.5, 2.0])];
            Some(spec)
        }
        "sum" => {
            let sine = signal(SignalKind::Sine, &[("amplitude", 1.0), ("frequency", 0.9)]);
            let ramp = signal(SignalKind::Ramp, &[("slope", 0.7), ("start", 0.6)]);
            Some(signal(kind, &[("offset", 0.3)]).holding("terms", sine).holding("terms", ramp))
        }
        _ => None,
    }
}

/// Every signal, placed, with its parameters.
fn each(mut check: impl FnMut(&str, &Signal, &[f64])) {
    for kind in SignalKind::ALL {
        let name = kind.card().name;
        let spec = entry(*kind)
            .unwrap_or_else(|| panic!("signal `{name}` has no entry in every_signal.rs: add one"));
        assert_eq!(SignalKind::fault(&spec), None, "{name}");
        let mut list = ParamList::default();
        let signal = Signal::place(&spec, "tried", &mut list).unwrap();
        check(name, &signal, &list.values);
    }
}

/// Times that lie between breaks by more than `h`.
fn times(signal: &Signal, p: &[f64], h: f64) -> Vec<f64> {
    let mut breaks = vec![0.0];
    while let Some(next) = signal.next_break(p, *breaks.last().unwrap()).filter(|t| *t < 2.0) {
        breaks.push(next);
    }
    let all = (1..400).map(|i| i as f64 * 0.005 + 1.234e-4);
    all.filter(|t| breaks.iter().all(|b| (t - b).abs() > 2.0 * h)).collect()
}

#[test]
fn rates_and_integral_belong_to_the_value() {
    each(|name, signal, p| {
        let h = 1e-5;
        for t in times(signal, p, h) {
            let [behind, here, ahead] = [t - h, t, t + h].map(|t| signal.jet(p, t));
            for (found, expected) in [
                ((ahead.integral - behind.integral) / (2.0 * h), here.value),
                ((ahead.value - behind.value) / (2.0 * h), here.rate),
                ((ahead.rate - behind.rate) / (2.0 * h), here.second),
            ] {
                assert!(
                    (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                    "{name} at {t}: {found} against {expected}"
                );
            }
        }
    });
}

/// Between two neighbouring times without a break the value changes as its rate says, so that no step passes over a jump.
#[test]
fn nothing_jumps_or_bends_but_at_breaks() {
    each(|name, signal, p| {
        let (mut t, h) = (0.0, 1e-3);
        while t < 2.0 {
            let next = t + h;
            if signal.next_break(p, t).is_none_or(|b| b > next) {
                let (a, b) = (signal.jet(p, t), signal.jet(p, next));
                let along = h * (a.rate + b.rate) / 2.0;
                assert!(
                    (b.value - a.value - along).abs() < 1e-5 * (1.0 + a.second.abs()),
                    "{name} jumps after {t}"
                );
                assert!(
                    (b.integral - a.integral - h * (a.value + b.value) / 2.0).abs() < 1e-5,
                    "{name} at {t}"
                );
            }
            t = next;
        }
        assert!(signal.jet(p, 0.0).integral.abs() < 1e-12, "{name}: the integral counts from zero");
    });
}

/// Levels that are all negated negate the signal, whatever it is.
#[test]
fn a_mirrored_signal_is_the_negative() {
    each(|name, signal, p| {
        let kind = SignalKind::named(name).unwrap();
        let mirrored = mirror(&entry(kind).unwrap());
        let mut list = ParamList::default();
        let other = Signal::place(&mirrored, "tried", &mut list).unwrap();
        for t in times(signal, p, 1e-6) {
            let (a, b) = (signal.jet(p, t), other.jet(&list.values, t));
            assert!(
                (a.value + b.value).abs() < 1e-12 && (a.integral + b.integral).abs() < 1e-12,
                "{name} at {t}"
            );
        }
    });
}

fn mirror(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    let card = SignalKind::named(&spec.kind).unwrap().card();
    for (field, number) in card.numbers().zip(&mut spec.numbers) {
        let Kind::Number { unit, .. } = field.kind else { continue };
        if unit.starts_with("signal") || field.name == "scale" {
            *number = -*number;
        }
    }
    spec.tables.iter_mut().for_each(|(_, term)| *term = mirror(term));
    spec
}

#[test]
fn cards_and_pages_are_complete() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/signals");
    for kind in SignalKind::ALL {
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
        assert!(
            card.fields.iter().all(|f| f.doc.ends_with('.')),
            "{}: a sentence for every field",
            card.name
        );
    }
}
