use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Makkar's six-parameter curve: hyperbolic tangents for stiction, Coulomb and viscous friction.
///
/// ```text
/// F = n [γ₁ (tanh γ₂v − tanh γ₃v) + γ₄ tanh γ₅v] + γ₆ v
/// ```
///
/// Smooth to every order, hence made for control design: the static level is near `γ₁ + γ₄`, the Stribeck fall is
/// the difference of the first two tangents, `γ₄` is the kinetic level. Without memory; it creeps under any load,
/// at `F/(n [γ₁(γ₂ − γ₃) + γ₄γ₅] + γ₆)` under small loads `F`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "makkar", cite = "makkar2005", cite = "mathworks2006", tags("static", "creeps"))]
pub struct Makkar<S> {
    /// Rise of the level towards rest.
    #[param(symbol = "γ₁", role = StaticExcess, unit = "1", default = 0.1, min = 0.0, max = 10.0, force = "F_1")]
    pub gamma1: S,
    /// Steepness at rest of the rise.
    #[param(symbol = "γ₂", role = Steepness, unit = "s/m", default = 1e3, min = 0.0, max = 1e9)]
    pub gamma2: S,
    /// Steepness of the Stribeck fall.
    #[param(symbol = "γ₃", role = Steepness, unit = "s/m", default = 1e2, min = 0.0, max = 1e9)]
    pub gamma3: S,
    /// Kinetic friction coefficient.
    #[param(symbol = "γ₄", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub gamma4: S,
    /// Steepness at rest of the kinetic part.
    #[param(symbol = "γ₅", role = Steepness, unit = "s/m", default = 1e3, min = 0.0, max = 1e9)]
    pub gamma5: S,
    /// Viscous friction.
    #[param(symbol = "γ₆", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub gamma6: S,
}

impl<S: Scalar> Law<S> for Makkar<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let bump = (self.gamma2 * at.v).tanh() - (self.gamma3 * at.v).tanh();
        let dry = self.gamma1 * bump + self.gamma4 * (self.gamma5 * at.v).tanh();
        at.closed(at.load() * dry + self.gamma6 * at.v)
    }

    fn fault(&self) -> Option<&'static str> {
        (self.gamma2.value() < self.gamma3.value())
            .then_some("gamma2 lies below gamma3, so the level would rise with speed")
    }
}

#[cfg(test)]
mod makkar_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    /// At rest the slope is `n [γ₁(γ₂ − γ₃) + γ₄γ₅] + γ₆`; fast sliding bears `n γ₄ + γ₆ v`.
    #[test]
    fn slope_at_rest_and_plateau_are_those_of_the_parameters() {
        let numbers = [0.1, 1e3, 1e2, 0.3, 2e3, 0.5];
        let at_rest: Makkar<Dual<1>> = bristle_core::Params::from_slices(&numbers.map(Dual::from), &[]);
        let force = at_rest.eval(&At::sliding(seed(0.0, 0), 10.0.into()), &[], &mut []);
        assert!((partial(&force, 0) - (10.0 * (0.1 * 900.0 + 0.3 * 2e3) + 0.5)).abs() < 1e-9);
        let law: Makkar<f64> = bristle_core::Params::from_slices(&numbers, &[]);
        assert!((law.eval(&At::sliding(-2.0, 10.0), &[], &mut []) + 4.0).abs() < 1e-14);
    }

    #[test]
    fn between_the_two_steepnesses_the_static_level_shows() {
        let law: Makkar<f64> = bristle_core::Params::from_slices(&[0.1, 1e6, 1.0, 0.3, 1e6, 0.0], &[]);
        assert!((law.eval(&At::sliding(1e-4, 10.0), &[], &mut []) - 4.0).abs() < 1e-3);
    }
}
