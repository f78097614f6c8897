//! Chains of many masses: what does not act on one another is not computed together.

use crate::mechanisms::part;
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Bandwidth, Dynamics, Method, Output, Point, Recorded, Solver, State};

/// Masses in a row with springs and dampers between neighbours, each on a belt, and every `every`-th on its neighbour.
fn chain(count: usize, laws: &[LawKind], every: usize) -> System {
    let mut parts: Vec<(String, Spec)> = vec![("belt".into(), part(PartKind::Drive, &[("v", 0.1)]))];
    let name = |i: usize| if i == 0 { "ground".to_owned() } else { format!("m{i}") };
    let contact = |kind: LawKind, a: &str, b: &str| {
        let contact = part(PartKind::Contact, &[("load", 10.0)]).naming("between", &[a, b]);
        contact.holding("law", Spec::of(&kind.card()))
    };
    for i in 1..=count {
        let v = 0.05 * ((i * 7 % 5) as f64 - 2.0);
        let (one, other) = (name(i), name(i - 1));
        parts.push((one.clone(), part(PartKind::Mass, &[("mass", 1.0), ("v", v)])));
        for (kind, key, value, sign) in [(PartKind::Spring, "k", 1e3, "s"), (PartKind::Damper, "d", 2.0, "d")]
        {
            parts
                .push((format!("{sign}{i}"), part(kind, &[(key, value)]).naming("between", &[&one, &other])));
        }
        parts.push((format!("c{i}"), contact(laws[i % laws.len()], &one, "belt")));
        if every > 0 && i > 1 && i % every == 0 {
            parts.push((format!("n{i}"), contact(laws[0], &one, &other)));
        }
    }
    System::assemble(&parts).unwrap()
}

/// Rates do not change at all where a state beyond the band does, whichever contacts stick.
#[test]
fn no_rate_depends_on_a_state_beyond_the_band() {
    let mut r = Random(11);
    for (laws, every) in [
        (&[LawKind::Coulomb][..], 0),
        (&[LawKind::Coulomb, LawKind::LuGre], 3),
        (&[LawKind::Karnopp, LawKind::Dieterich], 2),
        (&[LawKind::Coulomb, LawKind::Benson, LawKind::Gms], 4),
    ] {
        let system = chain(40, laws, every);
        let band = system.band().unwrap_or_else(|| panic!("{laws:?} have no band"));
        let core = system.dim() - system.quadratures();
        let p = system.params();
        let mut state = system.initial(p);
        system.start(p, &mut state);
        for _ in 0..4 {
            for mode in &mut state.mode {
                *mode = [Mode::Stick, Mode::Forward, Mode::Backward][r.below(3)];
            }
            let rates = |x: &[f64]| {
                let mut dx = vec![0.0; system.dim()];
                system.rates(Point { t: 0.0, x, p, mode: &state.mode }, &mut dx);
                dx
            };
            let before = rates(&state.x);
            for column in 0..core {
                let mut x = state.x.clone();
                x[column] += r.between(-1e-3, 1e-3);
                let after = rates(&x);
                let moved = (0..core).filter(|&row| before[row] != after[row]);
                let beyond: Vec<usize> =
                    moved.filter(|&row| row > column + band.lower || column > row + band.upper).collect();
                assert!(beyond.is_empty(), "{laws:?}: state {column} acts on {beyond:?} beyond {band:?}");
            }
        }
    }
}

/// A chain whose contacts switch is the same with a banded Jacobian, an explicit method, and another order of its parts.
#[test]
fn a_chain_with_contacts_that_switch_agrees_between_methods() {
    let system = chain(30, &[LawKind::Coulomb, LawKind::LuGre], 3);
    assert!(system.band().is_some());
    let end = |method: Method| {
        let solver = Solver { method, rtol: 1e-8, ..Solver::default() };
        let run = system.run(&solver, 0.3, &Output::Ends, &mut ()).unwrap();
        assert!(run.events.len() > 10, "{} switches", run.events.len());
        run.samples.row(run.samples.len() - 1).to_vec()
    };
    let (implicit, explicit) = (end(Method::Rodas5p), end(Method::Dop853));
    assert_eq!(implicit.len(), explicit.len());
    for (a, b) in implicit.iter().zip(&explicit) {
        assert!((a - b).abs() < 1e-6 * (0.1 + a.abs()), "{a} {b}");
    }
}

/// Hundreds of resting contacts, in a row and side by side, hold what a closed form says: a chain of blocks that is pulled
/// at one end, all stuck to one another and to the ground, carries at each contact what is left of the pull.
#[test]
fn many_resting_contacts_share_a_load_as_few_do() {
    // Blocks stuck to one another in a row; only the last is stuck to the ground: every contact carries the whole pull.
    for count in [6, 12, 60] {
        let mut parts: Vec<(String, Spec)> = Vec::new();
        for i in 0..count {
            parts.push((format!("m{i}"), part(PartKind::Mass, &[("mass", 1.0 + i as f64)])));
            let other = if i + 1 == count { "ground".to_owned() } else { format!("m{}", i + 1) };
            let contact = part(PartKind::Contact, &[("load", 100.0)]);
            let law = Spec::of(&LawKind::Coulomb.card());
            let contact = contact.naming("between", &[&format!("m{i}"), &other]).holding("law", law);
            parts.push((format!("c{i}"), contact));
        }
        let push = bristle_mech::SignalKind::Ramp.card();
        let signal = Spec::of(&push).with(&push, "slope", 1.0);
        parts.push((
            "pull".into(),
            part(PartKind::Force, &[]).naming("on", &["m0"]).holding("signal", signal),
        ));
        let system = System::assemble(&parts).unwrap();
        let run = system.run(&Solver::default(), 7.0, &Output::Ends, &mut ()).unwrap();
        assert!(run.events.is_empty());
        let last = run.samples.len() - 1;
        let point = Point {
            t: run.samples.t[last],
            x: run.samples.row(last),
            p: system.params(),
            mode: run.samples.modes(last),
        };
        let observed = system.observe(&point);
        assert_eq!(system.channels().len(), observed.len());
        for (channel, value) in system.channels().iter().zip(observed) {
            if channel.name.ends_with(".force") {
                assert!((value - 7.0).abs() < 1e-11, "{count}: {} carries {value}", channel.name);
            }
        }
    }
}

/// Masses on the ground with springs and dampers between neighbours, listed in any order; the last is tied to the first, or pulled.
fn on_the_ground(count: usize, law: LawKind, is_closed: bool, stride: usize) -> System {
    let mut parts: Vec<(String, Spec)> = Vec::new();
    for i in (0..count).map(|i| i * stride % count) {
        let v = 0.02 * ((i * 7 % 5) as f64 - 2.0);
        parts.push((format!("m{i}"), part(PartKind::Mass, &[("mass", 0.05), ("v", v)])));
    }
    parts.push(("hand".into(), part(PartKind::Drive, &[("v", 0.1)])));
    for i in (0..count).map(|i| i * stride % count) {
        let other = match i + 1 {
            next if next < count => format!("m{next}"),
            _ if is_closed => "m0".to_owned(),
            _ => "hand".to_owned(),
        };
        for (kind, key, value, sign) in [(PartKind::Spring, "k", 2e3, "s"), (PartKind::Damper, "d", 0.5, "d")]
        {
            let between = part(kind, &[(key, value)]).naming("between", &[&format!("m{i}"), &other]);
            parts.push((format!("{sign}{i}"), between));
        }
        let contact = part(PartKind::Contact, &[("load", 1.0)]);
        let contact = contact.naming("between", &[&format!("m{i}"), "ground"]);
        parts.push((format!("c{i}"), contact.holding("law", Spec::of(&law.card()))));
    }
    System::assemble(&parts).unwrap()
}

/// However the parts of a chain are listed, its Jacobian has a few diagonals; that of a ring has twice as many.
#[test]
fn the_order_of_states_does_not_depend_on_that_of_the_parts() {
    for (law, states) in [(LawKind::LuGre, 3), (LawKind::Coulomb, 2)] {
        for stride in [1, 7, 11] {
            for (is_closed, most) in [(false, 2 * states), (true, 4 * states)] {
                let system = on_the_ground(40, law, is_closed, stride);
                let Some(Bandwidth { lower, upper }) = system.band() else {
                    panic!("{law:?} {stride} {is_closed}: no band")
                };
                assert!(lower.max(upper) < most, "{law:?} {stride} {is_closed}: {lower} {upper}");
            }
        }
    }
}

/// Programs of large systems carry out the same operation on many numbers at a time, and keep every bit.
#[test]
fn programs_of_long_chains_give_the_bits_of_their_equations() {
    let mut r = Random(5);
    for (law, is_closed) in [(LawKind::LuGre, false), (LawKind::LuGre, true), (LawKind::SmoothCoulomb, false)]
    {
        let system = on_the_ground(60, law, is_closed, 7);
        let (p, dim) = (system.params(), system.dim());
        let mut state = system.initial(p);
        system.start(p, &mut state);
        let recorded = Recorded::new(&system, Point { t: 0.0, x: &state.x, p, mode: &state.mode }).unwrap();
        let jacobian = recorded.jacobian().unwrap();
        for _ in 0..20 {
            state.x.iter_mut().for_each(|x| *x = r.between(-1e-3, 1e-3));
            compare(&system, &recorded, &state);
            let variables: Vec<f64> = std::iter::once(0.0).chain(state.x.iter().copied()).collect();
            let mut found = vec![0.0; jacobian.program.outputs()];
            jacobian.run(&variables, p, &mut found);
            let mut evaluator = bristle_solve::Evaluator::new(&system, p);
            let (mut exact, mut dx) = (evaluator.new_jacobian(), vec![0.0; dim]);
            evaluator.jacobian(0.0, &state.x, &state.mode, &mut exact, &mut dx);
            for (k, (i, j)) in jacobian.pattern.entries.iter().enumerate() {
                if *i < system.dim() - system.quadratures() {
                    let (a, b) = (found[dim + k], exact.entry(*i, *j));
                    assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{law:?} {i} {j}: {a} {b}");
                }
            }
        }
    }
}

fn compare(system: &System, recorded: &Recorded, state: &State) {
    let (p, dim) = (system.params(), system.dim());
    let variables: Vec<f64> = std::iter::once(0.0).chain(state.x.iter().copied()).collect();
    let (mut found, mut expected) = (vec![0.0; dim], vec![0.0; dim]);
    recorded.rates().run(&mut recorded.rates().room(p), &variables, &mut found);
    system.rates(Point { t: 0.0, x: &state.x, p, mode: &state.mode }, &mut expected);
    for i in 0..dim {
        assert_eq!(found[i].to_bits(), expected[i].to_bits(), "rate {i}: {} {}", found[i], expected[i]);
    }
}

/// A long chain passes over the kinks of its bristles without events, and moves as one whose kinks are located: the first masses of
/// it, all of which are tied to the ground, cannot tell how many follow.
#[test]
fn a_chain_whose_kinks_are_passed_over_moves_as_one_whose_kinks_are_located() {
    let end = |count: usize, method: Method| {
        let system = on_the_ground(count, LawKind::LuGre, false, 1);
        let solver = Solver { method, rtol: 1e-8, atol: 1e-8, ..Solver::default() };
        // The pulled end is far away: within this time nothing of it arrives.
        let run = system.run(&solver, 0.02, &Output::Ends, &mut ()).unwrap();
        let names = system.state_names();
        let row = run.samples.row(run.samples.len() - 1);
        let place = |state: String| names.iter().position(|name| *name == state).unwrap();
        let first = (0..6).flat_map(|i| [format!("m{i}.q"), format!("m{i}.v"), format!("c{i}.z")]);
        (run.events.len(), first.map(|state| row[place(state)]).collect::<Vec<f64>>())
    };
    let (located, few) = end(30, Method::Dop853);
    assert!(located > 0);
    for method in [Method::Auto, Method::Rodas5p, Method::Dop853] {
        let (passed, many) = end(60, method);
        assert_eq!(passed, 0);
        for (a, b) in few.iter().zip(&many) {
            assert!((a - b).abs() < 1e-6 * (1e-2 + a.abs()), "{method:?}: {a} {b}");
        }
    }
}
