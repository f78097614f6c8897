//! The reference values of the belt oscillator and how they are read.

use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_solve::problems::{Belt, belt};
use serde_json::Value;

/// The reference file.
pub fn reference() -> Value {
    serde_json::from_str(include_str!("data/hieu2021.json")).unwrap()
}

/// A number.
pub fn number(v: &Value) -> f64 {
    v.as_f64().unwrap()
}

/// A list of numbers.
pub fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(number).collect()
}

/// The model a reference row is about.
pub fn model(name: &Value) -> Belt {
    if name.as_str() == Some("two") { Belt::two_state() } else { Belt::lugre() }
}

/// The return map at the turning point of the displacement.
pub fn turning_point(belt: &Belt, v_b: f64, shooting: Shooting) -> ReturnMap<'_, Belt> {
    let p = belt.with(&[(belt::V_B, v_b)]);
    let mut start = belt.sliding(&p);
    start[1] = v_b;
    ReturnMap::new(belt, &p, &start, PoincareSection::falling(1, 0.0), shooting).unwrap()
}

/// `|a − b| ≤ tolerance · max(1, |b|)`.
#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} is not {b} within {tolerance:e}");
}
