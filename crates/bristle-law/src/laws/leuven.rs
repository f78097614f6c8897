use crate::law::{At, Law};
use crate::maxwell::{ELEMENTS, Shares};
use crate::stribeck;
use bristle_core::{Card, Scalar};

/// The modified Leuven law: a bristle whose spring is a bundle of Maxwell-slip elements.
///
/// ```text
/// ż = v − |v| sgn(F_h) |F_h/s(v)|^p,   s(v) = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)]
/// F = F_h + σ₁ ż + σ₂ v,   F_h = Σ k_i δ_i,   k_i = σ₀ κ_i/Σκ,   i = 1 … 4
/// δ̇_i = ż, but 0 where |k_i δ_i| would pass μ_s n α_i/Σα
/// ```
///
/// LuGre's transition to sliding with hysteresis that has non-local memory: the elements are moved by the state `z`
/// of the bristle, not by the body. Once the whole slides, no element needs to. It still drifts under small
/// oscillating loads, since `ż` falls behind `v` at any force; a large `p` keeps that small. An element comes to
/// its level over the last ten-thousandth of it, so that it can follow a level that rises with the load; one that a falling load
/// has left beyond its level bears no more than that, and is drawn back within a millisecond. Without load it springs back at `σ₀/σ₁`. Where the
/// bracket in the rate of `z` belongs was settled by the limit of one spring and `p = 1`, which is LuGre.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "leuven",
    state("d1", "m", Deflection),
    state("d2", "m", Deflection),
    state("d3", "m", Deflection),
    state("d4", "m", Deflection),
    cite = "lampaert2002",
    tags("bristle", "holds-load")
)]
pub struct Leuven<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient, borne by all elements together.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", role = StribeckExponent, unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Stiffness of all elements together.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Damping of the bristle.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 1e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Exponent of the transition to sliding.
    #[param(symbol = "p", role = Shape, unit = "1", default = 1.0, min = 0.5, max = 6.0)]
    pub p: S,
    /// The elements.
    #[nest]
    pub shares: Shares<S>,
}

/// The part of its level over which an element yields.
const EDGE: f64 = 1e-4;

/// The time in which an element beyond its level is drawn back, s.
const RETURN: f64 = 1e-3;

impl<S: Scalar> Leuven<S> {
    /// The level of each element per load.
    #[inline]
    pub(crate) fn levels(&self) -> [S; ELEMENTS] {
        self.shares.levels(self.mu_s)
    }

    /// The stiffness of each element.
    #[inline]
    pub(crate) fn stiffness(&self) -> [S; ELEMENTS] {
        self.shares.stiffness(self.sigma0)
    }

    /// The Stribeck curve `s(v)`.
    #[inline]
    pub(crate) fn curve(&self, at: &At<S>) -> S {
        at.load_floored() * stribeck::level(at.speed(), self.mu_d, self.mu_s, self.v_s, self.gamma)
    }
}

impl<S: Scalar> Law<S> for Leuven<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (levels, stiffness) = (self.levels(), self.stiffness());
        let borne = |i: usize| {
            let level = levels[i] * at.load_floored();
            (stiffness[i] * z[i]).clamp_to(-level, level)
        };
        let elastic = (0..ELEMENTS).fold(S::zero(), |sum, i| sum + borne(i));
        let rate = at.v - at.speed() * stribeck::signed_power(elastic / self.curve(at), self.p);
        for i in 0..ELEMENTS {
            let (level, spring) = (levels[i] * at.load_floored(), stiffness[i] * z[i]);
            let room = (level - spring * rate.sign()) / (level * EDGE);
            let beyond = (spring - borne(i)) / stiffness[i];
            let closed = rate * room.clamp_to(S::zero(), S::one()) - beyond / RETURN;
            dz[i] = at.bristle(closed, z[i], self.sigma0, self.sigma1);
        }
        at.closed(elastic + self.sigma1 * rate + self.sigma2 * at.v)
    }

    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        self.shares.scales(self.mu_s, n, self.sigma0, scale);
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod leuven_tests {
    use super::*;
    use crate::laws::LuGre;
    use bristle_core::{Described, Params};

    fn law() -> Leuven<f64> {
        Params::from_slices(&Leuven::<f64>::CARD.defaults(), &[])
    }

    /// As long as no element yields the bundle is one spring, and with `p = 1` the law is LuGre.
    #[test]
    fn before_anything_yields_it_is_lugre() {
        let lugre =
            LuGre { mu_d: 0.3, mu_s: 0.4, v_s: 1e-2, gamma: 2.0, sigma0: 1e5, sigma1: 1e2, sigma2: 0.0 };
        for (v, z) in [(1e-3, 5e-6), (-0.02, 9e-6), (0.3, -8e-6), (0.0, 3e-6)] {
            let (mut dz, mut one) = ([f64::NAN; 4], [f64::NAN]);
            let force = law().eval(&At::sliding(v, 10.0), &[z; 4], &mut dz);
            let expected = lugre.eval(&At::sliding(v, 10.0), &[z], &mut one);
            assert!((force - expected).abs() < 1e-13, "{v} {z}: {force} {expected}");
            assert!(dz.iter().all(|dz| (dz - one[0]).abs() < 1e-15));
        }
    }

    /// A load that falls from 10 N to 5 N leaves the first element 5 µm beyond its level.
    #[test]
    fn an_element_beyond_its_level_bears_no_more_and_is_drawn_back() {
        let (mut dz, mut at_level) = ([f64::NAN; 4], [f64::NAN; 4]);
        let force = |z: f64, dz: &mut [f64]| law().eval(&At::sliding(0.0, 5.0), &[z, 0.0, 0.0, 0.0], dz);
        assert_eq!(force(1e-5, &mut dz), force(5e-6, &mut at_level));
        assert!((dz[0] + 5e-6 / RETURN).abs() < 1e-12 && at_level[0].abs() < 1e-12);
    }

    #[test]
    fn a_yielded_element_moves_only_back() {
        let mut dz = [f64::NAN; 4];
        law().eval(&At::sliding(1e-4, 10.0), &[1e-5, 1e-6, 0.0, 0.0], &mut dz);
        assert!(dz[0].abs() < 1e-15 && dz[1] > 0.0);
        law().eval(&At::sliding(-1e-4, 10.0), &[1e-5, 1e-6, 0.0, 0.0], &mut dz);
        assert!(dz[0] < 0.0 && (dz[0] - dz[1]).abs() < 1e-15);
    }

    /// Sliding is steady where `F_h = s(v)`, whatever the elements did on the way.
    #[test]
    fn steady_sliding_follows_the_stribeck_curve() {
        let mut dz = [f64::NAN; 4];
        let z = [1e-5, 2e-5, 3e-5, 1.4e-4];
        let force = law().eval(&At::sliding(1.0, 10.0), &z, &mut dz);
        assert!((force - 3.0).abs() < 1e-12 && dz.iter().all(|dz| dz.abs() < 1e-12), "{force} {dz:?}");
    }
}
