use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// Threlfall's regularised Coulomb friction: an exponential rise that is cut off.
///
/// ```text
/// F = μ_d n sgn v [1 − exp(−k |v|/v_r)]    |v| ≤ v_r
///     μ_d n sgn v [1 − exp(−k)]            |v| > v_r
/// ```
///
/// An early smoothing of the jump in multibody codes, where `k` is 3 and the plateau 95 % of the level.
/// Without memory, without a static level; it creeps under any load, at `v_r F/(k μ_d n)` under small loads `F`,
/// and its slope jumps at `v_r`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "threlfall", cite = "threlfall1978", cite = "skrinjar2017", tags("static", "creeps"))]
pub struct Threlfall<S> {
    /// Friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Velocity at which the rise ends.
    #[param(symbol = "v_r", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_r: S,
    /// Steepness of the rise.
    #[param(symbol = "k", role = Shape, unit = "1", default = 3.0, min = 0.1, max = 100.0)]
    pub k: S,
}

impl<S: Scalar> Law<S> for Threlfall<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let share = (at.v.abs() / self.v_r).min(S::one());
        let curve = -(-self.k * share).exp() + 1.0;
        // The slope at rest, which sgn(v) would lose.
        let near = || self.k * at.v / self.v_r;
        at.load() * self.mu_d * S::choose(share.lt(S::from(1e-12)), near, || at.v.sign() * curve)
    }
}

#[cfg(test)]
mod threlfall_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    #[test]
    fn the_plateau_is_ninety_five_per_cent_and_is_met_without_a_jump() {
        let law = Threlfall { mu_d: 0.3, v_r: 0.01, k: 3.0 };
        let force = |v: f64| law.eval(&At::sliding(v, 10.0), &[], &mut []);
        assert!((force(1.0) - 3.0 * 0.950212931632136).abs() < 1e-14);
        assert!((force(0.01) - force(0.01 + 1e-14)).abs() < 1e-12);
        assert!((force(-0.005) + 3.0 * (1.0 - (-1.5f64).exp())).abs() < 1e-14);
    }

    #[test]
    fn the_slope_at_rest_is_not_lost() {
        let law = Threlfall::<Dual<1>> { mu_d: 0.3.into(), v_r: 0.01.into(), k: 3.0.into() };
        for v in [0.0, 1e-17] {
            let force = law.eval(&At::sliding(seed(v, 0), 10.0.into()), &[], &mut []);
            assert!((partial(&force, 0) - 900.0).abs() < 1e-9);
        }
    }
}
