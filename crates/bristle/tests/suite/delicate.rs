//! Runs that are easily got wrong: slips from rest, jumps, closed loops of contacts, laws that are nearly singular.
//!
//! Each is held to a closed form where there is one, and otherwise to the same run by another method with a tighter tolerance.

use bristle::Scenario;
use bristle_solve::{Method, Output, Solver, Trajectory};
use std::path::Path;

fn scenario(name: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/delicate");
    Scenario::from_file(&folder.join(format!("{name}.toml"))).unwrap()
}

fn run(scenario: &Scenario, t_end: f64, solver: &Solver) -> Trajectory {
    scenario.system.run(solver, t_end, &Output::Ends, &mut ()).unwrap()
}

/// The run with the scenario's own solver.
fn own_run(name: &str, t_end: f64) -> Trajectory {
    let scenario = scenario(name);
    run(&scenario, t_end, &scenario.solver)
}

/// `12 N sin(2π 11 Hz t)` against 4 N: `t = asin(1/3)/(22π)`.
#[test]
fn a_shaken_block_slips_at_once() {
    let first = own_run("missed_slip", 100.0).events[0].t;
    let expected = (1.0f64 / 3.0).asin() / (22.0 * std::f64::consts::PI);
    assert!((first - expected).abs() < 1e-12, "{first} against {expected}");
}

/// 8 N for half a second against 3 N of kinetic friction: 2.5 m/s, 0.625 m, and another `2.5²/6` m until it stops.
#[test]
fn a_push_moves_a_block() {
    let run = own_run("push", 3.0);
    assert_eq!(run.events[0].t, 1.0);
    assert!((run.end.x[0] - (0.625 + 6.25 / 6.0)).abs() < 1e-9, "{}", run.end.x[0]);
    // 100 N for half a second against 3 N, then half a second of braking: 36 m.
    let far = own_run("pulse_block", 2.0).end.x[0];
    assert!((far - 36.0).abs() < 1e-8, "{far}");
}

/// A belt that starts at 1 m/s takes the block along with 3 m/s²: `1/6` m until it has its speed, then with it.
#[test]
fn a_belt_that_starts_takes_the_block_along() {
    let end = own_run("belt_starts", 3.0).end;
    assert!(
        (end.x[0] - (1.0 / 6.0 + 5.0 / 3.0)).abs() < 1e-9 && (end.x[1] - 1.0).abs() < 1e-12,
        "{:?}",
        end.x
    );
}

/// Two surfaces hold `5 + 4` N; beyond `t = 9 s`, `ẍ = t − 5`.
#[test]
fn two_surfaces_hold_the_sum_of_their_static_friction() {
    let run = own_run("two_surfaces", 12.0);
    assert!((run.events[0].t - 9.0).abs() < 1e-12);
    assert!((run.end.x[0] - 22.5).abs() < 1e-8, "{}", run.end.x[0]);
}

/// Whichever of two equal contacts in a row lets go, the other holds: the report says so. Made unequal, it does not.
#[test]
fn a_report_says_where_the_answer_is_not_unique() {
    let note = |scenario: &Scenario| {
        let outcome = bristle::run(scenario, &mut ()).unwrap();
        outcome.record.facts.iter().find(|f| f.key().contains("not_unique")).map(|f| f.note.clone())
    };
    let tied = scenario("either_may_slide");
    let told = note(&tied).unwrap();
    assert!(told.contains("`below` slides") && told.contains("`between` slides"), "{told}");
    let unequal = tied.with(&[("below.law.mu_s", 5.1)]).unwrap();
    assert_eq!(note(&unequal), None);
}

/// Every accepted step is checked by the solver, so a run that ends has no contact above its limit.
#[test]
fn a_law_without_a_jump_lets_go_at_every_tolerance() {
    let scenario = scenario("benson_over_limit");
    for rtol in [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11] {
        let first = run(&scenario, 5.0, &Solver::with_tolerance(rtol)).events;
        assert!(!first.is_empty());
    }
}

/// Where the mass ends, by the default method and by another at a hundredth of the tolerance.
fn agrees(name: &str, t_end: f64, within: f64) {
    let scenario = scenario(name);
    let ours = run(&scenario, t_end, &scenario.solver).end;
    let rtol = (0.01 * scenario.solver.rtol).max(1e-12);
    let other = Solver { method: Method::Rodas4, rtol, atol: rtol, ..scenario.solver };
    let peer = run(&scenario, t_end, &other).end;
    assert!((ours.x[0] - peer.x[0]).abs() < within, "{name}: {} against {}", ours.x[0], peer.x[0]);
}

#[test]
fn rate_and_state_friction_on_a_belt_comes_to_an_end() {
    agrees("ruina_belt", 0.1, 1e-8);
}

#[test]
fn bristles_under_a_short_pulse_come_to_an_end() {
    agrees("lugre_pulse", 300.0, 1e-8);
}

#[test]
fn a_root_in_dahls_law_comes_to_an_end() {
    agrees("dahl_belt", 1.0, 1e-7);
}

#[test]
fn a_narrow_transition_is_not_stepped_over() {
    agrees("energy_gap_accepted", 5.0, 1e-6);
}

#[test]
fn loose_tolerances_come_to_an_end() {
    let scenario = scenario("loose_tolerance_hangs");
    run(&scenario, 5.0, &Solver::with_tolerance(1e-6));
    run(&scenario, 5.0, &scenario.solver);
}
