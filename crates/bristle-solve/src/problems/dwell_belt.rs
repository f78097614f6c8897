//! A block on a belt with bristles and dwell time.

use crate::{Dynamics, Point, State};
use bristle_core::{Mode, Scalar};

/// A block on a belt whose bristles grow stronger the longer it dwells.
///
/// ```text
/// ẍ = (−k x + σ₀ z (1 + a (1 − e^{−φ/φ₀})) + σ₁ ż + c₁ v)/m,   v = v_b − ẋ
/// ż = v − σ₀ |v| z/g,   φ̇ = 1 − |v| φ/D₀,   g = c₀ + c_s e^{−α|v|}
/// ```
///
/// The mode holds the sign of `v`: `|v|` is `s v` throughout a step, so the rates are smooth and the kink is an event. At low
/// belt speed the bristles ring at 245 rad/s, hardly damped: oscillatory, not stiff.
#[derive(Clone, Copy, Debug)]
pub struct DwellBelt {
    params: [f64; 12],
}

impl DwellBelt {
    /// The published parameters at belt speed `v_b`.
    pub fn new(v_b: f64) -> Self {
        // v_b, m, k, σ₀, σ₁, c₁, c₀, c_s, α, D₀, a, φ₀
        DwellBelt { params: [v_b, 1.0, 100.0, 6e4, 2.0, 0.5, 15.0, 10.0, 1.0, 0.002, 0.1, 10.0] }
    }

    /// The published start: `x = 0.2`, `ẋ = 0.1`, fresh bristles.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.2, 0.1, 0.0, 0.0], mode: vec![Mode::Stick] }
    }
}

impl Dynamics for DwellBelt {
    fn dim(&self) -> usize {
        4
    }

    fn mode_count(&self) -> usize {
        1
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [x, u, z, phi] = [at.x[0], at.x[1], at.x[2], at.x[3]];
        let p = at.p;
        let v = p[0] - u;
        let speed = v * at.mode[0].sign();
        let g = p[6] + p[7] * (-(p[8] * speed)).exp();
        dx[0] = u;
        dx[2] = v - p[3] * speed * z / g;
        dx[3] = S::one() - speed * phi / p[9];
        let dwell = S::one() + p[10] * (S::one() - (-(phi / p[11])).exp());
        dx[1] = (p[3] * z * dwell + p[4] * dx[2] + p[5] * v - p[2] * x) / p[1];
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = (at.p[0] - at.x[1]) * at.mode[0].sign();
    }

    fn switch(&self, _fired: usize, _p: &[f64], state: &mut State) {
        state.mode[0] = state.mode[0].reversed();
    }

    fn start(&self, p: &[f64], state: &mut State) {
        state.mode[0] = if p[0] < state.x[1] { Mode::Backward } else { Mode::Forward };
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[0.1, 0.1, 1e-4, 1.0]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn state_name(&self, index: usize) -> String {
        ["x", "u", "z", "phi"][index].to_owned()
    }

    fn guard_name(&self, _index: usize) -> String {
        "belt".to_owned()
    }
}
