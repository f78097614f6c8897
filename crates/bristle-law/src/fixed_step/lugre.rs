use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::LuGre;
use crate::stribeck;
use bristle_core::Mode;

/// Exact: at constant slip rate the bristle decays towards `n g(v)/σ₀` at the rate `σ₀|v|/(n g(v))`.
impl FixedStep for LuGre<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            return 0.0;
        }
        let speed = at.v.abs();
        let g = at.n * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        z[0] = relax(z[0], at.v, self.sigma0 * speed / g, h);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}
