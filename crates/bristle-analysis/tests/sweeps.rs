//! Sweeps of the belt speed: the bistable band, independence of threads, interruption.

use crate::reference::turning_point;
use bristle_analysis::attractor::{Fate, Patience};
use bristle_analysis::shooting::Shooting;
use bristle_analysis::sweep::{ParameterSweep, SweepCell, sweep};
use bristle_solve::problems::{Belt, belt};
use std::sync::Mutex;

fn high_speed(belt: &Belt, values: Vec<f64>) -> ParameterSweep {
    let rest = belt.sliding(&belt.with(&[(belt::V_B, 4.0)]));
    let moved = |by: f64| {
        let mut x = rest.clone();
        x[0] += by;
        x
    };
    ParameterSweep {
        parameter: belt::V_B,
        values,
        starts: vec![moved(0.6), moved(0.02)],
        up: true,
        down: false,
        patience: Patience { transient: 60, window: 24, lyapunov: 20, longest: 8, ..Patience::default() },
        orbits: Vec::new(),
    }
}

/// Below 2.9957 m/s everything oscillates, above the crisis near 5.77 m/s everything comes to rest; in between the
/// start decides.
#[test]
fn the_bistable_band_is_found() {
    let belt = Belt::lugre();
    let map = turning_point(&belt, 4.0, Shooting::rough());
    let job = high_speed(&belt, vec![2.5, 3.5, 4.5, 5.3, 5.5, 5.7, 6.1]);
    let survey = sweep(&map, &belt.params, &job, &[], &|_| true).unwrap();
    assert!(survey.is_complete);
    let bands = survey.bistable();
    assert_eq!(bands.len(), 1, "{bands:?}");
    assert!(bands[0].from == 3.5 && (5.7..=6.0).contains(&bands[0].to), "{bands:?}");
    let at = |index: usize| survey.fates(index).into_iter().filter(|f| **f != Fate::Rest).collect::<Vec<_>>();
    assert_eq!(at(1), [&Fate::Periodic { multiplicity: 1 }]);
    assert!(at(4).contains(&&Fate::Periodic { multiplicity: 2 }));
    assert!(at(6).is_empty());
}

#[test]
fn a_sweep_does_not_depend_on_threads_and_can_be_resumed() {
    let belt = Belt::lugre();
    let map = turning_point(&belt, 4.0, Shooting::rough());
    let job = ParameterSweep { orbits: vec![1], ..high_speed(&belt, vec![3.4, 3.6]) };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sweep(&map, &belt.params, &job, &[], &|_| true).unwrap())
    };
    let whole = with(1);
    assert_eq!(whole, with(2));
    assert!(whole.cells[0].orbits.iter().any(|o| o.multiplicity == 1 && o.multipliers[0].0.abs() < 1.0));

    let seen: Mutex<Vec<SweepCell>> = Mutex::new(Vec::new());
    let stop_after_two = |cell: &SweepCell| {
        let mut seen = seen.lock().unwrap();
        seen.push(cell.clone());
        seen.len() < 2
    };
    let part = sweep(&map, &belt.params, &job, &[], &stop_after_two).unwrap();
    assert!(!part.is_complete);
    let stored: Vec<SweepCell> = serde_json::from_str(&serde_json::to_string(&part.cells).unwrap()).unwrap();
    assert_eq!(sweep(&map, &belt.params, &job, &stored, &|_| true).unwrap(), whole);
}
