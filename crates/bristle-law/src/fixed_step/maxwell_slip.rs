use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::At;
use crate::laws::MaxwellSlip;
use crate::maxwell::ELEMENTS;
use bristle_core::Mode;

/// Exact: every spring is stretched by the slip and brought back to its level, which is the implicit Euler step of
/// the inclusion as well.
impl FixedStep for MaxwellSlip<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        let (levels, stiffness) = (self.levels(), self.stiffness());
        let mut force = 0.0;
        for i in 0..ELEMENTS {
            if is_open(at) {
                z[i] = relax(z[i], 0.0, 1.0 / release_time(stiffness[i], 0.0), h);
                continue;
            }
            let (limit, trial) = (levels[i] * at.n / stiffness[i], z[i] + at.v * h);
            z[i] = trial.clamp(-limit, limit);
            force += stiffness[i] * z[i];
            if let Some(mode) = mode.get_mut(i + 1) {
                *mode = if trial.abs() > limit { Mode::Forward } else { Mode::Stick };
            }
        }
        force
    }
}
