//! Elements with states and switches of their own.

use crate::mechanisms::{law, part, run};
use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Output, Trajectory};

fn assemble(parts: Vec<(&str, Spec)>) -> System {
    let parts: Vec<(String, Spec)> = parts.into_iter().map(|(name, spec)| (name.to_owned(), spec)).collect();
    System::assemble(&parts).unwrap()
}

fn column(system: &System, run: &Trajectory, name: &str) -> Vec<f64> {
    let place = system.channels().iter().position(|c| c.name == name).unwrap();
    system.columns(system.params(), &run.samples, 0..run.samples.len()).swap_remove(place)
}

/// What the energy balance leaves.
fn imbalance(system: &System, run: &Trajectory) -> f64 {
    let [kinetic, potential, input, loss] =
        ["kinetic", "potential", "input", "loss"].map(|name| column(system, run, &format!("energy.{name}")));
    let total = |i: usize| kinetic[i] + potential[i] - input[i] + loss[i];
    (0..kinetic.len()).map(|i| (total(i) - total(0)).abs()).fold(0.0, f64::max)
}

/// Between two elastic stops at distance `L` a body goes to and fro with the period `2L/v + 2π√(m/k)`.
#[test]
fn a_body_between_elastic_stops_has_its_period() {
    let (m, v, gap, k): (f64, f64, f64, f64) = (0.5, 2.0, 0.3, 800.0);
    let stop =
        |names: [&str; 2]| part(PartKind::Stop, &[("at", gap / 2.0), ("k", k)]).naming("between", &names);
    let system = assemble(vec![
        ("ball", part(PartKind::Mass, &[("mass", m), ("v", v)])),
        ("right", stop(["ball", "ground"])),
        ("left", stop(["ground", "ball"])),
    ]);
    let period = 2.0 * gap / v + 2.0 * std::f64::consts::PI * (m / k).sqrt();
    let run = run(&system, 1e-11, 10.0 * period, &Output::Grid { step: period / 100.0 });
    let (q, speed) = (column(&system, &run, "ball.q"), column(&system, &run, "ball.v"));
    assert!(q.last().unwrap().abs() < 1e-8 && (speed.last().unwrap() - v).abs() < 1e-8, "{q:?}");
    assert!(imbalance(&system, &run) < 1e-9);
    // Each of the two blows of a period begins and ends.
    assert_eq!(run.events.len(), 40);
    let hardest = column(&system, &run, "right.force").into_iter().fold(0.0, f64::max);
    assert!(hardest <= v * (m * k).sqrt() + 1e-9 && hardest > 0.95 * v * (m * k).sqrt());
}

/// A stop with damping takes energy out of every blow and never pulls.
#[test]
fn a_damped_stop_never_pulls() {
    let stop = part(PartKind::Stop, &[("at", 0.1), ("k", 1e4), ("damping", 0.5)]);
    let system = assemble(vec![
        ("ball", part(PartKind::Mass, &[("mass", 1.0)])),
        ("push", part(PartKind::Force, &[("value", 10.0)]).naming("on", &["ball"])),
        ("wall", stop.naming("between", &["ball", "ground"])),
    ]);
    let run = run(&system, 1e-10, 20.0, &Output::Grid { step: 0.001 });
    assert!(column(&system, &run, "wall.force").iter().all(|f| *f >= 0.0));
    let (q, loss) = (column(&system, &run, "ball.q"), column(&system, &run, "energy.loss"));
    assert!(loss.windows(2).all(|w| w[1] >= w[0] - 1e-12) && imbalance(&system, &run) < 1e-8);
    // It comes to rest against the wall, which is pressed in by F/k.
    assert!((q.last().unwrap() - 0.1 - 10.0 / 1e4).abs() < 1e-5, "{}", q.last().unwrap());
}

/// The integral of a controller takes over a constant load: the error goes to zero, `K_i ∫e = −F`.
#[test]
fn an_integral_part_leaves_no_error() {
    let gains = [("position", 0.2), ("kp", 60.0), ("ki", 40.0), ("kd", 20.0)];
    let system = assemble(vec![
        ("slide", part(PartKind::Mass, &[("mass", 1.0)])),
        ("load", part(PartKind::Force, &[("value", -5.0)]).naming("on", &["slide"])),
        ("servo", part(PartKind::Pid, &gains).naming("on", &["slide"])),
    ]);
    let run = run(&system, 1e-11, 40.0, &Output::Grid { step: 0.01 });
    let last = |name: &str| *column(&system, &run, name).last().unwrap();
    assert!(last("servo.error").abs() < 1e-9 && (last("slide.q") - 0.2).abs() < 1e-9);
    assert!((last("servo.integral") - 5.0 / 40.0).abs() < 1e-8 && (last("servo.force") - 5.0).abs() < 1e-8);
    assert!(imbalance(&system, &run) < 1e-8);
}

/// With more friction at rest than in motion the integral winds up until the slide breaks away and overshoots: it hunts.
#[test]
fn a_controlled_slide_with_dry_friction_hunts() {
    let gains = [("position", 0.1), ("kp", 20.0), ("ki", 30.0), ("kd", 8.0)];
    let coulomb = law(LawKind::Coulomb, &[("mu_s", 3.0), ("mu_d", 1.5)]);
    let system = assemble(vec![
        ("slide", part(PartKind::Mass, &[("mass", 1.0)])),
        ("servo", part(PartKind::Pid, &gains).naming("on", &["slide"])),
        (
            "guide",
            part(PartKind::Contact, &[]).naming("between", &["slide", "ground"]).holding("law", coulomb),
        ),
    ]);
    let run = run(&system, 1e-10, 120.0, &Output::Grid { step: 0.01 });
    let (error, speed) = (column(&system, &run, "servo.error"), column(&system, &run, "slide.v"));
    let late = error.len() / 2;
    let crossings = error[late..].windows(2).filter(|w| w[0].signum() != w[1].signum()).count();
    let resting = speed[late..].iter().filter(|v| **v == 0.0).count();
    assert!(crossings >= 4 && resting > error.len() / 8, "{crossings} crossings, {resting} rows at rest");
    assert!(imbalance(&system, &run) < 1e-7);
    // Each slip begins when the controller pushes with the limit of static friction.
    let slips = run.events.iter().filter(|e| e.t > 60.0).count();
    assert!(slips >= 4, "{slips}");
}

/// `m v̇ = −F`, `Ḟ = k v − (k/d) F`: the speed swings with `ω² = k/m − α²` and decays with `α = k/2d`.
#[test]
fn a_body_on_a_maxwell_element_swings_and_relaxes() {
    let (m, v0, k, d): (f64, f64, f64, f64) = (0.5, 2.0, 800.0, 40.0);
    let series = part(PartKind::MaxwellElement, &[("k", k), ("d", d)]);
    let system = assemble(vec![
        ("slide", part(PartKind::Mass, &[("mass", m), ("q", 0.3), ("v", v0)])),
        ("mount", series.naming("between", &["slide", "ground"])),
    ]);
    let run = run(&system, 1e-11, 0.5, &Output::Grid { step: 0.01 });
    let alpha = k / (2.0 * d);
    let omega = (k / m - alpha * alpha).sqrt();
    let [v, force, power] = ["slide.v", "mount.force", "mount.power"].map(|name| column(&system, &run, name));
    for (i, &t) in run.samples.t.iter().enumerate() {
        let (sin, cos) = (omega * t).sin_cos();
        let decay = (-alpha * t).exp();
        assert!((v[i] - v0 * decay * (cos + alpha / omega * sin)).abs() < 1e-9, "{t}");
        assert!((force[i] - v0 * k / omega * decay * sin).abs() < 1e-7 && power[i] == force[i] * v[i], "{t}");
    }
    assert!(imbalance(&system, &run) < 1e-9);
}
