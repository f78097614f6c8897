//! Closed loops of resting contacts: a body breaks away when no split of the holding forces is admissible any more, no sooner.
//!
//! Bodies at rest that are joined by contacts of static friction `L_k` carry a slowly rising pull on one of them up to the
//! smallest cut: over all groups of bodies that contain the pulled one, the least sum of `L_k` over the contacts that join the
//! group with the rest (Ford & Fulkerson 1956). The search over all groups knows nothing of stick forces.

use crate::mechanisms::{law, part};
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output, Solver};

/// A contact between two bodies, the ground being body 0: ends, static and kinetic friction.
type Link = (usize, usize, f64, f64);

/// Bodies joined by contacts; the first is pulled with a force that rises by one newton per second.
fn pulled(bodies: usize, links: &[Link], kind: LawKind) -> System {
    let name = |i: usize| if i == 0 { "ground".to_owned() } else { format!("m{i}") };
    let card = SignalKind::Ramp.card();
    let ramp = Spec::of(&card).with(&card, "slope", 1.0);
    let mut parts: Vec<(String, Spec)> =
        (1..=bodies).map(|i| (name(i), part(PartKind::Mass, &[("mass", 0.5 + i as f64)]))).collect();
    parts.push(("pull".into(), part(PartKind::Force, &[]).naming("on", &["m1"]).holding("signal", ramp)));
    for (k, &(a, b, mu_s, mu_d)) in links.iter().enumerate() {
        let contact = part(PartKind::Contact, &[])
            .naming("between", &[&name(a), &name(b)])
            .holding("law", law(kind, &[("mu_s", mu_s), ("mu_d", mu_d)]));
        parts.push((format!("c{k}"), contact));
    }
    System::assemble(&parts).unwrap()
}

/// When something slides for the first time.
fn first_slip(system: &System, rtol: f64) -> f64 {
    let mut rests = |_: f64, _: &[f64], mode: &[Mode]| mode.iter().all(|m| *m == Mode::Stick);
    let run = system.run(&Solver::with_tolerance(rtol), 1e3, &Output::Ends, &mut rests).unwrap();
    run.events.first().map_or(f64::INFINITY, |e| e.t)
}

/// The smallest cut between body 1 and the ground.
fn smallest_cut(bodies: usize, links: &[Link]) -> f64 {
    let is_in = |group: usize, body: usize| body > 0 && group >> (body - 1) & 1 == 1;
    (0..1usize << bodies)
        .filter(|group| group & 1 == 1)
        .map(|group| {
            links.iter().filter(|l| is_in(group, l.0) != is_in(group, l.1)).map(|l| l.2).sum::<f64>()
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn a_block_between_two_rough_surfaces_holds_the_sum_of_both() {
    for kind in [LawKind::Coulomb, LawKind::Benson, LawKind::Karnopp] {
        let system = pulled(1, &[(1, 0, 5.0, 3.0), (1, 0, 4.0, 2.0)], kind);
        let t = first_slip(&system, 1e-8);
        assert!((t - 9.0).abs() < 1e-9, "{kind:?}: {t}");
    }
}

/// Once it slides, both surfaces rub with their kinetic friction: `m ẍ = t − 5` from `t = 9`.
#[test]
fn a_block_between_two_rough_surfaces_slides_against_both() {
    let system = pulled(1, &[(1, 0, 5.0, 3.0), (1, 0, 4.0, 2.0)], LawKind::Coulomb);
    let run = system.run(&Solver::with_tolerance(1e-10), 12.0, &Output::Ends, &mut ()).unwrap();
    let s: f64 = 3.0;
    let expected = (2.0 * s * s + s * s * s / 6.0 * 1.0) / 1.5;
    assert!((run.end.x[0] - expected).abs() < 1e-8, "{} against {expected}", run.end.x[0]);
    assert!(run.end.mode.iter().all(|m| *m == Mode::Forward), "{:?}", run.end.mode);
}

#[test]
fn a_triangle_of_contacts_holds_through_both_ways() {
    // 3 N directly, 2 N through the second body.
    let system = pulled(2, &[(1, 0, 3.0, 1.0), (1, 2, 4.0, 1.0), (2, 0, 2.0, 1.0)], LawKind::Coulomb);
    let t = first_slip(&system, 1e-8);
    assert!((t - 5.0).abs() < 1e-9, "{t}");
}

#[test]
fn contacts_let_go_at_the_smallest_cut() {
    let mut r = Random(7);
    let mut loops = 0;
    for case in 0..300 {
        let bodies = 1 + r.below(5);
        // Every body hangs on an earlier one or on the ground; further contacts close loops.
        let mut links: Vec<Link> = Vec::new();
        for i in 1..=bodies + r.below(5) {
            let (a, b) =
                if i <= bodies { (i, r.below(i)) } else { (1 + r.below(bodies), r.below(bodies + 1)) };
            if a != b {
                let limit = r.between(0.5, 10.0);
                links.push((a, b, limit, limit * r.between(0.2, 1.0)));
            }
        }
        loops += usize::from(links.len() > bodies);
        let kind = *r.of(&[LawKind::Coulomb, LawKind::Benson, LawKind::Karnopp]);
        let t = first_slip(&pulled(bodies, &links, kind), r.decade(1e-10, 1e-3));
        let expected = smallest_cut(bodies, &links);
        assert!(
            (t - expected).abs() < 1e-7 * expected,
            "case {case}, {kind:?}: {t} against {expected}, {links:?}"
        );
    }
    assert!(loops > 150);
}

/// Two contacts in a row carry the same pull. If both reach their limits together, either lets go and the other then holds.
#[test]
fn two_equal_contacts_in_a_row_have_two_outcomes() {
    let outcomes = |links: &[Link], bodies: usize| {
        let system = pulled(bodies, links, LawKind::Coulomb);
        let run = system.run(&Solver::default(), 20.0, &Output::Ends, &mut ()).unwrap();
        system.outcomes(system.params(), &run.events[0].before).len()
    };
    // The pulled block lies on another, and that on the ground.
    assert_eq!(outcomes(&[(1, 2, 5.0, 3.0), (2, 0, 5.0, 3.0)], 2), 2);
    // The weaker one lets go; without a fall from static to kinetic nothing is won by either.
    assert_eq!(outcomes(&[(1, 2, 5.0, 3.0), (2, 0, 5.1, 3.0)], 2), 1);
    assert_eq!(outcomes(&[(1, 2, 5.0, 5.0), (2, 0, 5.0, 5.0)], 2), 1);
    // In a loop both let go together.
    assert_eq!(outcomes(&[(1, 0, 5.0, 3.0), (1, 0, 4.0, 2.0)], 1), 1);
}
