use super::linear::relax;
use super::{FixedStep, is_open, release_time};
use crate::law::At;
use crate::laws::ResetIntegrator;
use bristle_core::Mode;

/// Exact: the bond is stretched by the slip up to its length; where it ends at full length it has broken.
impl FixedStep for ResetIntegrator<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            return 0.0;
        }
        let (level, limit) = (self.mu_d * at.n, self.mu_d * at.n / self.sigma0);
        let trial = z[0] + at.v * h;
        let slips = trial.abs() > limit;
        z[0] = trial.clamp(-limit, limit);
        if let Some(mode) = mode.first_mut() {
            *mode = if slips { Mode::of(trial) } else { Mode::Stick };
        }
        if slips {
            level * trial.signum()
        } else {
            self.mu_s / self.mu_d * self.sigma0 * z[0] + self.sigma1 * at.v
        }
    }
}
