use super::FixedStep;
use crate::law::At;
use crate::laws::Coulomb;
use bristle_core::Mode;

/// Implicit Euler: the contact comes to rest within the step if the force that takes is below the limit (the
/// static one, if it rests already), else it slides at the kinetic level.
impl FixedStep for Coulomb<f64> {
    fn order(&self) -> u32 {
        1
    }

    fn step(&self, at: &At<f64>, _z: &mut [f64], mode: &mut [Mode], _h: f64) -> f64 {
        let rests = mode.first() == Some(&Mode::Stick);
        let kinetic = self.mu_d * at.load();
        let limit = if rests { self.mu_s * at.load() } else { kinetic };
        let holds = at.hold.abs() <= limit;
        if let Some(mode) = mode.first_mut() {
            *mode = if holds { Mode::Stick } else { Mode::of(at.hold) };
        }
        if holds { at.hold } else { kinetic * at.hold.signum() }
    }
}
