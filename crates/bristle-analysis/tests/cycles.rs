//! Branches of cycles: flips, folds at grazing, birth at a Hopf point.

use crate::reference::{number, reference, turning_point};
use bristle_analysis::ContinuationSettings;
use bristle_analysis::branch::{Range, hopf_near};
use bristle_analysis::cycles::{OrbitKind, cycles, from_hopf};
use bristle_analysis::shooting::Shooting;
use bristle_solve::State;
use bristle_solve::problems::{Belt, belt};

/// Period-1 cycles lose stability by period doubling when the belt slows down.
#[test]
fn slow_cycles_flip() {
    let all = reference();
    for (belt, key, from, to, x, z, phi) in [
        (Belt::two_state(), "two_state_period_doubling_low_speed", 0.1, 0.095, 0.25709, 4.0177e-4, 5.937e-2),
        (Belt::lugre(), "lugre_period_doubling_low_speed", 0.155, 0.150, 0.260328, 3.94e-4, 0.0),
    ] {
        let map = turning_point(&belt, from, Shooting::default());
        let p = belt.with(&[(belt::V_B, from)]);
        let dim = if belt.dwell { 4 } else { 3 };
        let guess =
            State { t: 0.0, x: [x, 0.0, z, phi][..dim].to_vec(), mode: vec![bristle_core::Mode::Forward] };
        let start = map.orbit(&p, &guess, 1).unwrap();
        let range = Range { parameter: belt::V_B, from, to };
        let found = cycles(&map, &start, range, ContinuationSettings::default()).unwrap();
        let flips = found.at(OrbitKind::Flip);
        assert_eq!(flips.len(), 1);
        assert!((flips[0] - number(&all["special"][key]["v_b"])).abs() < 1e-7, "{flips:?}");
    }
}

/// Near 6 m/s the unstable pure-slip cycle begins to touch zero slip rate and turns into the stick-slip cycle
/// within 10⁻⁷ of the speed; the multiplier falls through +1 and −1 at once.
#[test]
fn fast_cycles_fold_where_they_graze() {
    let all = reference();
    for (belt, fold, flips, v) in [
        (Belt::two_state(), "two_state_fold_of_cycles", "two_state_period_doublings_high_speed", 6.0003),
        (Belt::lugre(), "lugre_fold_of_cycles", "lugre_period_doublings_high_speed", 5.9985),
    ] {
        let map = turning_point(&belt, v, Shooting::default());
        let p = belt.with(&[(belt::V_B, v)]);
        let mut x = belt.sliding(&p);
        // Pure slip: bristles and dwell time follow the speed at once; only the displacement must be known.
        x[0] = 0.8063;
        let guess = State { t: 0.0, x, mode: vec![bristle_core::Mode::Forward] };
        let start = map.orbit(&p, &guess, 1).unwrap();
        assert!(start.leading().re > 1.1);
        let range = Range { parameter: belt::V_B, from: v - 1e-3, to: 6.1 };
        let pace = ContinuationSettings { step: 1e-6, ..ContinuationSettings::default() };
        let found = cycles(&map, &start, range, pace).unwrap();
        let folds = found.at(OrbitKind::Fold);
        assert_eq!(folds.len(), 1, "{folds:?} {:?}", found.end);
        assert!((folds[0] - number(&all["special"][fold]["v_b"])).abs() < 1e-6, "{folds:?}");
        let flip = found.at(OrbitKind::Flip);
        assert!((flip[0] - number(&all["special"][flips][0]["v_b"])).abs() < 1e-6, "{flip:?}");
    }
}

/// The cycle born at the Hopf point obeys `v_b = v_H + κ A²` and is unstable.
#[test]
fn the_branch_born_at_a_hopf_point_has_the_predicted_curvature() {
    let belt = Belt::lugre();
    let p = belt.with(&[(belt::V_B, 3.0)]);
    let hopf = hopf_near(&belt, &p, &belt.sliding(&p), belt::V_B).unwrap();
    let map = turning_point(&belt, 3.0, Shooting::default());
    let orbit = from_hopf(&map, &hopf, 0, 0.02).unwrap();
    let profile = orbit.profile(&belt, &map.shooting.solver, 1000).unwrap();
    let (min, max) = bristle_analysis::orbit::extremes(&profile)[0];
    let amplitude = 0.5 * (max - min);
    let curvature = (orbit.p[belt::V_B] - hopf.steady.p[belt::V_B]) / (amplitude * amplitude);
    // The next term of the expansion is of order A²: one part in a thousand here.
    assert!((curvature / hopf.curvature[0] - 1.0).abs() < 2e-3, "{curvature}");
    assert!(orbit.leading().re > 1.0);
}
