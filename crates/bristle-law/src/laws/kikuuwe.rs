use crate::law::{At, Law, deflection};
use crate::plane::{InPlane, clip, length};
use bristle_core::{Card, Scalar};

/// Kikuuwe's differential inclusion: a visco-elastic bristle on a Coulomb slider.
///
/// ```text
/// σ₀ e + σ₁ ė ∈ μ_d n Sgn(v − ė),   F = σ₀ e + σ₁ ė + σ₂ v
/// solved for ė:   F = clip(σ₀ e + σ₁ v, ±μ_d n) + σ₂ v,   ė = (F − σ₂ v − σ₀ e)/σ₁
/// ```
///
/// Below the level it is a spring and a damper to the ground, so it holds any load without creep and leaves no
/// displacement behind; above it slides at exactly the Coulomb level. No static peak and no Stribeck fall. The
/// implicit Euler step has a closed form, which made it a law for real-time simulation. Without load the bristle
/// springs back at the rate `σ₀/σ₁`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "kikuuwe", state("e", "m", Deflection), cite = "kikuuwe2006", tags("bristle", "holds-load"))]
pub struct Kikuuwe<S> {
    /// Friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 3e2, min = 1e-6, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
}

impl<S: Scalar> Law<S> for Kikuuwe<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (level, spring) = (self.mu_d * at.load(), self.sigma0 * z[0]);
        let stick = spring + self.sigma1 * at.v;
        let bristle = stick.clamp_to(-level, level);
        // While sticking the rate is v itself, not v plus the rounding of a difference.
        let slides = level.lt(stick.abs());
        let rate = S::choose(slides, || (bristle - spring) / self.sigma1, || at.v);
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        at.closed(bristle + self.sigma2 * at.v)
    }

    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, v) = (at.along(), at.v);
        let level = self.mu_d * along.load();
        let stick = [0, 1].map(|i| self.sigma0 * z[i] + self.sigma1 * v[i]);
        let (bristle, slides) = (clip(stick, level), level.lt(length(stick)));
        for i in 0..2 {
            let rate = S::choose(slides, || (bristle[i] - self.sigma0 * z[i]) / self.sigma1, || v[i]);
            dz[i] = along.bristle(rate, z[i], self.sigma0, self.sigma1);
        }
        [0, 1].map(|i| along.closed(bristle[i] + self.sigma2 * v[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_d, n, self.sigma0);
    }
}

#[cfg(test)]
mod kikuuwe_tests {
    use super::*;

    const LAW: Kikuuwe<f64> = Kikuuwe { mu_d: 0.3, sigma0: 1e5, sigma1: 300.0, sigma2: 0.0 };

    /// The inclusion, put to the test: where the slider slips, it slips against the force.
    #[test]
    fn rate_and_force_solve_the_inclusion() {
        for (v, e) in [(1e-3, 0.0), (0.0, 2e-5), (0.1, 0.0), (-0.1, 2.9e-5), (0.02, -4e-5), (1e-3, 3e-5)] {
            let mut de = [f64::NAN];
            let force = LAW.eval(&At::sliding(v, 10.0), &[e], &mut de);
            let slip = v - de[0];
            assert!((force - (1e5 * e + 300.0 * de[0])).abs() < 1e-12);
            assert!(force.abs() <= 3.0 + 1e-15);
            assert!(slip.abs() < 1e-15 || (force - 3.0 * slip.signum()).abs() < 1e-12, "{v} {e}");
        }
    }

    #[test]
    fn below_the_level_it_is_a_spring_and_a_damper() {
        let mut de = [f64::NAN];
        assert_eq!(LAW.eval(&At::sliding(0.0, 10.0), &[2.5e-5], &mut de), 2.5);
        assert_eq!(de[0], 0.0, "no creep under a steady load");
    }
}
