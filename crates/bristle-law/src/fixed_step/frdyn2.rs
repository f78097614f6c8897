use super::{FixedStep, root};
use crate::law::At;
use crate::laws::FrDyn2;
use crate::step;
use bristle_core::Mode;

/// Implicit in the force: under a constant force the bristle is a critically damped oscillator with an exact
/// step; the force is the one that belongs to the end of that step, sought from the one that belongs to its beginning.
impl FixedStep for FrDyn2<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], _mode: &mut [Mode], h: f64) -> f64 {
        let level = self.mu_s.max(self.mu_d) * at.load();
        let swing = Swing::new(self, [z[0], z[1]], h);
        let excess = |force: f64| {
            let (curve, slope) = self.curve(at, swing.end(force), swing.slopes);
            (force - curve, 1.0 - slope)
        };
        let (guess, _) = self.curve(at, [z[0], z[1]], [0.0; 2]);
        let force = root::newton(excess, [-level, level], guess, 4.0 * f64::EPSILON * level);
        [z[0], z[1]] = swing.end(force);
        force
    }
}

/// The bristle at the end of a step, linear in the force that acts during it.
struct Swing {
    free: [f64; 2],
    slopes: [f64; 2],
}

impl Swing {
    /// Both roots of the bristle are `−2σ₀/σ₁`.
    fn new(law: &FrDyn2<f64>, [z, zdot]: [f64; 2], h: f64) -> Self {
        let rate = 2.0 * law.sigma0 / law.sigma1;
        let lost = -(-rate * h).exp_m1();
        let decay = 1.0 - lost;
        // decay · h tends to zero, but zero times infinity does not.
        let ramp = if decay == 0.0 { 0.0 } else { h * decay };
        let slope = zdot + rate * z;
        let free = [z * decay + slope * ramp, zdot * decay - rate * slope * ramp];
        let gain = lost - rate * ramp;
        Swing { free, slopes: [gain / law.sigma0, rate * rate * ramp / law.sigma0] }
    }

    fn end(&self, force: f64) -> [f64; 2] {
        [0, 1].map(|i| self.free[i] + self.slopes[i] * force)
    }
}

impl FrDyn2<f64> {
    /// The friction force for a given bristle, and its slope where the bristle moves on as `slopes` say.
    fn curve(&self, at: &At<f64>, [z, zdot]: [f64; 2], slopes: [f64; 2]) -> (f64, f64) {
        let limit = self.mu_s * at.load_floored();
        let used = (self.sigma0 * z + self.sigma1 * at.v) / limit;
        let rest = (1.0 - used.abs()).max(0.0).sqrt();
        let shift = self.v_s * used.clamp(-1.0, 1.0) / (1.0 + rest);
        let bend = if rest > 0.0 { 0.5 * self.v_s * self.sigma0 * slopes[0] / (limit * rest) } else { 0.0 };
        let w = at.v - zdot + shift;
        let (mu, slope) = self.level(w);
        (at.load() * mu, at.load() * slope * (bend - slopes[1]))
    }

    /// The regularised curve and its slope.
    fn level(&self, w: f64) -> (f64, f64) {
        let (speed, end) = (w.abs(), self.v_d - self.v_s);
        if speed <= self.v_s {
            let share = w / self.v_s;
            return (
                self.mu_s * share * (2.0 - share.abs()),
                2.0 * self.mu_s * (1.0 - share.abs()) / self.v_s,
            );
        }
        let u = ((speed - self.v_s) / end).min(1.0);
        let drop = self.mu_s - self.mu_d;
        ((self.mu_s - drop * step::cubic_piece(u)).copysign(w), -6.0 * drop * u * (1.0 - u) / end)
    }
}
