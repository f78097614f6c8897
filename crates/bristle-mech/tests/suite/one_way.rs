//! Clutches, brakes, freewheels and hard stops, against closed forms.

use crate::couplings::{assemble, signal, watch};
use crate::mechanisms::part;
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};

fn coulomb(mu_s: f64, mu_d: f64) -> Spec {
    let card = LawKind::Coulomb.card();
    Spec::of(&card).with(&card, "mu_s", mu_s).with(&card, "mu_d", mu_d)
}

fn rotor(inertia: f64, speed: f64) -> Spec {
    part(PartKind::Rotor, &[("inertia", inertia), ("speed", speed)])
}

fn mass(mass: f64, q: f64, v: f64) -> Spec {
    part(PartKind::Mass, &[("mass", mass), ("q", q), ("v", v)])
}

fn stop(a: &str, b: &str, at: f64, restitution: f64) -> Spec {
    part(PartKind::HardStop, &[("at", at), ("restitution", restitution)]).naming("between", &[a, b])
}

fn force(on: &str, value: f64) -> Spec {
    part(PartKind::Force, &[("value", value)]).naming("on", &[on])
}

/// `t = J₁ J₂ ω₀/((J₁ + J₂) T)` and a loss of `½ J₁ J₂/(J₁ + J₂) ω₀²`, from the moment at which the faces are pressed together.
#[test]
fn a_clutch_engages_in_the_known_time_with_the_known_heat() {
    let (j1, j2, w, mu, n, r) = (0.4, 1.5, 120.0, 0.35, 60.0, 0.08);
    let pulse = signal(SignalKind::Pulse, &[("height", n), ("start", 0.5), ("width", 1e3), ("period", 0.0)]);
    let clutch =
        part(PartKind::Clutch, &[("radius", r), ("faces", 2.0)]).naming("between", &["engine", "gearbox"]);
    let parts = [
        ("engine", rotor(j1, w)),
        ("gearbox", rotor(j2, 0.0)),
        ("clutch", clutch.holding("force", pulse).holding("law", coulomb(mu, mu))),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 20.0, 0.05);
    let (tau, both) = (2.0 * mu * n * r, j1 * j2 / (j1 + j2));
    let lock = seen.trajectory.events.last().unwrap().t;
    assert!((lock - 0.5 - both * w / tau).abs() < 1e-8, "{lock}");
    assert!((seen.last("clutch.loss") - 0.5 * both * w * w).abs() < 1e-6);
    assert!((seen.last("engine.speed") - j1 * w / (j1 + j2)).abs() < 1e-9);
    assert!(seen.at("gearbox.speed", 0.45) == 0.0 && (seen.at("clutch.torque", 1.0) - tau).abs() < 1e-12);
    assert!(seen.imbalance() < 1e-9);
}

/// A brake of two faces stops a rotor at `t = J ω/(2 μ N r)`.
#[test]
fn a_brake_stops_its_rotor() {
    let brake =
        part(PartKind::Brake, &[("force", 50.0), ("radius", 0.1), ("faces", 2.0)]).naming("on", &["wheel"]);
    let parts = [("wheel", rotor(0.5, 40.0)), ("brake", brake.holding("law", coulomb(0.4, 0.4)))];
    let seen = watch(&assemble(&parts).unwrap(), 10.0, 0.1);
    assert!((seen.trajectory.events[0].t - 0.5 * 40.0 / 4.0).abs() < 1e-9);
    assert!(seen.last("wheel.speed") == 0.0 && (seen.last("brake.loss") - 400.0).abs() < 1e-7);
}

/// A driver with a torque that swings carries a wheel along while it pushes, and is overrun while it does not: the wheel
/// keeps its speed, the driver follows its torque alone, and both meet again where the speeds do.
#[test]
fn a_freewheel_drives_one_way() {
    let (j1, j2, tau) = (0.5, 1.5, 2.0);
    let sine = signal(SignalKind::Sine, &[("amplitude", tau), ("frequency", 1.0 / std::f64::consts::TAU)]);
    let parts = [
        ("driver", rotor(j1, 0.0)),
        ("wheel", rotor(j2, 0.0)),
        ("sprag", part(PartKind::Freewheel, &[]).naming("between", &["driver", "wheel"])),
        ("push", part(PartKind::Torque, &[]).naming("on", &["driver"]).holding("value", sine)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 9.0, 0.01);
    let pi = std::f64::consts::PI;
    // Together until the torque turns round at t = π, with ω = τ (1 − cos t)/(J₁ + J₂).
    let top = 2.0 * tau / (j1 + j2);
    assert!((seen.trajectory.events[0].t - pi).abs() < 1e-8, "{:?}", seen.trajectory.events);
    assert!((seen.at("wheel.speed", 2.0) - tau * (1.0 - 2.0f64.cos()) / (j1 + j2)).abs() < 1e-9);
    assert!((seen.at("sprag.torque", 1.0) - j2 * tau * 1.0f64.sin() / (j1 + j2)).abs() < 1e-9);
    // Alone the driver has ω = top − τ (1 + cos t)/J₁, which is back at the top where the cosine is −1 again: t = 3π.
    assert!((seen.at("driver.speed", 6.0) - top + tau * (1.0 + 6.0f64.cos()) / j1).abs() < 1e-8);
    assert!((seen.last("wheel.speed") - top).abs() < 1e-9 && seen.last("sprag.loss").abs() < 1e-9);
    assert!(seen.imbalance() < 1e-9);
}

/// A driver that starts faster than its wheel takes it along at once, with the loss of an inelastic blow.
#[test]
fn a_freewheel_that_is_run_into_strikes() {
    let parts = [
        ("driver", rotor(1.0, 6.0)),
        ("wheel", rotor(2.0, 0.0)),
        ("sprag", part(PartKind::Freewheel, &[]).naming("between", &["driver", "wheel"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.1);
    assert!(
        (seen.last("wheel.speed") - 2.0).abs() < 1e-12 && (seen.last("driver.speed") - 2.0).abs() < 1e-12
    );
    assert!((seen.last("sprag.loss") - 0.5 * (2.0 / 3.0) * 36.0).abs() < 1e-12);
}

/// A back stop holds a load that a motor has lifted: the rotor never turns backwards.
#[test]
fn a_back_stop_holds_what_was_lifted() {
    let pulse =
        signal(SignalKind::Pulse, &[("height", 9.0), ("start", 0.0), ("width", 1.0), ("period", 0.0)]);
    let parts = [
        ("drum", rotor(2.0, 0.0)),
        ("pawl", part(PartKind::Freewheel, &[]).naming("between", &["ground", "drum"])),
        ("load", part(PartKind::Torque, &[("value", -3.0)]).naming("on", &["drum"])),
        ("motor", part(PartKind::Torque, &[]).naming("on", &["drum"]).holding("value", pulse)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 6.0, 0.01);
    // Up with 3 rad/s² for a second, then down at 1.5 rad/s² to rest at t = 3.
    assert!((seen.last("drum.angle") - (1.5 + 3.0)).abs() < 1e-9, "{}", seen.last("drum.angle"));
    assert!(seen.last("drum.speed") == 0.0 && (seen.last("pawl.torque") - 3.0).abs() < 1e-9);
    assert!(seen.imbalance() < 1e-9);
}

/// A ball that falls from the height `h` bounces until `t = √(2h/g) (1 + e)/(1 − e)` and rests from then on.
#[test]
fn a_bouncing_ball_rests_after_the_time_of_zeno() {
    let (h, g, m) = (1.0, 9.81, 0.7);
    for e in [0.0, 0.5, 0.8] {
        let parts = [
            ("ball", mass(m, h, 0.0)),
            ("weight", force("ball", -m * g)),
            ("floor", stop("ground", "ball", 0.0, e)),
        ];
        let fall = (2.0 * h / g).sqrt();
        let end = fall * (1.0 + e) / (1.0 - e);
        let seen = watch(&assemble(&parts).unwrap(), end + 1.0, 0.01);
        let rest = seen.trajectory.events.last().unwrap().t;
        // What the last bounces would still take, below the speed at which it stays.
        assert!((rest - end).abs() < 1e-6, "{e}: {rest} against {end}");
        assert!(seen.last("ball.v") == 0.0 && seen.last("ball.q").abs() < 1e-9, "{e}");
        assert!((seen.last("floor.force") - m * g).abs() < 1e-9);
        assert!((seen.last("floor.loss") - m * g * h).abs() < 1e-7 && seen.imbalance() < 1e-8);
        assert!(seen.all("ball.q").iter().all(|q| *q > -1e-9));
    }
}

/// Newton's cradle of two: with `e = 1` bodies of equal mass exchange their velocities.
#[test]
fn equal_masses_exchange_their_velocities() {
    let parts = [("a", mass(2.0, 0.0, 3.0)), ("b", mass(2.0, 1.0, 0.0)), ("hit", stop("a", "b", 0.0, 1.0))];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.01);
    assert!((seen.trajectory.events[0].t - 1.0 / 3.0).abs() < 1e-12);
    assert!(seen.last("a.v").abs() < 1e-12 && (seen.last("b.v") - 3.0).abs() < 1e-12);
    assert!((seen.last("b.q") - 3.0).abs() < 1e-11 && seen.imbalance() < 1e-12);
}

/// A block pressed against a stop stays there as long as it is pressed, and leaves it without a blow.
#[test]
fn a_body_leaves_its_stop_when_it_is_pulled_off() {
    let sine = signal(SignalKind::Sine, &[("amplitude", 4.0), ("frequency", 1.0 / std::f64::consts::TAU)]);
    let parts = [
        ("block", mass(2.0, 0.0, 0.0)),
        ("push", part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", sine)),
        ("wall", stop("block", "ground", 0.0, 0.3)),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 6.0, 0.01);
    let pi = std::f64::consts::PI;
    assert!((seen.trajectory.events[0].t - pi).abs() < 1e-9);
    assert!((seen.at("wall.force", 1.0) - 4.0 * 1.0f64.sin()).abs() < 1e-9);
    // From t = π on v = −2 (1 + cos t).
    assert!((seen.last("block.v") + 2.0 * (1.0 + 6.0f64.cos())).abs() < 1e-8);
    assert!(seen.imbalance() < 1e-9);
}

/// A rotor between two rigid stops, struck once: it runs to and fro at `ω eⁿ`, and the angle between blows is the play.
#[test]
fn a_rotor_between_hard_stops_loses_its_speed_blow_by_blow() {
    let (play, e, w) = (0.4, 0.6, 2.0);
    let stop = |a: &str, b: &str| {
        part(PartKind::RotaryHardStop, &[("at", play / 2.0), ("restitution", e)]).naming("between", &[a, b])
    };
    let parts = [("key", rotor(0.3, w)), ("front", stop("key", "ground")), ("back", stop("ground", "key"))];
    let seen = watch(&assemble(&parts).unwrap(), 3.0, 0.01);
    let mut expected = play / 2.0 / w;
    for (n, event) in seen.trajectory.events.iter().enumerate().take(4) {
        assert!((event.t - expected).abs() < 1e-12 * (1.0 + expected), "{n}: {} {expected}", event.t);
        expected += play / (w * e.powi(n as i32 + 1));
    }
    let blows = seen.trajectory.events.len() as i32;
    assert!((seen.last("key.speed").abs() - w * e.powi(blows)).abs() < 1e-12);
    assert!(seen.all("key.angle").iter().all(|angle| angle.abs() <= play / 2.0 + 1e-12));
    assert!(seen.imbalance() < 1e-12 && seen.has("front.torque"));
}

/// On an elastic stop a rotor turns round within half a period, `π √(J/k)`, and comes off as fast as it came.
#[test]
fn a_rotor_bounces_off_an_elastic_stop() {
    let (inertia, k, w, at) = (0.2, 500.0, 3.0, 0.6);
    let parts = [
        ("arm", rotor(inertia, w)),
        ("end", part(PartKind::RotaryStop, &[("at", at), ("k", k)]).naming("between", &["arm", "ground"])),
    ];
    let seen = watch(&assemble(&parts).unwrap(), 0.5, 0.001);
    let events: Vec<f64> = seen.trajectory.events.iter().map(|e| e.t).collect();
    assert!((events[0] - at / w).abs() < 1e-9, "{events:?}");
    assert!((events[1] - events[0] - std::f64::consts::PI * (inertia / k).sqrt()).abs() < 1e-8, "{events:?}");
    let deepest = seen.all("end.torque").iter().fold(0.0_f64, |m, x| m.max(*x));
    assert!((deepest - w * (k * inertia).sqrt()).abs() < 0.01 * deepest);
    assert!((seen.last("arm.speed") + w).abs() < 1e-8 && seen.imbalance() < 1e-9);
}

/// The period of a rotor on a hardening spring, `4 ∫ dφ/ω` over a quarter: 2π/√(k/J) · 2/π · ∫ dθ/√(1 + ε(1 + sin²θ)/2), with
/// ε = k₃ A²/k.
#[test]
fn a_rotor_on_a_hardening_spring_swings_in_the_known_time() {
    let (inertia, k, k3, top) = (0.1, 20.0, 80.0, 0.7_f64);
    let spring = part(PartKind::TorsionCubicSpring, &[("k", k), ("cubic", k3)]);
    let parts = [
        ("hub", part(PartKind::Rotor, &[("inertia", inertia), ("angle", top)])),
        ("spring", spring.naming("between", &["hub", "ground"])),
    ];
    let epsilon = k3 * top * top / k;
    let count = 2000;
    let mean = (0..count).fold(0.0, |sum, i| {
        let theta = (f64::from(i) + 0.5) / f64::from(count) * std::f64::consts::FRAC_PI_2;
        sum + 1.0 / (1.0 + epsilon * (1.0 + theta.sin().powi(2)) / 2.0).sqrt()
    }) / f64::from(count);
    let period = std::f64::consts::TAU * (inertia / k).sqrt() * mean;
    let seen = watch(&assemble(&parts).unwrap(), period, period / 4.0);
    assert!((seen.last("hub.angle") - top).abs() < 1e-8, "{}", seen.last("hub.angle"));
    assert!((seen.at("hub.angle", period / 2.0) + top).abs() < 1e-8);
    assert!((seen.at("spring.torque", 0.0) - (k * top + k3 * top.powi(3))).abs() < 1e-12);
}
