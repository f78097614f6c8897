use super::linear::relax;
use super::{FixedStep, is_open, release_time};
use crate::law::At;
use crate::laws::Kikuuwe;
use bristle_core::Mode;

/// Implicit Euler: the inclusion over one step is a clip, as published.
///
/// ```text
/// F₊ = clip(σ₀ (e + h v) + σ₁ v, ±μ_d n),   e₊ = (σ₁ e + h F₊)/(σ₁ + h σ₀)
/// ```
impl FixedStep for Kikuuwe<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], _mode: &mut [Mode], h: f64) -> f64 {
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            return 0.0;
        }
        let level = self.mu_d * at.n;
        let trial = self.sigma0 * (z[0] + h * at.v) + self.sigma1 * at.v;
        let force = trial.clamp(-level, level);
        z[0] = (self.sigma1 * z[0] + h * force) / (self.sigma1 + h * self.sigma0);
        force + self.sigma2 * at.v
    }
}
