//! Chains of many masses: what does not act on one another is not computed together.

use crate::mechanisms::part;
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Point, Solver};

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
