//! A body on a test bench with the second-order dynamic friction law.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;

/// How the test bench pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchLoad {
    /// Rises smoothly within 30 s to 0.99 of the static friction and stays.
    Hold,
    /// Rises smoothly within `rise` seconds to 0.95 of the static friction and stays.
    Pulse {
        /// Duration of the rise, s.
        rise: f64,
    },
}

/// A body of 1 kg on a rough plane, pushed, with the law FrDyn2.
///
/// ```text
/// F₀ = σ₀ z + σ₁ v,   δ = sgn(F₀) v_s (1 − √(1 − |F₀|/F_s)),   w = v − ż + δ
/// F_R = sgn(w) F_N μ(|w|),   z̈ = (F_R − σ₀ z − σ₁ ż) 4σ₀/σ₁²,   m v̇ = F − F_R
/// μ = μ_s q (2 − q) up to v_s, a cubic step down to μ_d at v_d, μ_d beyond
/// ```
///
/// Sticking is a strongly attracting manifold, 3·10⁴ 1/s fast, next to a hold of any length: very stiff. The slope of `δ` is
/// unbounded at break-away.
#[derive(Clone, Copy, Debug)]
pub struct TestBench {
    rise: f64,
    share: f64,
}

/// Of a body of 1 kg.
const NORMAL: f64 = 9.81;
const SIGMA0: f64 = 5e6;
const SIGMA1: f64 = 3192.75;
const MU_S: f64 = 0.6;
const V_S: f64 = 0.001;
const MU_D: f64 = 0.3;
const V_D: f64 = 0.01;
const STATIC: f64 = MU_S * NORMAL;

impl TestBench {
    /// The published bench with the given load.
    pub fn new(load: BenchLoad) -> Self {
        match load {
            BenchLoad::Hold => TestBench { rise: 30.0, share: 0.99 },
            BenchLoad::Pulse { rise } => TestBench { rise, share: 0.95 },
        }
    }

    /// All at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0; 4], mode: vec![] }
    }

    /// `m`, `F_N`, `σ₀`, `σ₁`, `μ_s`, `v_s`, `μ_d`, `v_d`, the duration of the rise and the share of the static friction.
    pub fn numbers(&self) -> [f64; 10] {
        [1.0, NORMAL, SIGMA0, SIGMA1, MU_S, V_S, MU_D, V_D, self.rise, self.share]
    }
}

/// `q²(3 − 2q)`, clamped.
fn step<S: Scalar>(q: S) -> S {
    let q = q.clamp_to(S::zero(), S::one());
    q * q * (S::from(3.0) - q * 2.0)
}

impl Dynamics for TestBench {
    fn dim(&self) -> usize {
        4
    }

    fn params(&self) -> &[f64] {
        &[]
    }

    #[inline(always)]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [v, z, dz] = [at.x[1], at.x[2], at.x[3]];
        let push = step(at.t / self.rise) * (self.share * STATIC);
        let f0 = z * SIGMA0 + v * SIGMA1;
        let load = f0.abs();
        // The floor bounds the slope of the root, not its value. Both odd functions are written as a multiple of their argument,
        // so that their slope at zero is right.
        let inside = || {
            let root = (S::one() - load * (1.0 / STATIC)).max(S::from(1e-24)).sqrt();
            f0 * (V_S / STATIC) / (root + 1.0)
        };
        let shift = S::choose(load.lt(S::from(STATIC)), inside, || f0.sign() * V_S);
        let w = v - dz + shift;
        let speed = w.abs();
        let below = || w * (NORMAL * MU_S / V_S) * (S::from(2.0) - speed * (1.0 / V_S));
        let above = || {
            w.sign()
                * ((S::one() - step((speed - V_S) * (1.0 / (V_D - V_S)))) * (MU_S - MU_D) + MU_D)
                * NORMAL
        };
        let friction = S::choose(speed.lt(S::from(V_S)), below, above);
        dx[0] = v;
        dx[1] = push - friction;
        dx[2] = dz;
        dx[3] = (friction - z * SIGMA0 - dz * SIGMA1) * (4.0 * SIGMA0 / (SIGMA1 * SIGMA1));
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        // The deflection that bears the static force, and the speed at which it builds up.
        scale.copy_from_slice(&[1e-6, 1e-3, 1e-6, 1e-3]);
    }

    fn next_break(&self, _p: &[f64], t: f64) -> Option<f64> {
        (t < self.rise).then_some(self.rise)
    }

    fn state_name(&self, index: usize) -> String {
        ["u", "v", "z", "dz"][index].to_owned()
    }
}
