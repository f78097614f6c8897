//! Runs of the example scenarios by machine code and by the interpreter: the same bits.

#![allow(clippy::unwrap_used)]

use bristle_mech::System;
use bristle_solve::{Dynamics, Output, Solver, Trajectory};
use bristle_study::Scenario;
use std::path::Path;

fn run(system: &System, solver: Solver) -> Trajectory {
    let p = system.params().to_vec();
    let output = Output::Grid { step: 0.05 };
    solver.run(system, &p, system.initial(&p), 1.0, &output, &mut ()).unwrap()
}

#[test]
fn example_scenarios_keep_every_bit_in_machine_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut compiled, mut count) = (0, 0);
    for folder in ["examples", "benches/scenarios"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            let name = path.display();
            let scenario = Scenario::from_file(&path).unwrap();
            let system = &scenario.system;
            // Equations of cables are not recorded; a chain in groups stays with the interpreter.
            let Some(recordings) =
                system.recordings().filter(|_| !system.has_structure() && system.dim() < 100)
            else {
                continue;
            };
            let solver = Solver::with_tolerance(1e-6);
            // The first run records, the second is interpreted from its first step on.
            run(system, solver);
            let interpreted = run(system, solver);
            compiled += recordings.compile();
            let by_machine = run(system, solver);
            assert_eq!(interpreted.statistics, by_machine.statistics, "{name}");
            assert_eq!(interpreted.samples.len(), by_machine.samples.len(), "{name}");
            let bits =
                |run: &Trajectory, i| run.samples.row(i).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            for i in 0..interpreted.samples.len() {
                assert_eq!(bits(&interpreted, i), bits(&by_machine, i), "{name}, sample {i}");
            }
            count += 1;
        }
    }
    assert!(count >= 20 && compiled >= 100, "{count} scenarios, {compiled} programs");
}
