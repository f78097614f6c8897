//! Several drums, moving ends.

use crate::common::*;
use bristle_cable::*;

fn two_pulleys(drives: [DrumDrive; 2]) -> (CableSystem, CableState) {
    let [first, second] = drives;
    let body = |x: f64, drive| CableDrum {
        drive,
        ..CableDrum { friction: law(0.9), ..CableDrum::new([x, 0.0], 0.2) }
    };
    let end = EndCondition { mass: 5.0, ..EndCondition::default() };
    let cable = FlexibleCable {
        length: 3.0,
        elements: 75,
        ei: 0.1,
        ends: [end.clone(), end],
        drums: vec![body(-0.5, first), body(0.5, second)],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let tail = 0.5 * (3.0 - 1.0 - 0.2 * std::f64::consts::PI);
    let stations = [
        Waypoint::Point([-0.7, -tail]),
        Waypoint::Drum { index: 0, turns: 0 },
        Waypoint::Drum { index: 1, turns: 0 },
        Waypoint::Point([0.7, -tail]),
    ];
    let path = Path::through(system.cable(), &stations);
    close(path.length(), 3.0, 1e-12, 0.0, "length of the path");
    let mut state = system.state(path.lay(system.cable()).unwrap()).unwrap();
    Statics { keep: Some((37, 0)), ..Statics::default() }.solve(&system, &mut state).unwrap();
    (system, state)
}

/// Without friction the tension passes both pulleys, up to the weight of the cable on the way.
#[test]
fn tension_passes_over_two_pulleys() {
    let (system, state) = two_pulleys([DrumDrive::Fixed, DrumDrive::Fixed]);
    let t = tension(&system, &state);
    let weight = 5.0 * 9.81;
    close(t[1], weight, 0.01, 0.0, "first tail");
    close(t[73], weight, 0.01, 0.0, "last tail");
    close(t[37], weight + 0.66 * 0.4555 * 9.81, 0.03, 0.0, "span");
    let touching: Vec<usize> = contacts(&system, &state).iter().map(|c| c.drum).collect();
    assert!(touching.contains(&0) && touching.contains(&1));
}

/// A motor that reverses brings the loads back; the free pulley follows.
#[test]
fn a_reversing_motor_returns_the_loads() {
    let target = CableSignal::ThereAndBack { amplitude: 0.5, duration: 1.0 };
    let servo = DrumDrive::Servo { kp: 400.0, kd: 40.0, target };
    let (system, state) = two_pulleys([servo, DrumDrive::free(0.05)]);
    let y0 = state.q[75][1];
    let mut run = GeneralisedAlphaRun::new(
        &system,
        GeneralisedAlpha { step: 0.01, ..GeneralisedAlpha::default() },
        state,
    )
    .unwrap();
    run.advance_to(1.0).unwrap();
    let lowered = y0 - run.state.q[75][1];
    close(lowered, 0.2 * run.state.spin[0][0], 0.02, 0.0, "lowered with the driven drum");
    close(run.state.spin[1][0], run.state.spin[0][0], 0.02, 0.0, "the free pulley follows");
    run.advance_to(3.0).unwrap();
    assert!((run.state.q[75][1] - y0).abs() < 2e-3, "{}", run.state.q[75][1] - y0);
}

/// A hanging cable whose upper end is moved follows it; the held coordinates are met exactly.
#[test]
fn a_moving_end_leads_the_cable() {
    let lift = CableSignal::Cycloid { amplitude: 0.3, duration: 1.0 };
    let cable = FlexibleCable {
        elements: 10,
        ends: [
            EndCondition {
                support: Support::Moving([CableSignal::default(), lift]),
                ..EndCondition::default()
            },
            EndCondition { mass: 2.0, ..EndCondition::default() },
        ],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let q = (0..11).map(|i| [0.0, -0.2 * f64::from(i), 0.0, -1.0]).collect();
    let mut state = system.state(q).unwrap();
    Statics::default().solve(&system, &mut state).unwrap();
    let y0 = state.q[10][1];
    let mut run = GeneralisedAlphaRun::new(&system, GeneralisedAlpha::default(), state).unwrap();
    run.advance_to(1.5).unwrap();
    assert!((run.state.q[0][1] - 0.3).abs() < 1e-14);
    close(run.state.q[10][1] - y0, 0.3, 1e-4, 0.0, "the mass follows");
}

/// Over a smooth drum the elements carry the end load, less `EI/(2R²)` where the cable is bent to the drum.
#[test]
fn carried_forces_are_smooth_at_the_edge_of_a_drum() {
    let end = EndCondition {
        force: [CableSignal::default(), CableSignal::Constant(-98.1)],
        ..EndCondition::default()
    };
    let cable = FlexibleCable {
        ends: [end.clone(), end],
        drums: vec![drum(Friction::None)],
        gravity: 0.0,
        ..FlexibleCable::default()
    };
    let (system, state) = resting(cable);
    for (i, t) in carried(&system, &state.q).iter().enumerate() {
        assert!(*t < 99.1 && *t > 98.1 - 5.6 - 1.0, "element {i} carries {t}");
    }
    close(carried(&system, &state.q)[0], 98.1, 1e-7, 0.0, "end");
}
