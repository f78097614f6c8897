//! Numbers of a scenario changed by their paths.

use crate::{RunError, Scenario};
use bristle_law::LawKind;
use bristle_scenario::ChangeError;
use bristle_solve::Dynamics;
use std::path::Path;

const BELT: &str = r#"
[parts.block]
kind = "mass"
mass = "1 kg"

[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "100 N/m"

[parts.push]
kind = "force"
on = "block"
signal = { kind = "sum", terms = [{ kind = "constant", value = "1 N" }, { kind = "sine", amplitude = "2 N", frequency = "3 Hz" }] }

[parts.pad]
kind = "contact"
between = ["block", "ground"]
law = { kind = "lugre", F_d = "3 N", F_s = "4 N" }

[studies.run]
kind = "simulate"
duration = "1 s"
"#;

const ROPE: &str = include_str!("../../bristle-cases/src/cases/westin2020/capstan.toml");

fn read(text: &str) -> Scenario {
    Scenario::from_text(text, "test", Path::new(".")).unwrap()
}

fn param(scenario: &Scenario, path: &str) -> f64 {
    scenario.system.params()[scenario.system.param(path).unwrap()]
}

/// Every number of the assembled system can be reached, and nothing else changes with it.
#[test]
fn every_parameter_of_a_system_can_be_set() {
    let belt = read(BELT);
    for (i, card) in belt.system.param_cards().iter().enumerate() {
        let value = belt.system.params()[i];
        if value.is_nan() {
            continue;
        }
        let same = belt.with(&[(&card.path, value)]).unwrap_or_else(|e| panic!("{}: {e}", card.path));
        let same = same.system.params().iter().map(|v| v.to_bits());
        assert!(same.eq(belt.system.params().iter().map(|v| v.to_bits())), "{}", card.path);
    }
    let changed = belt.with(&[("push.signal.1.amplitude", 5.0), ("pad.law.F_s", 20.0)]).unwrap();
    assert_eq!(param(&changed, "push.signal.1.amplitude"), 5.0);
    assert_eq!(param(&changed, "pad.law.mu_s"), 20.0);
}

#[test]
fn a_value_outside_its_range_is_refused_as_in_a_file() {
    let belt = read(BELT);
    let refused = |path: &str, value: f64| belt.with(&[(path, value)]).unwrap_err().to_string();
    assert_eq!(refused("tie.k", -1.0), "`tie.k` cannot be -1 N/m; it must be zero or positive N/m");
    assert_eq!(
        refused("pad.law.sigma0", 0.0),
        "`pad.law.sigma0` cannot be 0 N/m; it must be between 0.001 and 1e12 N/m"
    );
    for value in [f64::NAN, f64::INFINITY, 1e200, 1e-200] {
        assert!(refused("block.q", value).contains("from 1e-100 to 1e100"), "{value}");
    }
    // Friction in newtons is not bounded as a coefficient is.
    assert!(belt.with(&[("pad.law.mu_s", 1e4)]).is_ok());
    // Numbers that are fine one by one and not together.
    assert!(matches!(belt.with(&[("pad.load", 5.0)]), Err(RunError::Parameters { .. })));
}

#[test]
fn an_unknown_path_names_the_nearest() {
    let belt = read(BELT);
    let Err(RunError::Change(ChangeError::NoSuchParameter { near, .. })) =
        belt.with(&[("pad.law.sigma_0", 1.0)])
    else {
        panic!("there is no such parameter")
    };
    assert_eq!(near.as_deref(), Some("pad.law.sigma0"));
    let error = belt.with(&[("pad.law.sigma_0", 1.0)]).unwrap_err();
    assert_eq!(error.hint(), "did you mean `pad.law.sigma0`?");
}

#[test]
fn a_change_survives_another_law() {
    let belt = read(BELT).with(&[("tie.k", 250.0), ("pad.law.F_s", 7.0)]).unwrap();
    let other = belt.with_law(LawKind::ElastoPlastic).unwrap();
    assert_eq!((param(&other, "tie.k"), param(&other, "pad.law.mu_s")), (250.0, 7.0));
}

#[test]
fn a_cable_is_laid_anew() {
    let rope = read(ROPE);
    let changed = rope.with(&[("rope.length", 3.0), ("rope.elements", 50.0), ("earth.g", 0.0)]).unwrap();
    let laid = |s: &Scenario| s.system.cable_alone().unwrap().unwrap();
    let alone = laid(&changed);
    let cable = alone.system.cable();
    assert_eq!((cable.length, cable.elements, cable.gravity), (3.0, 50, 0.0));
    let text = ROPE
        .replace("length = \"2 m\"", "length = \"3 m\"")
        .replace("elements = 40", "elements = 50")
        .replace("g = \"9.81 m/s^2\"", "g = \"0 m/s^2\"");
    let read = read(&text);
    // Numbers that were left out are not equal to themselves.
    assert_eq!(format!("{:?}", changed.parts), format!("{:?}", read.parts));
    assert_eq!(alone.laid, laid(&read).laid);
    let refused = |path: &str, value: f64| rope.with(&[(path, value)]).unwrap_err().to_string();
    assert!(refused("rope.elements", 40.5).ends_with("it must be a whole number"));
    assert!(refused("drum.law.eps", 0.0).ends_with("it must be between 1e-9 and 1000 m/s"));
    // A rope that does not reach around its drum.
    assert!(matches!(rope.with(&[("rope.length", 0.1)]), Err(RunError::Parameters { .. })));
}

/// A block on a floor as a program says it: bare numbers in SI units, texts with units.
const OF_A_PROGRAM: &str = r#"{
    "title": "pushed",
    "parts": {
        "block": { "kind": "mass", "mass": 2, "v": 0.5 },
        "floor": { "kind": "contact", "between": ["block", "ground"], "load": "0.02 kN",
                   "law": { "kind": "coulomb", "mu_s": 0.5, "mu_d": 0.4 } },
        "push": { "kind": "force", "on": "block", "signal": { "kind": "input", "value": 1.5 } }
    },
    "studies": { "run": { "kind": "simulate", "duration": 1 } }
}"#;

#[test]
fn a_program_gives_numbers_in_si_units() {
    let scenario = Scenario::from_json(OF_A_PROGRAM, "program", Path::new(".")).unwrap();
    let value = |path: &str| scenario.parameters().into_iter().find(|p| p.path == path).unwrap().value;
    assert_eq!([value("block.mass"), value("floor.load"), value("push.signal.value")], [2.0, 20.0, 1.5]);
    // What is kept is a file, which takes no number without its unit.
    let again = Scenario::from_text(&scenario.text, "file.toml", Path::new(".")).unwrap();
    assert_eq!(format!("{:?}", again.parts), format!("{:?}", scenario.parts));
    assert!(scenario.text.contains("\"0.5 m/s\""), "{}", scenario.text);
    let error = Scenario::from_json(&OF_A_PROGRAM.replace("0.5,", "-0.5,"), "p", Path::new(".")).unwrap_err();
    assert!(error.to_string().contains("mu_s"), "{error}");
    for bad in [
        "",
        "[]",
        "{\"parts\": null}",
        "{",
        "{\"parts\": {\"block\": {\"kind\": \"mass\", \"mass\": \"2\"}}}",
    ] {
        assert!(Scenario::from_json(bad, "p", Path::new(".")).is_err(), "{bad}");
    }
}

#[test]
fn other_questions_are_put_to_a_scenario() {
    let scenario = Scenario::from_json(OF_A_PROGRAM, "program", Path::new(".")).unwrap();
    let questions: toml::Table = "[two]\nkind = \"simulate\"\nduration = 2.5".parse().unwrap();
    let other = scenario.asking(&questions).unwrap();
    assert_eq!(other.studies.len(), 1);
    assert_eq!((other.studies[0].name.as_str(), other.studies[0].spec.numbers[0]), ("two", 2.5));
    assert!(other.text.contains("\"2.5 s\"") && !other.text.contains("[studies.run]"), "{}", other.text);
    let wrong: toml::Table = "[two]\nkind = \"simulat\"".parse().unwrap();
    assert!(scenario.asking(&wrong).unwrap_err().to_string().contains("simulat"));
}

#[test]
fn a_scenario_is_stepped_by_other_clocks() {
    let scenario = Scenario::from_json(OF_A_PROGRAM, "program", Path::new(".")).unwrap();
    let mut run = scenario.live().unwrap();
    run.advance(1.0).unwrap();
    assert_eq!(run.output("block.v"), Some(0.0));
    run.set_input("push.signal", 12.0).unwrap();
    run.advance(2.0).unwrap();
    assert!((run.output("block.v").unwrap() - 2.0).abs() < 1e-9);
}
