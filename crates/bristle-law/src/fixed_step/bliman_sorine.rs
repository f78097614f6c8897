use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::{BlimanSorine1, BlimanSorine2};
use bristle_core::Mode;

/// Exact: the law is linear in the path of slip.
impl FixedStep for BlimanSorine1<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        z[0] = build_up(at, z[0], self.slip, h);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}

/// Exact: both bristles are linear in the path of slip.
impl FixedStep for BlimanSorine2<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        // The fast bristle lives in its own, shorter slip.
        z[0] = build_up(at, z[0] * self.eta, self.slip * self.eta, h) / self.eta;
        z[1] = build_up(at, z[1], self.slip, h);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0; 2])
    }
}

/// A bristle of slip `slip` after the time `h`.
fn build_up(at: &At<f64>, z: f64, slip: f64, h: f64) -> f64 {
    if is_open(at) {
        relax(z, 0.0, 1.0 / release_time(1.0, 0.0), h)
    } else {
        relax(z, at.v, at.v.abs() / slip, h)
    }
}
