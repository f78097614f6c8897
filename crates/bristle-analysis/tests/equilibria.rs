//! Sliding on the belt: linearisation, boundary speeds, criticality.

use crate::reference::{close, model, number, numbers, reference};
use bristle_analysis::ContinuationSettings;
use bristle_analysis::boundary::boundary;
use bristle_analysis::branch::{Range, SpecialKind, branch, hopf_near};
use bristle_analysis::hopf::Criticality;
use bristle_analysis::map::{MapAxis, abscissa, map};
use bristle_analysis::steady::{Newton, steady};
use bristle_solve::problems::{Belt, belt};

#[test]
fn equilibria_jacobians_and_eigenvalues_match_the_reference() {
    for point in reference()["points"].as_array().unwrap() {
        let belt = model(&point["model"]);
        let p = belt.with(&[(belt::V_B, number(&point["v_b"])), (belt::C1, number(&point["c1"]))]);
        // The search starts a tenth away from the closed form.
        let guess: Vec<f64> = belt.sliding(&p).iter().map(|x| 1.1 * x).collect();
        let found = steady(&belt, &p, &guess, Newton::default()).unwrap();
        let expected = numbers(&point["equilibrium"]);
        assert_eq!(found.x.len(), expected.len());
        for (x, expected) in found.x.iter().zip(expected) {
            assert!((x - expected).abs() <= 1e-13 * expected.abs().max(1e-4), "{x} {expected}");
        }
        for (i, row) in point["jacobian"].as_array().unwrap().iter().enumerate() {
            for (j, expected) in numbers(row).into_iter().enumerate() {
                close(found.jacobian[(i, j)], expected, 1e-10);
            }
        }
        let values = found.eigenvalues();
        for pair in point["eigenvalues"].as_array().unwrap() {
            let (re, im) = (number(&pair[0]), number(&pair[1]));
            let nearest = values.iter().map(|v| (v.re - re).hypot(v.im - im)).fold(f64::INFINITY, f64::min);
            assert!(nearest <= 1e-10_f64.max(1e-13 * re.abs()), "{values:?} lacks {re} {im}: {nearest:e}");
        }
        let mut expected = numbers(&point["char_coeffs"]);
        expected.reverse();
        assert_eq!(found.polynomial().len(), expected.len());
        for (b, expected) in found.polynomial().into_iter().zip(expected) {
            close(b / expected, 1.0, 1e-11);
        }
        assert_eq!(found.is_stable(), found.hurwitz().iter().all(|d| *d > 0.0));
    }
}

/// Twenty boundary speeds for each of two stiffnesses and models, first Lyapunov coefficients, curvatures.
#[test]
fn boundary_speeds_match_the_reference() {
    for row in reference()["table2"].as_array().unwrap() {
        for (belt, speed, l1) in
            [(Belt::two_state(), "two_state", "l1_two_state"), (Belt::lugre(), "lugre", "l1_lugre")]
        {
            let expected = number(&row[speed]);
            let changes =
                [(belt::K, number(&row["k"])), (belt::C1, number(&row["c1"])), (belt::V_B, expected + 0.05)];
            let p = belt.with(&changes);
            let found = hopf_near(&belt, &p, &belt.sliding(&p), belt::V_B).unwrap();
            assert!((found.steady.p[belt::V_B] - expected).abs() < 1e-9);
            close(found.l1 / number(&row[l1]), 1.0, 1e-8);
            assert_eq!(found.verdict, Criticality::Subcritical);
            if speed == "two_state" {
                close(found.curvature[0] / number(&row["kappa_two_state"]), 1.0, 1e-8);
            }
        }
    }
}

/// The branch from 10 µm/s to 6 m/s passes Hopf points; the two zeros of the Hurwitz determinant between them are
/// pairs of real eigenvalues.
#[test]
fn neutral_saddles_are_not_taken_for_hopf_points() {
    for (name, belt) in [("two", Belt::two_state()), ("lugre", Belt::lugre())] {
        let p = belt.with(&[(belt::V_B, 1e-5)]);
        let range = Range { parameter: belt::V_B, from: 1e-5, to: 6.0 };
        let found = branch(&belt, &p, &belt.sliding(&p), range, ContinuationSettings::default()).unwrap();
        let all = reference();
        let expected: Vec<_> =
            all["hopf_points"].as_array().unwrap().iter().filter(|h| h["model"] == name).collect();
        assert_eq!(found.special.len(), expected.len());
        for (special, expected) in found.special.iter().zip(expected) {
            let v = special.steady.p[belt::V_B];
            close(v / number(&expected["v_b"]), 1.0, 1e-9);
            match &special.kind {
                SpecialKind::Hopf(hopf) => {
                    close(hopf.l1 / number(&expected["l1"]), 1.0, 1e-8);
                    close(hopf.curvature[0] / number(&expected["kappa"]), 1.0, 1e-8);
                    assert!(hopf.verdict.to_string().starts_with(expected["type"].as_str().unwrap()));
                }
                SpecialKind::NeutralSaddle => assert_eq!(expected["is_hopf"], false),
                other => panic!("{other:?} at {v}"),
            }
        }
        let last = found.points.last().unwrap();
        assert!(last.is_stable() && (last.p[belt::V_B] - 6.0).abs() < 1e-9);
    }
}

#[test]
fn the_hopf_curve_has_its_generalised_point() {
    for (name, key, belt) in [("two", "two_state", Belt::two_state()), ("lugre", "lugre", Belt::lugre())] {
        let p = belt.with(&[(belt::V_B, 3.0)]);
        let start = hopf_near(&belt, &p, &belt.sliding(&p), belt::V_B).unwrap();
        let ranges = [
            Range { parameter: belt::C1, from: 0.05, to: 20.0 },
            Range { parameter: belt::V_B, from: 0.004, to: 5.0 },
        ];
        let curve = boundary(&belt, &start, ranges, ContinuationSettings::default()).unwrap();
        let all = reference();
        let expected =
            all["generalised_hopf"].as_array().unwrap().iter().find(|g| g["model"] == name).unwrap();
        assert_eq!(curve.generalised.len(), 1);
        close(curve.generalised[0].at[0], number(&expected["c1"]), 1e-8);
        close(curve.generalised[0].at[1], number(&expected["v_b"]), 1e-8);
        for row in all["hopf_curve"].as_array().unwrap() {
            let (v, c1) = (number(&row["v_b"]), number(&row[key]["c1"]));
            let p = belt.with(&[(belt::V_B, v), (belt::C1, c1 + 1e-3)]);
            let point = hopf_near(&belt, &p, &belt.sliding(&p), belt::C1).unwrap();
            close(point.steady.p[belt::C1], c1, 1e-9);
            close(point.l1 / number(&row[key]["l1"]), 1.0, 1e-7);
            // The followed curve runs between its neighbours.
            let near = curve.points.windows(2).any(|w| {
                let (a, b) = (w[0].at, w[1].at);
                (a[1] - v) * (b[1] - v) <= 0.0
                    && (c1 - a[0].min(b[0])) > -0.02
                    && (a[0].max(b[0]) - c1) > -0.02
            });
            assert!(near, "curve misses {v}");
        }
    }
}

#[test]
fn the_map_has_26853_stable_cells() {
    let belt = Belt::two_state();
    let p = belt.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
    let axes = |n| (MapAxis::linear(belt::C1, 0.05, 5.0, n), MapAxis::linear(belt::V_B, 0.02, 5.0, n));
    let (rows, columns) = axes(200);
    let found = map(&belt, &p, &belt.sliding(&p), rows, columns).unwrap();
    assert_eq!(found.stable_cells(), 26853);
    assert!(found.stable.iter().all(Option::is_some));
    let (rows, columns) = axes(12);
    let values = abscissa(&belt, &p, &belt.sliding(&p), &rows, &columns).unwrap();
    let coarse = map(&belt, &p, &belt.sliding(&p), rows, columns).unwrap();
    assert_eq!(values.len(), coarse.stable.len());
    for (value, stable) in values.iter().zip(&coarse.stable) {
        assert_eq!(value.map(|v| v < 0.0), *stable);
    }
}
