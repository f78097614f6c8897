use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Brown and McPhee's continuous curve: a peak at the transition velocity, without a switch.
///
/// ```text
/// F = n [μ_d tanh(4q) + (μ_s − μ_d) q/(q²/4 + 3/4)²] + σ₂ v tanh(4n/n_t),   q = v/v_t
/// ```
///
/// Smooth to every order, and each parameter can be read off a measured curve: the second term peaks exactly at
/// `v_t`, where the whole is `μ_s − 0.0007 μ_d` times the load. Without memory; below the peak it creeps, at
/// about `9 v_t F/(16 (μ_s + 5 μ_d/4) n)` under small loads `F`, so it cannot hold. Wet friction fades with the
/// load below `n_t`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "brown_mcphee", cite = "brown2016", tags("static", "creeps"))]
pub struct BrownMcPhee<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient: the peak of the curve.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Transition velocity, at which the peak lies.
    #[param(symbol = "v_t", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_t: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Load from which viscous friction acts in full.
    #[param(symbol = "n_t", role = Other, unit = "N", default = 1.0, min = 1e-9, max = 1e9)]
    pub n_t: S,
}

impl<S: Scalar> Law<S> for BrownMcPhee<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let (q, n) = (at.v / self.v_t, at.load());
        let bump = q / (q * q * 0.25 + 0.75).squared();
        let dry = self.mu_d * (q * 4.0).tanh() + (self.mu_s - self.mu_d) * bump;
        n * dry + self.sigma2 * at.v * (n * 4.0 / self.n_t).tanh()
    }
}

#[cfg(test)]
mod brown_mcphee_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    /// `q/(q²/4 + 3/4)²` has the slope `¾(1 − q²)/(q²/4 + 3/4)³`: its peak is 1, at `q = 1`.
    #[test]
    fn the_bump_peaks_at_the_transition_velocity() {
        let law = BrownMcPhee::<Dual<1>> {
            mu_d: 0.0.into(),
            mu_s: 0.4.into(),
            v_t: 0.01.into(),
            sigma2: 0.0.into(),
            n_t: 1.0.into(),
        };
        let force = law.eval(&At::sliding(seed(0.01, 0), 10.0.into()), &[], &mut []);
        assert!((force.value() - 4.0).abs() < 1e-14 && partial(&force, 0).abs() < 1e-12);
    }

    #[test]
    fn creep_and_plateau_are_those_of_the_card() {
        let law = BrownMcPhee { mu_d: 0.3, mu_s: 0.4, v_t: 1e-3, sigma2: 0.5, n_t: 4.0 };
        let force = |v| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        let dry = BrownMcPhee { sigma2: 0.0, ..law };
        let creep = 9.0 * 1e-3 * 1e-3 / (16.0 * (0.4 + 1.25 * 0.3) * 10.0);
        let creeping = dry.eval(&At::sliding(creep, 10.0), &[], &mut []);
        assert!((creeping / 1e-3 - 1.0).abs() < 1e-6, "{creeping}");
        assert!((force(10.0) - 3.0 - 5.0 * 10f64.tanh()).abs() < 1e-9);
    }
}
