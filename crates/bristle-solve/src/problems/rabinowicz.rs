//! A block on a belt with a velocity-based law.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;
use std::f64::consts::{FRAC_PI_2, PI};

/// Rabinowicz' block on a belt with a velocity-based law: a steep, smooth rise through zero instead of sticking.
///
/// ```text
/// m ẍ = −k x + F(w),   w = ẋ − v_b
/// F = −F_s sin(π w/(2 v_s))                                        |w| ≤ v_s
///     −sgn w (F_d + (F_s − F_d)/2 (1 + cos(π (|w| − v_s)/(v_d − v_s))))   v_s < |w| < v_d
///     −sgn w F_d                                                   beyond
/// ```
///
/// Stiff while it nearly sticks, with jumps in the curvature of the force. `x(50 s) = 11.14891113 m`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rabinowicz;

/// `m`, `k`, `v_b`, `F_d`, `F_s`, `v_s`, `v_d`.
const PARAMS: [f64; 7] = [20.0, 10.0, 0.5, 98.1, 117.72, 0.01, 0.05];

impl Rabinowicz {
    /// Moving with the belt, spring unstretched.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0, PARAMS[2]], mode: vec![] }
    }
}

impl Dynamics for Rabinowicz {
    fn dim(&self) -> usize {
        2
    }

    fn params(&self) -> &[f64] {
        &PARAMS
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [m, k, v_b, f_d, f_s, v_s, v_d] = [at.p[0], at.p[1], at.p[2], at.p[3], at.p[4], at.p[5], at.p[6]];
        let w = at.x[1] - v_b;
        let speed = w.abs();
        let rise = || f_s * (w / v_s * FRAC_PI_2).sin();
        let fall = || f_d + (f_s - f_d) * 0.5 * (((speed - v_s) / (v_d - v_s) * PI).cos() + 1.0);
        let beyond = || w.sign() * S::choose(speed.lt(v_d), fall, || f_d);
        let force = S::choose(speed.lt(v_s), rise, beyond);
        dx[0] = at.x[1];
        dx[1] = -(k * at.x[0] + force) / m;
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[10.0, 1.0]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }
}
