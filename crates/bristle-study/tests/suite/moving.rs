//! Mechanisms that move on for ever are studied in a frame that moves along.

use crate::{outcome, rows, words};

const STUDIES: &str = r#"
[studies.steady]
kind = "steady"

[studies.onset]
kind = "branch"
cycles = true
step = 0.02
"#;

/// A drill string: the table turns, and the bit with it.
fn in_the_laboratory(speed: f64) -> String {
    format!(
        r#"
[parts.table]
kind = "rotary_drive"
speed = "{speed} rad/s"
[parts.bit]
kind = "rotor"
inertia = "375 kg m^2"
[parts.string]
kind = "torsion_spring"
between = ["bit", "table"]
k = "475 N m/rad"
[parts.mud]
kind = "torsion_damper"
between = ["bit", "ground"]
d = "50 N m s/rad"
[parts.rock]
kind = "contact"
between = ["bit", "ground"]
radius = "10 cm"
load = "100 kN"
law = {{ kind = "benson", mu_d = 0.25, mu_s = 0.6, c = "2.5 s/m" }}
{STUDIES}parameter = "table.speed"
from = "30 rad/s"
to = "5 rad/s"
"#
    )
}

/// The same seen from the table: the rock turns the other way.
fn on_the_table(speed: f64) -> String {
    format!(
        r#"
[parts.ground_rock]
kind = "rotary_drive"
speed = "-{speed} rad/s"
[parts.bit]
kind = "rotor"
inertia = "375 kg m^2"
[parts.string]
kind = "torsion_spring"
between = ["bit", "ground"]
k = "475 N m/rad"
[parts.mud]
kind = "torsion_damper"
between = ["bit", "ground_rock"]
d = "50 N m s/rad"
[parts.rock]
kind = "contact"
between = ["bit", "ground_rock"]
radius = "10 cm"
load = "100 kN"
law = {{ kind = "benson", mu_d = 0.25, mu_s = 0.6, c = "2.5 s/m" }}
{STUDIES}parameter = "ground_rock.speed"
from = "-30 rad/s"
to = "-5 rad/s"
"#
    )
}

/// Onset, criticality and fold of the stick-slip of a drill string do not depend on who looks at it.
#[test]
fn a_drill_string_hunts_alike_in_the_laboratory_and_on_the_table() {
    let (lab, table) = (outcome(&in_the_laboratory(20.0)), outcome(&on_the_table(20.0)));
    println!("{:#?}", lab.record.facts);
    assert!(words(&lab, "seen from a frame").contains("`bit` from `table`"));
    for caption in ["Special points of the branch", "Cycles born at", "Eigenvalues and modes", "Equilibrium"]
    {
        let (a, b) = (rows(&lab, caption), rows(&table, caption));
        println!("{caption}\n{a:?}\n{b:?}");
        assert!(!a.is_empty() && a.len() == b.len(), "{caption}: {a:?} {b:?}");
        for (x, y) in a.iter().flatten().zip(b.iter().flatten()) {
            let is_same = x.is_nan() && y.is_nan() || (x.abs() - y.abs()).abs() <= 1e-8 * x.abs().max(1e-6);
            assert!(is_same, "{caption}: {x} against {y}");
        }
    }
}

/// The fold at which its stick-slip ends, under friction without a kink, seen from both.
#[test]
fn the_fold_of_its_cycles_is_the_same_seen_from_either() {
    let smooth = |text: String| {
        let law = "kind = \"benson\", mu_d = 0.25, mu_s = 0.6, c = \"2.5 s/m\"";
        assert!(text.contains(law));
        let text = text.replace(law, "kind = \"brown_mcphee\", mu_d = 0.25, mu_s = 0.6, v_t = \"5 cm/s\"");
        text[..text.find("[studies").unwrap()].to_owned()
    };
    let fold = |text: String| {
        let found = rows(&outcome(&text), "Special cycles");
        found.iter().map(|row| [row[1], row[2]]).next().unwrap_or_else(|| panic!("no fold"))
    };
    let study = |path: &str, sign: &str| {
        format!(
            "[studies.fold]\nkind = \"orbit\"\nparameter = \"{path}\"\nfrom = \"{sign}14 rad/s\"\nto = \"{sign}20 rad/s\"\n"
        )
    };
    let lab = fold(smooth(in_the_laboratory(14.0)) + &study("table.speed", ""));
    let start = "inertia = \"375 kg m^2\"";
    let table = smooth(on_the_table(14.0)).replace(start, &format!("{start}\nspeed = \"-14 rad/s\""));
    let table = fold(table + &study("ground_rock.speed", "-"));
    println!("{lab:?} {table:?}");
    for (a, b) in lab.iter().zip(&table) {
        assert!((a.abs() - b.abs()).abs() <= 1e-8 * a.abs(), "{lab:?} against {table:?}");
    }
}

/// A block of 2 kg that slides down an incline of 30 degrees, against a film of 3 N s/m if it has one.
fn sliding_down(law: &str, film: bool, studies: &str) -> bristle_study::Outcome {
    let film = if film {
        "[parts.film]\nkind = \"damper\"\nbetween = [\"block\", \"ground\"]\nd = \"3 N s/m\""
    } else {
        ""
    };
    outcome(&format!(
        r#"
[parts.block]
kind = "mass"
mass = "2 kg"
v = "0.5 m/s"
[parts.weight]
kind = "gravity"
angle = "30 deg"
[parts.guide]
kind = "contact"
between = ["block", "ground"]
law = {{ {law}, mu_d = 0.3, mu_s = 0.4 }}
{film}
{studies}
"#
    ))
}

const DOWN: &str = r#"
[studies.steady]
kind = "steady"
[studies.branch]
kind = "branch"
parameter = "weight.angle"
from = "25 deg"
to = "40 deg"
[studies.map]
kind = "map"
x = "weight.angle"
x_from = "25 deg"
x_to = "40 deg"
y = "film.d"
y_from = "1 N s/m"
y_to = "5 N s/m"
columns = 4
rows = 3
[studies.orbit]
kind = "orbit"
[studies.sweep]
kind = "sweep"
parameter = "weight.angle"
from = "25 deg"
to = "40 deg"
points = 2
"#;

/// A block that slides down for ever has a speed, `m g (sin θ − μ_d cos θ)/d`, and every study tells of it. Bristles know of another
/// state, bent so far that they hold it, which no motion nears.
#[test]
fn a_block_that_slides_down_for_ever_has_a_speed() {
    let speed = 2.0 * 9.81 * (0.5 - 0.3 * 0.75_f64.sqrt()) / 3.0;
    for law in ["kind = \"coulomb\"", "kind = \"lugre\", v_s = \"1 cm/s\""] {
        let found = sliding_down(law, true, DOWN);
        // The film is all that slows down what is off that speed.
        assert!(
            words(&found, "steady state").contains("decays at 1.5 1/s"),
            "{law}: {}",
            words(&found, "steady state")
        );
        let cycles = words(&found, "cycles");
        let told = cycles
            .strip_prefix("none: the motion slides on at ")
            .unwrap_or_else(|| panic!("{law}: {cycles}"));
        let told: f64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!((told - speed).abs() < 1e-5 * speed, "{law}: {told} against {speed}");
        assert_eq!(words(&found, "steady state over"), "stable throughout the range", "{law}");
        assert_eq!(words(&found, "cells in which sliding is locally stable"), "12 of 12", "{law}");
        assert_eq!(words(&found, "motions over"), "all slide on steadily", "{law}");
    }
}

/// Without the film it gets faster for ever, and is told so long before its speed is beyond all measure.
#[test]
fn a_block_that_gets_faster_for_ever_is_told_early() {
    let studies = "[studies.steady]\nkind = \"steady\"\n[studies.sweep]\nkind = \"sweep\"\nparameter = \"weight.angle\"\n\
                   from = \"25 deg\"\nto = \"40 deg\"\npoints = 2\n";
    let found = sliding_down("kind = \"coulomb\"", false, studies);
    assert_eq!(words(&found, "motions over"), "all run away");
    assert!(words(&found, "steady state").starts_with("none: the motion runs away"));
    let ends = found.record.facts.iter().find(|f| f.label == "motions run away").unwrap();
    // One wait of a hundred seconds under g (sin θ − μ_d cos θ).
    let rate = ends.note.split(' ').nth(2).and_then(|n| n.parse::<f64>().ok()).unwrap();
    let angle = 25.0_f64.to_radians();
    let expected = 0.5 + 100.0 * 9.81 * (angle.sin() - 0.3 * angle.cos());
    assert!(rate < 1.1 * expected, "{rate} against {expected}: {}", ends.note);
}
