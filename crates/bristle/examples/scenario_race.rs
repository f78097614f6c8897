//! What a scenario costs against the same problem written by hand, and against its own equations without recording.
//!
//! Times are the least of several rounds, on the processor, at the same tolerances. Run with
//! `cargo run --profile dist -p bristle --example scenario_race [-- word]`; a word picks problems by name.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bristle::Scenario;
use bristle_solve::problems::{Belt, BenchLoad, Rabinowicz, TestBench};
use bristle_solve::{Dynamics, Output, Solver, State, Statistics};
use std::path::Path;
use std::time::Instant;

/// Tolerances of the runs.
const TOLERANCES: [f64; 2] = [1e-6, 1e-8];
const ROUNDS: usize = 7;

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    println!(
        "{:<24}{:>8}{:>11}{:>11}{:>11}{:>9}{:>9}{:>8}",
        "scenario", "rtol", "by hand", "recorded", "written", "rec/hand", "wri/rec", "steps"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/scenarios");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let pulse = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
    let hold = TestBench::new(BenchLoad::Hold);
    let dwell = Belt::at(0.1);
    let own = |f: &dyn Fn(f64) -> Statistics| TOLERANCES.map(|tolerance| Some(least(&|| f(tolerance)).0));
    let by_hand: [(&str, [Option<f64>; 2]); 6] = [
        ("pulse", own(&|tolerance| run(&pulse, pulse.initial(), 0.1, solver(tolerance)))),
        ("hold", own(&|tolerance| run(&hold, hold.initial(), 300.0, solver(tolerance)))),
        ("dwell_belt", own(&|tolerance| run(&dwell, dwell.initial(), 10.0, solver(tolerance)))),
        ("velocity_belt", own(&|tolerance| run(&Rabinowicz, Rabinowicz.initial(), 50.0, solver(tolerance)))),
        ("gms_belt", [None; 2]),
        ("stack", [None; 2]),
    ];
    for (name, hand) in by_hand.into_iter().filter(|(name, _)| name.contains(&word)) {
        let folder = if name == "stack" { &examples } else { &folder };
        let scenario = Scenario::from_file(&folder.join(format!("{name}.toml"))).unwrap();
        let system = &scenario.system;
        let duration = scenario.studies[0].spec.numbers[0];
        for (tolerance, hand) in TOLERANCES.into_iter().zip(hand) {
            let once = |is_recorded: bool| {
                let solver = Solver { is_recorded, ..solver(tolerance) };
                run(system, system.initial(system.params()), duration, solver)
            };
            let (recorded, statistics) = least(&|| once(true));
            let (written, as_written) = least(&|| once(false));
            assert_eq!(statistics.steps, as_written.steps, "{name}: programs change nothing");
            let ratio = hand.map_or_else(|| "–".to_owned(), |hand| format!("{:.2}", recorded / hand));
            let hand = hand.map_or_else(|| "–".to_owned(), |hand| format!("{:.0}", 1e6 * hand));
            println!(
                "{name:<24}{tolerance:>8.0e}{hand:>11}{:>11.0}{:>11.0}{ratio:>9}{:>9.2}{:>8}",
                1e6 * recorded,
                1e6 * written,
                written / recorded,
                statistics.steps
            );
        }
    }
    println!("times in µs");
}

fn solver(tolerance: f64) -> Solver {
    Solver::with_tolerance(tolerance)
}

fn run<D: Dynamics>(dynamics: &D, initial: State, duration: f64, solver: Solver) -> Statistics {
    let output = Output::Times(vec![duration]);
    solver.run(dynamics, dynamics.params(), initial, duration, &output, &mut ()).unwrap().statistics
}

/// The least time of several rounds, s, and what the last one gave.
fn least(work: &dyn Fn() -> Statistics) -> (f64, Statistics) {
    let mut time = f64::INFINITY;
    let mut statistics = work();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        statistics = work();
        time = time.min(start.elapsed().as_secs_f64());
    }
    (time, statistics)
}
