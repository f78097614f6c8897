//! Friction that is not the same in both directions, and a force beside it, against closed forms.

use crate::couplings::{Seen, assemble, signal, watch};
use crate::mechanisms::{law, part};
use bristle_core::{Dual, partial, seed};
use bristle_law::LawKind;
use bristle_mech::{MechError, PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Point};

const FACTOR: f64 = 0.5;
const OFFSET: f64 = 1.0;

/// A floor that rubs by half as much backwards, pushes back with a newton, and drags differently.
fn floor(rough: Spec) -> Spec {
    let numbers = [("backward", FACTOR), ("offset", OFFSET), ("viscous", 3.0), ("viscous_backward", 5.0)];
    part(PartKind::Contact, &numbers).naming("between", &["block", "ground"]).holding("law", rough)
}

/// A block of 2 kg on such a floor, pushed by a force that grows.
fn pushed(rough: Spec, slope: f64) -> System {
    let push = part(PartKind::Force, &[]).naming("on", &["block"]);
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 2.0)])),
        ("push", push.holding("signal", signal(SignalKind::Ramp, &[("slope", slope)]))),
        ("pad", floor(rough)),
    ];
    assemble(&parts).unwrap()
}

/// A block between a belt and a spring: at the end the spring bears what the belt drags it with.
fn dragged(rough: Spec, v: f64) -> Seen {
    let mut pad = floor(rough);
    pad.names = vec![("between".to_owned(), vec!["block".to_owned(), "belt".to_owned()])];
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 1.0)])),
        ("belt", part(PartKind::Drive, &[("v", v)])),
        ("tie", part(PartKind::Spring, &[("k", 1e3)]).naming("between", &["block", "ground"])),
        ("damper", part(PartKind::Damper, &[("d", 30.0)]).naming("between", &["block", "ground"])),
        ("pad", pad),
    ];
    watch(&assemble(&parts).unwrap(), 3.0, 0.01)
}

/// It breaks away forwards where the push has reached `F_s + F_o`, backwards where it has reached `F_s s₋ − F_o`; then it slides
/// with what is left of the push.
#[test]
fn limits_at_rest_differ_by_direction() {
    let rough = || law(LawKind::Coulomb, &[("mu_s", 4.0), ("mu_d", 3.0)]);
    for (slope, limit, kinetic, drag) in [(1.0, 5.0, 4.0, 3.0), (-1.0, 1.0, 0.5, 5.0)] {
        let system = pushed(rough(), slope);
        let seen = watch(&system, limit + 0.4, 0.01);
        assert!((seen.trajectory.events[0].t - limit).abs() < 1e-9, "{:?}", seen.trajectory.events);
        // m v̇ = |push| − kinetic − d v, in the direction of sliding.
        let (a, tau) = (limit - kinetic, 2.0 / drag);
        let t = 0.4;
        let expected = a / drag * (1.0 - (-t / tau).exp()) + (t - tau * (1.0 - (-t / tau).exp())) / drag;
        assert!((seen.last("block.v") * slope - expected).abs() < 1e-8, "{slope}");
        assert!((seen.last("pad.force") * slope - kinetic - drag * expected).abs() < 1e-7);
        assert!(seen.imbalance() < 1e-8);
    }
}

/// A block that is let go at rest under an offset above its limit is set in motion by it.
#[test]
fn an_offset_above_the_limit_moves_a_block_from_rest() {
    let rough = law(LawKind::Coulomb, &[("mu_s", 1.5), ("mu_d", 1.0)]);
    let parts = [("block", part(PartKind::Mass, &[("mass", 2.0)])), ("pad", floor(rough))];
    let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.01);
    // −1 N against 0.75 N at rest and 0.5 N in motion, with 5 N s/m.
    let expected = -0.5 / 5.0 * (1.0 - (-5.0f64 / 2.0).exp());
    assert!((seen.last("block.v") - expected).abs() < 1e-9 && seen.imbalance() < 1e-9);
    // The offset drives: the loss of the contact is negative.
    assert!(seen.last("pad.loss") < 0.0);
}

/// Steady sliding bears `F_d` forwards and `s₋ F_d` backwards, whatever the law, with its drag and the offset.
#[test]
fn bristles_and_curves_slide_at_the_level_of_their_direction() {
    let bristle = [("mu_d", 4.0), ("mu_s", 4.0), ("sigma0", 1e4), ("sigma1", 50.0)];
    let laws = [
        law(LawKind::LuGre, &bristle),
        law(LawKind::Dahl, &[("mu_d", 4.0), ("sigma0", 1e4)]),
        law(LawKind::Threlfall, &[("mu_d", 4.0)]),
        law(LawKind::Coulomb, &[("mu_d", 4.0), ("mu_s", 4.0)]),
    ];
    for rough in laws {
        let name = rough.kind.clone();
        // A belt that moves forwards lets the block slide backwards on it.
        for (v, slip, level, drag) in [(0.2, -0.2, -2.0, 5.0), (-0.2, 0.2, 4.0, 3.0)] {
            let seen = dragged(rough.clone(), v);
            // Threlfall's curve ends at 1 − e⁻³ of its level.
            let share = if name == "threlfall" { 1.0 - (-3.0f64).exp() } else { 1.0 };
            let expected = share * level + drag * slip + OFFSET;
            let found = seen.last("pad.force");
            assert!((found - expected).abs() < 4e-6, "{name} at {v}: {found}, not {expected}");
            assert!((seen.last("block.q") * 1e3 + found).abs() < 1e-5 && seen.imbalance() < 1e-8, "{name}");
        }
    }
}

/// A block that swings to and fro turns round at events of its contact, also under a law that needs none by itself.
#[test]
fn a_curve_that_differs_by_direction_turns_at_events() {
    let rough = law(LawKind::Threlfall, &[("mu_d", 0.5), ("v_r", 0.01)]);
    let swing = |pad: Spec| {
        let parts = [
            ("block", part(PartKind::Mass, &[("mass", 1.0), ("q", 1.0)])),
            ("tie", part(PartKind::Spring, &[("k", 40.0)]).naming("between", &["block", "ground"])),
            ("pad", pad.naming("between", &["block", "ground"]).holding("law", rough.clone())),
        ];
        watch(&assemble(&parts).unwrap(), 2.0, 0.01)
    };
    let even = swing(part(PartKind::Contact, &[]));
    let uneven = swing(part(PartKind::Contact, &[("backward", 3.0)]));
    assert!(even.trajectory.events.is_empty() && !uneven.trajectory.events.is_empty());
    assert!(uneven.imbalance() < 1e-8);
}

/// What is given but changes nothing leaves every bit as it was.
#[test]
fn neutral_numbers_change_no_bit() {
    let run = |pad: Spec| {
        let rough = law(LawKind::LuGre, &[("mu_d", 2.0), ("mu_s", 3.0), ("sigma0", 1e4)]);
        let parts = [
            ("block", part(PartKind::Mass, &[("mass", 1.0)])),
            ("belt", part(PartKind::Drive, &[("v", 0.05)])),
            ("tie", part(PartKind::Spring, &[("k", 100.0)]).naming("between", &["block", "ground"])),
            ("pad", pad.naming("between", &["block", "belt"]).holding("law", rough)),
        ];
        let seen = watch(&assemble(&parts).unwrap(), 1.0, 0.01);
        seen.all("block.q").to_vec()
    };
    let neutral = [("backward", 1.0), ("offset", 0.0), ("viscous", 0.0)];
    assert_eq!(run(part(PartKind::Contact, &[])), run(part(PartKind::Contact, &neutral)));
}

/// Exact derivatives by what differs: of the rate of the block by factor, offset and drag.
#[test]
fn derivatives_reach_what_differs_by_direction() {
    let rough = law(LawKind::Coulomb, &[("mu_s", 4.0), ("mu_d", 3.0)]);
    let system = pushed(rough, 0.0);
    let names = ["pad.backward", "pad.offset", "pad.viscous", "pad.viscous_backward", "pad.law.mu_d"];
    let places = names.map(|name| system.param(name).unwrap());
    let mut state = system.initial(system.params());
    let v = system.state_name(1);
    assert_eq!(v, "block.v");
    for (speed, expected) in [(0.2, [0.0, -0.5, -0.1, 0.0, -0.5]), (-0.2, [1.5, -0.5, 0.0, 0.1, 0.25])] {
        state.x[1] = speed;
        state.mode = Vec::new();
        system.start(system.params(), &mut state);
        let lifted = |values: &[f64]| values.iter().map(|x| Dual::<5>::from(*x)).collect::<Vec<_>>();
        let (x, mut p) = (lifted(&state.x), lifted(system.params()));
        for (i, place) in places.iter().enumerate() {
            p[*place] = seed(system.params()[*place], i);
        }
        let mut dx = vec![Dual::<5>::from(0.0); system.dim()];
        system.rates(Point { t: 0.0.into(), x: &x, p: &p, mode: &state.mode }, &mut dx);
        for (i, expected) in expected.iter().enumerate() {
            assert!((partial(&dx[1], i) - expected).abs() < 1e-12, "{} at {speed}", names[i]);
        }
    }
}

/// Laws whose elements yield one by one would jump at rest; an offset is what they take.
#[test]
fn a_factor_is_refused_where_the_force_would_jump() {
    for kind in [LawKind::Gms, LawKind::MaxwellSlip, LawKind::SimpackLike, LawKind::ElastoPlastic] {
        let with = |numbers: &[(&str, f64)]| {
            let pad = part(PartKind::Contact, numbers).naming("between", &["block", "ground"]);
            let block = part(PartKind::Mass, &[("mass", 1.0)]);
            assemble(&[("block", block), ("pad", pad.holding("law", law(kind, &[])))])
        };
        let refused = with(&[("backward", 0.8)]).err();
        assert!(
            matches!(&refused, Some(MechError::Misfit { field: "backward", hint, .. }) if hint.contains("offset")),
            "{}: {refused:?}",
            kind.card().name
        );
        assert!(with(&[("offset", 0.1), ("viscous", 1.0), ("viscous_backward", 2.0)]).is_ok());
    }
    for &kind in LawKind::ALL {
        let pad = part(PartKind::Contact, &[("backward", 0.8)]).naming("between", &["block", "ground"]);
        let block = part(PartKind::Mass, &[("mass", 1.0)]);
        let answer = assemble(&[("block", block), ("pad", pad.holding("law", law(kind, &[])))]);
        println!("{:20} {}", kind.card().name, if answer.is_ok() { "differs" } else { "offset only" });
    }
}
