//! Static shapes against catenary, elastica and the rolled-up beam.

use crate::common::*;
use bristle_cable::*;
use std::f64::consts::{PI, TAU};

#[test]
fn an_elastic_catenary_from_a_poor_guess() {
    let expected = floats(&reference("CATENARY")["value"]);
    let mut sags = Vec::new();
    for n in [16, 32, 64] {
        let pinned = EndCondition { support: Support::Pinned, ..EndCondition::default() };
        let cable = FlexibleCable {
            elements: n,
            ei: 1e-6,
            ends: [pinned.clone(), pinned.clone()],
            ..FlexibleCable::default()
        };
        let system = CableSystem::new(cable).unwrap();
        let path = Path::through(system.cable(), &[Waypoint::Point([0.0, 0.0]), Waypoint::Point([1.2, 0.0])]);
        let mut state = system.state(path.lay(system.cable()).unwrap()).unwrap();
        Statics::default().solve(&system, &mut state).unwrap();
        sags.push(-state.q[n / 2][1]);
        if n == 64 {
            close(-state.q[n / 2][1], expected[1], 1e-5, 0.0, "sag");
            // The support's reaction is what an unsupported end lacks.
            let loose = FlexibleCable { ends: <[EndCondition; 2]>::default(), ..system.cable().clone() };
            let mut assembly = Assembly::new(n + 1);
            let z = state.z.clone();
            let w = Weights { mass: 0.0, speed: 0.0, place: 1.0, dt: 0.0 };
            CableSystem::new(loose).unwrap().assemble(&mut state, &z, w, ActiveFriction::Off, &mut assembly);
            let [x, y, ..] = assembly.tri.rhs[0];
            close(x.abs(), expected[0], 1e-5, 0.0, "horizontal force");
            close(x.hypot(y), expected[2], 1e-5, 0.0, "support tension");
        }
    }
    let rate = ((sags[0] - expected[1]) / (sags[1] - expected[1])).abs().log2();
    assert!(rate > 2.5, "observed order {rate}");
}

/// A cantilever under a transverse end load, `P L²/EI` from 1 to 10, with `L = EI = 1`.
#[test]
fn the_elastica() {
    for load in ["1.0", "2.0", "5.0", "10.0"] {
        for (n, ea, id, tolerance, scale) in [
            (64, 1e7, format!("ELASTICA-{load}"), 2e-6, 1.0),
            (8, 1e5, format!("ELASTICA-{load}-n8"), 1e-6, 0.0),
        ] {
            let force = [CableSignal::Constant(0.0), CableSignal::Constant(load.parse().unwrap())];
            let cable = FlexibleCable {
                length: 1.0,
                elements: n,
                ea,
                ei: 1.0,
                density: 1.0,
                gravity: 0.0,
                ends: [
                    EndCondition {
                        support: Support::Some([true, true, false, true]),
                        ..EndCondition::default()
                    },
                    EndCondition { force, ..EndCondition::default() },
                ],
                ..FlexibleCable::default()
            };
            let system = CableSystem::new(cable).unwrap();
            let q = (0..=n).map(|i| [i as f64 / n as f64, 0.0, 1.0, 0.0]).collect();
            let mut state = system.state(q).unwrap();
            Statics::default().solve(&system, &mut state).unwrap();
            let expected = floats(&reference(&id)["value"]);
            close(1.0 - state.q[n][0], expected[0], tolerance, scale, &id);
            close(state.q[n][1], expected[1], tolerance, scale, &id);
        }
    }
}

/// Bent into a full circle, a slender beam holds the end moment `2π EI/L`: the circle is an equilibrium of the
/// linear bending measure up to the stretch `M²/(EI EA)`.
#[test]
fn a_beam_rolls_up() {
    let n = 32;
    for (strain, ea, tolerance) in [(Strain::Green, 1e6, 1e-4), (Strain::Engineering, 1e5, 1e-4)] {
        let clamp = EndCondition { support: Support::Clamped, ..EndCondition::default() };
        let cable = FlexibleCable {
            length: TAU,
            elements: n,
            ea,
            ei: 1.0,
            density: 1.0,
            gravity: 0.0,
            strain,
            ends: [clamp.clone(), clamp],
            ..FlexibleCable::default()
        };
        let system = CableSystem::new(cable).unwrap();
        // Flattened circle as a guess; both clamps meet at the bottom.
        let q = (0..=n)
            .map(|i| {
                let s = TAU * i as f64 / n as f64;
                [s.sin() * 1.05, 1.0 - s.cos() * 0.95 - 0.05, s.cos() * 1.05, s.sin() * 0.95]
            })
            .collect::<Vec<_>>();
        let mut state = system.state(q).unwrap();
        state.q[0] = [0.0, 0.0, 1.0, 0.0];
        state.q[n] = [0.0, 0.0, 1.0, 0.0];
        Statics::default().solve(&system, &mut state).unwrap();
        close(state.q[n / 2][1], 2.0, tolerance, 0.0, "top of the circle");
        close(energy(&system, &state).strain, PI, 2e-4, 0.0, "bending energy");
    }
}
