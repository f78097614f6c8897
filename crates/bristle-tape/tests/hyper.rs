//! A number with two first derivatives and the mixed second one.

use bristle_core::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `f`, `∂f/∂a`, `∂f/∂b` and `∂²f/∂a∂b`.
#[derive(Clone, Copy, Debug)]
pub struct Hyper {
    pub value: f64,
    pub a: f64,
    pub b: f64,
    pub ab: f64,
}

impl Hyper {
    /// An input, which may be the first or the second variable, or both.
    pub fn seed(value: f64, is_first: bool, is_second: bool) -> Self {
        Hyper { value, a: f64::from(is_first), b: f64::from(is_second), ab: 0.0 }
    }

    /// A function with these first and second slopes.
    fn through(self, value: f64, first: f64, second: f64) -> Self {
        // A number without derivatives stays one, whatever the slopes are.
        let times = |slope: f64, x: f64| if x == 0.0 { 0.0 } else { slope * x };
        Hyper {
            value,
            a: times(first, self.a),
            b: times(first, self.b),
            ab: times(first, self.ab) + times(second, self.a * self.b),
        }
    }
}

impl From<f64> for Hyper {
    fn from(value: f64) -> Self {
        Hyper { value, a: 0.0, b: 0.0, ab: 0.0 }
    }
}

impl Neg for Hyper {
    type Output = Self;
    fn neg(self) -> Self {
        Hyper { value: -self.value, a: -self.a, b: -self.b, ab: -self.ab }
    }
}

impl Add for Hyper {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Hyper { value: self.value + o.value, a: self.a + o.a, b: self.b + o.b, ab: self.ab + o.ab }
    }
}

impl Sub for Hyper {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Hyper {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Hyper {
            value: self.value * o.value,
            a: self.a * o.value + self.value * o.a,
            b: self.b * o.value + self.value * o.b,
            ab: self.ab * o.value + self.a * o.b + self.b * o.a + self.value * o.ab,
        }
    }
}

impl Div for Hyper {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let inverse = 1.0 / o.value;
        let inverted = o.through(inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse);
        Hyper { value: self.value / o.value, ..self * inverted }
    }
}

macro_rules! with_plain {
    ($($name:ident, $method:ident);*) => {
        $(impl $name<f64> for Hyper {
            type Output = Self;
            fn $method(self, o: f64) -> Self {
                self.$method(Hyper::from(o))
            }
        })*
    };
}
with_plain!(Add, add; Sub, sub; Mul, mul; Div, div);

impl AddAssign for Hyper {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Hyper {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for Hyper {
    type Mask = bool;

    fn value(self) -> f64 {
        self.value
    }
    fn lt(self, other: Self) -> bool {
        self.value < other.value
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    fn choose(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
    fn frozen(self) -> Self {
        Hyper::from(self.value)
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.through(root, 0.5 / root, -0.25 / (root * self.value))
    }
    fn exp(self) -> Self {
        let e = self.value.exp();
        self.through(e, e, e)
    }
    fn ln(self) -> Self {
        let inverse = 1.0 / self.value;
        self.through(self.value.ln(), inverse, -inverse * inverse)
    }
    fn sin(self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.through(sin, cos, -sin)
    }
    fn cos(self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.through(cos, -sin, -cos)
    }
    fn tanh(self) -> Self {
        let (tanh, cosh) = (Scalar::tanh(self.value), self.value.cosh());
        let slope = 1.0 / (cosh * cosh);
        self.through(tanh, slope, -2.0 * tanh * slope)
    }
    fn atan(self) -> Self {
        let slope = 1.0 / (1.0 + self.value * self.value);
        self.through(self.value.atan(), slope, -2.0 * self.value * slope * slope)
    }
    fn asinh(self) -> Self {
        let slope = 1.0 / (1.0 + self.value * self.value).sqrt();
        self.through(self.value.asinh(), slope, -self.value * slope * slope * slope)
    }
    fn pow(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
}
