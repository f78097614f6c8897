//! The forced harmonic oscillator.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;

/// An oscillator driven at its own pace, with the work of the drive as a quadrature.
///
/// ```text
/// ẋ = v,   v̇ = −ω² x + a cos t,   ẇ = a v cos t
/// x = cos ωt + a (cos t − cos ωt)/(ω² − 1)
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Harmonic;

/// `ω` and `a`.
const PARAMS: [f64; 2] = [2.0, 0.5];

impl Harmonic {
    /// At `x = 1`, at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![1.0, 0.0, 0.0], mode: vec![] }
    }

    /// Position and velocity at `t`.
    pub fn exact(&self, t: f64) -> [f64; 2] {
        let [w, a] = PARAMS;
        let b = a / (w * w - 1.0);
        [(1.0 - b) * (w * t).cos() + b * t.cos(), -(1.0 - b) * w * (w * t).sin() - b * t.sin()]
    }

    /// The work of the drive up to `t`, from the two oscillations in the velocity.
    pub fn exact_work(&self, t: f64) -> f64 {
        let [w, a] = PARAMS;
        let b = a / (w * w - 1.0);
        let beat = |c: f64| (1.0 - (c * t).cos()) / c;
        -(1.0 - b) * w * a * 0.5 * (beat(w + 1.0) + beat(w - 1.0)) - b * a * 0.5 * t.sin().powi(2)
    }
}

impl Dynamics for Harmonic {
    fn dim(&self) -> usize {
        3
    }

    fn quadratures(&self) -> usize {
        1
    }

    fn params(&self) -> &[f64] {
        &PARAMS
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let push = at.p[1] * at.t.cos();
        dx[0] = at.x[1];
        dx[1] = push - at.p[0] * at.p[0] * at.x[0];
        dx[2] = push * at.x[1];
    }
}
