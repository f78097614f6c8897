//! Numbers that carry exact derivatives.
//!
//! A dual number is a value and `N` derivatives, kept in a plain array: whatever is constant carries zeros, and nothing has to be
//! asked before it is multiplied. It nests over any other [`Scalar`]: over lanes it differentiates several points at once, over
//! another dual number it gives second derivatives. The value goes through the same operations as a plain number, so that it equals
//! the plain evaluation to the last bit.

use crate::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value and its derivatives in `N` directions.
///
/// ```
/// use bristle_core::{Dual, Scalar, seed};
///
/// let v: Dual<1> = seed(0.3, 0);
/// let y = v.tanh() * 2.0;
/// assert_eq!(y.re, 0.3_f64.tanh() * 2.0);
/// assert!((y.eps[0] - 2.0 / 0.3_f64.cosh().powi(2)).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize, S = f64> {
    /// The value.
    pub re: S,
    /// The derivatives.
    pub eps: [S; N],
}

// Every operation is inlined: in lanes it has to become part of the function that was compiled for wide vectors.
impl<const N: usize, S: Scalar> Dual<N, S> {
    /// A number without derivatives.
    #[inline(always)]
    pub fn constant(re: S) -> Self {
        Self { re, eps: [S::zero(); N] }
    }

    /// The chain rule: value `f` and slope `df`.
    #[inline(always)]
    fn chain(self, f: S, df: S) -> Self {
        self.each(f, |e| e * df)
    }

    /// The chain rule where the slope is infinite at zero: what does not move has no slope there all the same.
    #[inline(always)]
    fn chain_above_zero(self, f: S, df: S) -> Self {
        let is_above = S::zero().lt(self.re);
        self.each(f, |e| {
            let still = S::select(e.lt(S::zero()), e * df, S::zero());
            S::select(is_above, e * df, S::select(S::zero().lt(e), e * df, still))
        })
    }

    // Plain loops: in lanes the compiler turns them into vector instructions, which it does not with array adapters.
    #[inline(always)]
    fn each(self, re: S, f: impl Fn(S) -> S) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = f(self.eps[i]);
        }
        Self { re, eps }
    }

    #[inline(always)]
    fn zip(self, other: Self, re: S, f: impl Fn(S, S) -> S) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = f(self.eps[i], other.eps[i]);
        }
        Self { re, eps }
    }
}

/// A number that is independent variable `index` of `N`.
#[inline(always)]
pub fn seed<const N: usize>(value: f64, index: usize) -> Dual<N> {
    let mut eps = [0.0; N];
    if let Some(slot) = eps.get_mut(index) {
        *slot = 1.0;
    }
    Dual { re: value, eps }
}

/// The derivative of a number with respect to variable `index`.
#[inline(always)]
pub fn partial<const N: usize>(x: &Dual<N>, index: usize) -> f64 {
    x.eps[index]
}

/// A number with the given derivatives.
#[inline(always)]
pub fn derivative<const N: usize>(value: f64, partials: [f64; N]) -> Dual<N> {
    Dual { re: value, eps: partials }
}

impl<const N: usize, S: Scalar> From<f64> for Dual<N, S> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self::constant(S::from(x))
    }
}

impl<const N: usize, S: Scalar> Neg for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(-self.re, |e| -e)
    }
}

impl<const N: usize, S: Scalar> Add for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.re + o.re, |a, b| a + b)
    }
}

impl<const N: usize, S: Scalar> Sub for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.re - o.re, |a, b| a - b)
    }
}

impl<const N: usize, S: Scalar> Mul for Dual<N, S> {
    type Output = Self;
    // The product rule adds.
    #[allow(clippy::suspicious_arithmetic_impl)]
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.re * o.re, |a, b| a * o.re + b * self.re)
    }
}

impl<const N: usize, S: Scalar> Div for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let (ratio, inverse) = (self.re / o.re, S::one() / o.re);
        self.zip(o, ratio, |a, b| (a - b * ratio) * inverse)
    }
}

impl<const N: usize, S: Scalar> Add<f64> for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: f64) -> Self {
        Self { re: self.re + o, ..self }
    }
}

impl<const N: usize, S: Scalar> Sub<f64> for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: f64) -> Self {
        Self { re: self.re - o, ..self }
    }
}

impl<const N: usize, S: Scalar> Mul<f64> for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        self.each(self.re * o, |e| e * o)
    }
}

impl<const N: usize, S: Scalar> Div<f64> for Dual<N, S> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: f64) -> Self {
        self.each(self.re / o, |e| e / o)
    }
}

impl<const N: usize, S: Scalar> AddAssign for Dual<N, S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<const N: usize, S: Scalar> SubAssign for Dual<N, S> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<const N: usize, S: Scalar> Scalar for Dual<N, S> {
    type Mask = S::Mask;

    #[inline(always)]
    fn value(self) -> f64 {
        self.re.value()
    }
    #[inline(always)]
    fn lt(self, other: Self) -> S::Mask {
        self.re.lt(other.re)
    }
    #[inline(always)]
    fn known(mask: S::Mask) -> Option<bool> {
        S::known(mask)
    }
    #[inline(always)]
    fn select(mask: S::Mask, yes: Self, no: Self) -> Self {
        match S::known(mask) {
            Some(true) => yes,
            Some(false) => no,
            None => yes.zip(no, S::select(mask, yes.re, no.re), |a, b| S::select(mask, a, b)),
        }
    }
    #[inline(always)]
    fn frozen(self) -> Self {
        Self::constant(self.re.frozen())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let sign = self.re.sign();
        self.chain(self.re.abs(), sign)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain_above_zero(root, S::from(0.5) / root)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain_above_zero(self.re.ln(), S::one() / self.re)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.chain(self.re.cos(), -self.re.sin())
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        // `1 − tanh²` loses all digits where the tangent nears one; `4e/(1 + e)²` with `e = exp(−2|x|)` loses none. Chosen rather than
        // taken as an absolute value, whose slope vanishes at rest, it has the derivatives of the slope there too.
        let down = S::select(self.re.lt(S::zero()), self.re, -self.re);
        let e = (down * 2.0).exp();
        self.chain(self.re.tanh(), e * 4.0 / ((e + 1.0) * (e + 1.0)))
    }
    #[inline(always)]
    fn atan(self) -> Self {
        self.chain(self.re.atan(), S::one() / (self.re * self.re + 1.0))
    }
    #[inline(always)]
    fn asinh(self) -> Self {
        self.chain(self.re.asinh(), S::one() / (self.re * self.re + 1.0).sqrt())
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
}

#[cfg(test)]
mod dual_tests {
    use super::*;

    /// `d/dx (x² |x| e^x) = (3x|x| + x²|x|) e^x`.
    #[test]
    fn a_dual_number_differentiates_a_formula() {
        fn f<S: Scalar>(x: S) -> S {
            x.squared() * x.abs() * x.exp()
        }
        let x = -0.7;
        let y = f(seed::<2>(x, 1));
        assert_eq!(y.value(), f(x));
        assert!((y.eps[1] - (3.0 * x * x.abs() + x * x * x.abs()) * x.exp()).abs() < 1e-14);
        assert_eq!(y.eps[0], 0.0);
    }

    #[test]
    fn the_absolute_value_has_no_slope_at_zero() {
        let y = Scalar::abs(seed::<1>(0.0, 0));
        assert_eq!((y.re, y.eps), (0.0, [0.0]));
    }

    /// A constant stays one where the slope is infinite, and its neighbours keep their derivatives.
    #[test]
    fn a_root_of_nothing_does_not_spoil_what_moves() {
        let y = Dual::<2>::from(0.0).sqrt() + seed(2.0, 1);
        assert_eq!((y.re, y.eps), (2.0, [0.0, 1.0]));
        assert_eq!(Dual::<1>::from(0.0).pow(0.5.into()).re, 0.0);
        assert!(seed::<1>(0.0, 0).sqrt().eps[0].is_infinite());
    }

    #[test]
    fn the_slope_of_a_saturated_tangent_keeps_its_digits() {
        let slope = seed::<1>(15.0, 0).tanh().eps[0];
        assert!((slope * 15.0_f64.cosh().powi(2) - 1.0).abs() < 1e-14, "{slope}");
        assert!(seed::<1>(400.0, 0).tanh().eps[0] >= 0.0);
    }

    /// Nested once, the mixed part is the second derivative: `d²/dx² (tanh x · e^{−x²})` against differences of the exact first
    /// derivative.
    #[test]
    fn nesting_gives_second_derivatives() {
        fn f<S: Scalar>(x: S) -> S {
            x.tanh() * (-(x * x)).exp() / (x.squared() + 2.0).sqrt() + x.asinh().atan() * x.sin()
        }
        let first = |x: f64| f(seed::<1>(x, 0)).eps[0];
        let x = Dual::<1, Dual<1>> { re: seed(0.4, 0), eps: [Dual::from(1.0)] };
        let second = f(x).eps[0].eps[0];
        let h = 1e-5;
        assert!((second - (first(0.4 + h) - first(0.4 - h)) / (2.0 * h)).abs() < 1e-9);
    }

    /// `tanh x = x − x³/3 + …`: at rest the third derivative is −2.
    #[test]
    fn a_tangent_is_as_smooth_at_rest_as_elsewhere() {
        let once = Dual::<1, Dual<1>> { re: seed(0.0, 0), eps: [Dual::from(1.0)] };
        let y = Dual::<1, Dual<1, Dual<1>>> { re: once, eps: [Dual::from(1.0)] }.tanh();
        assert_eq!([y.eps[0].re.re, y.eps[0].eps[0].re, y.eps[0].eps[0].eps[0]], [1.0, 0.0, -2.0]);
    }
}
