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

/// One step of a program: `out = code(a, b, c, d)`, as many operands as the code of its [run](Run) takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction<P> {
    pub out: P,
    pub a: P,
    pub b: P,
    pub c: P,
    pub d: P,
}

impl Instruction<u16> {
    /// With places of one byte, if they fit.
    pub fn narrow(self) -> Option<Instruction<u8>> {
        let Instruction { out, a, b, c, d } = self;
        let [out, a, b, c, d] = [out, a, b, c, d].map(u8::try_from);
        Some(Instruction { out: out.ok()?, a: a.ok()?, b: b.ok()?, c: c.ok()?, d: d.ok()? })
    }
}

/// Equal instructions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub code: Code,
    pub count: u32,
}

/// Instructions and what they do.
#[derive(Clone, Debug)]
pub(crate) struct Listing<P> {
    pub runs: Vec<Run>,
    pub instructions: Vec<Instruction<P>>,
}

impl<P: Place> Listing<P> {
    /// Carries out all instructions.
    #[inline(always)]
    pub fn execute<T: Store<P>>(&self, store: &mut T) {
        let mut rest = self.instructions.as_slice();
        for run in &self.runs {
            let Some((now, later)) = rest.split_at_checked(run.count as usize) else { return };
            execute(run.code, now, store);
            rest = later;
        }
    }
}

impl Listing<u16> {
    /// With places of one byte, if they fit.
    pub fn narrow(&self) -> Option<Listing<u8>> {
        let instructions = self.instructions.iter().map(|i| i.narrow()).collect::<Option<Vec<_>>>()?;
        Some(Listing { runs: self.runs.clone(), instructions })
    }
}

/// Numbers in their places. Functions are given by name, not as closures, which the compiler would not always inline.
pub(crate) trait Store<P> {
    /// `out = f(a)`.
    fn unary(&mut self, i: &Instruction<P>, f: Unary);
    /// `out = exp(−a)`.
    fn decay(&mut self, i: &Instruction<P>);
    /// `out = f(a, b)`.
    fn binary(&mut self, i: &Instruction<P>, f: Binary);
    /// `out = 1` where `a < b`, else 0.
    fn less(&mut self, i: &Instruction<P>);
    /// `out = second(first(a, b), c)`.
    fn pair(&mut self, i: &Instruction<P>, first: Binary, second: Second);
    /// `out = c` where `a < b`, else `d`.
    fn select(&mut self, i: &Instruction<P>);
}

/// Makes the codes: functions of one and two numbers, and two arithmetic operations in a row, rounded after each.
macro_rules! codes {
    (unary $($unary:ident)*; binary $($binary:ident)*; pair $($pair:ident = $first:ident $second:ident),* $(,)?) => {
        /// What an instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum Code {
            $($unary,)*
            $($binary,)*
            Decay,
            Less,
            Select,
            $($pair,)*
        }

        /// Carries out equal instructions.
        #[inline(always)]
        fn execute<P: Place, T: Store<P>>(code: Code, all: &[Instruction<P>], store: &mut T) {
            match code {
                $(Code::$unary => for i in all { store.unary(i, Unary::$unary) },)*
                $(Code::$binary => for i in all { store.binary(i, Binary::$binary) },)*
                Code::Decay => for i in all { store.decay(i) },
                Code::Less => for i in all { store.less(i) },
                Code::Select => for i in all { store.select(i) },
                $(Code::$pair => for i in all { store.pair(i, Binary::$first, Second::$second) },)*
            }
        }

        impl Code {
            /// Two operations in a row: the first of `a` and `b`, the second of its result and `c`.
            pub fn pair(first: Binary, second: Second) -> Option<Code> {
                match (first, second) {
                    $((Binary::$first, Second::$second) => Some(Code::$pair),)*
                    _ => None,
                }
            }
        }

        impl From<Unary> for Code {
            fn from(f: Unary) -> Code {
                match f {
                    $(Unary::$unary => Code::$unary,)*
                }
            }
        }

        impl From<Binary> for Code {
            fn from(f: Binary) -> Code {
                match f {
                    $(Binary::$binary => Code::$binary,)*
                }
            }
        }
    };
}

codes! {
    unary Neg Abs Sign Sqrt Exp Ln Sin Cos Tanh SechSquared Atan Asinh Floor;
    binary Add Sub Mul Div Max Min;
    pair
    AddPlus = Add Plus, AddMinus = Add Minus, AddFrom = Add From, AddTimes = Add Times, AddOver = Add Over,
    AddUnder = Add Under, SubPlus = Sub Plus, SubMinus = Sub Minus, SubFrom = Sub From, SubTimes = Sub Times,
    SubOver = Sub Over, SubUnder = Sub Under, MulPlus = Mul Plus, MulMinus = Mul Minus, MulFrom = Mul From,
    MulTimes = Mul Times, MulOver = Mul Over, MulUnder = Mul Under, DivPlus = Div Plus, DivMinus = Div Minus,
    DivFrom = Div From, DivTimes = Div Times, DivOver = Div Over, DivUnder = Div Under,
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

impl Second {
    #[inline(always)]
    pub fn of<S: Scalar>(self, r: S, c: S) -> S {
        match self {
            Second::Plus => r + c,
            Second::Minus => r - c,
            Second::From => c - r,
            Second::Times => r * c,
            Second::Over => r / c,
            Second::Under => c / r,
        }
    }
}

/// 1 where `a < b`, else 0.
#[inline(always)]
pub(crate) fn less<S: Scalar>(a: S, b: S) -> S {
    S::select(a.lt(b), S::one(), S::zero())
}
