//! Records made by the tool itself, and what a fit finds in them: a motor axis, a Stribeck curve, a step of velocity, loops.

use bristle_record::{Data, Value};
use bristle_study::{Outcome, Scenario, run};
use std::fmt::Write as _;
use std::path::Path;

fn answered(text: &str, folder: &Path) -> Outcome {
    let scenario = Scenario::from_text(text, "test", folder).unwrap_or_else(|e| panic!("{e:?}"));
    run(&scenario, &mut ()).unwrap_or_else(|e| panic!("{e}"))
}

fn column<'a>(data: &'a Data, name: &str) -> &'a [f64] {
    &data.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no column `{name}`")).values
}

/// The value of a fact.
fn found(outcome: &Outcome, path: &str) -> f64 {
    let label = format!("`{path}`");
    let fact = outcome.record.facts.iter().find(|f| f.label == label);
    let fact = fact.unwrap_or_else(|| panic!("no `{path}`: {:#?}", outcome.record.facts));
    match (&fact.measure, &fact.value) {
        (Some(measure), _) => measure.value,
        (None, Value::Number { value, .. }) => *value,
        _ => panic!("`{path}` is no number"),
    }
}

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    assert!((value - expected).abs() <= share * expected.abs(), "{value} instead of {expected}");
}

/// Numbers that scatter like noise, the same every time.
fn noise() -> impl FnMut() -> f64 {
    let mut draw = 1u64;
    move || {
        let mut one = || {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..12).map(|_| one()).sum()
    }
}

/// A position that moves to and fro, at rest at both ends.
fn wanted(t: f64) -> f64 {
    0.02 * (1.0 - (2.0 * t).cos()) + 0.004 * (1.0 - (7.0 * t).cos())
}

/// A carriage of 40 kg with 12 N of Coulomb friction, viscous friction of 90 and 130 N s/m, and a digital controller.
const AXIS: &str = r#"
[parts.carriage]
kind = "mass"
mass = "40 kg"
[parts.servo]
kind = "sampled_pid"
on = "carriage"
period = "2 ms"
kp = "2e5 N/m"
kd = "2.5e3 N s/m"
first_look = "at_start"
POSITION
[parts.pad]
kind = "contact"
between = ["carriage", "ground"]
viscous = "90 N s/m"
viscous_backward = "130 N s/m"
offset = "-2 N"
law = { kind = "coulomb", F_d = "12 N", F_s = "12 N" }
"#;

/// The axis as it moves, simulated by the mechanism as a whole, with quanta of a micrometre and noise of 0.2 N.
fn measure_axis(folder: &Path) {
    let mut reference = "time [s],position [m]\n".to_owned();
    for i in 0..=2000 {
        let t = f64::from(i) * 2e-3;
        writeln!(reference, "{t},{}", wanted(t)).unwrap();
    }
    std::fs::write(folder.join("wanted.csv"), reference).unwrap();
    let signal = r#"position = { kind = "polyline", file = "wanted.csv", column = "position" }"#;
    let text = AXIS.replace("POSITION", signal)
        + "[studies.move]\nkind = \"simulate\"\nduration = \"4 s\"\nstep = \"1 ms\"\n";
    let outcome = answered(&text, folder);
    let (t, q) = (column(&outcome.data, "time"), column(&outcome.data, "carriage.q"));
    let force = column(&outcome.data, "servo.force");
    let mut draw = noise();
    let mut rows = "time [s],position [m],reference [m],force [N]\n".to_owned();
    for i in 0..2000 {
        let (at, later) = (f64::from(i) * 2e-3, f64::from(i) * 2e-3 + 1e-3);
        let place = t.iter().position(|s| (s - at).abs() < 1e-7).unwrap();
        // What acts from a look on is seen between that look and the next.
        let held = t.iter().position(|s| (s - later).abs() < 1e-7).unwrap();
        writeln!(rows, "{at},{},{},{}", q[place] + 2e-8 * draw(), wanted(at), force[held] + 0.2 * draw())
            .unwrap();
    }
    std::fs::write(folder.join("axis.csv"), rows).unwrap();
}

/// Output error in closed loop: the fit follows the controller too, and finds what the mechanism as a whole was made with.
#[test]
fn an_axis_in_closed_loop_tells_its_mass_and_its_friction() {
    let folder = tempfile::tempdir().unwrap();
    measure_axis(folder.path());
    // Directions are told apart only by what is looked for: 12 N and an offset of −2 N are 10 N forwards and 14 N backwards.
    let text = AXIS.replace("POSITION", "").replace("\"12 N\"", "\"20 N\"").replace("\"40 kg\"", "\"60 kg\"");
    let text = text.replace("viscous_backward = \"130 N s/m\"\noffset = \"-2 N\"\n", "")
        + r#"
[measurements.est]
file = "axis.csv"
inputs = { "servo.position" = "reference" }
outputs = { "servo.force" = { column = "force", noise = "0.2 N" } }
[studies.identify]
kind = "fit"
unknowns = [
    { path = "carriage.mass", from = "5 kg", to = "500 kg" },
    { path = "pad.viscous", from = "10 N s/m", to = "1000 N s/m" },
    { path = "pad.viscous_backward", from = "10 N s/m", to = "1000 N s/m" },
    { path = "pad.F_d", with = ["pad.F_s"], from = "1 N", to = "100 N" },
    { path = "pad.backward", from = "0.5", to = "2" },
]
"#;
    let outcome = answered(&text, folder.path());
    near(found(&outcome, "carriage.mass"), 40.0, 5e-3);
    near(found(&outcome, "pad.backward"), 1.4, 0.01);
    near(found(&outcome, "pad.viscous"), 90.0, 0.03);
    near(found(&outcome, "pad.viscous_backward"), 130.0, 0.03);
    near(found(&outcome, "pad.F_d"), 10.0, 0.01);
    assert!(outcome.unknown.is_empty(), "{:?}", outcome.unknown);
    let fitted = outcome.files.iter().find(|f| f.name == "fitted.toml").unwrap();
    // What was found can be read and asked again, also what has no unit.
    let text = String::from_utf8_lossy(&fitted.bytes).into_owned();
    let again = Scenario::from_text(&text, "fitted.toml", folder.path()).unwrap_or_else(|e| panic!("{e:?}"));
    let value = |path: &str| {
        let all = again.parameters();
        all.iter().find(|p| p.path == path).unwrap_or_else(|| panic!("no `{path}` in {text}")).value
    };
    near(value("pad.viscous_backward"), found(&outcome, "pad.viscous_backward"), 1e-12);
    near(value("pad.backward"), found(&outcome, "pad.backward"), 1e-12);
}

/// Inverse dynamics: the measured motion, behind a filter without a shift, says which force it took; both sides thinned out alike.
#[test]
fn inverse_dynamics_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    measure_axis(folder.path());
    let text = r#"
[parts.carriage]
kind = "mass"
mass = "60 kg"
[parts.motor]
kind = "force"
on = "carriage"
[parts.pad]
kind = "contact"
between = ["carriage", "ground"]
viscous_backward = "1 N s/m"
law = { kind = "coulomb", F_d = "20 N", F_s = "20 N" }
[measurements.est]
file = "axis.csv"
from = "0.1 s"
to = "3.9 s"
decimate = 5
inputs = { "carriage.q" = { column = "position", filter = "60 Hz" } }
outputs = { "motor.force" = { column = "force" } }
[studies.identify]
kind = "fit"
unknowns = [
    { path = "carriage.mass", from = "5 kg", to = "500 kg" },
    { path = "pad.viscous", from = "10 N s/m", to = "1000 N s/m" },
    { path = "pad.viscous_backward", from = "10 N s/m", to = "1000 N s/m" },
    { path = "pad.F_d", from = "1 N", to = "100 N" },
    { path = "pad.offset", from = "-20 N", to = "20 N" },
]
"#;
    let outcome = answered(text, folder.path());
    near(found(&outcome, "carriage.mass"), 40.0, 0.02);
    near(found(&outcome, "pad.viscous"), 90.0, 0.1);
    near(found(&outcome, "pad.viscous_backward"), 130.0, 0.1);
    near(found(&outcome, "pad.F_d"), 12.0, 0.1);
}

/// Steady points of a screw whose torque differs by direction: an offset, and a Stribeck curve. Rows of a slow motion, a column in
/// another unit than the output's, and errors of their own.
#[test]
fn steady_points_tell_a_stribeck_curve() {
    let folder = tempfile::tempdir().unwrap();
    let mut draw = noise();
    let mut rows = "speed [rad/s],current [A],error [A]\n".to_owned();
    for i in 1..=40 {
        for way in [-1.0, 1.0] {
            let w = 0.4 * f64::from(i);
            let torque = way * (2.0 + 1.0 * (-w / 3.0).exp() + 0.05 * w) + 0.3;
            let error = 0.002 + 0.0002 * f64::from(i);
            writeln!(rows, "{},{},{error}", way * w, (torque + 2.0 * error * draw()) / 2.0).unwrap();
        }
    }
    std::fs::write(folder.path().join("curve.csv"), rows).unwrap();
    let text = r#"
[parts.shaft]
kind = "rotary_drive"
[parts.nut]
kind = "contact"
between = ["shaft", "ground"]
radius = "1 m"
law = { kind = "lugre", F_d = "1 N", F_s = "2 N", v_s = "1 m/s", gamma = 1, sigma0 = "1e4 N/m" }
[measurements.curve]
file = "curve.csv"
time = false
inputs = { "shaft.speed" = "speed" }
outputs = { "nut.torque" = { column = "current", factor = "2 N m/A", error = "error" } }
[studies.identify]
kind = "fit"
unknowns = [
    { path = "nut.F_d", from = "0.2 N", to = "20 N" },
    { path = "nut.F_s", from = "0.2 N", to = "20 N" },
    { path = "nut.v_s", from = "0.3 m/s", to = "30 m/s" },
    { path = "nut.sigma2", from = "1e-3 N s/m", to = "1 N s/m" },
    { path = "nut.offset", from = "-2 N", to = "2 N" },
]
"#;
    let outcome = answered(text, folder.path());
    near(found(&outcome, "nut.F_d"), 2.0, 0.02);
    near(found(&outcome, "nut.F_s"), 3.0, 0.02);
    near(found(&outcome, "nut.v_s"), 3.0, 0.08);
    near(found(&outcome, "nut.sigma2"), 0.05, 0.04);
    near(found(&outcome, "nut.offset"), 0.3, 0.02);
    assert!(outcome.unknown.is_empty(), "{:?}", outcome.unknown);
}

/// A mass that swings freely on a spring: its place and velocity at the start are found beside the friction, and how late the
/// instrument is.
#[test]
fn a_record_may_begin_anywhere_and_late() {
    let folder = tempfile::tempdir().unwrap();
    let parts = |law: &str, start: &str| {
        format!(
            r#"
[parts.block]
kind = "mass"
mass = "1 kg"
{start}
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "400 N/m"
[parts.pad]
kind = "contact"
between = ["block", "ground"]
law = {{ kind = "coulomb", F_d = "{law}", F_s = "2 N" }}
"#
        )
    };
    let text = parts("0.8 N", "q = \"30 mm\"\nv = \"0.2 m/s\"")
        + "[studies.swing]\nkind = \"simulate\"\nduration = \"2 s\"\nstep = \"1 ms\"\n";
    let outcome = answered(&text, folder.path());
    let (t, q) = (column(&outcome.data, "time"), column(&outcome.data, "block.q"));
    let mut draw = noise();
    let mut rows = "time [s],position [mm]\n".to_owned();
    for i in 0..980 {
        let now = f64::from(i) * 2e-3 * 0.999;
        // The instrument is four milliseconds late.
        let at = (now - 4e-3).max(0.0);
        let next = t.partition_point(|s| *s < at).clamp(1, t.len() - 1);
        let share = (at - t[next - 1]) / (t[next] - t[next - 1]).max(1e-12);
        let place = q[next - 1] + share * (q[next] - q[next - 1]);
        if i > 5 {
            writeln!(rows, "{now},{}", 1e3 * place + 0.01 * draw()).unwrap();
        }
    }
    std::fs::write(folder.path().join("swing.csv"), rows).unwrap();
    let text = parts("0.3 N", "")
        + r#"
[measurements.swing]
file = "swing.csv"
start = "free"
outputs = { "block.q" = { column = "position", noise = "0.01 mm" } }
[studies.identify]
kind = "fit"
unknowns = [{ path = "pad.F_d", from = "0.1 N", to = 2 }]
"#;
    let text = text.replace("to = 2 }", "to = \"1.9 N\" }");
    let outcome = answered(&text, folder.path());
    near(found(&outcome, "pad.F_d"), 0.8, 0.005);
    near(found(&outcome, "swing: place at the start"), 0.0315, 0.1);
}

/// What was measured lies over the figure of the run, with the error below it and in a fact.
#[test]
fn a_run_is_drawn_beside_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = "time [s],force [mN]\n".to_owned();
    for i in 0..200 {
        let t = f64::from(i) * 5e-3;
        writeln!(rows, "{t},{}", 1e3 * 3.0 * (1.0 - (-t * 1e-3 * 1e5 / 3.0).exp()) + 100.0).unwrap();
    }
    std::fs::write(folder.path().join("slip.csv"), rows).unwrap();
    let text = r#"
[parts.stage]
kind = "drive"
v = "1 mm/s"
[parts.pad]
kind = "contact"
between = ["stage", "ground"]
law = { kind = "dahl", F_d = "3 N", sigma0 = "1e5 N/m" }
[measurements.slip]
file = "slip.csv"
outputs = { "pad.force" = "force" }
[studies.run]
kind = "simulate"
duration = "1 s"
"#;
    let outcome = answered(text, folder.path());
    near(found(&outcome, "pad.force` against `slip"), 0.1, 0.02);
    let figures = outcome.record.figures();
    let plot = |id: &str| figures.iter().find(|f| f.id() == id).unwrap_or_else(|| panic!("no figure `{id}`"));
    let _ = (plot("run-error-slip-pad-force"), plot("run-pad-force"));
}
