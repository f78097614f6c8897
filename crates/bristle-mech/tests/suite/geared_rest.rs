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
    part(PartKind::Brake, &[("force", most / 0.4 / 0.1), ("radius", 0.1)])
        .naming("on", &[on])
        .holding("law", law)
}

/// A motor with a brake of 0.01 N m, a gear, and a load with a brake of 0.15 N m.
fn braked(push: Spec, duration: f64) -> Seen {
    let numbers = [("ratio", RATIO), ("efficiency", FORTH), ("back_efficiency", BACK), ("bearing", BEARING)];
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

/// A motor that brakes more than the load's own friction makes the load drive it: from there on the motor feels `η₂` of what comes back,
/// and never more than that. Whatever the load, teeth only take power.
#[test]
fn teeth_never_give_power_where_its_flow_turns() {
    for step in 0..24 {
        let held = 0.02 + 0.004 * f64::from(step);
        let sine = signal(SignalKind::Sine, &[("amplitude", 0.1), ("frequency", 1.0)]);
        let numbers = [("ratio", RATIO), ("efficiency", FORTH), ("back_efficiency", BACK)];
        let parts = [
            ("motor", part(PartKind::Rotor, &[("inertia", 1e-3)])),
            ("load", part(PartKind::Rotor, &[("inertia", 0.02)])),
            ("gear", part(PartKind::Gear, &numbers).naming("between", &["motor", "load"])),
            ("shoe", brake("load", held)),
            ("push", part(PartKind::Torque, &[]).naming("on", &["motor"]).holding("value", sine)),
        ];
        let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.01);
        let lost = seen.all("gear.loss");
        assert!(lost.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12), "{held}: {lost:?}");
        // J ω̇ = τ − k g/i with J = J_m + k J_l/i², where k is 1/η or, where the load drives, η₂.
        let (mut apart, mut driven) = (0.0_f64, 0);
        let [modes, rates] = ["gear.mode", "motor.acceleration"].map(|name| seen.all(name));
        let times = &seen.trajectory.samples.t;
        for i in 1..times.len() - 1 {
            // At a switch the acceleration is that of one side or the other.
            if modes[i] == 0.0 || times[i] == times[i - 1] || times[i] == times[i + 1] {
                continue;
            }
            let carried = modes[i] * (0.02 * rates[i] / RATIO + modes[i] * held) / RATIO;
            let k = if carried >= 0.0 { 1.0 / FORTH } else { BACK };
            let push = 0.1 * (std::f64::consts::TAU * times[i]).sin();
            let expected = (push - modes[i] * k * held / RATIO) / (1e-3 + k * 0.02 / RATIO / RATIO);
            apart = apart.max((rates[i] - expected).abs());
            driven += i32::from(carried < 0.0);
        }
        assert!(apart < 1e-6 && driven > 0, "{held}: {apart} in {driven} rows");
    }
}
