//! Laws of the catalogue written as text are the laws of the catalogue.

use bristle_core::{Dual, Mode, seed};
use bristle_law::{AnyLaw, At, DraftEvent, DraftParameter, DraftState, LawKind, WrittenDraft};

/// A draft from short texts: parameters `name = value`, states `name = unit`, terms and rates `name = formula`.
pub(crate) fn draft(
    name: &str,
    parameters: &[&str],
    states: &[&str],
    terms: &[&str],
    rates: &[&str],
    force: &str,
) -> WrittenDraft {
    let split = |text: &&str| {
        let (left, right) = text.split_once('=').unwrap();
        (left.trim().to_owned(), right.trim().to_owned())
    };
    let parameter = |(name, default)| DraftParameter {
        name,
        doc: String::new(),
        default,
        min: None,
        max: None,
        role: None,
    };
    let state = |(name, unit)| DraftState {
        name,
        unit,
        initial: None,
        min: None,
        max: None,
        scale: None,
        role: None,
    };
    WrittenDraft {
        name: name.to_owned(),
        parameters: parameters.iter().map(split).map(parameter).collect(),
        states: states.iter().map(split).map(state).collect(),
        terms: terms.iter().map(split).collect(),
        rates: rates.iter().map(split).collect(),
        force: force.to_owned(),
        ..WrittenDraft::default()
    }
}

/// The catalogue's laws as anybody would write them, and the parameters in the order of the catalogue's card.
fn as_text() -> Vec<(LawKind, WrittenDraft)> {
    let stribeck = "g = n * (mu_d + (mu_s - mu_d) * exp(-abs(v/v_s)^gamma))";
    let levels = ["mu_d = 0.3", "mu_s = 0.4", "v_s = 10 mm/s", "gamma = 2"];
    let bristle = ["sigma0 = 1e5 N/m", "sigma1 = 300 N s/m", "sigma2 = 0 N s/m"];
    let lugre: Vec<&str> = levels.iter().chain(&bristle).copied().collect();
    vec![
        (
            LawKind::LuGre,
            draft(
                "text_lugre",
                &lugre,
                &["z = m"],
                &[stribeck, "slide = v - sigma0 * abs(v) * z / g"],
                &["z = slide"],
                "sigma0 * z + sigma1 * slide + sigma2 * v",
            ),
        ),
        (
            LawKind::SmoothCoulomb,
            draft("text_smooth", &["mu_d = 0.3", "v_d = 1 mm/s"], &[], &[], &[], "mu_d * n * tanh(v/v_d)"),
        ),
        (
            LawKind::Dahl,
            draft(
                "text_dahl",
                &["mu_d = 0.3", "sigma0 = 1e5 N/m", "alpha = 1"],
                &["z = m"],
                &["q = 1 - sigma0 * z * sign(v) / (mu_d * n)"],
                &["z = v * sign(q) * abs(q)^alpha"],
                "sigma0 * z",
            ),
        ),
        (
            LawKind::Threlfall,
            draft(
                "text_threlfall",
                &["mu_d = 0.3", "v_r = 10 mm/s", "k = 3"],
                &[],
                &["share = min(abs(v)/v_r, 1)"],
                &[],
                "mu_d * n * sign(v) * (1 - exp(-k * share))",
            ),
        ),
    ]
}

/// Force, rates and slopes of a written law equal those of the catalogue's to rounding, where the card's numbers have their defaults.
#[test]
fn laws_of_the_catalogue_written_as_text_are_the_same() {
    for (kind, draft) in as_text() {
        let written = LawKind::written(&draft).unwrap_or_else(|e| panic!("{}: {e:?}", draft.name));
        let count = kind.states();
        assert_eq!(written.states(), count, "{}", draft.name);
        let numbers: Vec<f64> = written.card().defaults();
        let names: Vec<&str> = kind.card().numbers().map(|f| f.name).collect();
        let mut own = kind.card().defaults();
        for (field, value) in written.card().numbers().zip(&numbers) {
            let place = names
                .iter()
                .position(|n| *n == field.name)
                .unwrap_or_else(|| panic!("{kind:?} has no {}", field.name));
            own[place] = *value;
        }
        let choices = kind.card().default_choices();
        for i in 0..400 {
            let v = 10f64.powf(-5.0 + f64::from(i % 40) * 0.12) * if i % 2 == 0 { 1.0 } else { -1.0 };
            let z: Vec<f64> = (0..count).map(|k| 1e-5 * (f64::from(i) * 0.37 + k as f64).sin()).collect();
            let at = At::sliding(seed::<2>(v, 0), Dual::from(7.0));
            let lifted: Vec<Dual<2>> = z.iter().map(|z| seed(*z, 1)).collect();
            let run = |law: AnyLaw<Dual<2>>| {
                let mut dz = vec![Dual::from(0.0); count];
                let mut all = vec![law.eval(&at, &lifted, &mut dz)];
                all.extend(dz);
                all
            };
            let lift = |p: &[f64]| -> Vec<Dual<2>> { p.iter().map(|p| Dual::from(*p)).collect() };
            let one = run(written.build(&lift(&numbers), &[]));
            let other = run(kind.build(&lift(&own), &choices));
            for (a, b) in one.iter().zip(&other) {
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1e-12);
                assert!(close(a.re, b.re), "{} at {v} {z:?}: {a:?} {b:?}", draft.name);
                assert!(
                    (0..2).all(|k| (a.eps[k] - b.eps[k]).abs() <= 1e-10 * a.eps[k].abs().max(1.0)),
                    "{}: {a:?} {b:?}",
                    draft.name
                );
            }
        }
    }
}

/// The border of an `if` is a guard; which side holds is a mode, whatever the values say within a step.
#[test]
fn choices_are_located_and_frozen() {
    let draft =
        draft("piecewise", &["a = 1 N", "b = 2 N", "v_c = 1 m/s"], &[], &[], &[], "if(v < v_c, a, b)");
    let kind = LawKind::written(&draft).unwrap();
    let law = kind.build(&kind.card().defaults(), &[]);
    assert_eq!((law.elements(), law.keeps_direction()), (1, false));
    let mut mode = [Mode::Stick];
    law.start(&At::sliding(0.5, 1.0), &[], &mut mode);
    assert_eq!(mode, [Mode::Forward]);
    let at = At { mode: &mode, ..At::sliding(1.25, 1.0) };
    let mut g = [f64::NAN];
    law.guards(&at, &[], &mut g);
    assert_eq!((law.eval(&at, &[], &mut []), g[0]), (1.0, -0.25));
    law.switch(0, &At::sliding(1.0, 1.0), &mut [], &mut mode);
    assert_eq!(mode, [Mode::Backward]);
}

#[test]
fn an_event_sets_states() {
    let mut draft = draft("renewed", &["k = 1e4 N/m", "z_m = 1 mm"], &["z = m"], &[], &["z = v"], "k * z");
    draft.events.push(DraftEvent {
        when: "z_m - abs(z)".into(),
        set: vec![("z".into(), "0".into())],
        ..DraftEvent::default()
    });
    let kind = LawKind::written(&draft).unwrap();
    let law = kind.build(&kind.card().defaults(), &[]);
    let mut g = [f64::NAN];
    let mode = [Mode::Forward];
    law.guards(&At { mode: &mode, ..At::sliding(1.0, 1.0) }, &[4e-4], &mut g);
    assert!((g[0] - 6e-4).abs() < 1e-18);
    let (mut z, mut mode) = ([1e-3], mode);
    law.switch(0, &At::sliding(1.0, 1.0), &mut z, &mut mode);
    assert_eq!(z, [0.0]);
}

/// Place, reason and a way out of everything that can be wrong.
#[test]
fn mistakes_name_place_and_way_out() {
    let lugre = || as_text().remove(0).1;
    type Change = Box<dyn Fn(&mut WrittenDraft)>;
    let cases: [(&str, Change, &str, &str); 10] = [
        (
            "force",
            Box::new(|d| d.force = "sigma0 * z + sigma1 * v * v".into()),
            "adds `N` and `",
            "measure the same",
        ),
        ("force", Box::new(|d| d.force = "sigma0".into()), "comes out in `N/m`, but `N` is needed", "units"),
        (
            "force",
            Box::new(|d| d.force = "sigma9 * z".into()),
            "`sigma9` is not known",
            "did you mean `sigma",
        ),
        (
            "rates.z",
            Box::new(|d| d.rates[0].1 = "v - v * v / z * sigma2 / sigma1".into()),
            "divisor can be zero",
            "max(",
        ),
        ("states.z", Box::new(|d| d.rates.clear()), "rate of this state is missing", "rates = { z"),
        ("where.slide", Box::new(|d| d.terms[1].1 = "v -".into()), "ends too early", "missing"),
        ("where.g", Box::new(|d| d.terms[0].1 = "n * slide / v_s".into()), "defined by itself", "in turn"),
        (
            "parameters.v_s",
            Box::new(|d| d.parameters[2].default = "10 mm/x".into()),
            "not a known unit",
            "unit",
        ),
        ("name", Box::new(|d| d.name = "lugre".into()), "catalogue has a law", "another name"),
        (
            "force",
            Box::new(|d| d.force = "sigma0 * z * exp(v)".into()),
            "pure number, not `m/s`",
            "reference",
        ),
    ];
    for (key, change, reason, hint) in cases {
        let mut draft = lugre();
        draft.name = "wrong".into();
        change(&mut draft);
        let errors = LawKind::written(&draft).unwrap_err();
        let found =
            errors.iter().find(|e| e.key == key && e.reason.contains(reason) && e.hint.contains(hint));
        assert!(found.is_some(), "{key}: {errors:#?}");
    }
}

#[test]
fn tolerances_know_the_size_of_a_state() {
    let kind = LawKind::written(&as_text()[0].1).unwrap();
    let law = kind.build(&kind.card().defaults(), &[]);
    let mut scale = [f64::NAN];
    law.scales(10.0, &mut scale);
    assert!((scale[0] - 0.3 * 10.0 / 1e5).abs() < 1e-12, "{scale:?}");
    assert_eq!(law.peak_width(), Some(1e-2));
    assert_eq!(law.fault(), None);
    let zero: Vec<f64> =
        kind.card().defaults().iter().enumerate().map(|(i, x)| if i < 2 { 0.0 } else { *x }).collect();
    assert!(kind.build(&zero, &[]).fault().is_some_and(|f| f.contains("divisor")));
}

#[test]
fn the_same_text_is_the_same_law_and_another_is_not() {
    let one = as_text().remove(0).1;
    let mut other = one.clone();
    other.force = "sigma0 * z".into();
    let (a, b) = (LawKind::written(&one).unwrap(), LawKind::written(&other).unwrap());
    assert_eq!(a, LawKind::written(&one).unwrap());
    assert_ne!(a, b);
    assert_eq!((LawKind::named(a.card().name), LawKind::named(b.card().name)), (Some(a), Some(b)));
}
