//! Scenarios of the race and the same problems written by hand end in the same state.

use bristle::Scenario;
use bristle_solve::problems::{Belt, BenchLoad, GmsBelt, Rabinowicz, Stack, TestBench};
use bristle_solve::{Dynamics, Output, Solver, State};
use std::path::Path;

fn end<D: Dynamics>(dynamics: &D, start: State, duration: f64) -> Vec<f64> {
    let solver = Solver::with_tolerance(1e-10);
    let output = Output::Times(vec![duration]);
    solver.run(dynamics, dynamics.params(), start, duration, &output, &mut ()).unwrap().end.x
}

/// Compares states by place, relative to the largest of their kind.
fn agrees(name: &str, hand: &[f64], places: &[usize], within: f64) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../benches/scenarios/{name}.toml"));
    let scenario = Scenario::from_file(&file).unwrap();
    let system = &scenario.system;
    let found = end(system, system.initial(system.params()), scenario.studies[0].spec.numbers[0]);
    assert_eq!(places.len(), hand.len());
    let largest = hand.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for (hand, place) in hand.iter().zip(places) {
        assert!((hand - found[*place]).abs() <= within * largest, "{name}: {hand:?} {found:?}");
    }
}

#[test]
fn the_bench_written_by_hand_moves_as_its_scenarios() {
    let pulse = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
    agrees("pulse", &end(&pulse, pulse.initial(), 0.1), &[0, 1, 2, 3], 1e-6);
    let hold = TestBench::new(BenchLoad::Hold);
    agrees("hold", &end(&hold, hold.initial(), 300.0), &[0, 1, 2, 3], 1e-6);
}

#[test]
fn the_belts_written_by_hand_move_as_their_scenarios() {
    let dwell = Belt::at(0.1);
    let mut dwell = end(&dwell, dwell.initial(), 10.0);
    // By hand the slip rate is that of the belt on the block.
    dwell[2] = -dwell[2];
    agrees("dwell_belt", &dwell, &[0, 1, 2, 3], 1e-6);
    agrees("velocity_belt", &end(&Rabinowicz, Rabinowicz.initial(), 50.0), &[0, 1], 1e-6);
    agrees("gms_belt", &end(&GmsBelt, GmsBelt.initial(), 2.0), &[0, 1, 2, 3, 4, 5], 1e-5);
}

#[test]
fn the_stack_written_by_hand_moves_as_its_scenario() {
    agrees("stack", &end(&Stack, Stack.initial(), 5.0), &[0, 2, 4, 1, 3, 5], 1e-6);
}
