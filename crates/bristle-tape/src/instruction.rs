//! What the interpreter does in one go.

use crate::operation::{Binary, Unary};
use bristle_core::Scalar;

/// A place for a number. As many places as the type has values exist, so that no access can be out of bounds.
pub(crate) trait Place: Copy {
    /// As an index.
    fn index(self) -> usize;
}

impl Place for u8 {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Place for u16 {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

/// One step of a program: `out = code(a, b, c, d)`, as many operands as the code takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction<P> {
    pub code: Code,
    pub out: P,
    pub a: P,
    pub b: P,
    pub c: P,
    pub d: P,
}

impl Instruction<u16> {
    /// With places of one byte, if they fit.
    pub fn narrow(self) -> Option<Instruction<u8>> {
        let Instruction { code, out, a, b, c, d } = self;
        let [out, a, b, c, d] = [out, a, b, c, d].map(u8::try_from);
        Some(Instruction { code, out: out.ok()?, a: a.ok()?, b: b.ok()?, c: c.ok()?, d: d.ok()? })
    }
}

/// Numbers in their places.
pub(crate) trait Store<P> {
    type Number: Scalar;
    fn unary(&mut self, i: &Instruction<P>, f: impl Fn(Self::Number) -> Self::Number);
    fn binary(&mut self, i: &Instruction<P>, f: impl Fn(Self::Number, Self::Number) -> Self::Number);
    fn ternary(
        &mut self,
        i: &Instruction<P>,
        f: impl Fn(Self::Number, Self::Number, Self::Number) -> Self::Number,
    );
    fn quaternary(
        &mut self,
        i: &Instruction<P>,
        f: impl Fn(Self::Number, Self::Number, Self::Number, Self::Number) -> Self::Number,
    );
}

/// Makes the codes: functions of one and two numbers, and two arithmetic operations in a row, rounded after each.
macro_rules! codes {
    ($($pair:ident = $first:tt $second:ident),* $(,)?) => {
        /// What an instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub(crate) enum Code {
            Neg, Abs, Sign, Sqrt, Exp, Ln, Sin, Cos, Tanh, SechSquared, Atan, Asinh,
            Add, Sub, Mul, Div, Max, Min, Less,
            /// `c` where `a < b`, else `d`.
            Select,
            /// `exp(−a)`.
            Decay,
            $($pair,)*
        }

        /// Carries out one instruction.
        #[inline(always)]
        pub(crate) fn execute<P: Place, T: Store<P>>(store: &mut T, i: &Instruction<P>) {
            match i.code {
                Code::Neg => store.unary(i, |a| Unary::Neg.of(a)),
                Code::Abs => store.unary(i, |a| Unary::Abs.of(a)),
                Code::Sign => store.unary(i, |a| Unary::Sign.of(a)),
                Code::Sqrt => store.unary(i, |a| Unary::Sqrt.of(a)),
                Code::Exp => store.unary(i, |a| Unary::Exp.of(a)),
                Code::Decay => store.unary(i, |a| Unary::Exp.of(-a)),
                Code::Ln => store.unary(i, |a| Unary::Ln.of(a)),
                Code::Sin => store.unary(i, |a| Unary::Sin.of(a)),
                Code::Cos => store.unary(i, |a| Unary::Cos.of(a)),
                Code::Tanh => store.unary(i, |a| Unary::Tanh.of(a)),
                Code::SechSquared => store.unary(i, |a| Unary::SechSquared.of(a)),
                Code::Atan => store.unary(i, |a| Unary::Atan.of(a)),
                Code::Asinh => store.unary(i, |a| Unary::Asinh.of(a)),
                Code::Add => store.binary(i, |a, b| a + b),
                Code::Sub => store.binary(i, |a, b| a - b),
                Code::Mul => store.binary(i, |a, b| a * b),
                Code::Div => store.binary(i, |a, b| a / b),
                Code::Max => store.binary(i, |a, b| Binary::Max.of(a, b)),
                Code::Min => store.binary(i, |a, b| Binary::Min.of(a, b)),
                Code::Less => store.binary(i, |a, b| {
                    Scalar::select(a.lt(b), <T::Number as Scalar>::one(), <T::Number as Scalar>::zero())
                }),
                Code::Select => store.quaternary(i, |a, b, c, d| Scalar::select(a.lt(b), c, d)),
                $(Code::$pair => store.ternary(i, |a, b, c| second!($second, a $first b, c)),)*
            }
        }

        impl Code {
            /// Two operations in a row: the first of `a` and `b`, the second of its result and `c`.
            pub fn pair(first: Binary, second: Second) -> Option<Code> {
                match (sign(first)?, second) {
                    $((stringify!($first), Second::$second) => Some(Code::$pair),)*
                    _ => None,
                }
            }
        }
    };
}

/// The second of two operations in a row on the result `r` of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Second {
    /// `r + c`.
    Plus,
    /// `r − c`.
    Minus,
    /// `c − r`.
    From,
    /// `r c`.
    Times,
    /// `r/c`.
    Over,
    /// `c/r`.
    Under,
}

macro_rules! second {
    (Plus, $r:expr, $c:expr) => {
        ($r) + $c
    };
    (Minus, $r:expr, $c:expr) => {
        ($r) - $c
    };
    (From, $r:expr, $c:expr) => {
        $c - ($r)
    };
    (Times, $r:expr, $c:expr) => {
        ($r) * $c
    };
    (Over, $r:expr, $c:expr) => {
        ($r) / $c
    };
    (Under, $r:expr, $c:expr) => {
        $c / ($r)
    };
}
codes! {
    AddPlus = + Plus, AddMinus = + Minus, AddFrom = + From, AddTimes = + Times, AddOver = + Over, AddUnder = + Under,
    SubPlus = - Plus, SubMinus = - Minus, SubFrom = - From, SubTimes = - Times, SubOver = - Over, SubUnder = - Under,
    MulPlus = * Plus, MulMinus = * Minus, MulFrom = * From, MulTimes = * Times, MulOver = * Over, MulUnder = * Under,
    DivPlus = / Plus, DivMinus = / Minus, DivFrom = / From, DivTimes = / Times, DivOver = / Over, DivUnder = / Under,
}

fn sign(first: Binary) -> Option<&'static str> {
    match first {
        Binary::Add => Some("+"),
        Binary::Sub => Some("-"),
        Binary::Mul => Some("*"),
        Binary::Div => Some("/"),
        _ => None,
    }
}

impl From<Unary> for Code {
    fn from(f: Unary) -> Code {
        match f {
            Unary::Neg => Code::Neg,
            Unary::Abs => Code::Abs,
            Unary::Sign => Code::Sign,
            Unary::Sqrt => Code::Sqrt,
            Unary::Exp => Code::Exp,
            Unary::Ln => Code::Ln,
            Unary::Sin => Code::Sin,
            Unary::Cos => Code::Cos,
            Unary::Tanh => Code::Tanh,
            Unary::SechSquared => Code::SechSquared,
            Unary::Atan => Code::Atan,
            Unary::Asinh => Code::Asinh,
        }
    }
}

impl From<Binary> for Code {
    fn from(f: Binary) -> Code {
        match f {
            Binary::Add => Code::Add,
            Binary::Sub => Code::Sub,
            Binary::Mul => Code::Mul,
            Binary::Div => Code::Div,
            Binary::Max => Code::Max,
            Binary::Min => Code::Min,
        }
    }
}
