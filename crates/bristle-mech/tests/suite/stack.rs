//! Three bodies on top of each other, the top one on a spring: who slips on whom, and where they end.
//!
//! Exact switching times and rest positions: the motion is harmonic in every phase.

use crate::mechanisms::{law, part, run, stack};
use bristle_law::LawKind;
use bristle_mech::{PartKind, System};
use bristle_solve::{Method, Output, Solver};

const LEVELS: [(f64, f64); 3] = [(9.81, 14.71), (3.92, 5.88), (11.77, 17.66)];

#[test]
fn the_stack_switches_and_rests_as_the_exact_solution_does() {
    let system = stack(LEVELS.map(|(d, s)| law(LawKind::Coulomb, &[("mu_d", d), ("mu_s", s)])));
    let run = run(&system, 1e-11, 1010.0, &Output::Ends);
    let times: Vec<f64> = run.events.iter().map(|e| e.t).collect();
    println!("{times:?} {:?}", run.end.x);
    for (found, expected) in
        times.iter().zip([0.613433978906, 1.036326700045, 2.183474141954, 3.330621583864])
    {
        assert!((found - expected).abs() < 1e-8, "{found} against {expected}");
    }
    assert_eq!(times.len(), 4);
    for (place, expected) in [(0, -0.06677739), (2, -0.46275111), (4, 0.0)] {
        assert!((run.end.x[place] - expected).abs() < 1e-8, "{} against {expected}", run.end.x[place]);
    }
}

#[test]
fn a_dead_band_errs_by_its_square() {
    let band = [("band", 1e-3)];
    let system =
        stack(LEVELS.map(|(d, s)| law(LawKind::Karnopp, &[&[("mu_d", d), ("mu_s", s)], &band[..]].concat())));
    let run = run(&system, 1e-11, 10.0, &Output::Ends);
    println!("{:?}", run.events.iter().map(|e| e.t).collect::<Vec<_>>());
    assert!((run.end.x[0] + 0.06677739).abs() < 4e-7, "{}", run.end.x[0]);
}

/// Where the bodies come to rest depends on dozens of switches in turn; none may be misplaced, whatever the steps.
#[test]
fn where_the_stack_rests_does_not_depend_on_the_steps() {
    let laws = [
        (LawKind::StickSlip, [("v_t", 0.1), ("d_max", 1e-4)].as_slice(), -0.063_969_645_244_2),
        (LawKind::Karnopp, &[("band", 0.1)], -0.063_274_173_593_3),
    ];
    for (kind, numbers, expected) in laws {
        let system = stack(LEVELS.map(|(d, s)| law(kind, &[&[("mu_d", d), ("mu_s", s)], numbers].concat())));
        for (rtol, h_max) in [
            (1e-8, Some(0.02)),
            (1e-9, Some(0.005)),
            (1e-9, None),
            (1e-10, Some(0.005)),
            (1e-11, Some(0.01)),
            (1e-11, None),
            (1e-12, Some(0.01)),
        ] {
            let solver = Solver { rtol, atol: rtol, h_max, ..Solver::default() };
            let end = system.run(&solver, 10.0, &Output::Ends, &mut ()).unwrap().end;
            let off = (end.x[0] - expected).abs();
            assert!(off < 1e-10 + rtol, "{kind:?} at {rtol:.0e}, {h_max:?}: off {off:.2e} m");
        }
    }
}

/// With `z_ba = F_d/σ₀` the bristles of this law leave their elastic range by a step; it has to be located.
#[test]
fn a_step_into_plasticity_is_located() {
    for rtol in [1e-6, 1e-7, 1e-8, 1e-9] {
        let laws = [49.0, 20.0, 59.0].into_iter().zip(LEVELS).map(|(sigma1, (d, s))| {
            let stiffness = [("sigma0", d / 1e-4), ("sigma1", sigma1), ("z_ba", 1e-4)];
            let levels = [("mu_d", d), ("mu_s", s), ("v_s", 0.1), ("gamma", 2.0)];
            law(LawKind::ElastoPlastic, &[levels.as_slice(), &stiffness].concat())
        });
        let system = stack(laws.collect::<Vec<_>>().try_into().unwrap());
        let end = run(&system, rtol, 10.0, &Output::Ends).end;
        for (place, expected) in [(0, -0.066_362_312), (2, -0.472_822_479)] {
            let off = (end.x[place] - expected).abs();
            assert!(off < 1e-7, "at {rtol:.0e}: off {off:.2e} m");
        }
    }
}

/// The balance of forces at rest closes to rounding only; a rest of ten days must not add that up.
#[test]
fn a_stack_at_rest_stays_for_ten_days() {
    let system = stack(LEVELS.map(|(d, s)| law(LawKind::Coulomb, &[("mu_d", d), ("mu_s", s)])));
    let run = run(&system, 1e-9, 1e6, &Output::Times(vec![10.0, 1e6]));
    let rows: Vec<usize> = [10.0, 1e6].map(|t| run.samples.t.iter().position(|s| *s == t).unwrap()).to_vec();
    for place in [0, 2, 4] {
        let moved = run.samples.row(rows[1])[place] - run.samples.row(rows[0])[place];
        assert!(moved.abs() < 1e-15, "{moved}");
    }
}

/// Two bodies that a steep law glues together swing as one: only their slip rate has to be followed to its last digit, and long
/// steps do. By the velocities of both bodies this run took forty times as many.
#[test]
fn bodies_glued_by_a_steep_law_take_long_steps() {
    let glue = law(LawKind::Dieterich, &[("mu_ref", 60.0), ("direct", 4.0), ("evolution", 6.0)]);
    let contact = part(PartKind::Contact, &[]).naming("between", &["rider", "cart"]).holding("law", glue);
    let parts = [
        ("cart", part(PartKind::Mass, &[("mass", 3.0), ("v", 0.8)])),
        ("rider", part(PartKind::Mass, &[("mass", 1.0), ("v", 0.8)])),
        ("tie", part(PartKind::Spring, &[("k", 100.0)]).naming("between", &["cart", "ground"])),
        ("glue", contact),
    ];
    let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
    let run = run(&system, 1e-6, 4.0, &Output::Ends);
    println!("{:?} {:?}", run.statistics, run.end.x);
    // ω = √(100/4) = 5 rad/s.
    let (position, speed) = (0.8 / 5.0 * (5.0 * 4.0f64).sin(), 0.8 * (5.0 * 4.0f64).cos());
    assert!((run.end.x[0] - position).abs() < 2e-6 && (run.end.x[1] - speed).abs() < 1e-5);
    assert!((run.end.x[1] - run.end.x[3]).abs() < 1e-9);
    assert!(run.statistics.steps < 1000, "{:?}", run.statistics);
}

/// A force may overcome a contact for a moment between two ends of a step: a mass swings on a spring, and the block at its other end must let go however loose the steps are.
#[test]
fn a_swinging_mass_pulls_a_resting_block_loose_whatever_the_steps() {
    for excess in [0.3_f64, 0.1, 0.03] {
        let (stiffness, speed) = (100.0, 1.0);
        let level = 0.1 * stiffness * speed / (1.0 + excess);
        let pad = law(LawKind::Coulomb, &[("mu_d", 0.5 * level), ("mu_s", level)]);
        let parts = [
            ("bob", part(PartKind::Mass, &[("mass", 1.0), ("v", speed)])),
            ("block", part(PartKind::Mass, &[("mass", 5.0)])),
            ("tie", part(PartKind::Spring, &[("k", stiffness)]).naming("between", &["bob", "block"])),
            ("pad", part(PartKind::Contact, &[]).naming("between", &["block", "ground"]).holding("law", pad)),
        ];
        let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
        // A quarter of a period is 0.157 s: the force exceeds the level around it once.
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-9] {
            for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853] {
                let solver = Solver { method, ..Solver::with_tolerance(tolerance) };
                let run = system.run(&solver, 0.3, &Output::Ends, &mut ()).unwrap();
                let first = run.events.first().map(|event| event.t);
                let exact = (1.0 / (1.0 + excess)).asin() / 10.0;
                let is_right = first.is_some_and(|t| (t - exact).abs() < 0.02 * exact);
                assert!(is_right, "{method:?} {tolerance:e} {excess}: {first:?} {exact}");
            }
        }
    }
}
