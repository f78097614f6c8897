//! Friction curves shared by several laws: how the level falls from static to kinetic with speed.

use crate::step;
use bristle_core::Scalar;

/// `|u|^γ`, with value and slopes that are finite at `u = 0`.
///
/// The exponents 1 and 2 are exact products. With `γ = 1` a negative `u` continues the branch down to −1, so
/// that a step may overshoot `v = 0` before its guard is located; `u` is a speed while the direction is frozen.
#[inline]
pub fn power<S: Scalar>(u: S, gamma: S) -> S {
    let (one, two) = (S::one(), S::from(2.0));
    // ln 0 would poison the derivative; at this floor the power and its slope vanish.
    let general = || u.abs().max(S::from(1e-200)).pow(gamma);
    // u^γ = u^k u^(γ−k): the second factor is exactly 1, but its derivatives by γ are those of the power.
    let exact = |product: S, k: f64| {
        if S::DIFFERENTIATES { product.sloped_as(product * unit_power(u, gamma - k)) } else { product }
    };
    S::choose(
        gamma.lt(two),
        || {
            S::choose(one.lt(gamma), general, || {
                S::choose(gamma.lt(one), general, || exact(u.max(-one), 1.0))
            })
        },
        || S::choose(two.lt(gamma), general, || exact(u * u, 2.0)),
    )
}

/// `|u|^δ` for a `δ` of value zero: one, with the derivatives of the power.
#[inline]
fn unit_power<S: Scalar>(u: S, delta: S) -> S {
    (u.abs().max(S::from(1e-100)).ln() * delta).exp()
}

/// So near zero a root is a straight line: its slope would be infinite, and no step could end there.
const STRAIGHT: f64 = 1e-9;

/// `sgn(q) |q|^α`, flat at `q = 0` for `α > 1`; for `α < 1` straight where `|q|` is below 1e-9.
#[inline]
pub fn signed_power<S: Scalar>(q: S, alpha: S) -> S {
    let general = || q.sign() * q.abs().max(S::from(1e-200)).pow(alpha);
    let linear = || if S::DIFFERENTIATES { q.sloped_as(q * unit_power(q, alpha - 1.0)) } else { q };
    let root = || q * (q.squared() + STRAIGHT * STRAIGHT).pow((alpha - 1.0) * 0.5);
    S::choose(alpha.lt(S::one()), root, || S::choose(S::one().lt(alpha), general, linear))
}

/// `exp(−u)` for `u ≥ 0`, continued smoothly past zero but not beyond −1, where a long trial step would overflow.
#[inline]
pub fn decay<S: Scalar>(u: S) -> S {
    (-u.max(S::from(-1.0))).exp()
}

/// The Stribeck curve `μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)`.
#[inline]
pub fn level<S: Scalar>(speed: S, mu_d: S, mu_s: S, v_s: S, gamma: S) -> S {
    mu_d + (mu_s - mu_d) * (-power(speed / v_s, gamma)).exp()
}

/// The regularised curve, odd in `w`: a parabola up to `μ_s` at `v_s`, a cubic down to `μ_d` at `v_d`, then a
/// plateau.
#[inline]
pub fn regularised<S: Scalar>(w: S, mu_s: S, v_s: S, mu_d: S, v_d: S) -> S {
    let speed = w.abs();
    // Without sgn(w), so that the slope at rest comes out.
    let rise = mu_s * w / v_s * (-speed / v_s + 2.0);
    let fall = || w.sign() * (mu_s - (mu_s - mu_d) * step::cubic((speed - v_s) / (v_d - v_s)));
    S::choose(v_s.lt(speed), fall, || rise)
}

#[cfg(test)]
mod stribeck_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    #[test]
    fn exponents_one_and_two_are_exact_and_join_their_neighbours() {
        for u in [0.0, 1e-9, 0.3, 1.0, 7.0] {
            assert_eq!(power(u, 1.0), u);
            assert_eq!(power(u, 2.0), u * u);
            for gamma in [1.0, 2.0] {
                assert!((power(u, gamma + 1e-9) - power(u, gamma)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn no_derivative_is_lost_at_rest_or_at_an_exact_exponent() {
        for gamma in [0.5, 1.0, 1.7, 2.0, 3.0] {
            let at_rest: Dual<2> = level(seed(0.0, 0), 0.3.into(), 0.4.into(), 0.1.into(), seed(gamma, 1));
            assert!((at_rest.value() - 0.4).abs() < 1e-15 && partial(&at_rest, 0).is_finite());
            assert!(partial(&at_rest, 1).abs() < 1e-15);
            let moving: Dual<2> = power(seed(0.6, 0), seed(gamma, 1));
            let power = 0.6f64.powf(gamma);
            assert!((partial(&moving, 0) - gamma * power / 0.6).abs() < 1e-14);
            assert!((partial(&moving, 1) - power * 0.6f64.ln()).abs() < 1e-14);
        }
    }

    /// At rest the slope is `2 μ_s/v_s`; the joints are level.
    #[test]
    fn the_regularised_curve_joins_smoothly() {
        let mu =
            |w: f64| -> Dual<1> { regularised(seed(w, 0), 0.6.into(), 1e-3.into(), 0.3.into(), 1e-2.into()) };
        assert!((partial(&mu(0.0), 0) - 1200.0).abs() < 1e-9);
        assert!((mu(-1e-3).value() + 0.6).abs() < 1e-15 && partial(&mu(1e-3), 0).abs() < 1e-9);
        assert!((mu(0.01).value() - 0.3).abs() < 1e-15 && (mu(-5.0).value() + 0.3).abs() < 1e-15);
        // Rill & Schuderer, Fig. 4: the static law creeps at 0.9 mm/s under 99 % of the static level.
        assert!((mu(9e-4).value() - 0.99 * 0.6).abs() < 1e-15);
    }
}
