//! The capstan of the published scenario I.

use crate::common::*;
use bristle_cable::*;

/// Loads at both ends, the second raised from the first by a factor.
pub fn capstan(length: f64, gravity: f64, friction: Friction, ratio: f64, duration: f64) -> FlexibleCable {
    let down =
        |signal| EndCondition { force: [CableSignal::Constant(0.0), signal], ..EndCondition::default() };
    let second = CableSignal::Ramp { from: -98.1, to: -98.1 * ratio, start: 0.0, duration };
    FlexibleCable {
        length,
        gravity,
        ends: [down(CableSignal::Constant(-98.1)), down(second)],
        drums: vec![drum(friction)],
        ..FlexibleCable::default()
    }
}

fn limit_ratio(length: f64, elements: usize, gravity: f64, friction: Friction) -> f64 {
    let cable = FlexibleCable { elements, ..capstan(length, gravity, friction, 1.0, 1.0) };
    let system = CableSystem::new(cable).unwrap();
    let mut state = system.state(arc_over(system.cable(), 0, 2e-4)).unwrap();
    Statics { keep: Some((elements / 2, 0)), ..Statics::default() }.solve(&system, &mut state).unwrap();
    LimitLoad::downwards(elements / 2).solve(&system, &mut state).unwrap().load / 98.1
}

#[test]
fn limit_ratios() {
    for (case, length, gravity) in [("L=2", 2.0, 9.81), ("L=4.5", 4.5, 9.81), ("L=2,g=0", 2.0, 0.0)] {
        for alpha in [0.5, 0.75, 0.9, 0.95, 0.99, 1.0] {
            let id = format!("S1-{case}-a{alpha:?}");
            let expected = reference(&id)["value"].as_f64().unwrap();
            close(limit_ratio(length, 40, gravity, law(alpha)), expected, 1e-5, 0.0, &id);
        }
    }
}

/// Contact forces over the drum at equal loads and at slip, for three meshes.
#[test]
fn contact_is_spread_as_in_the_reference() {
    for elements in [20, 40, 60] {
        let entry = reference(&format!("CONTACT-{elements}"));
        let cable = FlexibleCable { elements, ..capstan(2.0, 9.81, law(1.0), 1.0, 1.0) };
        let (system, mut state) = resting(cable);
        for slip in [false, true] {
            if slip {
                LimitLoad::downwards(elements / 2).solve(&system, &mut state).unwrap();
            }
            let names = if slip { ["angle_slip", "N_at_slip"] } else { ["angle", "N_equal_loads"] };
            let [angle, force] = names.map(|name| floats(&entry[name]));
            let found = contacts(&system, &state);
            assert_eq!(found.len(), angle.len(), "{elements} elements");
            for (i, contact) in found.iter().enumerate() {
                close(contact.angle, angle[i], 1e-6, 1.0, "angle");
                close(contact.normal, force[i], 1e-5, 1.0, "contact force");
            }
        }
    }
}

/// Without weight and refined, the finite elements reach the closed form with bending.
#[test]
fn the_limit_converges_to_the_closed_form() {
    for mu in ["0.125", "0.25"] {
        let friction = Friction::quinn(mu.parse().unwrap(), EPS);
        let expected = reference(&format!("CAPSTAN-EI-{mu}"))["value"].as_f64().unwrap();
        close(limit_ratio(1.2, 160, 0.0, friction), expected, 3e-4, 0.0, mu);
    }
}

/// `EA ε` reads low by `EI/R²` on the drum; the reported tension does not.
#[test]
fn tension_on_the_drum_is_corrected() {
    let (system, state) =
        resting(FlexibleCable { elements: 160, ..capstan(2.0, 9.81, Friction::None, 1.0, 1.0) });
    let (low, gap) = (85.114_789_686_071_56, 11.2);
    close(tension(&system, &state)[80], low + gap, 0.01, 0.0, "tension at the crown");
}

/// Held below its limit the cable stays; above it slips (Quinn) or creeps at the closed-form speed (CDQ).
#[test]
fn hold_below_and_creep_above_the_limit() {
    for id in [
        "S1-hold Quinn a1 x0.99",
        "S1-hold CDQ a0.9 x0.99",
        "S1-hold CDQ a0.9 x1.01",
        "S1-hold CDQ a0.5 x1.02",
    ] {
        let entry = reference(id);
        let alpha: f64 = id.split(" a").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let speed = hold_speed(alpha, entry["ratio"].as_f64().unwrap(), 0.01);
        match entry["abs_max"].as_f64() {
            Some(limit) => assert!(speed.abs() < limit, "{id}: {speed}"),
            None => close(speed, entry["value"].as_f64().unwrap(), 0.03, 0.0, id),
        }
    }
}

/// Speed of the holding end 5 s after the second load began its rise of 2 s.
pub fn hold_speed(alpha: f64, ratio: f64, step: f64) -> f64 {
    let (system, state) = resting_capstan(2.0, law(alpha), ratio, 2.0);
    let method = GeneralisedAlpha { step, newton_tolerance: 1e-9, ..GeneralisedAlpha::default() };
    let mut run = GeneralisedAlphaRun::new(&system, method, state).unwrap();
    run.advance_to(5.0).unwrap();
    run.state.v[0][1]
}

/// A capstan at rest under equal loads, which are then raised.
pub fn resting_capstan(
    length: f64,
    friction: Friction,
    ratio: f64,
    duration: f64,
) -> (CableSystem, CableState) {
    resting(capstan(length, 9.81, friction, ratio, duration))
}

/// At one per cent above the limit Quinn's contact slips away.
#[test]
fn quinn_slips_above_the_limit() {
    let expected = floats(&reference("S1-hold Quinn x1.01")["value"]);
    let (system, state) = resting_capstan(2.0, law(1.0), 2.172_214_412_565_057 * 1.01, 2.0);
    let y0 = state.q[0][1];
    let mut run = GeneralisedAlphaRun::new(
        &system,
        GeneralisedAlpha { step: 2e-3, ..GeneralisedAlpha::default() },
        state,
    )
    .unwrap();
    assert_eq!(expected.len(), 3);
    for (t, e) in [2.0, 3.0, 4.0].into_iter().zip(expected) {
        run.advance_to(t).unwrap();
        close(run.state.q[0][1] - y0, e, 0.02, 0.0, "slipped distance");
    }
}
