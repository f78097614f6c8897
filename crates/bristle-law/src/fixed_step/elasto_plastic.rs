use super::linear::{phi, relax};
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::ElastoPlastic;
use crate::stribeck;
use bristle_core::Mode;
use std::f64::consts::PI;

/// In the slip instead of the time: exact while elastic and once saturated; in between linearised and kept below
/// saturation.
impl FixedStep for ElastoPlastic<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            return 0.0;
        }
        let speed = at.v.abs();
        let limit = at.n * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma) / self.sigma0;
        if speed > 0.0 {
            z[0] = at.v.signum() * self.slide(z[0] * at.v.signum(), limit, speed * h);
        }
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}

impl ElastoPlastic<f64> {
    /// The deflection along the motion after a slip, with saturation at `limit`.
    fn slide(&self, z: f64, limit: f64, slip: f64) -> f64 {
        let elastic = (self.z_ba - z).clamp(0.0, slip);
        let (z, slip) = (z + elastic, slip - elastic);
        if slip == 0.0 {
            return z;
        }
        // From here on the bristle is at least at z_ba and moves on.
        if z >= limit {
            return relax(z, 1.0, 1.0 / limit, slip);
        }
        let width = limit - self.z_ba;
        let phase = PI * (z - 0.5 * (limit + self.z_ba)) / width;
        let (alpha, growth) = (0.5 + 0.5 * phase.sin(), 0.5 * PI / width * phase.cos());
        let decay = (growth * z + alpha) / limit;
        (z + (1.0 - alpha * z / limit) * slip * phi(decay * slip)).min(limit)
    }
}
