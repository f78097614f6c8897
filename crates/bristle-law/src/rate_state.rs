//! The regularised strength of rate-and-state friction.

use bristle_core::Scalar;

/// `asinh(x e^y)`, also where the exponential would overflow.
#[inline]
fn asinh_exp<S: Scalar>(x: S, y: S) -> S {
    let log = y + x.abs().max(S::from(1e-300)).ln();
    // asinh w = ln 2w + 1/(4w²) − …: from e^18 on the logarithm is exact to rounding.
    let far = || x.sign() * (log + std::f64::consts::LN_2);
    let near = || (x * y.min(S::from(600.0)).exp()).asinh();
    S::choose(S::from(18.0).lt(log), far, near)
}

/// The coefficient `a asinh[v/(2v_0) exp((μ_0 + b ln(v_0 θ/L))/a)]`.
#[inline]
pub(crate) fn coefficient<S: Scalar>(v: S, age: S, mu: S, [a, b]: [S; 2], v_ref: S, d_c: S) -> S {
    // An age of nothing has no logarithm; at this floor the strength has long vanished.
    let state = (v_ref * age / d_c).max(S::from(1e-30)).ln();
    a * asinh_exp(v / v_ref * 0.5, (mu + b * state) / a)
}

#[cfg(test)]
mod rate_state_tests {
    use super::*;

    #[test]
    fn the_two_branches_of_the_inverse_sine_meet() {
        for (x, y) in [(1.0, 17.999_999), (1.0, 18.000_001), (-0.3, 2.0), (1e-9, 40.0), (0.0, 1e6)] {
            let expected = if x == 0.0 { 0.0 } else { (x * f64::exp(y)).asinh() };
            assert!((asinh_exp(x, y) - expected).abs() < 1e-14, "{x} {y}");
        }
        assert!((asinh_exp(0.5, 1e4) - 1e4).abs() < 1e-11);
    }
}
