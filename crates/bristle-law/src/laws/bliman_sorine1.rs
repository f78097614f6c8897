use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Bliman and Sorine's law of order one: friction that depends on the path of slip alone.
///
/// ```text
/// ż = v − |v| z/ε,   F = μ_d n z/ε
/// ```
///
/// With the path length `s` as the time of the law, `ds = |v| dt`, it is linear: `ε dF/ds = μ_d n sgn v − F`. That
/// is Dahl's law with exponent one and the stiffness `μ_d n/ε`, which grows with the load here, so that the
/// deflection does not depend on it. No static peak; it drifts under small oscillating loads. Without load the
/// bristle springs back within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "bliman_sorine1",
    state("z", "m", Deflection),
    cite = "bliman1995",
    cite = "clavel2001",
    tags("bristle", "holds-load")
)]
pub struct BlimanSorine1<S> {
    /// Friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Slip over which friction builds up.
    #[param(symbol = "ε", role = PreslidingDistance, unit = "m", default = 3e-5, min = 1e-12, max = 1.0)]
    pub slip: S,
}

impl<S: Scalar> Law<S> for BlimanSorine1<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let rate = at.v - at.speed() * z[0] / self.slip;
        dz[0] = at.bristle(rate, z[0], S::one(), S::zero());
        self.mu_d * at.load() * z[0] / self.slip
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale[0] = self.slip.value();
    }
}

#[cfg(test)]
mod bliman_sorine1_tests {
    use super::*;
    use crate::laws::Dahl;

    #[test]
    fn it_is_dahl_with_the_stiffness_of_the_load() {
        let law = BlimanSorine1 { mu_d: 0.3, slip: 3e-5 };
        let dahl = Dahl { mu_d: 0.3, sigma0: 1e5, alpha: 1.0 };
        for (v, z) in [(0.1, 0.0), (0.1, 2e-5), (-0.2, 2e-5), (0.0, 1e-5)] {
            let (at, mut dz, mut expected) = (At::sliding(v, 10.0), [f64::NAN], [f64::NAN]);
            let force = law.eval(&at, &[z], &mut dz);
            assert!((force - dahl.eval(&at, &[z], &mut expected)).abs() < 1e-14);
            assert!((dz[0] - expected[0]).abs() < 1e-16);
        }
    }
}
