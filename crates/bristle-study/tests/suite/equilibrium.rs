//! Starts in equilibrium: what pushes only where it touches is part of the balance.

use crate::outcome;

fn column(text: &str, name: &str) -> Vec<f64> {
    let outcome = outcome(text);
    let found = outcome.data.columns.iter().find(|c| c.name == name);
    found.unwrap_or_else(|| panic!("no output {name}")).values.clone()
}

#[track_caller]
fn rests_at(text: &str, name: &str, place: f64) {
    let values = column(text, name);
    for value in [values[0], values[values.len() - 1]] {
        assert!((value - place).abs() <= 1e-9 * place.abs(), "{value} against {place}");
    }
}

const RUN: &str = "[studies.run]\nkind = \"simulate\"\nduration = \"0.2 s\"\nstart = \"equilibrium\"\n";

/// A preloaded spring leans on a stop: it gives way by `F₀/(k + k_s)`, wherever the body is said to be.
#[test]
fn a_preloaded_spring_leans_on_its_stop() {
    for q in ["0 mm", "-3 mm", "2 mm"] {
        let text = format!(
            r#"
[parts.spool]
kind = "mass"
mass = "80 g"
q = "{q}"
[parts.spring]
kind = "spring"
between = ["spool", "ground"]
k = "12 N/mm"
preload = "40 N"
[parts.wall]
kind = "stop"
between = ["ground", "spool"]
k = "2e6 N/m"
damping = "2 s/m"
{RUN}"#
        );
        rests_at(&text, "spool.q", -40.0 / (12e3 + 2e6));
    }
}

/// A weight on an incline hangs on a tether, `m g sin θ/k` beyond its length, not where it is said to be.
#[test]
fn a_weight_hangs_on_its_tether() {
    let text = format!(
        r#"
[parts.earth]
kind = "gravity"
angle = "30 deg"
[parts.load]
kind = "mass"
mass = "2 kg"
q = "1.02 m"
[parts.rope]
kind = "tether"
between = ["load", "ground"]
length = "1 m"
k = "1000 N/m"
d = "20 N s/m"
{RUN}"#
    );
    rests_at(&text, "load.q", 1.0 + 9.81 / 1000.0);
}
