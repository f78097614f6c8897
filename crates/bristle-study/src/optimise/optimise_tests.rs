use crate::scenario::Scenario;
use std::path::Path;

fn best(scenario: &Scenario, study: &str, path: &str) -> f64 {
    let mut own = scenario.clone();
    own.studies.retain(|s| s.name == study || s.kind == crate::StudyKind::Simulate);
    let found = crate::run(&own, &mut ()).unwrap();
    let study = found.studies.iter().find(|s| s.name == study).unwrap();
    let label = format!("best `{path}`");
    study.facts.iter().find(|f| f.label == label).unwrap().number_of().unwrap().value
}

/// The damper of the map: 258 N s/m make sliding stable at every speed.
#[test]
fn the_slide_is_quiet_at_every_speed_with_the_damper_of_the_map() {
    let text = include_str!("../../../../examples/squeal.toml").to_owned()
        + "\n[studies.quiet]\nkind = \"optimise\"\nover = [\"loss.d = 1 N s/m : 400 N s/m\"]\nminimise = \"value(loss.d)\"\nconstraints = [\"growth(guide.v, 5 mm/s, 200 mm/s) <= 0\"]\n";
    let scenario = Scenario::from_text(&text, "squeal.toml", Path::new(".")).unwrap();
    let found = best(&scenario, "quiet", "loss.d");
    assert!((found / 258.0 - 1.0).abs() < 0.01, "{found}");
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
    let found = best(&scenario, "hit", "belt.v");
    assert!((found / exact - 1.0).abs() < 2e-3, "{found} {exact}");
}
