//! A number known only to lie between two others.
//!
//! An equation evaluated with enclosures says what its value can be over a whole stretch of time, and how fast it can change
//! there: what a guard does between the ends of a step is then known, not guessed from samples.

use crate::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Bounds of a value and of its rate over a stretch of time.
///
/// Every operation rounds outwards. A comparison that the bounds leave open is [`Truth::Both`], and a branch on it gives the
/// hull of both sides with an unbounded rate, since the branches need not meet.
///
/// What the value is where the stretch begins is carried along, so that the bounds are also those of a motion from there at the
/// known rates: the difference of two numbers that move together stays narrow.
///
/// ```
/// use bristle_core::{Enclosure, Scalar};
///
/// // Over the first quarter of a period, a sine stays between 0 and 1 and does not fall.
/// let t = Enclosure::new([0.0, 0.25], [1.0, 1.0]);
/// let sine = (t * (2.0 * std::f64::consts::PI)).sin();
/// assert!(sine.low <= 0.0 && sine.high >= 1.0 && sine.high < 1.0 + 1e-12);
/// assert!(sine.rate_low > -1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    /// The value is not below this.
    pub low: f64,
    /// The value is not above this.
    pub high: f64,
    /// The rate is not below this.
    pub rate_low: f64,
    /// The rate is not above this.
    pub rate_high: f64,
    /// Bounds of the value where the stretch begins, and how long the stretch is.
    start: Pair,
    span: f64,
}

/// What is known of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds throughout.
    Yes,
    /// It holds nowhere.
    No,
    /// It may hold here and fail there.
    Both,
}

/// An interval of plain numbers.
type Pair = [f64; 2];

/// What nothing is known about.
const ANY: Pair = [f64::NEG_INFINITY, f64::INFINITY];
const ZERO: Pair = [0.0, 0.0];

/// Elementary functions are right to this many units in the last place.
const LIBRARY: f64 = 4.0;

/// Widens by so many units in the last place. Zero stays: sums and products that give it are exact but for underflow.
#[inline]
fn outwards([low, high]: Pair, units: f64) -> Pair {
    if low.is_nan() || high.is_nan() {
        return ANY;
    }
    let by = units * f64::EPSILON;
    [low - low.abs() * by, high + high.abs() * by]
}

#[inline]
fn sum(a: Pair, b: Pair) -> Pair {
    outwards([a[0] + b[0], a[1] + b[1]], 1.0)
}

#[inline]
fn difference(a: Pair, b: Pair) -> Pair {
    outwards([a[0] - b[1], a[1] - b[0]], 1.0)
}

#[inline]
fn product(a: Pair, b: Pair) -> Pair {
    if a == ZERO || b == ZERO {
        return ZERO;
    }
    let all = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
    if all.iter().any(|x| x.is_nan()) {
        return ANY;
    }
    let low = all.into_iter().fold(f64::INFINITY, f64::min);
    let high = all.into_iter().fold(f64::NEG_INFINITY, f64::max);
    outwards([low, high], 1.0)
}

/// `1/a`; nothing is known where `a` may be zero.
#[inline]
fn reciprocal(a: Pair) -> Pair {
    if a[0] > 0.0 || a[1] < 0.0 { outwards([1.0 / a[1], 1.0 / a[0]], 1.0) } else { ANY }
}

#[inline]
fn square(a: Pair) -> Pair {
    let (x, y) = (a[0] * a[0], a[1] * a[1]);
    let low = if a[0] <= 0.0 && a[1] >= 0.0 { 0.0 } else { x.min(y) };
    outwards([low, x.max(y)], 1.0)
}

/// The sine of an interval: its ends and the extremes inside.
fn sine(a: Pair) -> Pair {
    use std::f64::consts::{FRAC_PI_2, TAU};
    let width = a[1] - a[0];
    if width.is_nan() || width >= TAU {
        return [-1.0, 1.0];
    }
    // Whether a maximum at `place + 2πk` lies inside; rounding of the argument counts as inside.
    let slack = LIBRARY * f64::EPSILON * (a[0].abs().max(a[1].abs()) + TAU);
    let has = |place: f64| {
        let first = ((a[0] - slack - place) / TAU).ceil();
        place + first * TAU <= a[1] + slack
    };
    let (x, y) = (a[0].sin(), a[1].sin());
    let high = if has(FRAC_PI_2) { 1.0 } else { x.max(y) + f64::EPSILON };
    let low = if has(-FRAC_PI_2) { -1.0 } else { x.min(y) - f64::EPSILON };
    [low.max(-1.0), high.min(1.0)]
}

#[inline]
fn cosine(a: Pair) -> Pair {
    sine(sum(a, [std::f64::consts::FRAC_PI_2; 2]))
}

/// A function that does not fall, applied to both ends.
#[inline]
fn rising(a: Pair, f: impl Fn(f64) -> f64) -> Pair {
    outwards([f(a[0]), f(a[1])], LIBRARY)
}

impl Enclosure {
    /// A value and a rate between these bounds.
    pub fn new(value: [f64; 2], rate: [f64; 2]) -> Self {
        Enclosure::over(value, rate, value, 0.0)
    }

    /// A value and a rate between these bounds over a stretch of length `span`, and bounds of the value where it begins.
    #[inline]
    pub fn over(value: [f64; 2], rate: [f64; 2], start: [f64; 2], span: f64) -> Self {
        Enclosure { low: value[0], high: value[1], rate_low: rate[0], rate_high: rate[1], start, span }
    }

    /// With a value that also lies within what the rates allow from the start.
    #[inline]
    fn narrowed(self) -> Self {
        if self.span == 0.0 || self.rate_low.is_infinite() || self.rate_high.is_infinite() {
            return self;
        }
        let reach = sum(self.start, product(self.rate(), [0.0, self.span]));
        Enclosure { low: self.low.max(reach[0]), high: self.high.min(reach[1]), ..self }
    }

    #[inline]
    fn bounds(self) -> Pair {
        [self.low, self.high]
    }

    #[inline]
    fn rate(self) -> Pair {
        [self.rate_low, self.rate_high]
    }

    /// A function of this number whose slope lies within `slope`.
    #[inline]
    fn through(self, f: impl Fn(Pair) -> Pair, slope: Pair) -> Self {
        let rate = product(slope, self.rate());
        Enclosure::over(f(self.bounds()), rate, f(self.start), self.span).narrowed()
    }

    /// A function of this number and another, with this rate.
    #[inline]
    fn with(self, other: Self, f: impl Fn(Pair, Pair) -> Pair, rate: Pair) -> Self {
        let value = f(self.bounds(), other.bounds());
        Enclosure::over(value, rate, f(self.start, other.start), self.span.max(other.span)).narrowed()
    }

    /// The smallest enclosure of both.
    fn hull(self, other: Self) -> Self {
        let of = |a: Pair, b: Pair| [a[0].min(b[0]), a[1].max(b[1])];
        let (value, rate) = (of(self.bounds(), other.bounds()), of(self.rate(), other.rate()));
        Enclosure::over(value, rate, of(self.start, other.start), self.span.max(other.span))
    }
}

impl From<f64> for Enclosure {
    #[inline]
    fn from(x: f64) -> Self {
        Enclosure::new([x, x], ZERO)
    }
}

impl Neg for Enclosure {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        let turned = |a: Pair| [-a[1], -a[0]];
        Enclosure::over(turned(self.bounds()), turned(self.rate()), turned(self.start), self.span)
    }
}

impl Add for Enclosure {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.with(other, sum, sum(self.rate(), other.rate()))
    }
}

impl Sub for Enclosure {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.with(other, difference, difference(self.rate(), other.rate()))
    }
}

impl Mul for Enclosure {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let rate = sum(product(self.rate(), other.bounds()), product(self.bounds(), other.rate()));
        self.with(other, product, rate)
    }
}

impl Div for Enclosure {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let inverse = reciprocal(other.bounds());
        let quotient = product(self.bounds(), inverse);
        let rate = product(difference(self.rate(), product(quotient, other.rate())), inverse);
        self.with(other, |a, b| product(a, reciprocal(b)), rate)
    }
}

macro_rules! with_plain {
    ($($name:ident, $method:ident);*) => {
        $(impl $name<f64> for Enclosure {
            type Output = Self;
            #[inline]
            fn $method(self, other: f64) -> Self {
                self.$method(Self::from(other))
            }
        })*
    };
}
with_plain!(Add, add; Sub, sub; Mul, mul; Div, div);

impl AddAssign for Enclosure {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Enclosure {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Enclosure {
    type Mask = Truth;

    /// The middle. Equations ask for it to choose a piece of a signal or a pivot, which no step crosses.
    #[inline]
    fn value(self) -> f64 {
        if self.low == self.high { self.low } else { 0.5 * self.low + 0.5 * self.high }
    }

    #[inline]
    fn middle(self) -> Self {
        Enclosure::from(self.value())
    }

    #[inline]
    fn chosen(self) -> Self {
        Enclosure { rate_low: ANY[0], rate_high: ANY[1], ..self }
    }

    #[inline]
    fn lt(self, other: Self) -> Truth {
        if self.high < other.low {
            Truth::Yes
        } else if self.low >= other.high {
            Truth::No
        } else {
            Truth::Both
        }
    }

    #[inline]
    fn select(mask: Truth, yes: Self, no: Self) -> Self {
        match mask {
            Truth::Yes => yes,
            Truth::No => no,
            Truth::Both if yes == no => yes,
            Truth::Both => Enclosure { rate_low: ANY[0], rate_high: ANY[1], ..yes.hull(no) },
        }
    }

    #[inline]
    fn choose(mask: Truth, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        match mask {
            Truth::Yes => yes(),
            Truth::No => no(),
            Truth::Both => Self::select(mask, yes(), no()),
        }
    }

    /// Not a stretch of time any more: all that is left is what the value can be.
    #[inline]
    fn frozen(self) -> Self {
        Enclosure::over(self.bounds(), ZERO, self.bounds(), self.span)
    }

    fn sqrt(self) -> Self {
        let root = |a: Pair| rising(a.map(|a| a.max(0.0)), f64::sqrt).map(|a| a.max(0.0));
        self.through(root, product(reciprocal(root(self.bounds())), [0.5, 0.5]))
    }

    fn exp(self) -> Self {
        let exp = |a: Pair| rising(a, f64::exp);
        self.through(exp, exp(self.bounds()))
    }

    fn ln(self) -> Self {
        self.through(|a| rising(a.map(|a| a.max(0.0)), f64::ln), reciprocal(self.bounds()))
    }

    fn sin(self) -> Self {
        self.through(sine, cosine(self.bounds()))
    }

    fn cos(self) -> Self {
        let [low, high] = sine(self.bounds());
        self.through(cosine, [-high, -low])
    }

    fn tanh(self) -> Self {
        let tanh = |a: Pair| rising(a, f64::tanh);
        self.through(tanh, difference([1.0, 1.0], square(tanh(self.bounds()))))
    }

    fn atan(self) -> Self {
        let slope = reciprocal(sum([1.0, 1.0], square(self.bounds())));
        self.through(|a| rising(a, f64::atan), slope)
    }

    fn asinh(self) -> Self {
        let root = rising(sum([1.0, 1.0], square(self.bounds())), f64::sqrt);
        self.through(|a| rising(a, f64::asinh), reciprocal(root))
    }

    fn pow(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }

    /// A jump where the bounds contain zero.
    #[inline]
    fn sign(self) -> Self {
        if self.low > 0.0 {
            Self::from(1.0)
        } else if self.high < 0.0 {
            Self::from(-1.0)
        } else if self.bounds() == ZERO {
            Self::from(0.0)
        } else {
            Enclosure::over([-1.0, 1.0], ANY, [-1.0, 1.0], self.span)
        }
    }

    /// A kink, not a jump: the rate is that of either side.
    #[inline]
    fn abs(self) -> Self {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            -self
        } else {
            let folded = self.hull(-self);
            Enclosure { low: 0.0, start: [0.0, folded.start[1]], ..folded }
        }
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        match self.lt(other) {
            Truth::Yes => other,
            Truth::No => self,
            Truth::Both => {
                let (a, b) = (self.start, other.start);
                let start = [a[0].max(b[0]), a[1].max(b[1])];
                Enclosure { low: self.low.max(other.low), start, ..self.hull(other) }
            }
        }
    }

    #[inline]
    fn min(self, other: Self) -> Self {
        -(-self).max(-other)
    }

    #[inline]
    fn squared(self) -> Self {
        self.through(square, product(self.bounds(), [2.0, 2.0]))
    }
}

#[cfg(test)]
mod enclosure_tests {
    use super::*;
    use crate::{Dual, derivative, partial};

    /// Time over a stretch.
    fn stretch(from: f64, width: f64) -> Enclosure {
        Enclosure::over([from, from + width], [1.0, 1.0], [from, from], width * (1.0 + 1e-12))
    }

    /// Numbers that move together keep their distance, and bounds of what is smooth close with the square of the stretch.
    #[test]
    fn the_difference_of_numbers_that_move_together_stays_narrow() {
        let t = stretch(1.0, 1e-3);
        let apart = (t * 1e3 + 1e-9) - t * 1e3;
        assert!(apart.low > 0.9e-9 && apart.high < 1.1e-9, "{apart:?}");
        let width = |h: f64| {
            let t = stretch(1.0, h);
            let y = t.sin() - t.sin() * t.cos();
            y.high - y.low - (y.rate_high.abs().max(y.rate_low.abs())) * h
        };
        assert!(width(1e-3) < 1e-12 && width(1e-2) < 1e-12);
    }

    /// All operations in one formula, with kinks, jumps and branches.
    fn formula<S: Scalar>(t: S, k: usize) -> S {
        let u = (t * 3.0).sin() + t * 0.2 - 0.4;
        match k {
            0 => u.abs() * (t - 1.0).exp(),
            1 => u.max(t * t - 1.0).min(S::from(0.7)),
            2 => (u.squared() + 0.1).sqrt() / (t + 2.0),
            3 => (u * 4.0).tanh() + u.atan() - u.asinh(),
            4 => (t + 0.5).ln() * u.cos() + (t + 0.3).pow(u),
            5 => S::select(u.lt(S::from(0.1)), u, t + 3.0),
            6 => u.sign() * u + S::choose(t.lt(S::from(0.9)), || t, || u),
            _ => -u * u / (t.squared() + 1.0),
        }
    }

    /// Whatever the stretch of time, no sample of value or rate lies outside the bounds, and short stretches are tight.
    #[test]
    fn samples_lie_within_the_bounds() {
        for k in 0..8 {
            for (i, width) in [0.0, 1e-6, 1e-3, 0.05, 0.7, 2.0].into_iter().enumerate() {
                for j in 0..40 {
                    let from = 0.01 + 0.06 * j as f64 + 1e-3 * i as f64;
                    let over = formula(stretch(from, width), k);
                    for s in 0..=16 {
                        let t = from + width * s as f64 / 16.0;
                        let y: Dual<1> = formula(derivative(t, [1.0]), k);
                        assert!(
                            over.low <= y.value() && y.value() <= over.high,
                            "{k} at {t}: {y:?} in {over:?}"
                        );
                        let rate = partial(&y, 0);
                        assert!(
                            over.rate_low <= rate && rate <= over.rate_high,
                            "{k} at {t}: {y:?} in {over:?}"
                        );
                    }
                    let is_open = over.rate_high == f64::INFINITY;
                    assert!(is_open || over.high - over.low <= 40.0 * width + 1e-13, "{k}: {over:?}");
                }
            }
        }
    }

    #[test]
    fn a_sine_reaches_its_extremes_just_where_it_does() {
        use std::f64::consts::PI;
        let over = |from: f64, to: f64| sine([from, to]);
        assert!(over(0.0, 0.49 * PI)[1] < 1.0 && over(0.0, 0.51 * PI)[1] == 1.0);
        assert!(over(0.51 * PI, 1.49 * PI)[0] > -1.0 && over(0.51 * PI, 1.51 * PI)[0] == -1.0);
        assert_eq!(over(0.0, 2.0 * PI), [-1.0, 1.0]);
        assert!(over(-0.1, 0.1)[0] < -0.099 && over(-0.1, 0.1)[0] > -0.1);
        let turns = 1e6 * 2.0 * PI;
        assert!(over(turns, turns + 0.1)[1] < 0.1 && over(turns + 1.5, turns + 1.6)[1] == 1.0);
        assert_eq!(over(0.0, f64::INFINITY), [-1.0, 1.0]);
    }

    #[test]
    fn nothing_is_known_of_a_quotient_by_zero_or_of_what_is_no_number() {
        let zero = Enclosure::new([-1.0, 1.0], ZERO);
        assert_eq!((Enclosure::from(1.0) / zero).bounds(), ANY);
        assert_eq!(Enclosure::from(f64::NAN).max(zero).lt(zero), Truth::Both);
        let many = Enclosure::new(ANY, ZERO);
        assert_eq!((many - many).bounds(), ANY);
        assert_eq!((many * 0.0).bounds(), ZERO);
        assert_eq!((many * zero).bounds(), ANY);
    }

    #[test]
    fn comparisons_that_the_bounds_leave_open_are_both() {
        let (a, b) = (Enclosure::new([0.0, 1.0], ZERO), Enclosure::new([1.0, 2.0], ZERO));
        assert_eq!((a.lt(b), b.lt(a)), (Truth::Both, Truth::No));
        assert_eq!(a.lt(Enclosure::from(1.5)), Truth::Yes);
        let chosen = Enclosure::select(Truth::Both, a, b);
        assert_eq!((chosen.low, chosen.high, chosen.rate()), (0.0, 2.0, ANY));
        assert_eq!(Enclosure::select(Truth::Both, a, a), a);
    }
}
