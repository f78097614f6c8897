use super::linear::relax;
use super::{FixedStep, is_open, note_direction, release_time, root};
use crate::law::{At, Law};
use crate::laws::Leuven;
use crate::maxwell::ELEMENTS;
use crate::stribeck;
use bristle_core::Mode;

/// Implicit Euler: the way of the bristle over the step balances the force at its end. That force never falls when
/// the way grows, so there is exactly one balance.
impl FixedStep for Leuven<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64 {
        note_direction(at.v, mode);
        if is_open(at) {
            for z in z.iter_mut().take(ELEMENTS) {
                *z = relax(*z, 0.0, 1.0 / release_time(self.sigma0, self.sigma1), h);
            }
            return 0.0;
        }
        let bundle = LoadedElements::new(self, at);
        let curve = self.curve(&At { mode: &[], ..*at });
        let (slip, path) = (at.v * h, at.v.abs() * h);
        let excess = |way: f64| {
            let (force, stiffness) = bundle.force(z, way);
            let share = stribeck::signed_power(force / curve, self.p);
            let slope = if force == 0.0 { 0.0 } else { self.p * share * stiffness / force };
            (way - slip + path * share, 1.0 + path * slope)
        };
        // The bundle bears at most μ_s n, so the way lies within these bounds.
        let reach = path * (1.0 + (self.mu_s * at.n / curve).powf(self.p));
        let way = root::newton(excess, [-reach, reach], 0.0, 4.0 * f64::EPSILON * reach);
        bundle.moved(z, way);
        self.eval(&At { mode: &[], ..*at }, z, &mut [0.0; ELEMENTS])
    }
}

/// The elements under the present load.
struct LoadedElements {
    stiffness: [f64; ELEMENTS],
    limits: [f64; ELEMENTS],
}

impl LoadedElements {
    fn new(law: &Leuven<f64>, at: &At<f64>) -> Self {
        let (stiffness, levels) = (law.stiffness(), law.levels());
        let limits = [0, 1, 2, 3].map(|i| levels[i] * at.n / stiffness[i]);
        LoadedElements { stiffness, limits }
    }

    /// The force of the bundle once the bristle has moved on by `way`, and the stiffness of what has not yielded.
    fn force(&self, z: &[f64], way: f64) -> (f64, f64) {
        let (mut force, mut stiffness) = (0.0, 0.0);
        for i in 0..ELEMENTS {
            let end = self.stretched(z[i], way, i);
            force += self.stiffness[i] * end;
            stiffness += if end.abs() < self.limits[i] { self.stiffness[i] } else { 0.0 };
        }
        (force, stiffness)
    }

    fn moved(&self, z: &mut [f64], way: f64) {
        for i in 0..ELEMENTS {
            z[i] = self.stretched(z[i], way, i);
        }
    }

    fn stretched(&self, z: f64, way: f64, i: usize) -> f64 {
        (z + way).clamp(-self.limits[i], self.limits[i])
    }
}
