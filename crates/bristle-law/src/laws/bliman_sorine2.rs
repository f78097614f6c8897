use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Bliman and Sorine's law of order two: a fast and a slow bristle whose difference has a static peak.
///
/// ```text
/// η ż₁ = v − |v| z₁/ε,   ż₂ = v − |v| z₂/ε
/// F = n [(μ_d + μ_2) z₁ − μ_2 z₂]/ε
/// ```
///
/// Two laws of order one in parallel, the second with a negative force: the first builds up over the slip `ηε`, the
/// second takes part of it back over `ε`. The peak comes after the slip `ηε/(1 − η) ln[(μ_d + μ_2)/(η μ_2)]`, at
/// every start anew and whatever the speed: it depends on the path, not on the velocity, so there is no Stribeck
/// curve in steady sliding, and no dwell. Without load the bristles spring back within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "bliman_sorine2",
    state("z1", "m", Deflection),
    state("z2", "m", Deflection),
    cite = "bliman1995",
    cite = "pennestri2016",
    tags("bristle", "holds-load")
)]
pub struct BlimanSorine2<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// What the slow bristle takes back, as a coefficient.
    #[param(symbol = "μ_2", role = Other, unit = "1", default = 0.2, min = 0.0, max = 10.0, force = "F_2")]
    pub mu_2: S,
    /// Slip over which the slow bristle builds up.
    #[param(symbol = "ε", role = PreslidingDistance, unit = "m", default = 1e-4, min = 1e-12, max = 1.0)]
    pub slip: S,
    /// Slip of the fast bristle over that of the slow one.
    #[param(symbol = "η", role = Shape, unit = "1", default = 0.1, min = 1e-3, max = 0.999)]
    pub eta: S,
}

impl<S: Scalar> Law<S> for BlimanSorine2<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let rate = |z: S| at.v - at.speed() * z / self.slip;
        dz[0] = at.bristle(rate(z[0]) / self.eta, z[0], S::one(), S::zero());
        dz[1] = at.bristle(rate(z[1]), z[1], S::one(), S::zero());
        at.load() * ((self.mu_d + self.mu_2) * z[0] - self.mu_2 * z[1]) / self.slip
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale.fill(self.slip.value());
    }
}

#[cfg(test)]
mod bliman_sorine2_tests {
    use super::*;

    /// From rest `z_i = ε(1 − e^{−s/ε_i})` over the path `s`; the peak lies where the card says, and is the largest.
    #[test]
    fn the_static_peak_lies_at_the_slip_of_the_card() {
        let law = BlimanSorine2 { mu_d: 0.3, mu_2: 0.2, slip: 1e-4, eta: 0.1 };
        let force = |s: f64| {
            let z = [1e-4 * (1.0 - (-s / 1e-5).exp()), 1e-4 * (1.0 - (-s / 1e-4).exp())];
            law.eval(&At::sliding(0.2, 10.0), &z, &mut [0.0; 2])
        };
        let peak = 1e-4 * 0.1 / 0.9 * (0.5f64 / (0.1 * 0.2)).ln();
        for offset in [0.9, 0.99, 1.01, 1.1] {
            assert!(force(peak) > force(peak * offset));
        }
        assert!((force(peak + 1e-9) - force(peak - 1e-9)).abs() < 1e-9);
        assert!((force(1.0) - 3.0).abs() < 1e-13);
    }

    #[test]
    fn both_bristles_come_to_rest_at_the_slip() {
        let law = BlimanSorine2 { mu_d: 0.3, mu_2: 0.2, slip: 1e-4, eta: 0.1 };
        let mut dz = [f64::NAN; 2];
        assert!((law.eval(&At::sliding(-0.2, 10.0), &[-1e-4; 2], &mut dz) + 3.0).abs() < 1e-14);
        assert_eq!(dz, [0.0; 2]);
    }
}
