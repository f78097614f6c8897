//! The tension at an end is what hangs there, not what the last element carries in its middle.

use crate::common::*;
use bristle_cable::*;

/// A rope that hangs at rest from its top, with a mass below.
fn hanging(elements: usize, top: Support) -> (CableSystem, CableState) {
    let cable = FlexibleCable {
        elements,
        ea: 1e4,
        ei: 1e-2,
        damping_of: CableDamping::Strain,
        ends: [
            EndCondition { support: top, ..EndCondition::default() },
            EndCondition { mass: 0.5, ..EndCondition::default() },
        ],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let h = system.cable().element_length();
    let mut state = system.state((0..=elements).map(|i| [0.0, -h * i as f64, 0.0, -1.0]).collect()).unwrap();
    Statics::default().solve(&system, &mut state).unwrap();
    (system, state)
}

/// `(m + ρA L) g` at the top and `m g` at the mass, for any number of elements: the residual left at rest is 2e-6 N.
#[test]
fn a_hanging_rope_pulls_with_its_whole_weight() {
    for elements in [1, 2, 5, 40] {
        let (system, state) = hanging(elements, Support::Pinned);
        let cable = system.cable();
        let [top, bottom] = end_tension(&system, &state);
        close(top, (0.5 + cable.density * cable.length) * 9.81, 1e-6, 0.0, "top");
        close(bottom, 0.5 * 9.81, 1e-6, 0.0, "bottom");
    }
}

/// A rope that swings after its top: the error falls with the square of the element length, or faster; that of the
/// force carried by the first element only with the length itself.
#[test]
fn the_tension_of_a_swinging_rope_converges_with_order_two() {
    let tensions = |elements: usize| -> Vec<[f64; 2]> {
        let aside = CableSignal::Cycloid { amplitude: 0.8, duration: 0.8 };
        let (system, start) = hanging(elements, Support::Moving([aside, CableSignal::default()]));
        let settings = GeneralisedAlpha { step: 1e-4, newton_tolerance: 1e-9, ..GeneralisedAlpha::default() };
        let mut run = GeneralisedAlphaRun::new(&system, settings, start).unwrap();
        let mut at = |t: f64| {
            run.advance_to(t).unwrap();
            [end_tension(&system, &run.state)[0], carried(&system, &run.state.q)[0]]
        };
        (1..=16).map(|i| at(0.05 * f64::from(i))).collect()
    };
    let exact = tensions(64);
    let error = |found: &[[f64; 2]], i: usize| {
        let squares = found.iter().zip(&exact).map(|(a, b)| (a[i] / b[0] - 1.0).powi(2));
        (squares.sum::<f64>() / 16.0).sqrt()
    };
    let runs = [4, 8, 16].map(tensions);
    let [ends, middles] = [0, 1].map(|i| [0, 1, 2].map(|k| error(&runs[k], i)));
    let order = |e: [f64; 3]| 0.5 * (e[0] / e[2]).log2();
    println!("ends {ends:?}, order {:.2}; middles {middles:?}, order {:.2}", order(ends), order(middles));
    assert!(order(ends) > 1.9 && ends[2] < 5e-4, "{ends:?}");
    assert!((order(middles) - 1.0).abs() < 0.1, "{middles:?}");
}
