use crate::law::{At, Law, deflection};
use crate::plane::InPlane;
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// LuGre with a dwell time: bristles stiffen with the time of contact.
///
/// ```text
/// ż = v − σ₀ |v| z/g(v),   g = n (μ_0 + μ_1 e^{−α|v|}),   c₀ = μ_0 n,  c_s = μ_1 n
/// φ̇ = 1 − |v| φ/D₀
/// F = σ₀ z [1 + a (1 − e^{−φ/φ₀})] + σ₁ ż + c₁ v
/// ```
///
/// `φ` is the mean age of the contacts: it grows with time at rest and settles at `D₀/|v|` in sliding, so the
/// break-away force grows with the time of sticking. Lightly damped bristles ring at low speed, and the motion on
/// a slow belt is often chaotic. Drifts like LuGre. Without load bristle and age vanish within a millisecond or
/// the bristle's own time.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "lugre_dwell",
    state("z", "m", Deflection),
    state("phi", "s", Age),
    cite = "hieu2021",
    cite = "simoni2020",
    tags("bristle", "dwell", "holds-load")
)]
pub struct LuGreDwell<S> {
    /// Kinetic level as a coefficient.
    #[param(symbol = "μ_0", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "c0")]
    pub mu_0: S,
    /// Rise of the level towards rest as a coefficient.
    #[param(symbol = "μ_1", role = StaticExcess, unit = "1", default = 0.2, min = 0.0, max = 10.0, force = "cs")]
    pub mu_1: S,
    /// Decay of the rise with speed.
    #[param(symbol = "α", role = Steepness, unit = "s/m", default = 1.0, min = 0.0, max = 1e9)]
    pub alpha: S,
    /// Viscous friction.
    #[param(symbol = "c₁", role = ViscousCoefficient, unit = "N s/m", default = 0.5, min = 0.0, max = 1e6)]
    pub c1: S,
    /// Share by which a long contact stiffens the bristles.
    #[param(symbol = "a", role = Other, unit = "1", default = 0.1, min = 0.0, max = 10.0)]
    pub a: S,
    /// Time in which contacts stiffen.
    #[param(symbol = "φ₀", role = DwellTime, unit = "s", default = 10.0, min = 1e-6, max = 1e6)]
    pub phi0: S,
    /// Slip that renews the contacts.
    #[param(symbol = "D₀", role = RenewalDistance, unit = "m", default = 2e-3, min = 1e-9, max = 1e3)]
    pub d0: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 6e4, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 2.0, min = 0.0, max = 1e9)]
    pub sigma1: S,
}

impl<S: Scalar> Law<S> for LuGreDwell<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let speed = at.speed();
        let g = at.load_floored() * (self.mu_0 + self.mu_1 * stribeck::decay(self.alpha * speed));
        let rate = at.v - self.sigma0 * speed * z[0] / g;
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        dz[1] = at.bristle(-(speed * z[1] / self.d0) + 1.0, z[1], self.sigma0, self.sigma1);
        let stiffening = self.a * (-(-z[1] / self.phi0).exp() + 1.0) + 1.0;
        at.closed(self.sigma0 * z[0] * stiffening + self.sigma1 * rate + self.c1 * at.v)
    }

    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, speed, age) = (at.along(), at.speed(), z[2]);
        let g = along.load_floored() * (self.mu_0 + self.mu_1 * stribeck::decay(self.alpha * speed));
        let rate = at.bend([z[0], z[1]], self.sigma0 * speed / g, self.sigma0, self.sigma1, dz);
        dz[2] = along.bristle(-(speed * age / self.d0) + 1.0, age, self.sigma0, self.sigma1);
        let stiffness = self.sigma0 * (self.a * (-(-age / self.phi0).exp() + 1.0) + 1.0);
        [0, 1].map(|i| along.closed(stiffness * z[i] + self.sigma1 * rate[i] + self.c1 * at.v[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_0, n, self.sigma0);
        // The age at 0.2 m/s, where a belt turns from sticking to sliding.
        scale[1] = self.d0.value() / 0.2;
    }
}

#[cfg(test)]
mod lugre_dwell_tests {
    use super::*;

    /// Hieu & Chung, point S1: on a belt at 3.5 m/s `z` and `φ` settle, and `k x = 100 x` balances the friction.
    #[test]
    fn steady_sliding_is_the_published_equilibrium() {
        let law = LuGreDwell {
            mu_0: 15.0,
            mu_1: 10.0,
            alpha: 1.0,
            c1: 0.5,
            a: 0.1,
            phi0: 10.0,
            d0: 2e-3,
            sigma0: 6e4,
            sigma1: 2.0,
        };
        let (x, z, phi) = (0.17052061271575433, 0.0002550328972370531, 0.0005714285714285715);
        let mut dz = [f64::NAN; 2];
        let force = law.eval(&At::sliding(3.5, 1.0), &[z, phi], &mut dz);
        assert!((force - 100.0 * x).abs() < 1e-11);
        assert!(dz[0].abs() < 1e-13 && dz[1].abs() < 1e-14);
    }
}
