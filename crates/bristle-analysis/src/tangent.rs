//! A number with `N` first derivatives over any other number.
//!
//! The number types of the derivative library need to know that their parts are dual numbers; inside a generic
//! right-hand side only [`Scalar`] is known. This one nests over any scalar, so the variational equations can be
//! written as ordinary dynamics, which implicit methods differentiate once more.

use bristle_core::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value and its derivatives in `N` directions.
#[derive(Clone, Copy, Debug)]
pub struct Tangent<S, const N: usize> {
    /// The value.
    pub re: S,
    /// The derivatives.
    pub eps: [S; N],
}

impl<S: Scalar, const N: usize> Tangent<S, N> {
    /// The chain rule: value `f` and slope `df`.
    #[inline(always)]
    fn chain(self, f: S, df: S) -> Self {
        self.each(f, |e| e * df)
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

impl<S: Scalar, const N: usize> From<f64> for Tangent<S, N> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self { re: S::from(x), eps: [S::zero(); N] }
    }
}

impl<S: Scalar, const N: usize> Neg for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(-self.re, |e| -e)
    }
}

impl<S: Scalar, const N: usize> Add for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.re + o.re, |a, b| a + b)
    }
}

impl<S: Scalar, const N: usize> Sub for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.re - o.re, |a, b| a - b)
    }
}

impl<S: Scalar, const N: usize> Mul for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    // The product rule adds.
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.re * o.re, |a, b| a * o.re + b * self.re)
    }
}

impl<S: Scalar, const N: usize> Div for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let inverse = S::one() / o.re;
        let ratio = self.re * inverse;
        self.zip(o, ratio, |a, b| (a - b * ratio) * inverse)
    }
}

impl<S: Scalar, const N: usize> Add<f64> for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: f64) -> Self {
        Self { re: self.re + o, ..self }
    }
}

impl<S: Scalar, const N: usize> Sub<f64> for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: f64) -> Self {
        Self { re: self.re - o, ..self }
    }
}

impl<S: Scalar, const N: usize> Mul<f64> for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        self.each(self.re * o, |e| e * o)
    }
}

impl<S: Scalar, const N: usize> Div<f64> for Tangent<S, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: f64) -> Self {
        self.each(self.re / o, |e| e / o)
    }
}

impl<S: Scalar, const N: usize> AddAssign for Tangent<S, N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<S: Scalar, const N: usize> SubAssign for Tangent<S, N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<S: Scalar, const N: usize> Scalar for Tangent<S, N> {
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
    fn select(mask: S::Mask, yes: Self, no: Self) -> Self {
        yes.zip(no, S::select(mask, yes.re, no.re), |a, b| S::select(mask, a, b))
    }
    #[inline(always)]
    fn frozen(self) -> Self {
        Self { re: self.re.frozen(), eps: [S::zero(); N] }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, S::from(0.5) / root)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.re.ln(), S::one() / self.re)
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
        let t = self.re.tanh();
        self.chain(t, S::one() - t * t)
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
mod tangent_tests {
    use super::*;

    /// Nested once, the mixed part is the second derivative: `d²/dx² (tanh x · e^{−x²})` against differences of
    /// the exact first derivative.
    #[test]
    fn nesting_gives_second_derivatives() {
        fn f<S: Scalar>(x: S) -> S {
            x.tanh() * (-(x * x)).exp() / (x.squared() + 2.0).sqrt() + x.asinh().atan() * x.sin()
        }
        let first = |x: f64| f(Tangent::<f64, 1> { re: x, eps: [1.0] }).eps[0];
        let inner = Tangent::<f64, 1> { re: 0.4, eps: [1.0] };
        let x = Tangent { re: inner, eps: [Tangent::<f64, 1>::from(1.0)] };
        let second = f(x).eps[0].eps[0];
        let h = 1e-5;
        assert!((second - (first(0.4 + h) - first(0.4 - h)) / (2.0 * h)).abs() < 1e-9);
    }
}
