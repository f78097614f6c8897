use super::FixedStep;
use crate::law::At;
use crate::laws::FrDyn2;
use crate::stribeck;
use bristle_core::Mode;

/// Implicit in the force: under a constant force the bristle is a critically damped oscillator with an exact
/// step; the force is the one that belongs to the end of that step, found by bisection between its own limits.
impl FixedStep for FrDyn2<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn step(&self, at: &At<f64>, z: &mut [f64], _mode: &mut [Mode], h: f64) -> f64 {
        let level = self.mu_s.max(self.mu_d) * at.load();
        let start = [z[0], z[1]];
        let (mut low, mut high) = (-level, level);
        // The interval starts at 2 μ n and ends below its rounding.
        for _ in 0..64 {
            let force = 0.5 * (low + high);
            let end = self.swing(start, force, h);
            if self.curve(at, end) > force { low = force } else { high = force }
        }
        let force = 0.5 * (low + high);
        [z[0], z[1]] = self.swing(start, force, h);
        force
    }
}

impl FrDyn2<f64> {
    /// The bristle after the time `h` under a constant force: both roots are `−2σ₀/σ₁`.
    fn swing(&self, [z, zdot]: [f64; 2], force: f64, h: f64) -> [f64; 2] {
        let (rate, rest) = (2.0 * self.sigma0 / self.sigma1, force / self.sigma0);
        let decay = (-rate * h).exp();
        let slope = zdot + rate * (z - rest);
        // decay · h tends to zero, but zero times infinity does not.
        let ramp = if decay == 0.0 { 0.0 } else { slope * h * decay };
        [rest + (z - rest) * decay + ramp, zdot * decay - rate * ramp]
    }

    /// The friction force for a given bristle.
    fn curve(&self, at: &At<f64>, [z, zdot]: [f64; 2]) -> f64 {
        let used = (self.sigma0 * z + self.sigma1 * at.v) / (self.mu_s * at.grip());
        let shift = self.v_s * used.clamp(-1.0, 1.0) / (1.0 + (1.0 - used.abs()).max(0.0).sqrt());
        let w = at.v - zdot + shift;
        at.load() * stribeck::regularised(w, self.mu_s, self.v_s, self.mu_d, self.v_d)
    }
}
