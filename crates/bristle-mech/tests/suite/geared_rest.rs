//! Gears with losses that rest beside brakes: what the teeth resist depends on what they carry, and that on what the brakes hold. They
//! let go where everything that would slip is at its limit.

use crate::couplings::{Seen, assemble, signal, watch};
use crate::mechanisms::part;

use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec};

const RATIO: f64 = 10.0;
const FORTH: f64 = 0.8;
const BACK: f64 = 0.6;
const BEARING: f64 = 0.004;

/// A torque on one of two rotors that rises by so much per second.
fn rising(on: &str, from: f64, slope: f64) -> Spec {
    let ramp = signal(SignalKind::Ramp, &[("from", from), ("slope", slope)]);
    part(PartKind::Torque, &[]).naming("on", &[on]).holding("value", ramp)
}

/// A brake that holds `most` N m and rubs with as much.
fn brake(on: &str, most: f64) -> Spec {
    let card = LawKind::Coulomb.card();
    let law = Spec::of(&card).with(&card, "mu_s", 0.4).with(&card, "mu_d", 0.4);
    part(PartKind::Brake, &[("force", most / 0.4 / 0.1), ("radius", 0.1)]).naming("on", &[on]).holding("law", law)
}

/// A motor with a brake of 0.01 N m, a gear, and a load with a brake of 0.15 N m.
fn braked(push: Spec, duration: f64) -> Seen {
    let numbers =
        [("ratio", RATIO), ("efficiency", FORTH), ("back_efficiency", BACK), ("bearing", BEARING)];
    let parts = [
        ("motor", part(PartKind::Rotor, &[("inertia", 1e-3)])),
        ("load", part(PartKind::Rotor, &[("inertia", 0.02)])),
        ("gear", part(PartKind::Gear, &numbers).naming("between", &["motor", "load"])),
        ("hand", brake("motor", 0.01)),
        ("shoe", brake("load", 0.15)),
        ("push", push),
    ];
    watch(&assemble(&parts).unwrap(), duration, 0.01)
}

/// When the load begins to turn.
fn first_turn(seen: &Seen) -> f64 {
    let speeds = seen.all("load.speed");
    let moving = speeds.iter().position(|w| *w != 0.0).unwrap_or(speeds.len());
    seen.trajectory.samples.t[moving - 1]
}

/// The motor has to overcome its brake, and `ψ(g/i) = (g/i + B)/η` in the teeth.
#[test]
fn a_motor_turns_its_load_once_it_overcomes_brakes_and_teeth() {
    let needed = 0.01 + (0.15 / RATIO + BEARING) / FORTH;
    for direction in [1.0, -1.0] {
        let seen = braked(rising("motor", 0.0, direction * 0.02), 2.5);
        let found = first_turn(&seen);
        assert!((found - needed / 0.02).abs() < 1e-8, "{found} against {}", needed / 0.02);
        assert!(seen.last("load.speed") * direction > 0.0 && seen.imbalance() < 1e-8);
    }
}

/// The load has to overcome its brake, and to drive the motor's brake through the teeth: `b = η₂ ((M − g)/i − B)`.
#[test]
fn a_load_turns_its_motor_once_it_overcomes_brakes_and_teeth() {
    let needed = 0.15 + RATIO * (0.01 / BACK + BEARING);
    for direction in [1.0, -1.0] {
        let seen = braked(rising("load", 0.0, direction * 0.2), 2.5);
        let found = first_turn(&seen);
        assert!((found - needed / 0.2).abs() < 1e-8, "{found} against {}", needed / 0.2);
        assert!(seen.last("load.speed") * direction > 0.0 && seen.imbalance() < 1e-8);
    }
}

/// A torque that swings below what it would take moves nothing, however long.
#[test]
fn what_is_held_through_a_gear_rests() {
    let sine = signal(SignalKind::Sine, &[("amplitude", 0.03), ("frequency", 3.0)]);
    let push = part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", sine);
    let seen = braked(push, 2.0);
    assert!(seen.all("load.angle").iter().all(|angle| *angle == 0.0));
}
