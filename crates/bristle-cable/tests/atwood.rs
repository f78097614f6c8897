//! Two masses on a rope over a pulley that turns freely.
//!
//! While the rope does not slip, and with the rope's own weight moving over,
//!
//! ```text
//! (m₁ + m₂ + ρA L + J/R²) s̈ = (m₂ − m₁) g + 2 ρA g s,   s = Δm/(2ρA) (cosh κt − 1)
//! ```

use crate::common::*;
use bristle_cable::*;

fn atwood(damping_of: CableDamping, elements: usize) -> (CableSystem, CableState) {
    let drive = DrumDrive::free(0.08);
    let drum = CableDrum { friction: Friction::quinn(0.5, 0.01), drive, ..CableDrum::new([0.0, 0.0], 0.2) };
    let end = |mass: f64| EndCondition { mass, ..EndCondition::default() };
    let cable = FlexibleCable {
        length: 3.0,
        elements,
        ea: 1e5,
        ei: 1e-3,
        density: 0.05,
        damping_of,
        ends: [end(3.0), end(5.0)],
        drums: vec![drum],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let mut state = system.state(arc_over(system.cable(), 0, 1e-5)).unwrap();
    // Equal tails: the middle is kept until the masses are let go.
    let keep = Some((elements / 2, 0));
    Statics { keep, ..Statics::default() }.solve(&system, &mut state).unwrap();
    (system, state)
}

/// How far the heavy mass sinks in 0.8 s.
fn way(damping_of: CableDamping, elements: usize) -> f64 {
    let (system, start) = atwood(damping_of, elements);
    let before = start.q[elements][1];
    let method = GeneralisedAlpha { step: 1e-3, ..GeneralisedAlpha::default() };
    let mut run = GeneralisedAlphaRun::new(&system, method, start).unwrap();
    run.advance_to(0.8).unwrap();
    before - run.state.q[elements][1]
}

/// 0.62176 m. Half the allowance is met by 60 elements, whose polygon on the pulley is a little shorter than its arc.
#[test]
fn a_running_rope_is_not_braked_by_damping_of_its_strain() {
    let kappa = (0.1f64 * 9.81 / (8.0 + 0.05 * 3.0 + 0.08 / 0.04)).sqrt();
    let expected = 2.0 / 0.1 * ((kappa * 0.8).cosh() - 1.0);
    close(way(CableDamping::Strain, 60), expected, 5e-4, 0.0, "damping of the strain");
    // The published damping turns with the slope: a third of the way is lost to it.
    close(way(CableDamping::Slope, 60), 0.4305, 1e-3, 0.0, "damping of the slope");
}
