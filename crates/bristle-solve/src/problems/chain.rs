//! A chain of masses with bristle friction.

use crate::{Bandwidth, Dynamics, Point, State};
use bristle_core::Scalar;

/// A chain of masses on a rough plane, pulled at one end at constant speed, LuGre bristles under each mass.
///
/// ```text
/// ẋ_i = v_i,   m v̇_i = k (x_{i+1} − 2 x_i + x_{i−1}) + c (v_{i+1} − 2 v_i + v_{i−1}) − σ₀ z_i − σ₁ ż_i − σ₂ v_i
/// ż_i = v_i − σ₀ |v_i| z_i/g(v_i)
/// ```
///
/// Slip travels along the chain; the Jacobian has five diagonals on either side. `|v|` is smoothed by `√(v² + ε²)`, so that
/// no event is needed.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    count: usize,
}

const MASS: f64 = 0.05;
const STIFFNESS: f64 = 2e3;
const DAMPING: f64 = 0.5;
const SIGMA0: f64 = 1e4;
const SIGMA1: f64 = 20.0;
const SIGMA2: f64 = 0.4;
const F_C: f64 = 0.05;
const F_S: f64 = 0.07;
const V_S: f64 = 0.01;
/// Speed of the pulled end.
const PULL: f64 = 0.1;

impl Chain {
    /// A chain of `count` masses.
    pub fn new(count: usize) -> Self {
        Chain { count }
    }

    /// Straight and at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0; 3 * self.count], mode: vec![] }
    }

    /// `m`, `k`, `c`, `σ₀`, `σ₁`, `σ₂`, `F_c`, `F_s`, `v_s` and the speed of the pulled end.
    pub fn numbers(&self) -> [f64; 10] {
        [MASS, STIFFNESS, DAMPING, SIGMA0, SIGMA1, SIGMA2, F_C, F_S, V_S, PULL]
    }
}

impl Dynamics for Chain {
    fn dim(&self) -> usize {
        3 * self.count
    }

    fn params(&self) -> &[f64] {
        &[]
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        for i in 0..self.count {
            let [x, v, z] = [at.x[3 * i], at.x[3 * i + 1], at.x[3 * i + 2]];
            let (left_x, left_v) = if i > 0 { (at.x[3 * i - 3], at.x[3 * i - 2]) } else { (x, v) };
            let (right_x, right_v) = if i + 1 < self.count {
                (at.x[3 * i + 3], at.x[3 * i + 4])
            } else {
                (at.t * PULL, S::from(PULL))
            };
            let speed = (v * v + 1e-12).sqrt();
            let g = (-(v * (1.0 / V_S)).squared()).exp() * (F_S - F_C) + F_C;
            let dz = v - speed * z * SIGMA0 / g;
            let spring = (right_x - x * 2.0 + left_x) * STIFFNESS + (right_v - v * 2.0 + left_v) * DAMPING;
            dx[3 * i] = v;
            dx[3 * i + 1] = (spring - z * SIGMA0 - dz * SIGMA1 - v * SIGMA2) * (1.0 / MASS);
            dx[3 * i + 2] = dz;
        }
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        for row in scale.chunks_exact_mut(3) {
            row.copy_from_slice(&[1e-2, 1e-2, 5e-6]);
        }
    }

    fn band(&self) -> Option<Bandwidth> {
        Some(Bandwidth { lower: 4, upper: 3 })
    }
}
