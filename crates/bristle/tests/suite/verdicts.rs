//! What is said of a run is true: for each verdict a run that once got it wrongly.

use bristle::{Outcome, Scenario, run};
use bristle_record::{Fact, Tone, Value};
use std::path::Path;

fn answered(text: &str) -> Outcome {
    run(&Scenario::from_text(text, "test.toml", ".".as_ref()).unwrap(), &mut ()).unwrap()
}

fn fact<'a>(outcome: &'a Outcome, label: &str) -> &'a Fact {
    let facts = &outcome.record.facts;
    facts.iter().find(|f| f.label.starts_with(label)).unwrap_or_else(|| panic!("no `{label}` in {facts:?}"))
}

fn says(outcome: &Outcome, label: &str) -> String {
    fact(outcome, label).value.markup()
}

fn number(outcome: &Outcome, label: &str) -> f64 {
    let Value::Number { value, .. } = fact(outcome, label).value else { panic!("{label} is no number") };
    value
}

/// Two masses on a belt whose motion dies away: what closes on itself without moving is no cycle.
#[test]
fn a_point_of_rest_is_no_cycle() {
    let outcome = answered(
        r#"
        title = "two masses whose motion dies away"
        parts.a = { kind = "mass", mass = "1.7 kg", q = "0.1 m", v = "0.13 m/s" }
        parts.b = { kind = "mass", mass = "0.8 kg", q = "0.1 m", v = "0.13 m/s" }
        parts.belt = { kind = "drive", v = "0.13 m/s" }
        parts.k1 = { kind = "spring", between = ["a", "ground"], k = "150 N/m" }
        parts.k2 = { kind = "spring", between = ["b", "a"], k = "320 N/m" }
        parts.d1 = { kind = "damper", between = ["a", "ground"], d = "1.2 N s/m" }
        parts.d2 = { kind = "damper", between = ["b", "a"], d = "3 N s/m" }
        parts.p1 = { kind = "contact", between = ["a", "belt"], law = { kind = "coulomb", F_d = "6 N", F_s = "11 N" } }
        parts.p2 = { kind = "contact", between = ["b", "belt"], law = { kind = "coulomb", F_d = "3 N", F_s = "5 N" } }
        studies.x = { kind = "orbit" }
        "#,
    );
    assert_eq!(says(&outcome, "cycles"), "none: the motion comes to rest");
    assert!(!outcome.record.facts.iter().any(|f| f.label.starts_with("period")));
}

/// On the steeper slopes `tan θ > μ_s` the block slides away for ever, at `g (sin θ − μ_d cos θ)`.
#[test]
fn a_block_that_slides_away_does_not_come_to_rest() {
    let outcome = answered(
        r#"
        title = "incline"
        parts.block = { kind = "mass", mass = "1 kg" }
        parts.g = { kind = "gravity", angle = "20 deg" }
        parts.pad = { kind = "contact", between = ["block", "ground"], law = { kind = "lugre", mu_d = 0.3, mu_s = 0.4 } }
        studies.run = { kind = "simulate", duration = "2 s" }
        studies.sw = { kind = "sweep", parameter = "g.angle", from = "5 deg", to = "45 deg", points = 5 }
        "#,
    );
    let motions = fact(&outcome, "motions over");
    // At 5 and 15 degrees each of five starts comes to rest, at 25 to 45 each but those that begin at rest too.
    assert!(motions.value.markup().contains("run away"), "{motions:?}");
    assert_eq!(motions.tone, Tone::Bad);
    assert_eq!(fact(&outcome, "motions run away").value.markup(), "from 0.436332 to 0.785398 rad");
    // At 20 degrees the scenario's own block slides down: 9.81 (sin 20° − 0.3 cos 20°) = 0.5897 m/s².
    let pad = fact(&outcome, "contact");
    assert!(pad.value.markup().starts_with("runs away: 1.17") && pad.note.contains("0.5897"), "{pad:?}");
    assert_eq!(pad.tone, Tone::Bad);
}

fn pulled(law: &str, damper: &str) -> Outcome {
    answered(&format!(
        r#"
        title = "pulled"
        parts.block = {{ kind = "mass", mass = "1 kg" }}
        parts.pull = {{ kind = "force", on = "block", signal = {{ kind = "constant", value = "6 N" }} }}
        parts.pad = {{ kind = "contact", between = ["block", "ground"], load = "10 N", law = {law} }}
        {damper}
        studies.run = {{ kind = "simulate", duration = "20 s" }}
        studies.st = {{ kind = "steady" }}
        "#
    ))
}

/// The block is pulled with 6 N against 3 N of friction and reaches the speed at which viscosity bears the rest.
#[test]
fn a_speed_that_is_reached_is_stable() {
    let damper = r#"parts.oil = { kind = "damper", between = ["block", "ground"], d = "2 N s/m" }"#;
    for law in [
        r#"{ kind = "coulomb", mu_d = 0.3, mu_s = 0.4 }"#,
        r#"{ kind = "lugre", mu_d = 0.3, mu_s = 0.4 }"#,
        r#"{ kind = "dahl", mu_d = 0.3 }"#,
        r#"{ kind = "smooth_coulomb", mu_d = 0.3 }"#,
        r#"{ kind = "regularised", mu_d = 0.3, mu_s = 0.4 }"#,
    ] {
        let outcome = pulled(law, damper);
        let words = says(&outcome, "steady state");
        // Disturbances decay at d/m.
        assert_eq!(words, "stable: the slowest disturbance decays at 2 1/s", "{law}");
        assert!(says(&outcome, "contact").starts_with("slides steadily at 1.5000 m/s"), "{law}");
    }
    let viscous = pulled(r#"{ kind = "lugre", mu_d = 0.3, mu_s = 0.4, sigma2 = "0.4 N s/m" }"#, "");
    assert_eq!(says(&viscous, "steady state"), "stable: the slowest disturbance decays at 0.4 1/s");
}

#[test]
fn a_block_without_an_end_to_its_speed_has_no_steady_state() {
    for law in [r#"{ kind = "coulomb", mu_d = 0.3 }"#, r#"{ kind = "lugre", mu_d = 0.3 }"#] {
        let outcome = pulled(law, "");
        assert!(says(&outcome, "steady state").starts_with("none: the motion runs away"), "{law}");
        assert!(says(&outcome, "contact").starts_with("runs away: "), "{law}");
    }
}

fn on_a_belt(law: &str, duration: &str) -> Outcome {
    answered(&format!(
        r#"
        title = "belt"
        parts.block = {{ kind = "mass", mass = "20 kg", v = "0.5 m/s" }}
        parts.belt = {{ kind = "drive", v = "0.5 m/s" }}
        parts.tie = {{ kind = "spring", between = ["block", "ground"], k = "10 N/m" }}
        parts.pad = {{ kind = "contact", between = ["block", "belt"], law = {law} }}
        studies.run = {{ kind = "simulate", duration = "{duration}" }}
        "#
    ))
}

/// With μ_s = μ_d the block swings about `F/k` at `2π √(m/k)` and only touches the belt's speed, once per period.
#[test]
fn a_motion_that_grazes_has_the_period_of_its_state() {
    for duration in ["60 s", "120 s", "300 s"] {
        let outcome = on_a_belt(r#"{ kind = "coulomb", F_d = "98.1 N", F_s = "98.1 N" }"#, duration);
        let period = std::f64::consts::TAU * 2f64.sqrt();
        if outcome.record.facts.iter().any(|f| f.label.starts_with("last period")) {
            let found = number(&outcome, "last period at `pad`");
            assert!((found / period - 1.0).abs() < 1e-6, "{duration}: {found} for {period}");
            let loss = number(&outcome, "loss in the last cycle at `pad`");
            assert!((loss / (98.1 * 0.5 * period) - 1.0).abs() < 1e-6, "{duration}: {loss}");
        }
        assert!(!says(&outcome, "contact").starts_with("stick–slip"), "{duration}: it does not stick");
    }
}

/// Two blocks tied together slip again before all is as it was: no period is told.
#[test]
fn slips_without_recurrence_have_no_period() {
    let outcome = on_a_belt(r#"{ kind = "coulomb", F_d = "98.1 N", F_s = "117.72 N" }"#, "60 s");
    assert!((number(&outcome, "last period at `pad`") - 13.269_265_683_117_23).abs() < 1e-8);
    let chaotic = answered(
        r#"
        title = "two blocks"
        parts.a = { kind = "mass", mass = "1 kg", v = "0.1 m/s" }
        parts.b = { kind = "mass", mass = "1.3 kg", v = "0.1 m/s" }
        parts.belt = { kind = "drive", v = "0.1 m/s" }
        parts.k1 = { kind = "spring", between = ["a", "ground"], k = "10 N/m" }
        parts.k2 = { kind = "spring", between = ["b", "ground"], k = "37 N/m" }
        parts.k3 = { kind = "spring", between = ["a", "b"], k = "5 N/m" }
        parts.p1 = { kind = "contact", between = ["a", "belt"], law = { kind = "coulomb", F_d = "1 N", F_s = "3 N" } }
        parts.p2 = { kind = "contact", between = ["b", "belt"], law = { kind = "coulomb", F_d = "1.3 N", F_s = "3.9 N" } }
        studies.run = { kind = "simulate", duration = "20 s" }
        "#,
    );
    let told = |label: &str| chaotic.record.facts.iter().any(|f| f.label.starts_with(label));
    assert!(told("time between the last two slips at `p1`"), "{:?}", chaotic.record.facts);
    assert!(!told("last period at"), "a contact recurs only with the whole");
}

/// The festoon ends with its trolleys held by bristles that swing: no creep, and least of all under the law that never creeps.
#[test]
fn elastic_swinging_is_no_creep() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/festoon.toml");
    let outcome = run(&Scenario::from_file(&path).unwrap(), &mut ()).unwrap();
    for rail in ["contact `rail_t1`", "contact `rail_t2`"] {
        assert_eq!(says(&outcome, rail), "comes to rest and holds");
        assert!(fact(&outcome, rail).note.starts_with("its spring swings within"));
    }
}

/// A static law creeps where its own curve bears the load, and the report says both speeds: `v_s F/(…)` of the curve.
#[test]
fn creep_is_told_with_what_the_law_says() {
    let held = |law: &str| {
        answered(&format!(
            r#"
            title = "held"
            parts.block = {{ kind = "mass", mass = "1 kg" }}
            parts.push = {{ kind = "force", on = "block", signal = {{ kind = "smooth_step", to = "2 N", duration = "1 s" }} }}
            parts.pad = {{ kind = "contact", between = ["block", "ground"], load = "10 N", law = {law} }}
            studies.run = {{ kind = "simulate", duration = "20 s" }}
            "#
        ))
    };
    // μ tanh(v/v_s) n = 2 N at v_s artanh(2/3).
    let creeps = held(r#"{ kind = "smooth_coulomb", mu_d = 0.3, v_d = "1 mm/s" }"#);
    let speed = 1e-3 * (2f64 / 3.0).atanh();
    let text = format!("creeps at {speed:.3e} m/s (the law says {speed:.3e} m/s)");
    assert_eq!(says(&creeps, "contact"), text);
    assert_eq!(fact(&creeps, "contact").note, "carries at most 66.667 % of its limit");
    for law in ["lugre", "elasto_plastic", "frdyn2"] {
        let words = says(&held(&format!(r#"{{ kind = "{law}" }}"#)), "contact");
        assert!(words.starts_with("sticks elastically"), "{law}: {words}");
    }
    assert_eq!(says(&held(r#"{ kind = "coulomb" }"#), "contact"), "sticks throughout");
}

/// A mass on a spring without friction begins at rest at its datum: all its energy goes to and fro.
#[test]
fn an_oscillator_without_friction_closes_its_balance() {
    let outcome = answered(
        r#"
        title = "oscillator"
        parts.block = { kind = "mass", mass = "1 kg" }
        parts.g = { kind = "gravity", angle = "60 deg" }
        parts.tie = { kind = "spring", between = ["block", "ground"], k = "100 N/m" }
        studies.run = { kind = "simulate", duration = "100 s" }
        "#,
    );
    let balance = fact(&outcome, "energy balance closes to");
    assert_eq!(balance.tone, Tone::Good, "{balance:?}");
    assert_eq!(outcome.failures().count(), 0);
}

/// The same at a tolerance that damps the swing: the numbers are kept, and the study has failed.
#[test]
fn a_gap_in_the_balance_fails_the_run() {
    let outcome = answered(
        r#"
        title = "oscillator"
        solver = { rtol = 1e-2 }
        parts.block = { kind = "mass", mass = "1 kg" }
        parts.g = { kind = "gravity", angle = "60 deg" }
        parts.tie = { kind = "spring", between = ["block", "ground"], k = "100 N/m" }
        studies.run = { kind = "simulate", duration = "100 s" }
        "#,
    );
    assert_eq!(fact(&outcome, "energy balance does not close").tone, Tone::Bad);
    let (study, reason) = outcome.failures().next().unwrap();
    assert!(study == "run" && reason.contains("energy balance"), "{reason}");
    assert!(!outcome.data.columns.is_empty(), "what was found is kept");
}

/// A block shaken by 12 N at 11 Hz against 2 N of friction: after the first swing every one is like the last, so that nothing
/// drifts, however few samples there are to a swing.
#[test]
fn a_block_shaken_evenly_does_not_drift() {
    let shaken = |further: &str| {
        answered(&format!(
            r#"
            title = "shaken"
            parts.block = {{ kind = "mass", mass = "1 kg" }}
            parts.push = {{ kind = "force", on = "block", signal = {{ kind = "sine", amplitude = "12 N", frequency = "11 Hz" }} }}
            parts.pad = {{ kind = "contact", between = ["block", "ground"], law = {{ kind = "coulomb", F_d = "2 N", F_s = "4 N" }} }}
            {further}
            studies.run = {{ kind = "simulate", duration = "100 s" }}
            "#
        ))
    };
    assert_eq!(says(&shaken(""), "contact"), "slides to and fro, without drift");
    // A slope of half a newton makes it walk downhill: swings that do not close are not called even.
    let pull = "parts.pull = { kind = \"force\", on = \"block\", signal = { kind = \"polyline\", times = [\"0 s\", \"1000 s\"], values = [\"0.5 N\", \"0.5 N\"] } }";
    let walk = shaken(pull);
    let words = says(&walk, "contact");
    assert!(words.starts_with("slides to and fro, drifting at"), "{words}");
    // Against the positions at whole periods.
    let column = |name: &str| &walk.data.columns.iter().find(|c| c.name == name).unwrap().values;
    let (t, slip) = (column("time"), column("pad.slip"));
    let at = |time: f64| slip[t.iter().position(|t| (t - time).abs() < 1e-9).unwrap()];
    let expected = (at(100.0) - at(80.0)) / 20.0;
    let said: f64 = words.split_whitespace().nth_back(1).unwrap().parse().unwrap();
    assert!((said / expected - 1.0).abs() < 1e-2, "{said} against {expected}");
}

/// A block on a belt of 1e-7 m/s, tied by a spring: it sticks for `2 (F_s − F_d)/(k v)`, then slips for half a swing of
/// `2π √(m/k)`, whatever the tolerance.
#[test]
fn a_very_slow_belt_has_the_period_of_a_fast_one() {
    for rtol in ["1e-6", "1e-10"] {
        let outcome = answered(&format!(
            r#"
            title = "slow belt"
            solver.rtol = {rtol}
            parts.block = {{ kind = "mass", mass = "1 kg" }}
            parts.belt = {{ kind = "drive", v = "1e-7 m/s" }}
            parts.tie = {{ kind = "spring", between = ["block", "ground"], k = "1e4 N/m" }}
            parts.pad = {{ kind = "contact", between = ["block", "belt"], law = {{ kind = "coulomb", F_d = "3 N", F_s = "4 N" }} }}
            studies.run = {{ kind = "simulate", duration = "20000 s" }}
            "#
        ));
        let period = number(&outcome, "last period");
        let expected = 2000.0 + std::f64::consts::PI / 100.0;
        assert!((period / expected - 1.0).abs() < 1e-8, "{rtol}: {period} against {expected}");
    }
}

/// Bristles on the same belt follow it: `k q` grows with the belt's way, shared between spring and bristles in series.
#[test]
fn bristles_on_a_very_slow_belt_follow_the_tolerance() {
    let end = |rtol: &str| {
        let outcome = answered(&format!(
            r#"
            title = "slow belt"
            solver.rtol = {rtol}
            parts.block = {{ kind = "mass", mass = "1 kg" }}
            parts.belt = {{ kind = "drive", v = "1e-7 m/s" }}
            parts.tie = {{ kind = "spring", between = ["block", "ground"], k = "1e4 N/m" }}
            parts.pad = {{ kind = "contact", between = ["block", "belt"], law = {{ kind = "lugre", F_d = "3 N", F_s = "4 N", v_s = "1 mm/s", sigma0 = "1e5 N/m", sigma1 = "300 N s/m" }} }}
            studies.run = {{ kind = "simulate", duration = "100 s" }}
            "#
        ));
        let q = outcome.data.columns.iter().find(|c| c.name == "block.q").unwrap();
        *q.values.last().unwrap()
    };
    let (loose, tight) = (end("1e-6"), end("1e-10"));
    // 10 µm of belt; `k q = g (1 − exp(−σ₀ (x − q)/g))` with `g = F_s` at such a speed, solved for q.
    let excess = |q: f64| 1e4 * q - 4.0 * (1.0 - (-1e5 * (1e-5 - q) / 4.0f64).exp());
    let [q, _] = (0..60).fold([0.0, 1e-5], |[low, high], _| {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { [low, middle] } else { [middle, high] }
    });
    assert!((tight / q - 1.0).abs() < 1e-4, "{tight} against {q}");
    assert!((loose / tight - 1.0).abs() < 1e-6, "{loose} against {tight}");
}

/// Five tonnes on the soft drum of the default sink in by a sixth of its radius: the run is right, the drum is not.
#[test]
fn a_rope_that_sinks_into_its_drum_is_told() {
    let crane = |stiffness: &str| {
        answered(&format!(
            r#"
            title = "crane"
            parts.earth = {{ kind = "gravity" }}
            parts.winch = {{ kind = "drum", radius = "25 cm", stiffness = "{stiffness}", law = {{ kind = "cdq", mu_d = 0.2 }} }}
            parts.rope = {{ kind = "cable", length = "12 m", elements = 60, ea = "9.2 MN", density = "1 kg/m", over = ["winch"] }}
            parts.at_trolley = {{ kind = "cable_end", at = "first", support = "moving", x = "-1 m", y = "-5 m" }}
            parts.load = {{ kind = "cable_end", at = "last", mass = "5000 kg" }}
            studies.run = {{ kind = "simulate", duration = "20 ms" }}
            "#
        ))
    };
    // Depth goes about as stiffness^(-2/3).
    for (stiffness, share) in [("5e6 N", Some(18.2)), ("1e8 N", Some(2.5)), ("1.8e8 N", None)] {
        let outcome = crane(stiffness);
        let told = outcome.record.facts.iter().find(|f| f.label.starts_with("cable in drum"));
        assert_eq!(told.is_some(), share.is_some(), "{told:?}");
        let (Some(told), Some(share)) = (told, share) else { continue };
        let words = told.value.markup();
        let found: f64 = words.split_whitespace().nth_back(4).unwrap().parse().unwrap();
        assert!((found / share - 1.0).abs() < 0.15, "{words}");
        assert!(told.tone == Tone::Warn && words.contains("sinks in by"), "{told:?}");
        assert!(told.note.contains("beyond 2 %") && told.note.contains("stiffness"), "{told:?}");
    }
}
