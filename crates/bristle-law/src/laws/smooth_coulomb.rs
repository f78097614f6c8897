use crate::law::{At, Law};
use crate::piecewise;
use bristle_core::{Card, Choice, Mode, Scalar};

/// Coulomb friction smoothed by a hyperbolic tangent.
///
/// ```text
/// F = μ_d n tanh(v/v_d)                        shape = "tanh"
/// F = μ_d n tanh(v/v_d)/tanh 1,  |v| < v_d     shape = "normalised"
///     μ_d n sgn v                beyond
/// ```
///
/// Cheap, without memory and, as a plain tangent, without events. It has no static level and cannot hold: under any load it creeps,
/// at `v_d atanh(F/μ_d n)`. Narrow it to creep less, at the price of stiffness.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "smooth_coulomb", cite = "pennestri2016", tags("static", "creeps"))]
pub struct SmoothCoulomb<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Velocity over which the sign is smoothed.
    #[param(symbol = "v_d", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_d: S,
    /// Plain tangent, or one scaled to reach the level exactly at `v_d`, with a kink there.
    #[choice("tanh", "normalised")]
    pub shape: Choice,
}

impl<S: Scalar> Law<S> for SmoothCoulomb<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let u = at.v / self.v_d;
        let inner = || u.tanh() / 1f64.tanh();
        let rise = match (self.shape, at.mode.first()) {
            (Choice(0), _) => u.tanh(),
            (_, Some(Mode::Stick)) => inner(),
            (_, Some(_)) => at.direction(),
            (_, None) => S::choose(u.abs().lt(S::one()), inner, || u.sign()),
        };
        self.mu_d * at.load() * rise
    }

    /// The normalised shape remembers whether it is between its kinks (`Stick`) or beyond one.
    fn elements(&self) -> usize {
        usize::from(self.shape != Choice(0))
    }

    fn keeps_direction(&self) -> bool {
        false
    }

    fn guards(&self, at: &At<S>, _z: &[S], g: &mut [S]) {
        for (g, mode) in g.iter_mut().zip(at.mode) {
            *g = piecewise::guard(at.v / self.v_d, *mode);
        }
    }

    fn switch(&self, fired: usize, at: &At<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[fired] = piecewise::crossed(at.v, mode[fired]);
    }

    fn start(&self, at: &At<f64>, _z: &[f64], mode: &mut [Mode]) {
        mode.fill(piecewise::of(at.v / self.v_d.value()));
    }
}

#[cfg(test)]
mod smooth_coulomb_tests {
    use super::*;

    #[test]
    fn it_creeps_at_the_inverse_tangent_of_the_load() {
        let law = SmoothCoulomb { mu_d: 0.3, v_d: 1e-3, shape: Choice(0) };
        let creep = 1e-3 * (2.0f64 / 3.0).atanh();
        assert!((law.eval(&At::sliding(creep, 10.0), &[], &mut []) - 2.0).abs() < 1e-14);
    }

    #[test]
    fn the_normalised_shape_reaches_its_level_at_the_edge() {
        let law = SmoothCoulomb { mu_d: 0.3, v_d: 1e-3, shape: Choice(1) };
        for v in [1e-3 * (1.0 - 1e-15), 1e-3, 2.0] {
            assert!((law.eval(&At::sliding(-v, 10.0), &[], &mut []) + 3.0).abs() < 1e-14);
        }
    }
}
