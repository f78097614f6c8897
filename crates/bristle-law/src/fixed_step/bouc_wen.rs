use super::linear::{phi, relax};
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::BoucWen;
use bristle_core::Mode;

/// In the slip instead of the time, linearised about the start of the step and kept between the start and the
/// yield deflection, which attracts every solution.
impl FixedStep for BoucWen<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, 0.0), h);
            return 0.0;
        }
        let limit = self.mu_d * at.n / self.sigma0;
        if at.v != 0.0 {
            let u = z[0] * at.v.signum() / limit;
            z[0] = at.v.signum() * limit * self.slide(u, at.v.abs() * h / limit);
        }
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}

impl BoucWen<f64> {
    /// The deflection along the motion after a slip, both over the yield deflection.
    fn slide(&self, u: f64, slip: f64) -> f64 {
        let (mut u, mut slip) = (u, slip);
        if u < 0.0 {
            // Unloading: u' = 1 + c|u|^ν. The slip it takes is the integral of 1/u', here by Simpson's rule.
            let c = 2.0 * self.beta - 1.0;
            let rate = |u: f64| 1.0 + c * u.abs().powf(self.nu);
            let to_zero = -u / 6.0 * (1.0 / rate(u) + 4.0 / rate(0.5 * u) + 1.0);
            if slip < to_zero {
                let decay = c * self.nu * u.abs().powf(self.nu - 1.0);
                return (u + rate(u) * slip * phi(decay * slip)).min(0.0);
            }
            (u, slip) = (0.0, slip - to_zero);
        }
        if self.nu == 1.0 {
            return relax(u, 1.0, 1.0, slip);
        }
        let decay = self.nu * u.powf(self.nu - 1.0);
        let next = u + (1.0 - u.powf(self.nu)) * slip * phi(decay * slip);
        if u <= 1.0 { next.min(1.0) } else { next.max(1.0) }
    }
}
