//! Natural frequencies against beam, bar and string theory.

use crate::common::*;
use bristle_cable::*;

fn straight(cable: FlexibleCable, stretch: f64) -> (CableSystem, CableState) {
    let system = CableSystem::new(cable).unwrap();
    let h = system.cable().element_length() * stretch;
    let q = (0..system.cable().nodes()).map(|i| [h * i as f64, 0.0, stretch, 0.0]).collect();
    let state = system.state(q).unwrap();
    (system, state)
}

fn held(mask: [bool; 4], mass: f64) -> EndCondition {
    EndCondition { mass, support: Support::Some(mask), ..EndCondition::default() }
}

/// Fixed–free bar: all transverse coordinates of both ends stay, bending is off, and the two lowest non-zero
/// frequencies are axial.
#[test]
fn axial_frequencies_converge_with_order_six() {
    let mut errors = Vec::new();
    for n in [1, 2, 4, 8, 16] {
        let cable = FlexibleCable {
            elements: n,
            ei: 0.0,
            gravity: 0.0,
            ends: [held([true, false, false, false], 0.0), EndCondition::default()],
            ..FlexibleCable::default()
        };
        let (system, state) = straight(cable, 1.0);
        let found: Vec<f64> =
            frequencies(&system, &state).unwrap().into_iter().filter(|w| *w > 100.0).collect();
        let entry = reference(&format!("AXIAL-n{n}"));
        let expected = floats(&entry["value"]);
        close(found[0], expected[0], 1e-9, 0.0, "first");
        close(found[1], expected[1], 1e-9, 0.0, "second");
        errors.push((found[1] / 10_588.784_561_922_494 - 1.0).abs());
    }
    let rate = (errors[2] / errors[3]).log2();
    assert!((rate - 6.0).abs() < 0.9, "observed order {rate}");
    let cable = FlexibleCable {
        elements: 8,
        ei: 0.0,
        gravity: 0.0,
        ends: [
            held([true, false, false, false], 0.0),
            EndCondition { mass: 10.0, ..EndCondition::default() },
        ],
        ..FlexibleCable::default()
    };
    let (system, state) = straight(cable, 1.0);
    let found = frequencies(&system, &state).unwrap().into_iter().find(|w| *w > 100.0).unwrap();
    close(found, reference("AXIAL-tip")["value"].as_f64().unwrap(), 1e-8, 0.0, "with tip mass");
}

#[test]
fn cantilever_bending_converges_with_order_four() {
    let expected = floats(&reference("BEND")["value"]);
    let mut errors = Vec::new();
    for n in [4, 8, 32] {
        let cable = FlexibleCable {
            elements: n,
            gravity: 0.0,
            ends: [held([true, true, false, true], 0.0), EndCondition::default()],
            ..FlexibleCable::default()
        };
        let (system, state) = straight(cable, 1.0);
        let found = frequencies(&system, &state).unwrap();
        errors.push((found[2] / expected[2] - 1.0).abs());
        if n == 32 {
            for k in 0..3 {
                close(found[k], expected[k], 3e-6, 0.0, "bending");
            }
        }
    }
    let rate = (errors[0] / errors[1]).log2();
    assert!((rate - 4.0).abs() < 0.5, "observed order {rate}");
}

#[test]
fn a_tensioned_beam() {
    let expected = floats(&reference("TENSION-BEAM")["value"]);
    // EA ε |r'| = T: the stretch that carries the tension in Green strain.
    let mut stretch = 1.0f64;
    for _ in 0..50 {
        stretch = (1.0 + 2.0 * 98.1 / 9.2e6 / stretch).sqrt();
    }
    let cable = FlexibleCable {
        elements: 32,
        gravity: 0.0,
        ends: [held([true, true, false, false], 0.0), held([true, true, false, false], 0.0)],
        ..FlexibleCable::default()
    };
    let (system, state) = straight(cable, stretch);
    let found = frequencies(&system, &state).unwrap();
    for k in 0..3 {
        close(found[k], expected[k], 1e-6, 0.0, "tensioned beam");
    }
}

/// Bernoulli's hanging chain: `ω_k = (j_k/2) √(g/L)` with the zeros of J₀.
#[test]
fn a_hanging_chain() {
    let expected = floats(&reference("CHAIN")["value"]);
    let cable = FlexibleCable {
        ei: 1e-9,
        ends: [EndCondition { support: Support::Pinned, ..EndCondition::default() }, EndCondition::default()],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let q = (0..41).map(|i| [0.0, -0.05 * f64::from(i), 0.0, -1.0]).collect();
    let mut state = system.state(q).unwrap();
    Statics::default().solve(&system, &mut state).unwrap();
    let found = frequencies(&system, &state).unwrap();
    for k in 0..4 {
        close(found[k], expected[k], 5e-7, 0.0, "chain");
    }
}
