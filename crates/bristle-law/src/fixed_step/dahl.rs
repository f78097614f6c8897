use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::Dahl;
use bristle_core::Mode;

/// Exact for every exponent: with `q = 1 − z sgn(v)/z_y` and the slip `x`, `|q|^{1−α}` falls by `(1 − α) x/z_y`.
impl FixedStep for Dahl<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, 0.0), h);
            return 0.0;
        }
        let (limit, slip) = (self.mu_d * at.n / self.sigma0, at.v.abs() * h);
        let q = 1.0 - z[0] * at.v.signum() / limit;
        let rest = if self.alpha == 1.0 {
            q * (-slip / limit).exp()
        } else {
            let power = q.abs().powf(1.0 - self.alpha) - (1.0 - self.alpha) * slip / limit;
            q.signum() * power.max(0.0).powf(1.0 / (1.0 - self.alpha))
        };
        if slip > 0.0 && q != 0.0 {
            z[0] = (1.0 - rest) * at.v.signum() * limit;
        }
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}
