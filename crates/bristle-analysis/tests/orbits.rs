//! Stick-slip cycles of the belt oscillator: periods, multipliers, coexistence, chaos, stages.

use crate::reference::{close, model, number, numbers, reference, turning_point};
use bristle_analysis::find_orbits::OrbitSearch;
use bristle_analysis::phases::phases;
use bristle_analysis::shooting::Shooting;
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Method, Solver, State};

/// Forty orbits, started from their section states rounded to four digits.
#[test]
fn periods_and_multipliers_match_the_reference() {
    for row in reference()["orbits"].as_array().unwrap() {
        let belt = model(&row["model"]);
        let v_b = number(&row["v_b"]);
        let p = belt.with(&[(belt::V_B, v_b)]);
        let map = turning_point(&belt, v_b, Shooting::default());
        let rough: Vec<f64> =
            numbers(&row["section"]).iter().map(|x| format!("{x:.3e}").parse().unwrap()).collect();
        let exact = numbers(&row["section"]);
        // Several orbits lie close together; those keep more digits.
        let multiplicity = row["multiplicity"].as_u64().unwrap() as usize;
        let x = if v_b < 0.15 {
            exact.iter().map(|x| format!("{x:.6e}").parse().unwrap()).collect()
        } else {
            rough
        };
        let mut guess = State { t: 0.0, x, mode: vec![bristle_core::Mode::Forward] };
        guess.x[1] = 0.0;
        let orbit = map.orbit(&p, &guess, multiplicity).unwrap();
        close(orbit.period / number(&row["period"]), 1.0, 1e-9);
        close(orbit.leading().re, number(&row["leading"][0]), 1e-6);
        assert!(orbit.multipliers[1..].iter().all(|m| m.norm() < 1e-6));
        assert_eq!(orbit.hits[0].x.len(), exact.len());
        for (x, expected) in orbit.hits[0].x.iter().zip(&exact) {
            assert!((x - expected).abs() <= 1e-9 * expected.abs().max(1e-3));
        }
    }
}

/// Every listed cycle is found from one motion without a hint, and nothing else of one return: neighbouring cycles
/// have leading multipliers on alternating sides of one, as fixed points of a curve must.
#[track_caller]
fn all_are_found(block: &Belt, v_b: f64, multiplicities: &[usize]) {
    let p = block.with(&[(belt::V_B, v_b)]);
    let map = turning_point(block, v_b, Shooting::default());
    let mut start = block.sliding(&p);
    start[1] = v_b;
    let hunt = OrbitSearch { multiplicities: multiplicities.to_vec(), ..OrbitSearch::default() };
    let found = map.find_orbits(&p, &[start], &hunt).unwrap();
    let listed = reference()["orbits"].as_array().unwrap().clone();
    for row in &listed {
        let multiplicity = row["multiplicity"].as_u64().unwrap() as usize;
        let is_here = model(&row["model"]).dwell == block.dwell && number(&row["v_b"]) == v_b;
        if !is_here || !multiplicities.contains(&multiplicity) {
            continue;
        }
        let period = number(&row["period"]);
        let same =
            found.iter().find(|o| o.multiplicity == multiplicity && (o.period / period - 1.0).abs() < 1e-9);
        assert!(same.is_some(), "period {period} at {v_b} m/s is missing");
        let orbit = same.unwrap();
        close(orbit.leading().re, number(&row["leading"][0]), 1e-4);
    }
    let single: Vec<_> = found.iter().filter(|o| o.multiplicity == 1).collect();
    assert_eq!(single.len() % 2, 1);
    for (i, orbit) in single.iter().enumerate() {
        assert_eq!(orbit.leading().re > 1.0, i % 2 == 1, "{} at {}", orbit.leading(), orbit.period);
        assert!(orbit.period > 1.0);
    }
}

#[test]
fn cycles_with_dwell_time_are_all_found() {
    all_are_found(&Belt::two_state(), 0.03, &[1]);
    all_are_found(&Belt::two_state(), 0.05, &[1, 2, 4]);
    all_are_found(&Belt::two_state(), 0.1, &[1]);
}

/// At 0.05 m/s three period-1 orbits with different numbers of ringing cycles coexist; one of them attracts.
#[test]
fn cycles_of_plain_bristles_are_all_found() {
    all_are_found(&Belt::lugre(), 0.03, &[1]);
    all_are_found(&Belt::lugre(), 0.05, &[1]);
    all_are_found(&Belt::lugre(), 0.1, &[1, 2]);
}

/// At 0.03 m/s neighbouring motions part by about 0.82 nats per cycle (LuGre: 0.32); 250 cycles give that to some
/// ten per cent.
#[test]
fn slow_belts_are_chaotic() {
    for (belt, expected) in [(Belt::two_state(), 0.82), (Belt::lugre(), 0.32)] {
        let p = belt.with(&[(belt::V_B, 0.03)]);
        let shooting = Shooting {
            solver: Solver { method: Method::Dop853, rtol: 1e-9, atol: 1e-9, ..Solver::default() },
            ..Shooting::default()
        };
        let map = turning_point(&belt, 0.03, shooting);
        let start = map.hits(&p, &[0.2, 0.03, 0.0, 0.0][..if belt.dwell { 4 } else { 3 }], 20).unwrap();
        let state = State { t: 0.0, ..start[19].state.clone() };
        let exponent = map.lyapunov(&p, &state, 250).unwrap();
        assert!((exponent.per_cycle / expected - 1.0).abs() < 0.15, "{exponent:?}");
    }
}

/// The cycle at 0.1 m/s sticks for 0.627 s, accelerates for 0.367 s and decelerates for 0.154 s.
#[test]
fn a_cycle_is_cut_into_its_stages() {
    let belt = Belt::two_state();
    let p = belt.with(&[(belt::V_B, 0.1)]);
    let map = turning_point(&belt, 0.1, Shooting::default());
    let hits = map.hits(&p, &[0.2, 0.1, 0.0, 0.0], 12).unwrap();
    let orbit = map.orbit(&p, &hits[11].state, 1).unwrap();
    let solver = Shooting::default().solver;
    let output = bristle_solve::Output::Grid { step: 1e-4 };
    let run = solver.run(&belt, &p, orbit.hits[0].clone(), 3.0 * orbit.period, &output, &mut ()).unwrap();
    let v: Vec<f64> = run.samples.column(1).map(|y| 0.1 - y).collect();
    let found = phases(&run.samples.t, &v, 0.005);
    assert_eq!(found.len(), 2);
    for s in found {
        assert!((s.stick - 0.6267).abs() < 1e-3 && (s.acceleration - 0.3672).abs() < 1e-3, "{s:?}");
        assert!((s.deceleration - 0.15396).abs() < 1e-4 && (s.peak - 0.448088191).abs() < 1e-6, "{s:?}");
        assert!((s.period() - orbit.period).abs() < 1e-6);
    }
    let profile = orbit.profile(&belt, &solver, 4000).unwrap();
    let x = bristle_analysis::orbit::extremes(&profile)[0];
    assert!((0.5 * (x.1 - x.0) - 0.0359233930).abs() < 1e-8);
}
