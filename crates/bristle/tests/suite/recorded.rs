//! The mechanisms of the example scenarios, recorded: rates and guards keep every bit.

use bristle::Scenario;
use bristle_core::Mode;
use bristle_solve::{Dynamics, Output, Point, Recorded, RecordedError, Solver};
use std::path::Path;

/// Examples with cables, whose equations iterate until they fit and therefore are not recorded.
const CABLES: [&str; 9] =
    ["bollard", "capstan", "counterweight", "crane", "hoist", "long_rope", "mooring", "two_pulleys", "winch"];

fn is_same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
}

#[test]
fn the_mechanisms_of_all_examples_keep_every_bit_when_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        names.extend(name.strip_suffix(".toml").filter(|name| !CABLES.contains(name)).map(str::to_owned));
    }
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let scenario = Scenario::from_file(&folder.join(format!("{name}.toml"))).unwrap();
        let system = &scenario.system;
        let p = system.params().to_vec();
        let solver = Solver::with_tolerance(1e-5);
        let output = Output::Grid { step: 0.05 };
        let run = solver.run(system, &p, system.initial(&p), 2.0, &output, &mut ()).unwrap();
        let mut library: Vec<(Vec<Mode>, Recorded)> = Vec::new();
        for i in 0..run.samples.len() {
            let (t, x, mode) = (run.samples.seen[i], run.samples.row(i), run.samples.modes(i));
            let at = Point { t, x, p: &p, mode };
            let variables: Vec<f64> = std::iter::once(t).chain(x.iter().copied()).collect();
            let holds = |(modes, recorded): &(Vec<Mode>, Recorded)| {
                modes == mode && recorded.assumptions.hold(&variables, &p)
            };
            let place = library.iter().position(holds).unwrap_or_else(|| {
                let recorded: Result<Recorded, RecordedError> = Recorded::new(system, at);
                library.push((mode.to_vec(), recorded.unwrap_or_else(|e| panic!("{name}: {e}"))));
                library.len() - 1
            });
            let recorded = &library[place].1;
            let mut rates = [vec![0.0; system.dim()], vec![0.0; system.dim()]];
            system.rates(at, &mut rates[0]);
            recorded.rates().run(&mut recorded.rates().room(&p), &variables, &mut rates[1]);
            assert!(is_same(&rates[0], &rates[1]), "{name} at t = {t}: {rates:?}");
            let mut guards = [vec![0.0; system.guard_count()], vec![0.0; system.guard_count()]];
            system.guards(at, &mut guards[0]);
            let program = recorded.guards().unwrap();
            program.run(&mut program.room(&p), &variables, &mut guards[1]);
            assert!(is_same(&guards[0], &guards[1]), "{name} at t = {t}: {guards:?}");
        }
        println!("{name}: {} samples, {} recordings", run.samples.len(), library.len());
    }
}
