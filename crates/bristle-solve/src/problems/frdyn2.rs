//! A body on a test bench with the second-order dynamic friction law.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;

/// How the test bench pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
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
    params: [f64; 10],
}

impl TestBench {
    /// The published bench with the given load.
    pub fn new(load: Load) -> Self {
        let (rise, share) = match load {
            Load::Hold => (30.0, 0.99),
            Load::Pulse { rise } => (rise, 0.95),
        };
        // m, F_N, σ₀, σ₁, μ_s, v_s, μ_d, v_d, rise, share of F_s
        TestBench { params: [1.0, 9.81, 5e6, 3192.75, 0.6, 0.001, 0.3, 0.01, rise, share] }
    }

    /// All at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0; 4], mode: vec![] }
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
        &self.params
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [v, z, dz] = [at.x[1], at.x[2], at.x[3]];
        let [m, normal, sigma0, sigma1, mu_s] = [at.p[0], at.p[1], at.p[2], at.p[3], at.p[4]];
        let [v_s, mu_d, v_d, rise, share] = [at.p[5], at.p[6], at.p[7], at.p[8], at.p[9]];
        let static_force = mu_s * normal;
        let push = share * static_force * step(at.t / rise);
        let f0 = sigma0 * z + sigma1 * v;
        // The floor bounds the slope of the root, not its value.
        let root = (S::one() - f0.abs() / static_force).max(S::from(1e-24)).sqrt();
        // Both odd functions are written as a multiple of their argument, so that their slope at zero is right.
        let inside = f0 * v_s / (static_force * (S::one() + root));
        let shift = S::select(f0.abs().lt(static_force), inside, f0.sign() * v_s);
        let w = v - dz + shift;
        let speed = w.abs();
        let below = w * mu_s * (S::from(2.0) - speed / v_s) / v_s;
        let above = w.sign() * (mu_d + (mu_s - mu_d) * (S::one() - step((speed - v_s) / (v_d - v_s))));
        let friction = normal * S::select(speed.lt(v_s), below, above);
        dx[0] = v;
        dx[1] = (push - friction) / m;
        dx[2] = dz;
        dx[3] = (friction - sigma0 * z - sigma1 * dz) * 4.0 * sigma0 / (sigma1 * sigma1);
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        // The deflection that bears the static force, and the speed at which it builds up.
        scale.copy_from_slice(&[1e-6, 1e-3, 1e-6, 1e-3]);
    }

    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        (t < p[8]).then_some(p[8])
    }

    fn state_name(&self, index: usize) -> String {
        ["u", "v", "z", "dz"][index].to_owned()
    }
}
