//! The order of the generalised-α method where the step keeps changing.

use crate::dynamics::pendulum;
use bristle_cable::*;

/// Step lengths that keep alternating: 1, 2, ½ and 3 times a base.
const PATTERN: [f64; 4] = [1.0, 2.0, 0.5, 3.0];

/// The tip of a short soft cable after whole patterns of steps.
fn tip(system: &CableSystem, start: &CableState, base: f64, end: f64) -> [f64; 2] {
    let method = GeneralisedAlpha { step: 10.0, newton_tolerance: 1e-13, ..GeneralisedAlpha::default() };
    let mut run = GeneralisedAlphaRun::new(system, method, start.clone()).unwrap();
    let rounds = (end / (6.5 * base)).round() as usize;
    let mut t = 0.0;
    for _ in 0..rounds {
        for factor in PATTERN {
            t += factor * base;
            run.advance_to(t).unwrap();
        }
    }
    let tip = run.state.q.last().unwrap();
    [tip[0], tip[1]]
}

/// Without rescaling the algorithmic accelerations at every change of step the order was 1.15.
#[test]
fn alternating_steps_keep_order_two() {
    let (system, start) = pendulum(Strain::Green, 2);
    let end = 0.26;
    let base = 2e-4;
    let best = tip(&system, &start, base / 32.0, end);
    let error = |base: f64| {
        let found = tip(&system, &start, base, end);
        (found[0] - best[0]).hypot(found[1] - best[1])
    };
    let errors = [base, base / 2.0, base / 4.0].map(error);
    let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
    println!("errors {errors:?}, orders {orders:?}");
    assert!(orders.iter().all(|o| (o - 2.0).abs() < 0.1), "{orders:?}");
}
