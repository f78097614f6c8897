//! Tones of motions whose frequencies are known.

use crate::{outcome, value, words};

/// A mass on a spring: `f = √(k/m)/2π`, with the amplitude it starts with.
#[test]
fn an_oscillator_has_one_tone() {
    let text = r#"
[parts.block]
kind = "mass"
mass = "2 kg"
q = "3 mm"
[parts.spring]
kind = "spring"
between = ["block", "ground"]
k = "5 kN/m"
[solver]
rtol = 1e-9
[studies.tones]
kind = "spectrum"
duration = "20 s"
output = "block.q"
"#;
    let heard = outcome(text);
    let expected = (5000f64 / 2.0).sqrt() / std::f64::consts::TAU;
    assert!((value(&heard, "strongest tone") / expected - 1.0).abs() < 1e-6);
    assert!((value(&heard, "its amplitude") / 3e-3 - 1.0).abs() < 1e-4);
}

/// Stick–slip under Coulomb repeats with the period of its closed form: stick `T₁`, slip `T₂`.
#[test]
fn stick_slip_sounds_with_its_frequency_of_repetition() {
    let (m, k, n, v) = (1.0, 100.0, 10.0, 0.02);
    let (mu_s, mu_d) = (0.5, 0.3);
    let text = format!(
        r#"
[parts.block]
kind = "mass"
mass = "{m} kg"
[parts.belt]
kind = "drive"
v = "{v} m/s"
[parts.spring]
kind = "spring"
between = ["block", "ground"]
k = "{k} N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "{n} N"
law = {{ kind = "coulomb", mu_s = {mu_s}, mu_d = {mu_d} }}
[studies.tones]
kind = "spectrum"
duration = "500 s"
"#
    );
    // Slip begins at the stretch Δ above that of kinetic friction, with the speed of the belt.
    let omega = f64::sqrt(k / m);
    let above = (mu_s - mu_d) * n / k;
    let slip = 2.0 * (std::f64::consts::PI - f64::atan(above * omega / v)) / omega;
    let stick = 2.0 * above / v;
    let heard = outcome(&text);
    let pitch = value(&heard, "strongest tone of `pad.slip_rate`");
    assert!((pitch * (stick + slip) - 1.0).abs() < 1e-5, "{pitch} Hz, {} s", stick + slip);
}

/// A block that rests has no tone, and is not said to have one.
#[test]
fn what_rests_is_silent() {
    let text = r#"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.pad]
kind = "contact"
between = ["block", "ground"]
load = "10 N"
law = { kind = "coulomb", mu_s = 0.5, mu_d = 0.3 }
[studies.tones]
kind = "spectrum"
duration = "5 s"
"#;
    assert!(words(&outcome(text), "strongest tone").starts_with("none"));
}
