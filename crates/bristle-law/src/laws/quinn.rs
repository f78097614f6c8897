use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Quinn's regularisation, which holds a load at rest without creep.
///
/// ```text
/// F = μ n h(v/ε + h(F_hold/(μ n))),   h(x) = x clamped to [−1, 1]
/// ```
///
/// `F_hold` is the friction that would keep the slip rate as it is; the system finds it for all such contacts
/// together. At rest with `|F_hold| ≤ μ n` the force equals it, so the contact stays put; near rest the slip
/// rate decays within `ε`. No events and no memory, one level for stick and slip. `h` has corners, which cost
/// high-order multistep methods dearly; `cdq` rounds them.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "quinn", cite = "quinn2004", cite = "westin2020", tags("static", "reads-hold", "holds-load"))]
pub struct Quinn<S> {
    /// Friction coefficient, at rest and in sliding.
    #[param(symbol = "μ", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Velocity over which the sign is smoothed.
    #[param(symbol = "ε", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub eps: S,
}

impl<S: Scalar> Law<S> for Quinn<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let clamp = |x: S| x.clamp_to(-S::one(), S::one());
        let level = self.mu_d * at.load_floored();
        at.closed(level * clamp(at.v / self.eps + clamp(at.hold / level)))
    }

    fn uses_hold(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod quinn_tests {
    use super::*;

    const LAW: Quinn<f64> = Quinn { mu_d: 0.25, eps: 1e-3 };

    #[test]
    fn at_rest_the_force_is_the_one_that_holds() {
        for hold in [-2.5, -1.0, 0.0, 0.3, 2.5] {
            let at = At { hold, ..At::sliding(0.0, 10.0) };
            assert!((LAW.eval(&at, &[], &mut []) - hold).abs() < 1e-15);
        }
        let beyond = At { hold: 4.0, ..At::sliding(0.0, 10.0) };
        assert_eq!(LAW.eval(&beyond, &[], &mut []), 2.5);
    }

    #[test]
    fn sliding_bears_the_full_level_whatever_would_hold() {
        for hold in [-2.5, 0.0, 9.0] {
            let at = At { hold, ..At::sliding(2e-3, 10.0) };
            assert_eq!(LAW.eval(&at, &[], &mut []), 2.5);
        }
        assert_eq!(LAW.eval(&At { hold: 1.0, ..At::sliding(1.0, 0.0) }, &[], &mut []), 0.0);
    }
}
