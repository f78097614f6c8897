//! What a term of an equation can do, and what it gives in plain numbers.

use bristle_core::Scalar;

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `−a`.
    Neg,
    /// `|a|`; the sign of a zero is kept.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// `√a`.
    Sqrt,
    /// `eᵃ`.
    Exp,
    /// `ln a`.
    Ln,
    /// `sin a`.
    Sin,
    /// `cos a`.
    Cos,
    /// `tanh a`.
    Tanh,
    /// `1/cosh² a`, the slope of the hyperbolic tangent without the cancellation of `1 − tanh² a`.
    SechSquared,
    /// `arctan a`.
    Atan,
    /// `arsinh a`.
    Asinh,
    /// The largest whole number not above `a`.
    Floor,
}

/// A function of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `a + b`.
    Add,
    /// `a − b`.
    Sub,
    /// `a b`.
    Mul,
    /// `a/b`.
    Div,
    /// `b` where `a < b`, else `a`.
    Max,
    /// `b` where `b < a`, else `a`.
    Min,
}

impl Unary {
    /// Its value; the same for one number and for each of several lanes.
    #[inline(always)]
    pub(crate) fn of<S: Scalar>(self, a: S) -> S {
        match self {
            Unary::Neg => -a,
            Unary::Abs => size(a),
            Unary::Sign => a.sign(),
            Unary::Sqrt => a.sqrt(),
            Unary::Exp => a.exp(),
            Unary::Ln => a.ln(),
            Unary::Sin => a.sin(),
            Unary::Cos => a.cos(),
            Unary::Tanh => a.tanh(),
            Unary::SechSquared => sech_squared(a),
            Unary::Atan => a.atan(),
            Unary::Asinh => a.asinh(),
            Unary::Floor => a.floor(),
        }
    }
}

impl Unary {
    /// Its value by the number's own functions, which may know more than the value: bounds have a size, not a sign.
    #[inline(always)]
    pub(crate) fn in_any<S: Scalar>(self, a: S) -> S {
        if self == Unary::Abs { a.abs() } else { self.of(a) }
    }
}

impl Binary {
    /// Its value by the number's own functions.
    #[inline(always)]
    pub(crate) fn in_any<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Binary::Max => a.max(b),
            Binary::Min => a.min(b),
            _ => self.of(a, b),
        }
    }

    /// Its value; the same for one number and for each of several lanes.
    #[inline(always)]
    pub(crate) fn of<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Max => S::select(a.lt(b), b, a),
            Binary::Min => S::select(b.lt(a), b, a),
        }
    }
}

/// `a sgn(a)`: the sign of a zero stays, as it does in that product.
#[inline(always)]
fn size<S: Scalar>(a: S) -> S {
    S::select(a.lt(S::zero()), -a, a)
}

/// `4 e/(1 + e)²` with `e = exp(−2|a|)`, which neither overflows nor cancels.
#[inline(always)]
fn sech_squared<S: Scalar>(a: S) -> S {
    let e = (size(a) * -2.0).exp();
    let d = e + 1.0;
    e * 4.0 / (d * d)
}

#[cfg(test)]
mod operation_tests {
    use super::*;

    #[test]
    fn the_size_of_a_number_is_its_product_with_its_sign() {
        for x in [0.0, -0.0, 3.5, -3.5, 5e-324, -5e-324, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Unary::Abs.of(x).to_bits(), Scalar::abs(x).to_bits(), "{x}");
        }
        assert!(Unary::Abs.of(f64::NAN).is_nan());
    }

    #[test]
    fn the_slope_of_the_hyperbolic_tangent_keeps_its_digits() {
        for x in [0.0_f64, 1e-9, -0.3, 2.0, -9.0, 19.0, 300.0] {
            let exact = 1.0 / (x.cosh() * x.cosh());
            // The exponential amplifies the rounding of its argument, which cosh does as well.
            let bound = 1e-15 * (1.0 + x.abs()) * exact;
            assert!((Unary::SechSquared.of(x) - exact).abs() <= bound, "{x}");
        }
        assert_eq!(Unary::SechSquared.of(f64::INFINITY), 0.0);
    }
}
