use super::linear::relax;
use super::{FixedStep, is_open, release_time};
use crate::law::{At, Law};
use crate::laws::Gonthier;
use crate::step;
use bristle_core::Mode;

/// Exact: at constant slip rate bristle and dwell are two linear equations, and the dwell never passes the value
/// at which its time constant changes.
impl FixedStep for Gonthier<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], _mode: &mut [Mode], h: f64) -> f64 {
        let sticking = (-(at.v / self.v_s).powi(2)).exp();
        let tau = if sticking < z[1] { self.sigma1 / self.sigma0 } else { self.tau_dw };
        z[1] = relax(z[1], sticking / tau, 1.0 / tau, h);
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            return 0.0;
        }
        let level = self.mu_d * at.n * step::odd_cubic(at.v / self.v_t);
        let drive = sticking * at.v + (1.0 - sticking) * level / self.sigma1;
        z[0] = relax(z[0], drive, (1.0 - sticking) * self.sigma0 / self.sigma1, h);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0; 2])
    }
}
