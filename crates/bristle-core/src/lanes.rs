//! Several numbers that go through an equation together.
//!
//! A sweep evaluates the same equation for many parameters. With `Lanes` it does so for `N` of them at once; every
//! operation is a short loop over the lanes, which the compiler turns into vector instructions of whatever width
//! the processor has. No operation mixes lanes, so a lane's result does not depend on its neighbours.

use crate::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `N` numbers, one for each lane.
///
/// ```
/// use bristle_core::{Lanes, Scalar};
///
/// let v = Lanes([0.1, -0.2, 0.0, 3.0]);
/// assert_eq!(v.abs().0, [0.1, 0.2, 0.0, 3.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const N: usize>(pub [f64; N]);

/// One truth value for each lane: all bits set, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct LaneMask<const N: usize>(pub [u64; N]);

impl<const N: usize> LaneMask<N> {
    /// Does any lane hold?
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.iter().fold(0, |all, m| all | m) != 0
    }

    /// Lane by lane: do both hold?
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        let mut out = self.0;
        for i in 0..N {
            out[i] &= other.0[i];
        }
        Self(out)
    }

    /// Lane by lane: does either hold?
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        let mut out = self.0;
        for i in 0..N {
            out[i] |= other.0[i];
        }
        Self(out)
    }

    /// Does this lane hold?
    #[inline(always)]
    pub fn holds(self, lane: usize) -> bool {
        self.0[lane] != 0
    }
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// `ln 2` in two parts; the first has so few digits that its product with a binary exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Added and taken away again, it rounds to a whole number, which the last bits of the sum then hold.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `1/k!` for `k = 3 … 12`; what is left out is below the last digit.
const EXPONENTIAL: [f64; 10] = [
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
];

impl<const N: usize> Lanes<N> {
    /// The same number in every lane.
    #[inline(always)]
    pub const fn splat(x: f64) -> Self {
        Self([x; N])
    }

    /// Applies a function lane by lane.
    #[inline(always)]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = self.0;
        for i in 0..N {
            out[i] = f(self.0[i]);
        }
        Self(out)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = self.0;
        for i in 0..N {
            out[i] = f(self.0[i], other.0[i]);
        }
        Self(out)
    }

    /// `self · factor + term`, rounded once where the program is compiled for processors that can.
    #[inline(always)]
    pub fn times_plus(self, factor: Self, term: Self) -> Self {
        let mut out = term.0;
        for i in 0..N {
            out[i] = if cfg!(target_feature = "fma") {
                self.0[i].mul_add(factor.0[i], term.0[i])
            } else {
                self.0[i] * factor.0[i] + term.0[i]
            };
        }
        Self(out)
    }

    /// The larger of two numbers, lane by lane; a number where the other is not one.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { b } else { a })
    }

    /// `2^k` and `e^r − 1` with `x = k ln 2 + r`, for `|x| ≤ 709`.
    #[inline(always)]
    fn split_exp(self) -> (Self, Self) {
        let rounded = self.times_plus(Self::splat(LOG2_E), Self::splat(ROUND));
        let k = rounded.map(|y| y - ROUND);
        let r = k.times_plus(Self::splat(-LN_2_LOW), k.times_plus(Self::splat(-LN_2_HIGH), self));
        // Pairs of terms first: shorter chains of operations that wait for each other.
        let c = |i: usize| Self::splat(EXPONENTIAL[i]);
        let (r2, pair) = (r * r, |i: usize| r.times_plus(c(i + 1), c(i)));
        let r4 = r2 * r2;
        let low = pair(2).times_plus(r2, pair(0));
        let high = pair(8).times_plus(r4, pair(6).times_plus(r2, pair(4)));
        let tail = high.times_plus(r4, low);
        let q = r2.times_plus(r.times_plus(tail, Self::splat(0.5)), r);
        let power = rounded.map(|y| f64::from_bits((y.to_bits() << 52).wrapping_add(1023 << 52)));
        (power, q)
    }
}

impl<const N: usize> From<f64> for Lanes<N> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self::splat(x)
    }
}

impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

macro_rules! operator {
    ($name:ident, $method:ident, $sign:tt) => {
        impl<const N: usize> $name for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $sign b)
            }
        }
        impl<const N: usize> $name<f64> for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                self.map(|a| a $sign other)
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<const N: usize> AddAssign for Lanes<N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for Lanes<N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> Scalar for Lanes<N> {
    type Mask = LaneMask<N>;

    const DIFFERENTIATES: bool = false;

    /// The number all lanes share; not a number where they differ.
    #[inline]
    fn value(self) -> f64 {
        let first = self.0[0];
        if self.0.iter().all(|x| *x == first) { first } else { f64::NAN }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> LaneMask<N> {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = if self.0[i] < other.0[i] { u64::MAX } else { 0 };
        }
        LaneMask(out)
    }
    #[inline(always)]
    fn select(mask: LaneMask<N>, yes: Self, no: Self) -> Self {
        let mut out = no.0;
        for i in 0..N {
            // By bits, not by a choice: the compiler would turn the latter into masked stores, which are slow.
            out[i] = f64::from_bits((yes.0[i].to_bits() & mask.0[i]) | (no.0[i].to_bits() & !mask.0[i]));
        }
        Self(out)
    }
    #[inline(always)]
    fn frozen(self) -> Self {
        self
    }
    #[inline]
    fn floor(self) -> Self {
        self.map(f64::floor)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let within = self.map(|x| if x < -708.0 { -708.0 } else { x });
        let (power, q) = within.map(|x| if x > 709.0 { 709.0 } else { x }).split_exp();
        let inside = power.times_plus(q, power);
        // What lies outside overflows or vanishes; what is not a number has made `q` the same.
        let above = self.zip(inside, |x, y| if x > 709.0 { f64::INFINITY } else { y });
        self.zip(above, |x, y| if x < -708.0 { 0.0 } else { y })
    }
    #[inline(always)]
    fn ln(self) -> Self {
        let is_usual = |x: &f64| *x >= f64::MIN_POSITIVE && *x <= f64::MAX;
        let usual = logarithm(self);
        if self.0.iter().all(is_usual) {
            return usual;
        }
        // Only the lane that needs it takes the long way: its neighbours keep every digit.
        self.zip(usual, |x, y| if is_usual(&x) { y } else { x.ln() })
    }
    #[inline]
    fn sin(self) -> Self {
        self.map(f64::sin)
    }
    #[inline]
    fn cos(self) -> Self {
        self.map(f64::cos)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        // (e^{2|x|} − 1)/(e^{2|x|} + 1); beyond 20 the tangent rounds to ±1.
        let (power, q) = self.map(|x| if x.abs() > 20.0 { 40.0 } else { 2.0 * x.abs() }).split_exp();
        let minus = power * q + (power - 1.0);
        let size = minus / (minus + 2.0);
        self.zip(size, |x, size| if x.is_nan() { x } else { size.copysign(x) })
    }
    #[inline]
    fn atan(self) -> Self {
        self.map(f64::atan)
    }
    #[inline]
    fn asinh(self) -> Self {
        self.map(f64::asinh)
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
}

/// `ln x = k ln 2 + 2 artanh s`, `s = (m − 1)/(m + 1)`, `x = m 2^k`, `m` between `√½` and `√2`.
#[inline(always)]
fn logarithm<const N: usize>(x: Lanes<N>) -> Lanes<N> {
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    // The bits of 2^52: a whole number below it, put into its last bits, is that number added.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    let shifted = x.map(|x| f64::from_bits(x.to_bits().wrapping_sub(HALF_ROOT).wrapping_add(1024 << 52)));
    let k = shifted.map(|y| f64::from_bits((y.to_bits() >> 52) | WHOLE) - 4_503_599_627_371_520.0);
    let m = shifted.map(|y| f64::from_bits((y.to_bits() & 0x000f_ffff_ffff_ffff) + HALF_ROOT));
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut series = Lanes::splat(1.0 / 23.0);
    for odd in (1..11).rev() {
        series = series * square + 1.0 / f64::from(2 * odd + 1);
    }
    let rest = s * square * series * 2.0;
    k * LN_2_HIGH + (s * 2.0 + (rest + k * LN_2_LOW))
}

#[cfg(test)]
mod lanes_tests {
    use super::*;

    fn worst(range: (f64, f64), lanes: impl Fn(Lanes<8>) -> Lanes<8>, single: impl Fn(f64) -> f64) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..20_000 {
            let x: [f64; 8] = std::array::from_fn(|k| {
                range.0 + (range.1 - range.0) * (f64::from(i) + k as f64 / 8.0) / 20_000.0
            });
            for (y, x) in lanes(Lanes(x)).0.into_iter().zip(x) {
                worst = worst.max((y - single(x)).abs() / single(x).abs().max(1e-300));
            }
        }
        worst
    }

    #[test]
    fn exponential_and_logarithm_are_right_to_the_last_digits() {
        let errors = [
            worst((-700.0, 700.0), Lanes::exp, f64::exp),
            worst((-2.0, 2.0), Lanes::exp, f64::exp),
            worst((-25.0, 25.0), Lanes::tanh, f64::tanh),
            worst((-1e-3, 1e-3), Lanes::tanh, f64::tanh),
            worst((1e-6, 0.7), Lanes::ln, f64::ln),
            worst((0.5, 2.0), Lanes::ln, f64::ln),
            worst((2.0, 1e9), Lanes::ln, f64::ln),
        ];
        assert!(errors.iter().all(|e| *e < 1e-15), "{errors:?}");
    }

    #[test]
    fn extremes_behave_as_with_a_single_number() {
        let x = Lanes([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e5]);
        let y = x.exp().0;
        assert!(y[0].is_nan() && y[1] == f64::INFINITY && y[2] == 0.0 && y[3] == 0.0);
        let y = Lanes([0.0, f64::INFINITY, 1e-310, 1.0]).ln().0;
        assert_eq!(y, [f64::NEG_INFINITY, f64::INFINITY, 1e-310_f64.ln(), 0.0]);
        let y = x.tanh().0;
        assert!(y[0].is_nan() && y[1] == 1.0 && y[2] == -1.0 && y[3] == -1.0);
    }

    #[test]
    fn a_lane_does_not_know_its_neighbours() {
        let alone = Lanes([0.3; 4]).pow(Lanes([1.7; 4])).0[0];
        assert_eq!(Lanes([2.0, 0.3, 5.0, 1e-4]).pow(Lanes([3.0, 1.7, 0.1, 2.0])).0[1], alone);
        // Zero has no logarithm in lanes; its neighbours do not notice.
        let x: [f64; 64] = std::array::from_fn(|i| 0.01 + 0.37 * i as f64);
        for x in x {
            assert_eq!(Lanes([0.0, x, -1.0, x]).ln().0[1], Lanes([x; 4]).ln().0[0]);
        }
        assert!(Lanes([1.0, 2.0]).value().is_nan());
        assert_eq!(Lanes([2.0, 2.0]).value(), 2.0);
    }
}
