use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time};
use crate::law::{At, Law};
use crate::laws::{Dieterich, PerrinRice, Ruina};
use bristle_core::Mode;

/// Exact: at constant speed the age is linear.
impl FixedStep for Dieterich<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        z[0] = if is_open(at) {
            relax(z[0], 0.0, 1.0 / release_time(1.0, 0.0), h)
        } else {
            relax(z[0], 1.0, at.v.abs() / self.surfaces.d_c, h)
        };
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}

/// Exact: at constant speed the logarithm of `|v| θ/L` decays.
impl FixedStep for Ruina<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        let rate = at.v.abs() / self.surfaces.d_c;
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(1.0, 0.0), h);
        } else if rate * z[0] > 1e-200 {
            z[0] = ((rate * z[0]).ln() * (-rate * h).exp()).exp() / rate;
        }
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}

/// Exact: at constant speed `|v| θ/L` is a hyperbolic tangent of time.
impl FixedStep for PerrinRice<f64> {
    fn order(&self) -> u32 {
        2
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        let rate = at.v.abs() / self.surfaces.d_c;
        if is_open(at) {
            z[0] = relax(z[0], 0.0, 1.0 / release_time(1.0, 0.0), h);
        } else {
            let bend = (rate * h * 0.5).tanh();
            let healed = if rate * h < 1e-9 { 0.5 * h } else { bend / rate };
            z[0] = (z[0] + healed) / (1.0 + rate * z[0] * bend);
        }
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0])
    }
}
