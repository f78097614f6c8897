//! A step of a scenario allocates nothing.

use allocation_counter::measure;
use bristle::Scenario;
use bristle_solve::{AcceptedStep, Dynamics, Integrator, Method, Observer, Solver};
use std::path::{Path, PathBuf};

/// States up to which steps allocate nothing.
const MOST: usize = 16;

/// Gears hold several contacts at rest together there: some of their steps look for a slip that would share its loop with them, and that
/// search makes room for itself.
const SEARCHING: [&str; 3] = ["gear_shift.toml", "harmonic_drive.toml", "valve_spool.toml"];

/// Stops after every step, so that each can be looked at by itself.
struct OneStep;

impl Observer for OneStep {
    fn step(&mut self, _: &AcceptedStep) -> bool {
        false
    }
}

fn scenarios() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("benches/scenarios"), root.join("examples")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files.retain(|file| !SEARCHING.iter().any(|name| file.ends_with(name)));
    files.sort();
    files
}

/// What the steps of a run allocate that pass neither an event nor a break, once what it does is recorded: a set of modes that is seen
/// ten times is, in however many runs that takes, and the run after makes room for it. Gives the number of allocations, and that of the steps.
fn allocations(scenario: &Scenario, method: Method, duration: f64) -> (u64, usize) {
    let (system, p) = (&scenario.system, scenario.system.params().to_vec());
    let solver = Solver { method, ..Solver::with_tolerance(1e-6) };
    let mut integrator = Integrator::new(system, &p, &solver).unwrap();
    for _ in 0..11 {
        integrator.reset(&system.initial(&p)).unwrap();
        integrator.advance(duration, &mut ()).unwrap();
    }
    integrator.reset(&system.initial(&p)).unwrap();
    let (mut found, mut steps) = (0, 0);
    while integrator.state().t < duration {
        let (t, events) = (integrator.state().t, integrator.statistics().events);
        let count = measure(|| drop(integrator.advance(duration, &mut OneStep))).count_total;
        let has_event = integrator.statistics().events > events;
        let passed = system.next_break(&p, t).is_some_and(|next| next <= integrator.state().t);
        let began = system.next_break(&p, t - 1e-9).is_some_and(|next| next <= t);
        if !has_event && !passed && !began {
            (found, steps) = (found + count, steps + 1);
        }
    }
    (found, steps)
}

#[test]
fn steps_of_scenarios_allocate_nothing() {
    // Machine code is made in the midst of a run, once.
    #[cfg(feature = "jit")]
    bristle_solve::allow_machine_code(false);
    let mut seen = 0;
    for file in scenarios() {
        let scenario = Scenario::from_file(&file).unwrap();
        let system = &scenario.system;
        if system.dim() > MOST || system.dim() == 0 || system.has_structure() {
            continue;
        }
        let duration = match scenario.studies.first() {
            Some(study) if study.kind.card().name == "simulate" => study.spec.numbers[0].min(2.0),
            _ => 0.2,
        };
        for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dop853] {
            let (found, steps) = allocations(&scenario, method, duration);
            assert_eq!(found, 0, "{}: {method:?}, {steps} steps", file.display());
            seen += steps;
        }
    }
    assert!(seen > 1000, "{seen}");
}
