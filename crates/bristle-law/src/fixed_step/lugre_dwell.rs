use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::LuGreDwell;
use crate::stribeck;
use bristle_core::Mode;

/// Exact: at constant slip rate bristle and age are two linear equations.
impl FixedStep for LuGreDwell<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            let rate = 1.0 / release_time(self.sigma0, self.sigma1);
            z[0] = relax(z[0], 0.0, rate, h);
            z[1] = relax(z[1], 0.0, rate, h);
            return 0.0;
        }
        let speed = at.v.abs();
        let g = at.n * (self.mu_0 + self.mu_1 * stribeck::decay(self.alpha * speed));
        z[0] = relax(z[0], at.v, self.sigma0 * speed / g, h);
        z[1] = relax(z[1], 1.0, speed / self.d0, h);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0; 2])
    }
}
