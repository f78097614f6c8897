use crate::law::{At, Law, deflection};
use crate::plane::{InPlane, clip};
use crate::step;
use bristle_core::{Card, Scalar};

/// Gonthier: a bristle with a dwell time, so that break-away grows with the time at rest.
///
/// ```text
/// ż = s_v v + (1 − s_v)(μ_d n d(v) − σ₀ z)/σ₁,   s_v = exp(−(v/v_s)²)
/// F = clip(σ₀ z + σ₁ ż, ±n [μ_d + (μ_s − μ_d) s]) + σ₂ v
/// ṡ = (s_v − s)/τ,   τ = τ_dw while s_v ≥ s, else σ₁/σ₀
/// d(v) = q(3 − q²)/2, q = v/v_t clipped to ±1
/// ```
///
/// Sticks through its bristle, slides through its damper, and remembers in `s` how long it has been at rest. The
/// bristle relaxes a little whenever `|v|` comes near `v_s`, so it drifts slowly under oscillating loads. Kinks at
/// the clip and at the switch of τ are left to the step control. Without load the bristle springs back at `σ₀/σ₁`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "gonthier",
    state("z", "m", Deflection),
    state("s", "1", Strength),
    cite = "gonthier2004",
    cite = "pennestri2016",
    tags("bristle", "dwell", "holds-load")
)]
pub struct Gonthier<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient, reached after a long dwell.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity, over which sticking fades into sliding.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Velocity over which the direction is smoothed.
    #[param(symbol = "v_t", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_t: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 3e2, min = 1e-6, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Dwell time constant.
    #[param(symbol = "τ_dw", role = DwellTime, unit = "s", default = 0.1, min = 1e-6, max = 1e6)]
    pub tau_dw: S,
}

impl<S: Scalar> Law<S> for Gonthier<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (n, dwell) = (at.load(), z[1]);
        let sticking = (-(at.v / self.v_s).squared()).exp();
        let slide = (self.mu_d * n * step::odd_cubic(at.v / self.v_t) - self.sigma0 * z[0]) / self.sigma1;
        let rate = sticking * at.v + (-sticking + 1.0) * slide;
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        let tau = S::select(sticking.lt(dwell), self.sigma1 / self.sigma0, self.tau_dw);
        dz[1] = (sticking - dwell) / tau;
        // A trial step may carry the dwell past its bounds; the clip must not turn inside out.
        let largest = (n * (self.mu_d + (self.mu_s - self.mu_d) * dwell)).max(S::zero());
        let bristle = (self.sigma0 * z[0] + self.sigma1 * rate).clamp_to(-largest, largest);
        at.closed(bristle + self.sigma2 * at.v)
    }

    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, speed, dwell) = (at.along(), at.speed(), z[2]);
        let n = along.load();
        let sticking = (-(speed / self.v_s).squared()).exp();
        let moved = S::choose(S::zero().lt(speed), || speed, S::one);
        let level = self.mu_d * n * step::odd_cubic(speed / self.v_t) / moved;
        let slide = |i: usize| (level * at.v[i] - self.sigma0 * z[i]) / self.sigma1;
        let rate = [0, 1].map(|i| sticking * at.v[i] + (-sticking + 1.0) * slide(i));
        for i in 0..2 {
            dz[i] = along.bristle(rate[i], z[i], self.sigma0, self.sigma1);
        }
        let tau = S::select(sticking.lt(dwell), self.sigma1 / self.sigma0, self.tau_dw);
        dz[2] = (sticking - dwell) / tau;
        let largest = (n * (self.mu_d + (self.mu_s - self.mu_d) * dwell)).max(S::zero());
        let bristle = clip([0, 1].map(|i| self.sigma0 * z[i] + self.sigma1 * rate[i]), largest);
        [0, 1].map(|i| along.closed(bristle[i] + self.sigma2 * at.v[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
        scale[1] = 1.0;
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod gonthier_tests {
    use super::*;

    const LAW: Gonthier<f64> = Gonthier {
        mu_d: 0.3,
        mu_s: 0.4,
        v_s: 1e-2,
        v_t: 1e-3,
        sigma0: 1e5,
        sigma1: 300.0,
        sigma2: 0.0,
        tau_dw: 0.1,
    };

    #[test]
    fn fast_sliding_bears_the_kinetic_level_and_forgets_the_dwell() {
        let mut dz = [0.0; 2];
        let force = LAW.eval(&At::sliding(-1.0, 10.0), &[-3e-5, 0.0], &mut dz);
        assert!((force + 3.0).abs() < 1e-14 && dz[0].abs() < 1e-15 && dz[1] == 0.0);
        LAW.eval(&At::sliding(-1.0, 10.0), &[-3e-5, 0.6], &mut dz);
        assert!((dz[1] + 0.6 / 3e-3).abs() < 1e-12);
    }

    /// At rest `s` rises with τ_dw, and the bristle bears up to `n [μ_d + (μ_s − μ_d) s]`.
    #[test]
    fn a_long_dwell_raises_break_away_to_the_static_level() {
        for (dwell, level) in [(0.0, 3.0), (0.5, 3.5), (1.0, 4.0)] {
            let mut dz = [0.0; 2];
            let force = LAW.eval(&At::sliding(0.0, 10.0), &[1.0, dwell], &mut dz);
            assert!((force - level).abs() < 1e-14 && dz[0] == 0.0);
            assert!((dz[1] - (1.0 - dwell) / 0.1).abs() < 1e-14);
        }
    }
}
