//! The exact step of a linear equation.

/// `z(h)` of `ż = c − a z` with `a ≥ 0`.
#[inline]
pub(super) fn relax(z: f64, c: f64, a: f64, h: f64) -> f64 {
    z * (-a * h).exp() + c * h * phi(a * h)
}

/// `(1 − e^{−x})/x`, 1 at zero: the mean of a decay over the step.
#[inline]
pub(super) fn phi(x: f64) -> f64 {
    if x.abs() < 1e-12 { 1.0 } else { -(-x).exp_m1() / x }
}

#[cfg(test)]
mod linear_tests {
    use super::*;

    #[test]
    fn a_step_is_the_same_in_one_or_in_two() {
        for (c, a) in [(0.3, 0.0), (0.3, 1e-13), (-2.0, 7.0), (1.0, 1e9)] {
            let whole = relax(0.4, c, a, 0.8);
            let halves = relax(relax(0.4, c, a, 0.4), c, a, 0.4);
            assert!((whole - halves).abs() < 1e-14, "{c} {a}");
        }
        assert_eq!(relax(0.4, 2.0, 4.0, 1e9), 0.5);
    }
}
