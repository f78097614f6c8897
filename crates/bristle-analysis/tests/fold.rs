//! A branch that turns back: `ẋ = p + x − x³` folds at `p = ±2/(3√3)`.

use bristle_analysis::branch::{Range, SpecialKind, branch};
use bristle_analysis::{AnalysisError, ContinuationSettings, CurveEnd};
use bristle_core::Scalar;
use bristle_solve::{Dynamics, Point};

struct Cubic;

impl Dynamics for Cubic {
    fn dim(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[0.0]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.p[0] + at.x[0] - at.x[0] * at.x[0] * at.x[0];
    }
}

#[test]
fn folds_are_located_and_passed() {
    let range = Range { parameter: 0, from: -1.0, to: 1.0 };
    let found = branch(&Cubic, &[0.0], &[-1.3], range, ContinuationSettings::default()).unwrap();
    let expected = 2.0 / (3.0 * 3.0_f64.sqrt());
    let folds: Vec<f64> = found.special.iter().map(|s| s.steady.p[0]).collect();
    assert!(found.special.iter().all(|s| matches!(s.kind, SpecialKind::Fold)));
    assert_eq!(folds.len(), 2);
    assert!((folds[0] - expected).abs() < 1e-10 && (folds[1] + expected).abs() < 1e-10, "{folds:?}");
    assert_eq!(found.end, CurveEnd::Range);
    assert!(found.points.last().unwrap().x[0] > 1.3);
}

#[test]
fn wrong_requests_are_refused() {
    let range = Range { parameter: 3, from: -1.0, to: 1.0 };
    let refused = branch(&Cubic, &[0.0], &[-1.3], range, ContinuationSettings::default());
    assert!(matches!(refused, Err(AnalysisError::NoSuchParameter { index: 3, count: 1 })));
    let range = Range { parameter: 0, from: 1.0, to: 1.0 };
    let refused = branch(&Cubic, &[0.0], &[-1.3], range, ContinuationSettings::default());
    assert!(matches!(refused, Err(AnalysisError::EmptyRange { .. })));
}
