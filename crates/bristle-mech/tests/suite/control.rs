//! Controllers of positioning stages with friction, in continuous time and sampled.

use crate::couplings::{Seen, assemble, signal, watch};
use crate::mechanisms::{law, part};
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};

const LEVELS: [f64; 2] = [1.0, 2.0];

/// A stage of 1 kg with Stribeck friction under a controller.
fn stage(controller: Spec, duration: f64) -> Seen {
    let rough = law(LawKind::Benson, &[("mu_d", LEVELS[0]), ("mu_s", LEVELS[1]), ("c", 100.0)]);
    let parts = [
        ("stage", part(PartKind::Mass, &[("mass", 1.0)])),
        ("guide", part(PartKind::Contact, &[]).naming("between", &["stage", "ground"]).holding("law", rough)),
        ("servo", controller.naming("on", &["stage"])),
    ];
    watch(&assemble(&parts).unwrap(), duration, 0.01)
}

const GAINS: [(&str, f64); 3] = [("position", 0.05), ("kp", 400.0), ("kd", 20.0)];

/// Without integral action the stage rests where the spring of the controller is weaker than static friction.
#[test]
fn a_stage_without_integral_action_rests_with_an_error() {
    let seen = stage(part(PartKind::Pid, &GAINS), 30.0);
    let error = seen.last("servo.error");
    assert!(seen.last("stage.v") == 0.0 && error.abs() > 1e-4 && error.abs() <= LEVELS[1] / 400.0);
    assert_eq!(seen.at("stage.q", 10.0), seen.last("stage.q"));
    assert_eq!(seen.last("servo.wanted"), 0.05);
}

/// With integral action it hunts: it sticks while the integral grows, breaks away, overshoots and sticks on the other side.
#[test]
fn integral_action_makes_the_stage_hunt() {
    let mut gains = GAINS.to_vec();
    gains.push(("ki", 400.0));
    let seen = stage(part(PartKind::Pid, &gains), 60.0);
    let late: Vec<f64> = seen.trajectory.events.iter().map(|e| e.t).filter(|t| *t > 40.0).collect();
    assert!(late.len() > 4, "{late:?}");
    let rows = seen.trajectory.samples.t.iter().filter(|t| **t <= 40.0).count();
    let errors = &seen.all("servo.error")[rows..];
    let [low, high] =
        [errors.iter().copied().fold(0.0, f64::min), errors.iter().copied().fold(0.0, f64::max)];
    // On both sides of where it is wanted, by the same amount: a limit cycle.
    assert!(high > 1e-4 && (high + low).abs() < 0.05 * high, "{low} {high}");
    assert!(seen.imbalance() < 1e-7);
}

/// Within a dead band nothing is asked for: a free body flies through it and swings back on either side, with the period
/// `4 e₀/v + 2π √(m/K_p)`.
#[test]
fn a_dead_band_asks_for_nothing() {
    let (m, kp, band, v): (f64, f64, f64, f64) = (0.5, 800.0, 0.15, 2.0);
    let parts = [
        ("body", part(PartKind::Mass, &[("mass", m), ("v", v)])),
        ("servo", part(PartKind::Pid, &[("kp", kp), ("dead_band", band)]).naming("on", &["body"])),
    ];
    let period = 4.0 * band / v + std::f64::consts::TAU * (m / kp).sqrt();
    let seen = watch(&assemble(&parts).unwrap(), 5.0 * period, period / 50.0);
    assert!(seen.last("body.q").abs() < 1e-8 && (seen.last("body.v") - v).abs() < 1e-8);
    assert!(seen.imbalance() < 1e-8);
}

/// Without friction: a force at its limit moves the body as `F t²/(2m)`, and the integral does not wind up meanwhile.
#[test]
fn a_limited_force_does_not_wind_up() {
    let gains =
        [("position", 1.0), ("kp", 50.0), ("ki", 30.0), ("kd", 15.0), ("limit", 2.0), ("filter", 1e-3)];
    let parts = [
        ("body", part(PartKind::Mass, &[("mass", 1.0)])),
        ("servo", part(PartKind::Pid, &gains).naming("on", &["body"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 30.0, 0.01);
    assert!((seen.at("body.q", 0.5) - 0.25).abs() < 1e-9);
    assert!(
        seen.at("servo.integral", 0.5) == 0.0
            && seen.all("servo.force").iter().all(|f| f.abs() <= 2.0 + 1e-9)
    );
    assert!(seen.last("servo.error").abs() < 1e-6 && seen.imbalance() < 1e-7);
}

/// A sampled controller on a free mass is a map from look to look: `q⁺ = q + v T + u T²/2m`, `v⁺ = v + u T/m`.
#[test]
fn a_sampled_controller_follows_its_map() {
    let (period, kp, kd, wanted): (f64, f64, f64, f64) = (0.02, 40.0, 10.0, 0.1);
    for (delay, quantum) in [(0.0, f64::NAN), (0.005, f64::NAN), (0.0, 1e-3)] {
        let numbers = [
            ("period", period),
            ("position", wanted),
            ("kp", kp),
            ("kd", kd),
            ("delay", delay),
            ("quantum", quantum),
        ];
        let parts = [
            ("body", part(PartKind::Mass, &[("mass", 2.0)])),
            ("servo", part(PartKind::SampledPid, &numbers).naming("on", &["body"])),
        ];
        let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
        let (mut q, mut v, mut last, mut force) = (0.0, 0.0, 0.0, 0.0);
        let mut ahead = |force: f64, time: f64, q: &mut f64| {
            *q += v * time + force * time * time / 4.0;
            v += force * time / 2.0;
        };
        ahead(force, period, &mut q);
        for _ in 1..149 {
            let seen: f64 = if quantum.is_nan() { q } else { (q / quantum).round() * quantum };
            let error = wanted - seen;
            let next = kp * error + kd * (error - last) / period;
            last = error;
            ahead(force, delay, &mut q);
            force = next;
            ahead(force, period - delay, &mut q);
        }
        assert!((seen.at("body.q", 149.0 * period) - q).abs() < 1e-9, "{delay} {quantum}: {q}");
        assert!(seen.imbalance() < 1e-8);
    }
}

/// A digital controller turns a rotor as it pushes a mass: the same numbers, the same motion.
#[test]
fn a_sampled_controller_turns_a_rotor_as_it_pushes_a_mass() {
    let numbers = |wanted: &'static str| {
        [("period", 0.02), (wanted, 0.1), ("kp", 40.0), ("kd", 10.0), ("delay", 0.005), ("quantum", 1e-3)]
    };
    let straight = [
        ("body", part(PartKind::Mass, &[("mass", 2.0)])),
        ("servo", part(PartKind::SampledPid, &numbers("position")).naming("on", &["body"])),
    ];
    let turning = [
        ("body", part(PartKind::Rotor, &[("inertia", 2.0)])),
        ("servo", part(PartKind::RotarySampledPid, &numbers("angle")).naming("on", &["body"])),
    ];
    let [straight, turning] = [&straight, &turning].map(|parts| watch(&assemble(parts).unwrap(), 1.0, 0.01));
    assert_eq!(straight.all("body.q"), turning.all("body.angle"));
    assert_eq!(straight.all("servo.force"), turning.all("servo.torque"));
    assert!(turning.last("body.angle") > 0.05);
}

/// A body that follows another at a distance: seen from there it swings to its place as `m ë = −K_p e − K_d ė`.
#[test]
fn a_controller_follows_a_body() {
    let (m, kp, kd, speed, gap): (f64, f64, f64, f64, f64) = (2.0, 50.0, 6.0, 0.7, -0.3);
    let parts = [
        ("body", part(PartKind::Mass, &[("mass", m)])),
        ("leader", part(PartKind::Drive, &[("v", speed)])),
        (
            "servo",
            part(PartKind::Pid, &[("position", gap), ("kp", kp), ("kd", kd)])
                .naming("on", &["body"])
                .naming("follows", &["leader"]),
        ),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 2.0, 0.1);
    let (decay, w) = (kd / (2.0 * m), (kp / m - (kd / (2.0 * m)).powi(2)).sqrt());
    let errors = seen.all("servo.error");
    for (t, error) in seen.trajectory.samples.t.iter().zip(errors) {
        let (sin, cos) = (w * t).sin_cos();
        let expected = (-decay * t).exp() * (gap * cos + (speed + decay * gap) / w * sin);
        assert!((error - expected).abs() < 1e-9, "{t}: {error} against {expected}");
    }
    assert!((seen.last("servo.wanted") - (2.0 * speed + gap)).abs() < 1e-12 && seen.imbalance() < 1e-9);
}

/// With a mean of looks, a filter and a first look at the start the map has a memory; what is differentiated is the measurement.
#[test]
fn a_sampled_controller_smooths_what_it_differentiates() {
    let (period, kp, kd, filter): (f64, f64, f64, f64) = (0.02, 40.0, 8.0, 0.01);
    for (average, delay) in [(1usize, 0.0), (2, 0.0), (4, 0.005)] {
        let numbers = [
            ("period", period),
            ("kp", kp),
            ("kd", kd),
            ("delay", delay),
            ("average", average as f64),
            ("filter", filter),
            ("limit", 3.0),
        ];
        let card = PartKind::SampledPid.card();
        let servo = part(PartKind::SampledPid, &numbers)
            .naming("on", &["body"])
            .choosing(&card, "derivative", "measurement")
            .choosing(&card, "first_look", "at_start")
            .holding("position", signal(SignalKind::Ramp, &[("slope", 0.3)]));
        let parts =
            [("body", part(PartKind::Mass, &[("mass", 2.0), ("q", 0.05), ("v", -0.2)])), ("servo", servo)];
        let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
        let (mut q, mut v, mut force, mut slope): (f64, f64, f64, f64) = (0.05, -0.2, 0.0, 0.0);
        let mut looks: Vec<f64> = (1..=4).rev().map(|k| q - v * period * f64::from(k)).collect();
        let mut ahead = |force: f64, time: f64, q: &mut f64| {
            *q += v * time + force * time * time / 4.0;
            v += force * time / 2.0;
        };
        for k in 0..149 {
            let before = looks[looks.len() - average];
            looks.push(q);
            let raw = -(q - before) / (average as f64 * period);
            slope += period / (period + filter) * (raw - slope);
            let wanted = 0.3 * f64::from(k) * period;
            let next = (kp * (wanted - q) + kd * slope).clamp(-3.0, 3.0);
            ahead(force, delay, &mut q);
            force = next;
            ahead(force, period - delay, &mut q);
        }
        assert!((seen.at("body.q", 149.0 * period) - q).abs() < 1e-9, "{average}: {q}");
        assert!(seen.imbalance() < 1e-8);
    }
}

/// A stiffness that grows takes in `∫ ½ k̇ x² dt`: on a body that is held by friction nothing moves, and all of it is stored.
#[test]
fn a_stiffness_over_time_books_its_work() {
    let ramp = signal(SignalKind::Ramp, &[("slope", 30.0)]);
    let spring =
        part(PartKind::Spring, &[("rest", -0.2)]).naming("between", &["block", "ground"]).holding("k", ramp);
    let rough = law(LawKind::Coulomb, &[("mu_s", 12.0), ("mu_d", 6.0)]);
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 1.0)])),
        ("spring", spring),
        ("floor", part(PartKind::Contact, &[]).naming("between", &["block", "ground"]).holding("law", rough)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
    // It breaks away where k x = 12 N: at t = 2 s.
    assert!((seen.trajectory.events[0].t - 2.0).abs() < 1e-8);
    assert!((seen.at("energy.input", 1.0) - 0.5 * 30.0 * 0.04).abs() < 1e-9);
    assert!(seen.imbalance() < 1e-8);
}

/// A box on a conveyor that is tilted slides where `tan θ` passes the static coefficient.
#[test]
fn a_tilted_box_slides_at_the_angle_of_friction() {
    let (mu_s, mu_d, rate) = (0.5, 0.3, 0.2);
    let tilt = signal(SignalKind::Ramp, &[("slope", rate)]);
    let card = LawKind::Coulomb.card();
    let rough = Spec::of(&card).with(&card, "mu_s", mu_s).with(&card, "mu_d", mu_d);
    let parts = [
        ("weight", part(PartKind::Gravity, &[]).holding("angle", tilt)),
        ("crate", part(PartKind::Mass, &[("mass", 3.0), ("q", 0.4)])),
        ("belt", part(PartKind::Contact, &[]).naming("between", &["crate", "ground"]).holding("law", rough)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 4.0, 0.01);
    let slides = &seen.trajectory.events[0];
    assert!((slides.t - mu_s.atan() / rate).abs() < 1e-9, "{} against {}", slides.t, mu_s.atan() / rate);
    assert!((seen.at("belt.load", 1.0) - 3.0 * 9.81 * 0.2f64.cos()).abs() < 1e-9);
    assert!(seen.last("crate.v") > 1.0 && seen.imbalance() < 1e-8);
}

/// A winch that takes in a slack tether lifts a weight once it is taut; it never pushes.
#[test]
fn a_tether_pulls_once_it_is_taut() {
    let ramp = signal(SignalKind::Ramp, &[("slope", -0.5), ("from", 1.2)]);
    let tether = part(PartKind::Tether, &[("k", 2e3), ("d", 60.0)]).naming("between", &["crab", "cage"]);
    let parts = [
        ("crab", part(PartKind::Anchor, &[])),
        ("cage", part(PartKind::Mass, &[("mass", 1.0), ("q", -1.0)])),
        ("rope", tether.holding("length", ramp)),
        ("guide", part(PartKind::Damper, &[("d", 5.0)]).naming("between", &["cage", "ground"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 2.0, 0.01);
    assert!((seen.trajectory.events[0].t - 0.4).abs() < 1e-9, "{:?}", seen.trajectory.events);
    assert!(seen.at("cage.v", 0.39) == 0.0 && seen.all("rope.force").iter().all(|f| *f >= 0.0));
    // In the end the cage follows the winch, against its guide: F = d v.
    assert!((seen.last("cage.v") - 0.5).abs() < 1e-6 && (seen.last("rope.force") - 2.5).abs() < 1e-4);
    assert!(seen.imbalance() < 1e-8);
}

/// Free flight through the play and half a swing on each flank: the period is `2 b/ω + 2π √(J/k)`.
#[test]
fn a_rotor_with_play_has_its_period() {
    let (j, k, play, speed): (f64, f64, f64, f64) = (0.5, 800.0, 0.3, 2.0);
    let parts = [
        ("wheel", part(PartKind::Rotor, &[("inertia", j), ("speed", speed)])),
        (
            "spline",
            part(PartKind::Backlash, &[("play", play), ("k", k)]).naming("between", &["wheel", "ground"]),
        ),
    ];
    let period = 2.0 * play / speed + std::f64::consts::TAU * (j / k).sqrt();
    let seen = watch(&assemble(&parts).unwrap(), 5.0 * period, period / 50.0);
    assert!(seen.last("wheel.angle").abs() < 1e-8 && (seen.last("wheel.speed") - speed).abs() < 1e-8);
    assert!(seen.imbalance() < 1e-9);
}

/// A hardening spring throws a body with the energy `½ k x² + ¼ k₃ x⁴` it has stored.
#[test]
fn a_hardening_spring_gives_back_what_it_stores() {
    let numbers = [("k", 3.0), ("cubic", 40.0), ("preload", 0.5), ("rest", 0.1)];
    let parts = [
        ("body", part(PartKind::Mass, &[("mass", 2.0), ("q", 0.9)])),
        ("spring", part(PartKind::CubicSpring, &numbers).naming("between", &["body", "ground"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
    let stored = |q: f64| {
        let x: f64 = q - 0.1;
        0.5 * x + 1.5 * x * x + 10.0 * x.powi(4)
    };
    for (q, v) in seen.all("body.q").iter().zip(seen.all("body.v")) {
        assert!((v * v + stored(*q) - stored(0.9)).abs() < 1e-8);
    }
    assert!((seen.all("spring.force")[0] - (0.5 + 2.4 + 40.0 * 0.512)).abs() < 1e-12);
}

/// A stage pulled along at a steady speed lags by its friction over `K_p`, unless that is made up for; then it does not lag at all.
#[test]
fn friction_that_is_known_is_made_up_for() {
    let (speed, kp, mass) = (0.02_f64, 400.0, 1.0);
    let rough = || law(LawKind::Benson, &[("mu_d", LEVELS[0]), ("mu_s", LEVELS[1]), ("c", 100.0)]);
    let friction = LEVELS[0] + (LEVELS[1] - LEVELS[0]) * (-100.0 * speed).exp();
    let there = || signal(SignalKind::Ramp, &[("from", 0.0), ("slope", speed)]);
    let run = |kind: PartKind, gains: &[(&str, f64)], expects: Option<Spec>| {
        let servo = part(kind, gains).naming("on", &["stage"]).holding("position", there());
        let servo = match expects {
            Some(law) => servo.holding("friction", law),
            None => servo,
        };
        let guide = part(PartKind::Contact, &[]).naming("between", &["stage", "ground"]);
        let parts = [
            ("stage", part(PartKind::Mass, &[("mass", mass), ("v", speed)])),
            ("guide", guide.holding("law", rough())),
            ("servo", servo),
        ];
        watch(&assemble(&parts).unwrap(), 5.0, 0.01)
    };
    let gains = [("kp", kp), ("kd", 40.0)];
    let lags = run(PartKind::Pid, &gains, None);
    assert!((lags.last("servo.error") - friction / kp).abs() < 1e-7, "{}", lags.last("servo.error"));
    let follows = run(PartKind::Pid, &gains, Some(rough()));
    assert!(follows.all("servo.error").iter().all(|e| e.abs() < 1e-12), "{}", follows.last("servo.error"));
    assert!((follows.last("servo.force") - friction).abs() < 1e-9);
    let gains = [("kp", kp), ("kd", 40.0), ("period", 0.01)];
    let sampled = [("first_look", "at_start")];
    let card = PartKind::SampledPid.card();
    let servo = gains.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value));
    let servo = sampled.iter().fold(servo, |spec, (field, word)| spec.choosing(&card, field, word));
    let parts = [
        ("stage", part(PartKind::Mass, &[("mass", mass), ("v", speed)])),
        (
            "guide",
            part(PartKind::Contact, &[]).naming("between", &["stage", "ground"]).holding("law", rough()),
        ),
        ("servo", servo.naming("on", &["stage"]).holding("position", there()).holding("friction", rough())),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 5.0, 0.01);
    // The first look knows nothing of how the wanted position moved before; what that upsets has died down after a second or two.
    assert!((seen.last("stage.q") - speed * 5.0).abs() < 1e-9, "{}", seen.last("stage.q"));
}

/// About an axis the law is read at its radius: `τ = r N μ sgn ω`; where the wanted angle turns back, so does what is made up for.
#[test]
fn friction_at_a_radius_is_made_up_for_both_ways() {
    let (mu, load, radius) = (0.3, 50.0, 0.04);
    let card = LawKind::Coulomb.card();
    let rough = Spec::of(&card).with(&card, "mu_s", mu).with(&card, "mu_d", mu);
    let sine = signal(SignalKind::Sine, &[("amplitude", 0.1), ("frequency", 0.5)]);
    let gains = [("kp", 900.0), ("kd", 60.0), ("load", load), ("radius", radius)];
    let servo = part(PartKind::RotaryPid, &gains).naming("on", &["joint"]).holding("angle", sine);
    let rate = 0.1 * std::f64::consts::PI;
    let run = |servo: Spec| {
        let brake = part(PartKind::Brake, &[("force", load), ("radius", radius)]).naming("on", &["joint"]);
        let parts = [
            ("joint", part(PartKind::Rotor, &[("inertia", 1.0), ("speed", rate)])),
            ("rub", brake.holding("law", rough.clone())),
            ("servo", servo),
        ];
        watch(&assemble(&parts).unwrap(), 6.0, 0.01)
    };
    let with = run(servo.clone().holding("friction", rough.clone()));
    let without = run(part(PartKind::RotaryPid, &gains[..2])
        .naming("on", &["joint"])
        .holding("angle", signal(SignalKind::Sine, &[("amplitude", 0.1), ("frequency", 0.5)])));
    let worst = |seen: &Seen| seen.all("servo.error").iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    assert!(worst(&with) < worst(&without), "{} {}", worst(&with), worst(&without));
    // What is asked for is the error's share and the friction, in the direction of the wanted motion.
    for (i, t) in with.trajectory.samples.t.iter().enumerate() {
        let turning = (std::f64::consts::PI * t).cos();
        let error = with.all("servo.error")[i];
        let slope = rate * turning - with.all("joint.speed")[i];
        let asked = 900.0 * error + 60.0 * slope + mu * load * radius * turning.signum();
        assert!(turning.abs() < 1e-6 || (with.all("servo.effort")[i] - asked).abs() < 1e-9, "{t}");
    }
}

/// What cannot be made up for is refused, with a way out.
#[test]
fn what_cannot_be_made_up_for_is_refused() {
    let refused = |gains: &[(&str, f64)], law: Option<Spec>| {
        let servo = part(PartKind::Pid, gains).naming("on", &["stage"]);
        let servo = match law {
            Some(law) => servo.holding("friction", law),
            None => servo,
        };
        let parts = [("stage", part(PartKind::Mass, &[("mass", 1.0)])), ("servo", servo)];
        assemble(&parts).unwrap_err().to_string()
    };
    let coefficients = || Spec::of(&LawKind::Coulomb.card());
    assert!(refused(&[("load", 3.0)], None).contains("presses on nothing"));
    assert!(refused(&[], Some(coefficients())).contains("give the load"));
    assert!(refused(&[("load", 3.0)], Some(law(LawKind::Coulomb, &[]))).contains("need no load"));
    assert!(refused(&[], Some(law(LawKind::LuGre, &[]))).contains("without states"));
}
