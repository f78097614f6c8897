//! Shared set-ups and the reference values.

use bristle_cable::*;
use serde_json::Value;
use std::sync::OnceLock;

/// Rounded values of the published parameters.
pub const MU: f64 = 0.25;
pub const EPS: f64 = 0.01;
pub const RADIUS: f64 = 0.25;

pub fn golden() -> &'static Value {
    static VALUE: OnceLock<Value> = OnceLock::new();
    VALUE.get_or_init(|| serde_json::from_str(include_str!("data/golden.json")).unwrap())
}

/// The entry of that name.
pub fn reference(id: &str) -> &'static Value {
    static VALUE: OnceLock<Value> = OnceLock::new();
    let all = VALUE.get_or_init(|| serde_json::from_str(include_str!("data/reference.json")).unwrap());
    &all[id]
}

pub fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Close relative to the larger of the expected value and `scale`.
#[track_caller]
pub fn close(found: f64, expected: f64, tolerance: f64, scale: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * expected.abs().max(scale),
        "{what}: {found} instead of {expected}, off by {error:.2e}"
    );
}

/// The friction of the published variants; 1 is Quinn.
pub fn law(alpha: f64) -> Friction {
    if alpha == 1.0 { Friction::quinn(MU, EPS) } else { Friction::cdq(MU, EPS, alpha).unwrap() }
}

/// The published drum.
pub fn drum(friction: Friction) -> CableDrum {
    CableDrum { friction, ..CableDrum::new([0.0, 0.0], RADIUS) }
}

/// A cable over the published drum, loaded at both ends, resting without friction.
pub fn resting(cable: FlexibleCable) -> (CableSystem, CableState) {
    let system = CableSystem::new(cable).unwrap();
    let mut state = system.state(arc_over(system.cable(), 0, 2e-4)).unwrap();
    Statics::default().solve(&system, &mut state).unwrap();
    (system, state)
}

/// The motorised pulley.
pub fn pulley(length: f64, elements: usize, friction: Friction) -> FlexibleCable {
    let target = CableSignal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    let drum = CableDrum { drive: DrumDrive::Servo { kp: 100.0, kd: 20.0, target }, ..drum(friction) };
    let end = EndCondition { mass: 10.0, ..EndCondition::default() };
    FlexibleCable {
        length,
        elements,
        ends: [end.clone(), end],
        drums: vec![drum],
        ..FlexibleCable::default()
    }
}
