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
