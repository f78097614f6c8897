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

const MASS: f64 = 20.0;
const STIFFNESS: f64 = 10.0;
const V_B: f64 = 0.5;
const F_D: f64 = 98.1;
const F_S: f64 = 117.72;
const V_S: f64 = 0.01;
const V_D: f64 = 0.05;

impl Rabinowicz {
    /// Moving with the belt, spring unstretched.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0, V_B], mode: vec![] }
    }

    /// `m`, `k`, `v_b`, `F_d`, `F_s`, `v_s`, `v_d`.
    pub fn numbers(&self) -> [f64; 7] {
        [MASS, STIFFNESS, V_B, F_D, F_S, V_S, V_D]
    }
}

impl Dynamics for Rabinowicz {
    fn dim(&self) -> usize {
        2
    }

    fn params(&self) -> &[f64] {
        &[]
    }

    #[inline(always)]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let w = at.x[1] - V_B;
        let speed = w.abs();
        let rise = || (w * (FRAC_PI_2 / V_S)).sin() * F_S;
        let fall = || (((speed - V_S) * (PI / (V_D - V_S))).cos() + 1.0) * (0.5 * (F_S - F_D)) + F_D;
        let beyond = || w.sign() * S::choose(speed.lt(S::from(V_D)), fall, || S::from(F_D));
        let force = S::choose(speed.lt(S::from(V_S)), rise, beyond);
        dx[0] = at.x[1];
        dx[1] = -(at.x[0] * STIFFNESS + force) * (1.0 / MASS);
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[10.0, 1.0]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }
}
