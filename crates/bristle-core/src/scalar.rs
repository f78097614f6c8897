//! The number type of equations.

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
    /// The one truth value of a mask; none where lanes may differ.
    #[inline]
    fn known(_mask: Self::Mask) -> Option<bool> {
        None
    }
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// As [`select`](Scalar::select), for branches worth skipping: a single number evaluates only the one it
    /// needs, lanes evaluate both.
    #[inline]
    fn choose(mask: Self::Mask, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        match Self::known(mask) {
            Some(true) => yes(),
            Some(false) => no(),
            None => Self::select(mask, yes(), no()),
        }
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
    /// The same number, found by a choice among equations that was made at the middle of what its parts can be: it is a right one
    /// everywhere, but not the one that is taken elsewhere, so that nothing is known of how it changes.
    #[inline]
    fn chosen(self) -> Self {
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

impl Scalar for f64 {
    type Mask = bool;

    const DIFFERENTIATES: bool = false;

    #[inline]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline]
    fn known(mask: bool) -> Option<bool> {
        Some(mask)
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline]
    fn frozen(self) -> Self {
        self
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn exp(self) -> Self {
        f64::exp(self)
    }
    #[inline]
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline]
    fn sin(self) -> Self {
        f64::sin(self)
    }
    #[inline]
    fn cos(self) -> Self {
        f64::cos(self)
    }
    #[inline]
    fn tanh(self) -> Self {
        // Beyond 20 the tangent rounds to ±1.
        if self.abs() > 20.0 { self.signum() } else { f64::tanh(self) }
    }
    #[inline]
    fn atan(self) -> Self {
        f64::atan(self)
    }
    #[inline]
    fn asinh(self) -> Self {
        f64::asinh(self)
    }
    #[inline]
    fn pow(self, exponent: Self) -> Self {
        f64::exp(f64::ln(self) * exponent)
    }
}
