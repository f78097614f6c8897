use crate::scenario::Scenario;
use bristle_record::{Fact, Tone};
use std::path::Path;

/// What a study of the scenario says.
fn facts(scenario: &Scenario, study: &str) -> Vec<Fact> {
    let mut own = scenario.clone();
    own.studies.retain(|s| s.name == study || s.kind == crate::StudyKind::Simulate);
    let found = crate::run(&own, &mut ()).unwrap();
    found.studies.into_iter().find(|s| s.name == study).unwrap().facts
}

fn number(facts: &[Fact], label: &str) -> f64 {
    facts.iter().find(|f| f.label == label).unwrap().number_of().unwrap().value
}

/// The verdict on the optimum.
fn verdict(facts: &[Fact]) -> (Tone, String) {
    let fact = facts.iter().find(|f| f.label == "optimum").unwrap();
    (fact.tone, fact.value.markup())
}

fn best(scenario: &Scenario, study: &str, path: &str) -> f64 {
    number(&facts(scenario, study), &format!("best `{path}`"))
}

/// The damper of the map: 258 N s/m make sliding stable at every speed.
#[test]
fn the_slide_is_quiet_at_every_speed_with_the_damper_of_the_map() {
    let text = include_str!("../../../../examples/squeal.toml").to_owned()
        + "\n[studies.quiet]\nkind = \"optimise\"\nover = [\"loss.d = 1 N s/m : 400 N s/m\"]\nminimise = \"value(loss.d)\"\nconstraints = [\"growth(guide.v, 5 mm/s, 200 mm/s) <= 0\"]\n";
    let scenario = Scenario::from_text(&text, "squeal.toml", Path::new(".")).unwrap();
    let facts = facts(&scenario, "quiet");
    let found = number(&facts, "best `loss.d`");
    assert!((found / 258.0 - 1.0).abs() < 0.01, "{found}");
    assert_eq!(verdict(&facts), (Tone::Good, "the same from all 3 starts".to_owned()));
}

/// An axis that is held on a guide that runs below it. Steady sliding is stable while
/// `K_i < (K_d + F'(v)) K_p/m`, by Routh's criterion.
const AXIS: &str = r#"
title = "A servo axis"
[parts.stage]
kind = "mass"
mass = "1 kg"
q = "1 mm"
[parts.guide]
kind = "drive"
v = "20 mm/s"
[parts.pad]
kind = "contact"
between = ["stage", "guide"]
law = { kind = "benson", F_d = "1 N", F_s = "2 N", c = "10 s/m" }
[parts.servo]
kind = "pid"
on = "stage"
kp = "400 N/m"
ki = "400 N/(m s)"
kd = "20 N s/m"
[solver]
rtol = 1e-7
[studies.run]
kind = "simulate"
duration = "20 s"
[studies.gain]
kind = "optimise"
over = ["servo.ki = 100 N/(m s) : 8000 N/(m s)"]
maximise = "value(servo.ki)"
constraints = ["growth() <= 0"]
[studies.motion]
kind = "optimise"
accuracy = 1e-3
runs = 400
over = ["servo.ki = 100 N/(m s) : 8000 N/(m s)"]
maximise = "value(servo.ki)"
constraints = ["range(stage.q, 15 s, 20 s) <= 1 mm"]
"#;

#[test]
fn the_largest_integral_gain_without_hunting_is_that_of_routh() {
    let scenario = Scenario::from_text(AXIS, "axis.toml", Path::new(".")).unwrap();
    let slope = -10.0 * (-10.0f64 * 0.02).exp();
    let exact = (20.0 + slope) * 400.0;
    let found = best(&scenario, "gain", "servo.ki");
    assert!((found / exact - 1.0).abs() < 1e-3, "{found} {exact}");
    // The same from motions, by evolution: what decays within the run, or hardly grows, is allowed.
    let found = best(&scenario, "motion", "servo.ki");
    assert!((found / exact - 1.0).abs() < 0.05, "{found} {exact}");
}

#[test]
fn a_target_is_hit() {
    let text = include_str!("../../../../examples/belt.toml").replace("rtol = 1e-11", "rtol = 1e-7")
        + "\n[studies.hit]\nkind = \"optimise\"\naccuracy = 1e-4\nover = [\"belt.v = 0.2 m/s : 2 m/s\"]\ntarget = \"max(block.q) = 12 m\"\n";
    let scenario = Scenario::from_text(&text, "belt.toml", Path::new(".")).unwrap();
    // q_max = x_d + √(A² + m v²/k) with x_d = 9.81 m and A = 1.962 m.
    let exact = ((2.19f64 * 2.19 - 1.962 * 1.962) * 10.0 / 20.0).sqrt();
    let facts = facts(&scenario, "hit");
    let found = number(&facts, "best `belt.v`");
    assert!((found / exact - 1.0).abs() < 2e-3, "{found} {exact}");
    assert_eq!(verdict(&facts), (Tone::Good, "the same from all 2 starts".to_owned()));
}

/// A point that is best of what was looked at, and not what was asked, does not get a tick: 25 m lie beyond every speed allowed.
#[test]
fn a_target_out_of_reach_is_told() {
    let text = include_str!("../../../../examples/belt.toml").replace("rtol = 1e-11", "rtol = 1e-7")
        + "\n[studies.hit]\nkind = \"optimise\"\naccuracy = 1e-2\nover = [\"belt.v = 0.2 m/s : 2 m/s\"]\ntarget = \"max(block.q) = 25 m\"\n";
    let scenario = Scenario::from_text(&text, "belt.toml", Path::new(".")).unwrap();
    let facts = facts(&scenario, "hit");
    let (tone, words) = verdict(&facts);
    assert_eq!(tone, Tone::Bad, "{words}");
    assert!(words.starts_with("the target is not reached: missed by"), "{words}");
    assert!(facts.iter().filter(|f| f.label.starts_with("best ")).all(|f| f.tone == Tone::Warn));
}

/// Runs that end before the search has come to an end do not get a tick.
#[test]
fn a_search_cut_short_is_told() {
    let text = include_str!("../../../../examples/belt.toml").replace("rtol = 1e-11", "rtol = 1e-7")
        + "\n[studies.hit]\nkind = \"optimise\"\nruns = 60\nover = [\"belt.v = 0.2 m/s : 2 m/s\"]\nmaximise = \"max(block.q)\"\n";
    let scenario = Scenario::from_text(&text, "belt.toml", Path::new(".")).unwrap();
    assert_eq!(verdict(&facts(&scenario, "hit")), (Tone::Warn, "the best so far".to_owned()));
}

/// Friction that rises up to 40 mm/s and falls beyond, under a lightly damped slide: how fast disturbances grow has a smallest value
/// at either end of the range, and a search along gradients finds the one on its side.
#[test]
fn an_optimum_on_one_side_of_a_hill_is_no_tick() {
    let text = r#"
title = "Two valleys"
[parts.carriage]
kind = "mass"
mass = "2 kg"
[parts.guide]
kind = "drive"
v = "30 mm/s"
[parts.train]
kind = "spring"
between = ["carriage", "ground"]
k = "2 MN/m"
[parts.pad]
kind = "contact"
between = ["carriage", "guide"]
load = "20 N"
law = { kind = "velocity_based", mu_d = 0.12, mu_s = 0.18, v_s = "40 mm/s", v_d = "300 mm/s" }
[studies.quiet]
kind = "optimise"
over = ["guide.v = 10 mm/s : 290 mm/s"]
minimise = "growth()"
"#;
    let scenario = Scenario::from_text(text, "valleys.toml", Path::new(".")).unwrap();
    let facts = facts(&scenario, "quiet");
    let (tone, words) = verdict(&facts);
    assert_eq!(tone, Tone::Warn, "{words}");
    assert!(words.starts_with("the best of several"), "{words}");
}
