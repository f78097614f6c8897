//! A chain of masses with bristle friction.

use crate::{Band, Dynamics, Point, State};
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
    params: [f64; 10],
}

impl Chain {
    /// A chain of `count` masses.
    pub fn new(count: usize) -> Self {
        // m, k, c, σ₀, σ₁, σ₂, F_c, F_s, v_s, speed of the pulled end
        Chain { count, params: [0.05, 2e3, 0.5, 1e4, 20.0, 0.4, 0.05, 0.07, 0.01, 0.1] }
    }

    /// Straight and at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0; 3 * self.count], mode: vec![] }
    }
}

impl Dynamics for Chain {
    fn dim(&self) -> usize {
        3 * self.count
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [m, k, c, sigma0, sigma1] = [at.p[0], at.p[1], at.p[2], at.p[3], at.p[4]];
        let [sigma2, f_c, f_s, v_s, pull] = [at.p[5], at.p[6], at.p[7], at.p[8], at.p[9]];
        for i in 0..self.count {
            let [x, v, z] = [at.x[3 * i], at.x[3 * i + 1], at.x[3 * i + 2]];
            let (left_x, left_v) = if i > 0 { (at.x[3 * i - 3], at.x[3 * i - 2]) } else { (x, v) };
            let (right_x, right_v) =
                if i + 1 < self.count { (at.x[3 * i + 3], at.x[3 * i + 4]) } else { (pull * at.t, pull) };
            let speed = (v * v + 1e-12).sqrt();
            let g = f_c + (f_s - f_c) * (-(v / v_s).squared()).exp();
            let dz = v - sigma0 * speed * z / g;
            let spring = k * (right_x - x * 2.0 + left_x) + c * (right_v - v * 2.0 + left_v);
            dx[3 * i] = v;
            dx[3 * i + 1] = (spring - sigma0 * z - sigma1 * dz - sigma2 * v) / m;
            dx[3 * i + 2] = dz;
        }
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        for row in scale.chunks_exact_mut(3) {
            row.copy_from_slice(&[1e-2, 1e-2, 5e-6]);
        }
    }

    fn band(&self) -> Option<Band> {
        Some(Band { lower: 4, upper: 3 })
    }
}
