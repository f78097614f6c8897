//! Who sticks and who slides, asked at one instant.

use super::*;
use crate::holding::solve_dense;
use crate::{PartKind, SignalKind, Spec};
use bristle_core::Choice;
use bristle_law::LawKind;
use bristle_solve::Dynamics;

fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A contact: its two bodies, its law, static and kinetic friction in newtons. Body 0 is the ground.
type Link = (usize, usize, LawKind, f64, f64);

/// Bodies of these masses and velocities, each pushed by a force, and the contacts between them.
fn mechanism(bodies: &[(f64, f64, f64)], links: &[Link]) -> (System, Vec<f64>, State) {
    let name = |i: usize| if i == 0 { "ground".to_owned() } else { format!("m{i}") };
    let mut parts = Vec::new();
    for (i, &(mass, v, force)) in bodies.iter().enumerate() {
        parts.push((name(i + 1), part(PartKind::Mass, &[("mass", mass), ("v", v)])));
        let card = SignalKind::Constant.card();
        let signal = Spec { numbers: vec![force], ..Spec::of(&card) };
        let push = part(PartKind::Force, &[]).naming("on", &[&name(i + 1)]).holding("signal", signal);
        parts.push((format!("push{i}"), push));
    }
    for (k, &(a, b, kind, mu_s, mu_d)) in links.iter().enumerate() {
        let card = kind.card();
        let mut law = Spec::of(&card).with(&card, "mu_s", mu_s).with(&card, "mu_d", mu_d);
        law.as_forces = true;
        let contact = part(PartKind::Contact, &[]).naming("between", &[&name(a), &name(b)]);
        parts.push((format!("c{k}"), contact.holding("law", law)));
    }
    let system = System::assemble(&parts).unwrap();
    let p = system.params().to_vec();
    let mut state = system.initial(&p);
    state.mode.resize(system.slots, Mode::Stick);
    (system, p, state)
}

fn at<'a>(p: &'a [f64], state: &'a State) -> Point<'a, f64> {
    Point { t: state.t, x: &state.x, p, mode: &state.mode }
}

fn flow(system: &System, p: &[f64], state: &State) -> SystemEval<f64> {
    system.flow(&at(p, state), None)
}

const COULOMB: LawKind = LawKind::Coulomb;

/// A body of one kilogram that nothing moves.
const REST: (f64, f64, f64) = (1.0, 0.0, 0.0);

/// Stick forces of contacts that hold a body twice: the later one carries nothing, whatever the size of the numbers.
#[test]
fn small_systems_are_solved_at_every_scale() {
    for scale in [1e-6, 1.0, 1e6] {
        // Independent.
        let mut g = [2.0, 1.0, 1.0, 3.0].map(|x| x * scale);
        let mut rhs = [4.0, 7.0].map(|x| x * scale);
        solve_dense(&mut g, &mut rhs);
        assert!((rhs[0] - 1.0).abs() < 1e-12 && (rhs[1] - 2.0).abs() < 1e-12, "{rhs:?}");
        // The second is the first again, up to rounding.
        let mut g = [1.0, 1.0, 0.0, 1.0, 1.0 + 1e-14, 0.0, 0.0, 0.0, 2.0].map(|x| x * scale);
        let mut rhs = [3.0, 3.0, 8.0].map(|x| x * scale);
        solve_dense(&mut g, &mut rhs);
        assert_eq!(rhs, [3.0, 0.0, 4.0]);
        // Four that all depend on each other: 4 on the diagonal, 1 elsewhere, and a solution of 1, 2, 3, 4.
        let mut g = [4.0, 1.0, 1.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0, 4.0];
        g = g.map(|x| x * scale);
        let mut rhs = [13.0, 16.0, 19.0, 22.0].map(|x| x * scale);
        solve_dense(&mut g, &mut rhs);
        assert!((0..4).all(|i| (rhs[i] - (i + 1) as f64).abs() < 1e-12), "{rhs:?}");
        let mut single = [scale];
        solve_dense(&mut [scale], &mut single);
        assert_eq!(single, [1.0]);
    }
    // Beside a later row that is larger by fifteen orders of magnitude nothing is left but rounding.
    let mut rhs = [1.0, 1e6];
    solve_dense(&mut [1e-9, 0.0, 0.0, 1e6], &mut rhs);
    assert_eq!(rhs, [0.0, 1.0]);
}

/// The laws that need a direction to be smooth.
fn kinked() -> Vec<LawKind> {
    let is_kinked = |kind: &LawKind| {
        let (system, p, _) = mechanism(&[(1.0, 0.0, 0.0)], &[(1, 0, *kind, 2.0, 1.0)]);
        system.contacts[0].may_stay_open(&p)
    };
    let kinked: Vec<LawKind> = LawKind::ALL.iter().copied().filter(is_kinked).collect();
    assert!(!kinked.is_empty());
    kinked
}

/// What rounding leaves of a slip rate has no direction.
#[test]
fn a_direction_stays_open_where_only_rounding_moves() {
    assert!((open_below(0.0, 0.0) - 1e-11).abs() < 1e-20);
    assert!((open_below(-9.0, 3.0) - 1e-10).abs() < 1e-20);
    let after = |kind: LawKind, a: f64, b: f64| {
        let links = [(1, 0, COULOMB, 2.0, 1.0), (1, 2, kind, 2.0, 1.0)];
        let (system, p, mut state) = mechanism(&[(1.0, a, 0.0), (1.0, b, 0.0)], &links);
        state.mode.fill(Mode::Forward);
        undecide(&system, 1, &p, &mut state);
        assert_eq!(state.mode[0], Mode::Forward, "its neighbour");
        state.mode[1]
    };
    for kind in kinked() {
        for (a, b, mode) in [
            (0.0, 0.0, Mode::Stick),
            (0.5e-12, 0.0, Mode::Stick),
            (2e-12, 0.0, Mode::Forward),
            (-2e-12, 0.0, Mode::Forward),
            (9.0, 9.0, Mode::Stick),
            (9.0, 9.0 + 5e-12, Mode::Stick),
            (9.0, 9.0 + 2e-11, Mode::Forward),
            (1.0, -1.0, Mode::Forward),
        ] {
            assert_eq!(after(kind, a, b), mode, "{kind:?} {a} {b}");
        }
    }
    assert_eq!(after(COULOMB, 0.0, 0.0), Mode::Forward, "a set-valued law has a mode for rest");
}

/// Bodies at rest under a law with a kink: friction acts against the motion that is about to begin.
#[test]
fn a_direction_is_that_of_the_motion_to_come() {
    for kind in kinked() {
        // One that has a direction keeps it until it slides the other way.
        let (system, p, mut state) = mechanism(&[(1.0, 0.0, -3.0)], &[(1, 0, kind, 0.2, 0.1)]);
        state.mode[0] = Mode::Forward;
        resettle(&system, &p, &mut state);
        assert_eq!(state.mode[0], Mode::Forward, "{kind:?}");
        // Both pushed the same way: the slower one slides backwards on the faster one.
        for (first, second, mode) in [
            (3.0, 1.0, Mode::Forward),
            (1.0, 3.0, Mode::Backward),
            (-1.0, -3.0, Mode::Forward),
            (-3.0, -1.0, Mode::Backward),
            (2.0, 2.0, Mode::Forward),
        ] {
            let bodies = [(1.0, 0.0, first), (1.0, 0.0, second)];
            let (system, p, mut state) = mechanism(&bodies, &[(1, 2, kind, 0.2, 0.1)]);
            start(&system, &p, &mut state);
            assert_eq!(state.mode[0], mode, "{kind:?} {first} {second}");
        }
    }
}

/// Velocities that jumped: a contact that slides now slides, whatever its mode says, and one that was left without slip sticks.
#[test]
fn after_a_jump_modes_follow_the_slip_rates() {
    // The slip rate that is its own slack.
    let edge = (0..9).fold(1e-9, |v, _| invariant::slack(v, 0.0));
    assert_eq!(edge, invariant::slack(edge, 0.0));
    for (v, before, after) in [
        (1.0, Mode::Stick, Mode::Forward),
        (-1.0, Mode::Stick, Mode::Backward),
        (0.5 * edge, Mode::Stick, Mode::Stick),
        (edge, Mode::Stick, Mode::Stick),
        (0.0, Mode::Stick, Mode::Stick),
        (1.0, Mode::Backward, Mode::Forward),
        (-1.0, Mode::Forward, Mode::Backward),
        (1.0, Mode::Forward, Mode::Forward),
        (-1.0, Mode::Backward, Mode::Backward),
        (-0.5 * edge, Mode::Forward, Mode::Forward),
        (-edge, Mode::Forward, Mode::Forward),
        (edge, Mode::Backward, Mode::Backward),
        (0.0, Mode::Forward, Mode::Stick),
        (0.0, Mode::Backward, Mode::Stick),
    ] {
        let (system, p, mut state) = mechanism(&[(1.0, v, 0.0)], &[(1, 0, COULOMB, 2.0, 1.0)]);
        state.mode[0] = before;
        resettle(&system, &p, &mut state);
        assert_eq!(state.mode, [after], "{v:e} from {before:?}");
    }
    // Bodies that move together do not slide on each other, and neither does it matter how fast they are.
    for (first, second, mode) in
        [(5.0, 5.0, Mode::Stick), (1.0, 3.0, Mode::Backward), (-1.0, -3.0, Mode::Forward)]
    {
        let bodies = [(1.0, first, 0.0), (1.0, second, 0.0)];
        let (system, p, mut state) = mechanism(&bodies, &[(1, 2, COULOMB, 2.0, 1.0)]);
        resettle(&system, &p, &mut state);
        assert_eq!(state.mode, [mode], "{first} {second}");
        start(&system, &p, &mut state);
        assert_eq!(state.mode, [mode], "{first} {second}");
    }
    // A law with a dead band coasts through it: its mode says stick while it moves.
    let (mut system, p, mut state) = mechanism(&[(1.0, 1e-4, 0.0)], &[(1, 0, LawKind::Karnopp, 2.0, 1.0)]);
    resettle(&system, &p, &mut state);
    assert_eq!(state.mode[0], Mode::Forward);
    system.contacts[0].choices[0] = Choice(1);
    system.contacts[0].coasts = true;
    state.mode.fill(Mode::Stick);
    resettle(&system, &p, &mut state);
    assert_eq!(state.mode[0], Mode::Stick);
}

/// Under every law: what was right before stays, what is wrong now starts anew.
#[test]
fn after_a_jump_no_guard_of_any_law_is_broken() {
    for &kind in LawKind::ALL {
        for v in [1.0, -1.0] {
            let link = [(2, 0, COULOMB, 3.0, 2.0), (1, 0, kind, 2.0, 1.0)];
            let (system, p, mut state) = mechanism(&[(1.0, v, 0.0), (1.0, 0.0, 0.0)], &link);
            start(&system, &p, &mut state);
            let begun = state.clone();
            resettle(&system, &p, &mut state);
            assert_eq!(state, begun, "{kind:?} at {v}: nothing has jumped");
            let contact = &system.contacts[1];
            if contact.elements == 0 {
                continue;
            }
            // The velocity has been turned round.
            let Some(speed) = state.x.iter_mut().find(|x| **x == v) else { panic!("{kind:?}") };
            *speed = -v;
            resettle(&system, &p, &mut state);
            let mut g = vec![0.0; system.slots];
            system.guards(Point { t: 0.0, x: &state.x, p: &p, mode: &state.mode }, &mut g);
            let own = &g[contact.slot..contact.slot + contact.elements];
            assert!(own.iter().all(|g| *g >= 0.0), "{kind:?} from {v}: {own:?} in {:?}", state.mode);
            assert_eq!(state.mode[0], Mode::Stick, "{kind:?}: the neighbour rests");
        }
    }
}

/// A carriage is dragged along by a load on it until that load slides: then it stands again. Two such pairs at once, since
/// one must not be forgotten over the other.
#[test]
fn a_contact_that_was_let_go_in_vain_sticks_again() {
    for size in [1.0, 1e3] {
        let pair = [(2.0, 0.0, 0.0), (0.2, 0.0, 10.0 * size)];
        let links = |first: usize| {
            [(first, 0, COULOMB, size, 0.9 * size), (first + 1, first, COULOMB, 2.0 * size, 0.5 * size)]
        };
        let (system, p, mut state) = mechanism(&[pair, pair].concat(), &[links(1), links(3)].concat());
        settle(&system, &p, &mut state, None);
        assert_eq!(state.mode, [Mode::Stick, Mode::Forward, Mode::Stick, Mode::Forward], "{size}");
        // The same seen from the ground.
        let turned = [links(1), links(3)].concat().into_iter().map(|(a, b, kind, s, d)| (b, a, kind, s, d));
        let (mirror, p_mirror, mut seen) = mechanism(&[pair, pair].concat(), &turned.collect::<Vec<_>>());
        settle(&mirror, &p_mirror, &mut seen, None);
        assert_eq!(seen.mode, [Mode::Stick, Mode::Backward, Mode::Stick, Mode::Backward], "{size}");
        // And where a guard has let the first go.
        state.mode.fill(Mode::Stick);
        settle(&system, &p, &mut state, Some(0));
        assert_eq!(state.mode, [Mode::Stick, Mode::Forward, Mode::Stick, Mode::Forward], "{size}");
    }
}

/// The same where the guard was located just before the limit.
#[test]
fn a_contact_let_go_in_vain_just_below_its_limit_sticks_again() {
    let links = [(1, 0, COULOMB, 10.0 * (1.0 + 1e-9), 0.9), (2, 1, COULOMB, 2.0, 0.5)];
    let (system, p, mut state) = mechanism(&[(2.0, 0.0, 0.0), (0.2, 0.0, 10.0)], &links);
    settle(&system, &p, &mut state, Some(0));
    assert_eq!(state.mode, [Mode::Stick, Mode::Forward]);
}

/// The force that holds two bodies of 2 kg and 4 kg together while one is pushed.
#[test]
fn a_stick_force_shares_the_push_by_the_masses() {
    let (system, p, state) = mechanism(&[(2.0, 0.0, 3.0), (4.0, 0.0, 0.0)], &[(1, 2, COULOMB, 9.0, 9.0)]);
    assert!((flow(&system, &p, &state).touch[0].force - 2.0).abs() < 1e-12);
}

/// Velocities after an inelastic stop, and where the energy went.
#[test]
fn a_lock_conserves_momentum_and_books_the_energy() {
    let speeds = |system: &System, state: &State| -> Vec<f64> {
        let v = |c: &crate::system::Coordinate| match c {
            crate::system::Coordinate::Free { v, .. } => Some(state.x[*v]),
            _ => None,
        };
        system.coordinates.iter().filter_map(v).collect()
    };
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    // 2 kg at 3 m/s catches 1 kg at rest: both go on at 2 m/s, and 9 J − 6 J are lost.
    let bodies = [(2.0, 3.0, 0.0), (1.0, 0.0, 0.0)];
    let (system, p, mut state) = mechanism(&bodies, &[(1, 2, COULOMB, 2.0, 1.0)]);
    state.mode[0] = Mode::Forward;
    lock(&system, 0, &p, &mut state);
    assert!(near(&speeds(&system, &state), &[2.0, 2.0]), "{:?}", speeds(&system, &state));
    assert!(near(&[state.x[system.contacts[0].work], state.x[system.input]], &[3.0, 0.0]));
    assert_eq!(state.mode, [Mode::Stick]);
    // A third body that rests on the first is caught along: 3·4 kg m/s over 4 + 1 kg. The dead band has two elements.
    let bodies = [(3.0, 4.0, 0.0), (1.0, 4.0, 0.0), (4.0, 0.0, 0.0)];
    let links = [(2, 1, COULOMB, 2.0, 1.0), (1, 3, LawKind::Karnopp, 2.0, 1.0)];
    let (system, p, mut state) = mechanism(&bodies, &links);
    state.mode.copy_from_slice(&[Mode::Stick, Mode::Forward, Mode::Forward]);
    assert!(can_lock(&system, 1, &p, &mut state));
    lock(&system, 1, &p, &mut state);
    assert!(near(&speeds(&system, &state), &[2.0; 3]), "{:?}", speeds(&system, &state));
    let works = [0, 1].map(|i| state.x[system.contacts[i].work]);
    assert!((works[0] + works[1] - 16.0).abs() < 1e-12, "{works:?}");
    assert_eq!(state.mode, [Mode::Stick; 3]);
    // A block of 2 kg at 4 m/s loses 12 J to a belt at 2 m/s, which takes 8 J of them.
    let law = Spec { as_forces: true, ..Spec::of(&COULOMB.card()) };
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 2.0), ("v", 4.0)])),
        ("belt", part(PartKind::Drive, &[("v", 2.0)])),
        ("pad", part(PartKind::Contact, &[]).naming("between", &["block", "belt"]).holding("law", law)),
    ];
    let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
    let p = system.params().to_vec();
    let mut state = system.initial(&p);
    state.mode = vec![Mode::Forward];
    lock(&system, 0, &p, &mut state);
    assert!(near(&speeds(&system, &state), &[2.0]));
    assert!(near(&[state.x[system.contacts[0].work], state.x[system.input]], &[4.0, -8.0]), "{:?}", state.x);
}

/// At zero slip rate a contact may always be locked; at the edge of a dead band only if it will hold.
#[test]
fn at_the_edge_of_a_dead_band_only_what_holds_is_locked() {
    for (kind, push, expected) in [
        (COULOMB, 0.0, true),
        (COULOMB, 9.0, true),
        (LawKind::Karnopp, 0.0, true),
        (LawKind::Karnopp, 2.0, true),
        (LawKind::Karnopp, 2.1, false),
        (LawKind::Karnopp, -9.0, false),
    ] {
        let mut links: Vec<Link> = (2..5).map(|body| (body, 0, COULOMB, 2.0, 1.0)).collect();
        links.push((1, 0, kind, 2.0, 1.0));
        let (system, p, mut state) = mechanism(&[(1.0, 1e-3, push), REST, REST, REST], &links);
        state.mode[3..].fill(Mode::Forward);
        assert_eq!(can_lock(&system, 3, &p, &mut state), expected, "{kind:?} under {push}");
        assert_eq!(state.mode[3], Mode::Forward, "not locked yet");
        assert_eq!(state.mode[..3], [Mode::Stick; 3], "its neighbours rest");
    }
}

/// Many contacts at once are all let go.
#[test]
fn any_number_of_overloaded_contacts_is_let_go() {
    let bodies = vec![(1.0, 0.0, -3.0); 20];
    let links: Vec<Link> = (1..=20).map(|i| (i, 0, COULOMB, 2.0, 1.0)).collect();
    let (system, p, mut state) = mechanism(&bodies, &links);
    settle(&system, &p, &mut state, None);
    assert_eq!(state.mode, [Mode::Backward; 20]);
}

/// The time of a break-away is known up to an error: the contact is then let go a little below its limit. Without a jump of
/// friction it would be caught at once, and never leave.
#[test]
fn a_contact_let_go_just_below_its_limit_is_not_caught_again() {
    for mass in [0.01, 1.0, 100.0] {
        for short in [0.0, 1e-9, 1e-5, 1e-3] {
            for size in [1.0, 1e3] {
                let push = size * (1.0 - short);
                let (system, p, mut state) = mechanism(&[(mass, 0.0, push)], &[(1, 0, COULOMB, size, size)]);
                switch(&system, 0, &p, &mut state);
                assert_eq!(state.mode, [Mode::Forward], "{mass} kg, short by {short} of {size}");
            }
        }
    }
}

#[test]
fn a_contact_at_its_limit_holds() {
    for (push, mode) in [
        (0.5, Mode::Stick),
        (1.0, Mode::Stick),
        (1.0 + 1e-12, Mode::Stick),
        (1.0 + 1e-9, Mode::Forward),
        (-1.0 - 1e-9, Mode::Backward),
    ] {
        let (system, p, mut state) = mechanism(&[(1.0, 0.0, push)], &[(1, 0, COULOMB, 1.0, 0.5)]);
        settle(&system, &p, &mut state, None);
        assert_eq!(state.mode, [mode], "{push}");
    }
}

/// Two blocks, each held by two surfaces with the same load: they have nothing to do with each other.
#[test]
fn only_the_contacts_of_one_loop_come_apart_together() {
    let links = [
        (1, 0, COULOMB, 5.0, 3.0),
        (1, 0, COULOMB, 4.0, 2.0),
        (2, 0, COULOMB, 5.0, 3.0),
        (2, 0, COULOMB, 4.0, 2.0),
    ];
    let (system, p, state) = mechanism(&[(1.0, 0.0, 9.0), (1.0, 0.0, 9.0)], &links);
    let flow_now = flow(&system, &p, &state);
    for (k, both) in [(0, [0, 1]), (1, [0, 1]), (2, [2, 3]), (3, [2, 3])] {
        let apart = coming_apart(&system, k, &at(&p, &state), &flow_now);
        assert_eq!(apart.iter().map(|(i, ..)| *i).collect::<Vec<_>>(), both);
        assert!(apart.iter().all(|(.., ratio)| (ratio - 1.0).abs() < 1e-9));
    }
    // A contact of the loop that carries less than it can stays: 5 N at the ground, 1 N on the detour over a second body.
    let links = [(1, 0, COULOMB, 5.0, 3.0), (1, 2, COULOMB, 10.0, 5.0), (2, 0, COULOMB, 1.0, 0.5)];
    let (system, p, state) = mechanism(&[(1.0, 0.0, 6.0), (1.0, 0.0, 0.0)], &links);
    let apart = coming_apart(&system, 0, &at(&p, &state), &flow(&system, &p, &state));
    assert_eq!(apart.iter().map(|(i, ..)| *i).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn a_contact_beside_one_that_rests_cannot_slide() {
    let links = [(1, 0, COULOMB, 5.0, 3.0), (1, 0, COULOMB, 4.0, 2.0), (2, 1, COULOMB, 4.0, 2.0)];
    let (system, _, state) = mechanism(&[(1.0, 0.0, 0.0), (1.0, 0.0, 0.0)], &links);
    let mut mode = state.mode.clone();
    mode[0] = Mode::Forward;
    assert!(is_held(&system, 0, system.params(), &mode), "by the other surface");
    mode[1] = Mode::Forward;
    assert!(!is_held(&system, 0, system.params(), &mode), "nothing else joins the block to the ground");
    mode[2] = Mode::Forward;
    assert!(!is_held(&system, 2, system.params(), &mode));
    // One that rests itself is not held by itself.
    mode[0] = Mode::Stick;
    assert!(!is_held(&system, 0, system.params(), &mode));
    // Let go alone, it is caught: what one surface cannot bear, both can.
    let (system, p, mut state) = mechanism(&[(1.0, 0.0, 6.0), (1.0, 0.0, 0.0)], &links);
    settle(&system, &p, &mut state, None);
    assert_eq!(state.mode, [Mode::Stick; 3]);
}

#[test]
fn the_most_overloaded_contact_comes_first() {
    let bodies = [(1.0, 0.0, 3.0), (1.0, 0.0, -5.0), (1.0, 0.0, 4.0), (1.0, 0.0, 5.0)];
    let links: Vec<Link> = (1..=4).map(|i| (i, 0, COULOMB, 2.0, 1.0)).collect();
    let (system, p, mut state) = mechanism(&bodies, &links);
    let above =
        |state: &State, least: f64| overloaded(&system, &at(&p, state), &flow(&system, &p, state), least);
    // Of equals the last; at the limit itself is not above it.
    assert_eq!(above(&state, 1.0), [3, 1, 2, 0]);
    assert_eq!(above(&state, 2.0), [3, 1]);
    state.mode[3] = Mode::Forward;
    assert_eq!(above(&state, 1.0), [1, 2, 0]);
}

/// A lock at the edge of a dead band is an impulse: a contact elsewhere may slide the other way after it.
#[test]
fn a_lock_with_an_impulse_turns_its_neighbours_round() {
    // The first body, at 1 mm/s, stops on the ground at once; the second follows at 0.5 mm/s and now slides forward on it.
    let bodies = [(1.0, 1e-3, 0.0), (1.0, 5e-4, 0.0)];
    let links = [(1, 0, LawKind::Karnopp, 20.0, 10.0), (2, 1, COULOMB, 2.0, 1.0)];
    let (system, p, mut state) = mechanism(&bodies, &links);
    state.mode.copy_from_slice(&[Mode::Forward, Mode::Forward, Mode::Backward]);
    switch(&system, 0, &p, &mut state);
    assert_eq!(state.mode, [Mode::Stick, Mode::Stick, Mode::Forward]);
}

/// Bodies that stick together have one velocity, that of their momentum; more than a drift is not hidden.
#[test]
fn what_sticks_together_moves_with_one_velocity() {
    let links = [(1, 2, COULOMB, 9.0, 9.0)];
    for (apart, expected) in [(4e-8, [0.5 + 1e-8; 2]), (1e-3, [0.5, 0.5 + 1e-3])] {
        let (system, p, mut state) = mechanism(&[(3.0, 0.5, 0.0), (1.0, 0.5 + apart, 0.0)], &links);
        crate::invariant::project(&system, &p, 0.0, &mut state.x, &state.mode);
        let speeds = system.coordinates.iter().filter_map(|c| match c {
            crate::system::Coordinate::Free { v, .. } => Some(state.x[*v]),
            _ => None,
        });
        assert!(speeds.zip(expected).all(|(v, expected)| (v - expected).abs() < 1e-15));
    }
}
