//! A servo that hunts is not at rest while it waits for its integral to grow; what rests, slides on or vibrates is told apart.

use crate::outcome;

/// The loop of Canudas de Wit and others (1995), swept over its integral gain.
fn servo(law: &str, study: &str) -> String {
    format!(
        r#"
[parts.mass]
kind = "mass"
mass = "1 kg"
[parts.guide]
kind = "contact"
between = ["mass", "ground"]
law = {law}
[parts.servo]
kind = "pid"
on = "mass"
position = "1 m"
kp = "3 N/m"
ki = "4 N/(m s)"
kd = "6 N s/m"
[studies.gain]
kind = "sweep"
parameter = "servo.ki"
transient = 20
window = 8
lyapunov = 0
{study}
"#
    )
}

/// All that the facts say, in one text.
fn said(text: &str) -> String {
    let facts = outcome(text).record.facts;
    facts.iter().map(|fact| format!("{}: {}\n", fact.label, fact.value.markup())).collect()
}

const COULOMB: &str = r#"{ kind = "coulomb", F_s = "1.5 N", F_d = "1 N" }"#;
const KARNOPP: &str = r#"{ kind = "karnopp", F_s = "1.5 N", F_d = "1 N" }"#;
const LUGRE: &str = r#"{ kind = "lugre", F_d = "1 N", F_s = "1.5 N", v_s = "1 mm/s", sigma0 = "1e5 N/m", sigma1 = "316.22776601683796 N s/m", sigma2 = "0.4 N s/m" }"#;

/// The value a fact measures.
fn onset(text: &str) -> f64 {
    let facts = outcome(text).record.facts;
    let fact = facts.iter().find(|fact| fact.label == "hunting");
    let said = fact.map(|fact| fact.value.markup()).unwrap_or_default();
    let number = said.strip_prefix("hunts from ").and_then(|rest| rest.split(' ').next());
    number.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

/// The stage breaks away again and again, though it waits for up to a hundred seconds in between. Coulomb's law, integrated by hand
/// from one switch to the next, gives ±0.0733 m at 0.5 N/(m s) and ±0.0672 m at 4 N/(m s).
#[test]
fn what_waits_is_not_taken_for_what_rests() {
    for law in [COULOMB, KARNOPP, LUGRE] {
        let text = said(&servo(law, "from = \"0.5 N/(m s)\"\nto = \"4 N/(m s)\"\npoints = 2"));
        assert!(text.contains("hunting: hunts at every value"), "{law}: {text}");
    }
    let text = said(&servo(COULOMB, "from = \"0.5 N/(m s)\"\nto = \"4 N/(m s)\"\npoints = 2"));
    assert!(text.contains("by ±0.0672") && text.contains("to ±0.0733"), "{text}");
}

/// Below 0.3431 N/(m s) a stage under Coulomb's law creeps up to its place without ever turning round (by hand, from one switch to
/// the next: at 0.343 it creeps, at 0.3432 it turns round and waits for the integral to come back).
#[test]
fn what_creeps_up_to_its_place_comes_to_rest() {
    let text = said(&servo(COULOMB, "from = \"0.05 N/(m s)\"\nto = \"0.1 N/(m s)\"\npoints = 2"));
    assert!(!text.contains("hunts"), "{text}");
}

/// The gain from which on it hunts. Just above the true one the first wait is longer than any that is granted.
#[test]
fn the_gain_at_which_hunting_begins_is_found() {
    for law in [KARNOPP, LUGRE] {
        let found = onset(&servo(law, "from = \"0 N/(m s)\"\nto = \"2 N/(m s)\"\npoints = 2"));
        assert!(found > 0.0 && found <= 0.25, "{law}: {found}");
    }
    let study = "from = \"0.25 N/(m s)\"\nto = \"0.6 N/(m s)\"\npoints = 2";
    let found = onset(&servo(COULOMB, study));
    assert!((0.343146..0.36).contains(&found), "{found}");
}
