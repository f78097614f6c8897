//! A block on a belt with generalised Maxwell slip.

use crate::{Dynamics, Point, State};
use bristle_core::{Mode, Scalar};

/// A block on a belt whose friction is made of four springs behind sliders.
///
/// ```text
/// m ẍ = −k x − F,   w = ẋ − v_b,   F = Σ (k_i z_i + c_i ż_i),   s(w) = N (μ_d + (μ_s − μ_d) e^{−(w/v_s)²})
/// ż_i = w                                        while element i sticks, up to k_i |z_i| = a_i s(w)
/// ż_i = sgn(w) C (a_i − k_i |z_i|/s(w))/k_i       while it slips, until w reverses
/// ```
///
/// An event at every yield and every reversal. ErasedDynamics: albender2005.
#[derive(Clone, Copy, Debug, Default)]
pub struct GmsBelt;

const MASS: f64 = 1.0;
const TIE: f64 = 1e3;
const V_B: f64 = 0.02;
const LOAD: f64 = 10.0;
const MU_D: f64 = 0.3;
const MU_S: f64 = 0.4;
const V_S: f64 = 0.01;
const ATTRACTION: f64 = 300.0;
const SIGMA0: f64 = 1e5;
const SIGMA1: f64 = 100.0;
const SHARE: [f64; 4] = [0.1, 0.2, 0.3, 0.4];
const STIFFNESS: [f64; 4] = [0.4, 0.3, 0.2, 0.1];

impl GmsBelt {
    /// At rest, all springs unstretched.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0; 6], mode: vec![Mode::Stick; 5] }
    }

    /// `m`, `k`, `v_b`, `N`, `μ_d`, `μ_s`, `v_s`, `C`, `σ₀`, `σ₁`; shares of friction and stiffness follow.
    pub fn numbers(&self) -> [f64; 18] {
        let [a, b, c, d] = SHARE;
        let [e, f, g, h] = STIFFNESS;
        [MASS, TIE, V_B, LOAD, MU_D, MU_S, V_S, ATTRACTION, SIGMA0, SIGMA1, a, b, c, d, e, f, g, h]
    }
}

/// The Stribeck curve.
fn curve<S: Scalar>(w: S) -> S {
    ((-(w * (1.0 / V_S)).squared()).exp() * (MU_S - MU_D) + MU_D) * LOAD
}

impl Dynamics for GmsBelt {
    fn dim(&self) -> usize {
        6
    }

    fn mode_count(&self) -> usize {
        5
    }

    fn params(&self) -> &[f64] {
        &[]
    }

    #[inline(always)]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let (w, sign) = (at.x[1] - V_B, at.mode[0].sign());
        let mut force = at.x[0] * TIE;
        let slips = at.mode[1..].iter().any(|mode| *mode != Mode::Stick);
        let inverse = if slips { S::one() / curve(w) } else { S::zero() };
        for i in 0..4 {
            let k = STIFFNESS[i] * SIGMA0;
            let spring = at.x[2 + i] * k;
            dx[2 + i] = match at.mode[1 + i] {
                Mode::Stick => w,
                _ => (S::from(SHARE[i]) - spring * sign * inverse) * (ATTRACTION * sign / k),
            };
            force += spring + dx[2 + i] * (SIGMA1 * STIFFNESS[i]);
        }
        dx[0] = at.x[1];
        dx[1] = -force * (1.0 / MASS);
    }

    fn guard_count(&self) -> usize {
        5
    }

    #[inline(always)]
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        let (w, sign) = (at.x[1] - V_B, at.mode[0].sign());
        g[0] = w * sign;
        let curve = curve(w);
        for i in 0..4 {
            g[1 + i] = match at.mode[1 + i] {
                Mode::Stick => curve * SHARE[i] - at.x[2 + i] * (STIFFNESS[i] * SIGMA0 * sign),
                _ => S::one(),
            };
        }
    }

    fn switch(&self, fired: usize, _p: &[f64], state: &mut State) {
        if fired > 0 {
            state.mode[fired] = Mode::Forward;
        } else {
            state.mode[0] = state.mode[0].reversed();
            state.mode[1..].fill(Mode::Stick);
        }
    }

    fn start(&self, _p: &[f64], state: &mut State) {
        state.mode.fill(Mode::Stick);
        state.mode[0] = Mode::of(state.x[1] - V_B);
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[1e-5, 1e-3, 1e-5, 3e-5, 6e-5, 1.6e-4]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn state_name(&self, index: usize) -> String {
        ["x", "v", "z1", "z2", "z3", "z4"][index].to_owned()
    }
}
