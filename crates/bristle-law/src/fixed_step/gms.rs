use super::linear::relax;
use super::{FixedStep, is_open, release_time};
use crate::law::{At, Law};
use crate::laws::Gms;
use crate::maxwell::ELEMENTS;
use bristle_core::Mode;

/// Exact: an element is stretched until it reaches its level and decays towards it for the rest of the step. The
/// modes tell which elements slip and in which direction; without modes each step decides anew. Of order one none the
/// less: the level is that of the mean slip rate, not that of the instant at which the element yields.
impl FixedStep for Gms<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        let (levels, stiffness) = (self.levels(), self.stiffness());
        if is_open(at) {
            for i in 0..ELEMENTS {
                z[i] = relax(z[i], 0.0, 1.0 / release_time(stiffness[i], 0.0), h);
            }
            return 0.0;
        }
        let (curve, direction) = (self.curve(&At { mode: &[], ..*at }), at.v.signum());
        if at.v != 0.0 && mode.first().is_some_and(|mode| *mode != Mode::of(at.v)) {
            mode[0] = Mode::of(at.v);
            mode[1..].fill(Mode::Stick);
        }
        for i in 0..ELEMENTS {
            let limit = levels[i] * curve / stiffness[i];
            let slips = mode.get(i + 1).is_some_and(|mode| *mode != Mode::Stick);
            let left = if slips { 0.0 } else { (limit - z[i] * direction).max(0.0) };
            // The path up to the level is elastic; what time is left the element slips.
            let elastic = left.min(at.v.abs() * h);
            z[i] += elastic * direction;
            let rest = if at.v == 0.0 { 0.0 } else { h - elastic / at.v.abs() };
            if slips || elastic < at.v.abs() * h {
                let rate = self.attraction / curve;
                z[i] = relax(z[i], direction * rate * limit, rate, rest);
                if let Some(mode) = mode.get_mut(i + 1) {
                    *mode = Mode::Forward;
                }
            }
        }
        self.eval(&At { mode, ..*at }, z, &mut [0.0; ELEMENTS])
    }
}
