//! A block on a belt with bristles, with or without dwell time.

use crate::{Dynamics, Point, State};
use bristle_core::{Mode, Scalar};

/// Indices of the parameters of [`Belt`].
pub mod belt {
    /// Mass.
    pub const M: usize = 0;
    /// Stiffness of the spring.
    pub const K: usize = 1;
    /// Speed of the belt.
    pub const V_B: usize = 2;
    /// Kinetic friction force.
    pub const C0: usize = 3;
    /// Excess of the static over the kinetic friction force.
    pub const CS: usize = 4;
    /// Decay of the Stribeck curve.
    pub const ALPHA: usize = 5;
    /// Viscous friction.
    pub const C1: usize = 6;
    /// Relative growth of the friction force at rest.
    pub const A: usize = 7;
    /// Time scale of that growth.
    pub const PHI0: usize = 8;
    /// Memory length of the dwell time.
    pub const D0: usize = 9;
    /// Bristle stiffness.
    pub const SIGMA0: usize = 10;
    /// Bristle damping.
    pub const SIGMA1: usize = 11;
}

/// A block on a spring, dragged by a belt through LuGre friction, with or without a dwell-time state.
///
/// ```text
/// m ẍ = −k x + σ₀ z [1 + a (1 − e^{−φ/φ₀})] + σ₁ ż + c₁ v,   v = v_b − ẋ
/// ż = v − σ₀ |v| z / g(v),   g = c₀ + c_s e^{−α|v|}
/// φ̇ = 1 − |v| φ / D₀
/// ```
///
/// States `x, ẋ, z, φ`; without dwell time `a = 0` and no `φ`. The direction of `v` is a mode, so that the rates
/// are smooth between switches. At low belt speed the bristles ring at 245 rad/s, hardly damped: oscillatory, not stiff.
/// ErasedDynamics: hieu2021.
#[derive(Clone, Debug)]
pub struct Belt {
    /// Has the dwell-time state?
    pub dwell: bool,
    /// Parameters, indexed by [`belt`].
    pub params: [f64; 12],
}

impl Belt {
    /// With dwell time ("two-state friction").
    pub fn two_state() -> Self {
        Self { dwell: true, params: [1.0, 100.0, 0.1, 15.0, 10.0, 1.0, 0.5, 0.1, 10.0, 0.002, 6e4, 2.0] }
    }

    /// Plain LuGre.
    pub fn lugre() -> Self {
        Self { dwell: false, ..Self::two_state() }
    }

    /// With dwell time, at belt speed `v_b`.
    pub fn at(v_b: f64) -> Self {
        let mut block = Self::two_state();
        block.params[belt::V_B] = v_b;
        block
    }

    /// The published start: `x = 0.2`, `ẋ = 0.1`, fresh bristles.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: [0.2, 0.1, 0.0, 0.0][..self.dim()].to_vec(), mode: vec![Mode::Stick] }
    }

    /// The parameters with some values replaced.
    pub fn with(&self, changes: &[(usize, f64)]) -> Vec<f64> {
        let mut p = self.params.to_vec();
        for &(i, value) in changes {
            p[i] = value;
        }
        p
    }

    /// A guess at the sliding equilibrium: the closed form.
    pub fn sliding(&self, p: &[f64]) -> Vec<f64> {
        let v = p[belt::V_B];
        let z = (p[belt::C0] + p[belt::CS] * (-p[belt::ALPHA] * v).exp()) / p[belt::SIGMA0];
        let phi = p[belt::D0] / v;
        let growth = if self.dwell { p[belt::A] * (1.0 - (-phi / p[belt::PHI0]).exp()) } else { 0.0 };
        let x = (p[belt::SIGMA0] * z * (1.0 + growth) + p[belt::C1] * v) / p[belt::K];
        let mut state = vec![x, 0.0, z];
        if self.dwell {
            state.push(phi);
        }
        state
    }
}

impl Dynamics for Belt {
    fn dim(&self) -> usize {
        if self.dwell { 4 } else { 3 }
    }

    fn mode_count(&self) -> usize {
        1
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    #[inline(always)]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let (x, p) = (at.x, at.p);
        let v = p[belt::V_B] - x[1];
        let speed = v * at.mode[0].sign();
        let g = p[belt::C0] + p[belt::CS] * (-(p[belt::ALPHA] * speed)).exp();
        let dz = v - p[belt::SIGMA0] * speed * x[2] / g;
        let mut bristle = p[belt::SIGMA0] * x[2];
        if self.dwell {
            bristle = bristle * ((S::one() - (-(x[3] / p[belt::PHI0])).exp()) * p[belt::A] + 1.0);
            dx[3] = S::one() - speed * x[3] / p[belt::D0];
        }
        dx[0] = x[1];
        dx[1] = (bristle - p[belt::K] * x[0] + p[belt::SIGMA1] * dz + p[belt::C1] * v) / p[belt::M];
        dx[2] = dz;
    }

    fn guard_count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = (at.p[belt::V_B] - at.x[1]) * at.mode[0].sign();
    }

    fn switch(&self, _fired: usize, _p: &[f64], state: &mut State) {
        state.mode[0] = state.mode[0].reversed();
    }

    fn start(&self, p: &[f64], state: &mut State) {
        state.mode[0] = Mode::of(p[belt::V_B] - state.x[1]);
        if state.mode[0] == Mode::Stick {
            // Both directions agree at v = 0; the acceleration says which one comes next.
            let mut dx = vec![0.0; self.dim()];
            state.mode[0] = Mode::Forward;
            self.rates(Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut dx);
            state.mode[0] = if dx[1] > 0.0 { Mode::Backward } else { Mode::Forward };
        }
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[0.1, 0.1, 1e-4, 1e-2][..self.dim()]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn state_name(&self, index: usize) -> String {
        ["x", "v", "z", "phi"][index].to_owned()
    }

    fn guard_name(&self, _index: usize) -> String {
        "belt".to_owned()
    }
}
