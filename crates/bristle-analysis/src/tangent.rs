//! A number with `N` first derivatives over any other number.
//!
//! The number types of the derivative library need to know that their parts are dual numbers; inside a generic
//! right-hand side only [`Scalar`] is known. This one nests over any scalar, so the variational equations can be
//! written as ordinary dynamics, which implicit methods differentiate once more.

use bristle_core::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

macro_rules! tangent {
    ($name:ident, $inline:meta) => {
        /// A value and its derivatives in `N` directions.
        #[derive(Clone, Copy, Debug)]
        pub struct $name<S, const N: usize> {
            /// The value.
            pub re: S,
            /// The derivatives.
            pub eps: [S; N],
        }

        impl<S: Scalar, const N: usize> $name<S, N> {
            /// The chain rule: value `f` and slope `df`.
            #[$inline]
            fn chain(self, f: S, df: S) -> Self {
                self.each(f, |e| e * df)
            }

            // Plain loops: in lanes the compiler turns them into vector instructions, which it does not with array adapters.
            #[$inline]
            fn each(self, re: S, f: impl Fn(S) -> S) -> Self {
                let mut eps = self.eps;
                for i in 0..N {
                    eps[i] = f(self.eps[i]);
                }
                Self { re, eps }
            }

            #[$inline]
            fn zip(self, other: Self, re: S, f: impl Fn(S, S) -> S) -> Self {
                let mut eps = self.eps;
                for i in 0..N {
                    eps[i] = f(self.eps[i], other.eps[i]);
                }
                Self { re, eps }
            }
        }

        impl<S: Scalar, const N: usize> From<f64> for $name<S, N> {
            #[$inline]
            fn from(x: f64) -> Self {
                Self { re: S::from(x), eps: [S::zero(); N] }
            }
        }

        impl<S: Scalar, const N: usize> Neg for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn neg(self) -> Self {
                self.each(-self.re, |e| -e)
            }
        }

        impl<S: Scalar, const N: usize> Add for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn add(self, o: Self) -> Self {
                self.zip(o, self.re + o.re, |a, b| a + b)
            }
        }

        impl<S: Scalar, const N: usize> Sub for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn sub(self, o: Self) -> Self {
                self.zip(o, self.re - o.re, |a, b| a - b)
            }
        }

        impl<S: Scalar, const N: usize> Mul for $name<S, N> {
            type Output = Self;
            #[$inline]
            // The product rule adds.
            #[allow(clippy::suspicious_arithmetic_impl)]
            fn mul(self, o: Self) -> Self {
                self.zip(o, self.re * o.re, |a, b| a * o.re + b * self.re)
            }
        }

        impl<S: Scalar, const N: usize> Div for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn div(self, o: Self) -> Self {
                let inverse = S::one() / o.re;
                let ratio = self.re * inverse;
                self.zip(o, ratio, |a, b| (a - b * ratio) * inverse)
            }
        }

        impl<S: Scalar, const N: usize> Add<f64> for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn add(self, o: f64) -> Self {
                Self { re: self.re + o, ..self }
            }
        }

        impl<S: Scalar, const N: usize> Sub<f64> for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn sub(self, o: f64) -> Self {
                Self { re: self.re - o, ..self }
            }
        }

        impl<S: Scalar, const N: usize> Mul<f64> for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn mul(self, o: f64) -> Self {
                self.each(self.re * o, |e| e * o)
            }
        }

        impl<S: Scalar, const N: usize> Div<f64> for $name<S, N> {
            type Output = Self;
            #[$inline]
            fn div(self, o: f64) -> Self {
                self.each(self.re / o, |e| e / o)
            }
        }

        impl<S: Scalar, const N: usize> AddAssign for $name<S, N> {
            #[$inline]
            fn add_assign(&mut self, o: Self) {
                *self = *self + o;
            }
        }

        impl<S: Scalar, const N: usize> SubAssign for $name<S, N> {
            #[$inline]
            fn sub_assign(&mut self, o: Self) {
                *self = *self - o;
            }
        }

        impl<S: Scalar, const N: usize> Scalar for $name<S, N> {
            type Mask = S::Mask;

            #[$inline]
            fn value(self) -> f64 {
                self.re.value()
            }
            #[$inline]
            fn lt(self, other: Self) -> S::Mask {
                self.re.lt(other.re)
            }
            #[$inline]
            fn select(mask: S::Mask, yes: Self, no: Self) -> Self {
                yes.zip(no, S::select(mask, yes.re, no.re), |a, b| S::select(mask, a, b))
            }
            #[$inline]
            fn frozen(self) -> Self {
                Self { re: self.re.frozen(), eps: [S::zero(); N] }
            }
            #[$inline]
            fn sqrt(self) -> Self {
                let root = self.re.sqrt();
                self.chain(root, S::from(0.5) / root)
            }
            #[$inline]
            fn exp(self) -> Self {
                let e = self.re.exp();
                self.chain(e, e)
            }
            #[$inline]
            fn ln(self) -> Self {
                self.chain(self.re.ln(), S::one() / self.re)
            }
            #[$inline]
            fn sin(self) -> Self {
                self.chain(self.re.sin(), self.re.cos())
            }
            #[$inline]
            fn cos(self) -> Self {
                self.chain(self.re.cos(), -self.re.sin())
            }
            #[$inline]
            fn tanh(self) -> Self {
                let t = self.re.tanh();
                self.chain(t, S::one() - t * t)
            }
            #[$inline]
            fn atan(self) -> Self {
                self.chain(self.re.atan(), S::one() / (self.re * self.re + 1.0))
            }
            #[$inline]
            fn asinh(self) -> Self {
                self.chain(self.re.asinh(), S::one() / (self.re * self.re + 1.0).sqrt())
            }
            #[$inline]
            fn pow(self, exponent: Self) -> Self {
                (self.ln() * exponent).exp()
            }
        }
    };
}

tangent!(Tangent, inline);
// In lanes every operation must become part of the function that was compiled for wide vectors.
tangent!(LaneTangent, inline(always));

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
