//! The number type of equations.

use nalgebra::Const;
use num_dual::{Derivative, DualNum, DualSVec64};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number an equation can be written in.
///
/// With `f64` the equation simulates; with a dual number the same text gives exact derivatives. Equations
/// branch on a value with [`select`](Scalar::select) on a mask, never with `if`, so that the same text can
/// run in [lanes](crate::Lanes).
pub trait Scalar:
    Copy
    + Debug
    + 'static
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
{
    /// What a comparison gives: one truth value, or one per lane.
    type Mask: Copy;

    /// Whether the number carries derivatives; terms that only differentiate can be left out where it does not.
    const DIFFERENTIATES: bool = true;

    /// The value without its derivatives.
    fn value(self) -> f64;
    /// `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// As [`select`](Scalar::select), for branches worth skipping: a single number evaluates only the one it
    /// needs, lanes evaluate both.
    #[inline]
    fn choose(mask: Self::Mask, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        Self::select(mask, yes(), no())
    }
    /// Whether the mask holds, for equations whose terms, not only their values, depend on it.
    ///
    /// A number that records notes the answer as an assumption. Only for conditions on
    /// parameters and on time between breaks, which are the same in all lanes; where lanes differ the answer is no.
    #[inline]
    fn decide(mask: Self::Mask) -> bool {
        Self::select(mask, Self::one(), Self::zero()).value() > 0.5
    }
    /// Whether the number is zero, as a decision; no where lanes differ.
    #[inline]
    fn vanishes(self) -> bool {
        // Nothing but zero is smaller than the smallest number.
        Self::decide(self.abs().lt(Self::from(f64::from_bits(1))))
    }
    /// The number that stands for this one in decisions about time: itself, or the middle of what it can be.
    #[inline]
    fn middle(self) -> Self {
        self
    }
    /// The largest whole number not above this one, without derivative.
    #[inline]
    fn floor(self) -> Self {
        Self::from(self.value().floor())
    }
    /// This number with the derivatives of `smooth`, a formula that gives the same value at greater cost.
    #[inline]
    fn sloped_as(self, smooth: Self) -> Self {
        smooth
    }
    /// The same number with its derivatives dropped.
    fn frozen(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Power with a number that may carry derivatives itself; the base must be positive.
    fn pow(self, exponent: Self) -> Self;

    /// The number zero.
    #[inline]
    fn zero() -> Self {
        Self::from(0.0)
    }

    /// The number one.
    #[inline]
    fn one() -> Self {
        Self::from(1.0)
    }

    /// −1, 0 or 1, without derivative.
    #[inline]
    fn sign(self) -> Self {
        let below = Self::select(self.lt(Self::zero()), Self::from(-1.0), Self::zero());
        Self::select(Self::zero().lt(self), Self::one(), below)
    }

    /// Absolute value; its derivative at zero is zero, the middle of the subdifferential.
    #[inline]
    fn abs(self) -> Self {
        self * self.sign()
    }

    /// The larger of two numbers.
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }

    /// The smaller of two numbers.
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::select(other.lt(self), other, self)
    }

    /// The number moved into `[low, high]`.
    #[inline]
    fn clamp_to(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// `self²`.
    #[inline]
    fn squared(self) -> Self {
        self * self
    }
}

impl<T> Scalar for T
where
    T: DualNum<Primitive = f64> + Copy + From<f64>,
{
    type Mask = bool;

    const DIFFERENTIATES: bool = T::NDERIV > 0;

    #[inline]
    fn value(self) -> f64 {
        self.re()
    }
    #[inline]
    fn lt(self, other: Self) -> bool {
        self.re() < other.re()
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline]
    fn choose(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
    #[inline]
    fn frozen(self) -> Self {
        Self::from(self.re())
    }
    #[inline]
    fn sqrt(self) -> Self {
        DualNum::sqrt(&self)
    }
    #[inline]
    fn exp(self) -> Self {
        DualNum::exp(&self)
    }
    #[inline]
    fn ln(self) -> Self {
        DualNum::ln(&self)
    }
    #[inline]
    fn sin(self) -> Self {
        DualNum::sin(&self)
    }
    #[inline]
    fn cos(self) -> Self {
        DualNum::cos(&self)
    }
    #[inline]
    fn tanh(self) -> Self {
        // Beyond 20 the tangent rounds to ±1, while a quotient of hyperbolic sine and cosine would overflow.
        let re = self.re();
        if re.abs() > 20.0 { Self::from(re.signum()) } else { DualNum::tanh(&self) }
    }
    #[inline]
    fn atan(self) -> Self {
        DualNum::atan(&self)
    }
    #[inline]
    fn asinh(self) -> Self {
        DualNum::asinh(&self)
    }
    #[inline]
    fn pow(self, exponent: Self) -> Self {
        DualNum::exp(&(DualNum::ln(&self) * exponent))
    }
}

/// A number with `N` first derivatives.
pub type Dual<const N: usize> = DualSVec64<N>;

/// A number that is independent variable `index` of `N`.
#[inline]
pub fn seed<const N: usize>(value: f64, index: usize) -> Dual<N> {
    Dual::<N>::from_re(value).derivative(index)
}

/// A number with the given derivatives.
#[inline]
pub fn derivative<const N: usize>(value: f64, partials: [f64; N]) -> Dual<N> {
    Dual::<N>::new(value, Derivative::some(nalgebra::SVector::<f64, N>::from(partials)))
}

/// The derivative of a number with respect to variable `index`.
#[inline]
pub fn partial<const N: usize>(x: &Dual<N>, index: usize) -> f64 {
    let _: Const<N>;
    x.eps.0.as_ref().map_or(0.0, |eps| eps[index])
}

/// All derivatives of a number.
#[inline]
pub fn partials<const N: usize>(x: &Dual<N>) -> [f64; N] {
    x.eps.0.as_ref().map_or([0.0; N], |eps| eps.data.0[0])
}

#[cfg(test)]
mod scalar_tests {
    use super::*;

    /// `d/dx (x² |x| e^x) = (3x|x| + x²|x|) e^x`.
    #[test]
    fn a_dual_number_differentiates_a_formula() {
        fn f<S: Scalar>(x: S) -> S {
            x.squared() * x.abs() * x.exp()
        }
        let x = -0.7;
        let y = f(seed::<2>(x, 1));
        assert!((y.value() - f(x)).abs() < 1e-15);
        assert!((partial(&y, 1) - (3.0 * x * x.abs() + x * x * x.abs()) * x.exp()).abs() < 1e-14);
        assert_eq!(partial(&y, 0), 0.0);
    }

    #[test]
    fn the_absolute_value_has_no_slope_at_zero() {
        let y = Scalar::abs(seed::<1>(0.0, 0));
        assert_eq!((y.value(), partial(&y, 0)), (0.0, 0.0));
    }
}
