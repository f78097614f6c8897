//! Input that cannot work says why.

use crate::common::*;
use bristle_cable::*;

#[test]
fn bad_input_is_refused() {
    let none = CableSystem::new(FlexibleCable { elements: 0, ..FlexibleCable::default() });
    assert!(matches!(none, Err(CableError::NoElements { .. })));
    let twice = FlexibleCable {
        drums: vec![drum(Friction::None), CableDrum::new([0.3, 0.0], 0.25)],
        ..FlexibleCable::default()
    };
    assert!(matches!(CableSystem::new(twice), Err(CableError::OverlappingDrums { .. })));
    let inside =
        CableSystem::new(FlexibleCable { drums: vec![drum(Friction::None)], ..FlexibleCable::default() })
            .unwrap();
    let through = (0..41).map(|i| [0.05 * f64::from(i) - 1.0, 0.0, 1.0, 0.0]).collect();
    let found = inside.state(through);
    assert!(matches!(found, Err(CableError::InsideDrum { .. })), "{found:?}");
    assert!(matches!(Friction::cdq(MU, EPS, -0.1), Err(CableError::Sigmoid { .. })));
    assert!(CableSystem::new(FlexibleCable { length: f64::NAN, ..FlexibleCable::default() }).is_err());
    let heavy = CableDrum { friction: Friction::quinn(-1.0, EPS), ..drum(Friction::None) };
    assert!(CableSystem::new(FlexibleCable { drums: vec![heavy], ..FlexibleCable::default() }).is_err());
}

/// A long cable pinned on both sides hangs under the drum it was laid on.
#[test]
fn a_slack_cable_falls_off() {
    let pinned = EndCondition { support: Support::Pinned, ..EndCondition::default() };
    let cable = FlexibleCable {
        length: 4.0,
        ends: [pinned.clone(), pinned],
        drums: vec![drum(Friction::None)],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let q = Path::through(system.cable(), &[Waypoint::Point([-0.6, 0.6]), Waypoint::Point([0.6, 0.6])]);
    let mut state = system.state(q.lay(system.cable()).unwrap()).unwrap();
    let found = Statics { limit: 2000, ..Statics::default() }.solve(&system, &mut state);
    assert!(matches!(found, Err(CableError::FallsOff { .. })), "{found:?}");
}
