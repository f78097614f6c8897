//! What the interpreter does in one go.
//!
//! The result of an instruction stays in a register for the next one, which mostly asks for it: a number that goes through
//! memory arrives eight cycles later, twice as long as an operation takes.

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

/// One step of a program: `out = code(a, b, c, d)`, as many operands as the code takes. A skip has its length in `c` and `d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(8))]
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
        let [c, d] = if code.is_skip() { [c & 255, c >> 8] } else { [c, d] };
        let [out, a, b, c, d] = [out, a, b, c, d].map(u8::try_from);
        Some(Instruction { code, out: out.ok()?, a: a.ok()?, b: b.ok()?, c: c.ok()?, d: d.ok()? })
    }
}

impl<P: Place> Instruction<P> {
    /// How many instructions a skip leaves out.
    #[inline(always)]
    pub fn skipped(&self) -> usize {
        self.c.index() | self.d.index() << 8
    }
}

/// As many numbers as a byte can name.
pub(crate) type Numbers = [f64; 256];

/// Carries out an instruction and what follows it, given the result of the one before; gives the last result.
type Handler = fn(&Threaded, &[Threaded], &mut Numbers, f64) -> f64;

/// An instruction that knows the function that carries it out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threaded {
    handler: Handler,
    out: u8,
    a: u8,
    b: u8,
    c: u8,
    d: u8,
}

impl Threaded {
    pub fn new(i: Instruction<u8>) -> Self {
        let Instruction { code, out, a, b, c, d } = i;
        Threaded { handler: code.handler(), out, a, b, c, d }
    }

    /// What follows a skip.
    #[inline(always)]
    fn beyond<'a>(&self, rest: &'a [Threaded]) -> &'a [Threaded] {
        rest.get(usize::from(self.c) | usize::from(self.d) << 8..).unwrap_or_default()
    }
}

/// Goes on with the next instruction: a jump, not a call, where the compiler optimises.
#[inline(always)]
fn go(rest: &[Threaded], n: &mut Numbers, last: f64) -> f64 {
    match rest.split_first() {
        Some((next, rest)) => (next.handler)(next, rest, n, last),
        None => last,
    }
}

/// Carries out all of these for one state.
#[inline]
pub(crate) fn execute_threaded(all: &[Threaded], n: &mut Numbers) {
    go(all, n, 0.0);
}

/// Which operand is the result of the instruction before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Latest {
    None,
    A,
    B,
    C,
    D,
}

/// What is done to numbers, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Unary(Unary),
    /// `exp(−a)`.
    Decay,
    Binary(Binary),
    /// Two operations in a row: the first of `a` and `b`, the second of its result and `c`; rounded after each.
    Pair(Binary, Second),
    /// 1 where `a < b`, else 0.
    Less,
    /// `c` where `a < b`, else `d`.
    Select,
}

/// Makes the codes, and what carries them out for one state and for many.
macro_rules! codes {
    (
        unary $($unary:ident $unary_a:ident),*;
        binary $($binary:ident $binary_a:ident $binary_b:ident),*;
        pair $($pair:ident $pair_a:ident $pair_b:ident $pair_c:ident = $first:ident $second:ident),*;
    ) => {
        /// What an instruction does; a letter at the end names the operand that is the result of the instruction before.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Code {
            $($unary, $unary_a,)*
            $($binary, $binary_a, $binary_b,)*
            $($pair, $pair_a, $pair_b, $pair_c,)*
            Decay, DecayA,
            Less, LessA, LessB,
            Select, SelectA, SelectB, SelectC, SelectD,
            /// Leaves out what follows unless `a < b`.
            SkipUnless,
            /// Leaves out what follows if `a < b`.
            SkipIf,
        }

        impl Code {
            /// The code of a deed that takes one operand from the instruction before.
            pub fn of(deed: Deed, latest: Latest) -> Option<Code> {
                Some(match (deed, latest) {
                    $(
                        (Deed::Unary(Unary::$unary), Latest::A) => Code::$unary_a,
                        (Deed::Unary(Unary::$unary), _) => Code::$unary,
                    )*
                    $(
                        (Deed::Binary(Binary::$binary), Latest::A) => Code::$binary_a,
                        (Deed::Binary(Binary::$binary), Latest::B) => Code::$binary_b,
                        (Deed::Binary(Binary::$binary), _) => Code::$binary,
                    )*
                    $(
                        (Deed::Pair(Binary::$first, Second::$second), Latest::A) => Code::$pair_a,
                        (Deed::Pair(Binary::$first, Second::$second), Latest::B) => Code::$pair_b,
                        (Deed::Pair(Binary::$first, Second::$second), Latest::C) => Code::$pair_c,
                        (Deed::Pair(Binary::$first, Second::$second), _) => Code::$pair,
                    )*
                    (Deed::Pair(..), _) => return None,
                    (Deed::Decay, Latest::A) => Code::DecayA,
                    (Deed::Decay, _) => Code::Decay,
                    (Deed::Less, Latest::A) => Code::LessA,
                    (Deed::Less, Latest::B) => Code::LessB,
                    (Deed::Less, _) => Code::Less,
                    (Deed::Select, Latest::A) => Code::SelectA,
                    (Deed::Select, Latest::B) => Code::SelectB,
                    (Deed::Select, Latest::C) => Code::SelectC,
                    (Deed::Select, Latest::D) => Code::SelectD,
                    (Deed::Select, Latest::None) => Code::Select,
                })
            }
        }

        /// One function for each code, which carries it out and goes on to the next: the processor guesses what follows each of
        /// them far better than what follows a decision that all share.
        #[allow(non_snake_case)]
        mod handlers {
            use super::{Binary, Numbers, Second, Threaded, Unary, chosen, go, less};

            /// A function whose result is kept.
            macro_rules! keeps {
                ($name:ident, |$i:ident, $n:ident, $last:ident| $value:expr) => {
                    pub fn $name($i: &Threaded, rest: &[Threaded], $n: &mut Numbers, $last: f64) -> f64 {
                        let _ = $last;
                        let value = $value;
                        $n[usize::from($i.out)] = value;
                        go(rest, $n, value)
                    }
                };
            }
            macro_rules! at {
                ($n:ident, $i:ident, $place:ident) => {
                    $n[usize::from($i.$place)]
                };
            }
            $(
                keeps!($unary, |i, n, last| Unary::$unary.of(at!(n, i, a)));
                keeps!($unary_a, |i, n, last| Unary::$unary.of(last));
            )*
            $(
                keeps!($binary, |i, n, last| Binary::$binary.of(at!(n, i, a), at!(n, i, b)));
                keeps!($binary_a, |i, n, last| Binary::$binary.of(last, at!(n, i, b)));
                keeps!($binary_b, |i, n, last| Binary::$binary.of(at!(n, i, a), last));
            )*
            $(
                keeps!($pair, |i, n, last| Second::$second
                    .of(Binary::$first.of(at!(n, i, a), at!(n, i, b)), at!(n, i, c)));
                keeps!($pair_a, |i, n, last| Second::$second
                    .of(Binary::$first.of(last, at!(n, i, b)), at!(n, i, c)));
                keeps!($pair_b, |i, n, last| Second::$second
                    .of(Binary::$first.of(at!(n, i, a), last), at!(n, i, c)));
                keeps!($pair_c, |i, n, last| Second::$second
                    .of(Binary::$first.of(at!(n, i, a), at!(n, i, b)), last));
            )*
            keeps!(Decay, |i, n, last| Unary::Exp.of(-at!(n, i, a)));
            keeps!(DecayA, |i, n, last| Unary::Exp.of(-last));
            keeps!(Less, |i, n, last| less(at!(n, i, a), at!(n, i, b)));
            keeps!(LessA, |i, n, last| less(last, at!(n, i, b)));
            keeps!(LessB, |i, n, last| less(at!(n, i, a), last));
            keeps!(Select, |i, n, last| chosen(at!(n, i, a), at!(n, i, b), at!(n, i, c), at!(n, i, d)));
            keeps!(SelectA, |i, n, last| chosen(last, at!(n, i, b), at!(n, i, c), at!(n, i, d)));
            keeps!(SelectB, |i, n, last| chosen(at!(n, i, a), last, at!(n, i, c), at!(n, i, d)));
            keeps!(SelectC, |i, n, last| chosen(at!(n, i, a), at!(n, i, b), last, at!(n, i, d)));
            keeps!(SelectD, |i, n, last| chosen(at!(n, i, a), at!(n, i, b), at!(n, i, c), last));

            pub fn SkipUnless(i: &Threaded, rest: &[Threaded], n: &mut Numbers, last: f64) -> f64 {
                if at!(n, i, a) < at!(n, i, b) { go(rest, n, last) } else { go(i.beyond(rest), n, last) }
            }

            pub fn SkipIf(i: &Threaded, rest: &[Threaded], n: &mut Numbers, last: f64) -> f64 {
                if at!(n, i, a) < at!(n, i, b) { go(i.beyond(rest), n, last) } else { go(rest, n, last) }
            }
        }

        impl Code {
            /// What it does to its operands, wherever they are; nothing for a skip.
            #[cfg(feature = "jit")]
            pub fn deed(self) -> Option<Deed> {
                Some(match self {
                    $(Code::$unary | Code::$unary_a => Deed::Unary(Unary::$unary),)*
                    $(Code::$binary | Code::$binary_a | Code::$binary_b => Deed::Binary(Binary::$binary),)*
                    $(Code::$pair | Code::$pair_a | Code::$pair_b | Code::$pair_c => {
                        Deed::Pair(Binary::$first, Second::$second)
                    })*
                    Code::Decay | Code::DecayA => Deed::Decay,
                    Code::Less | Code::LessA | Code::LessB => Deed::Less,
                    Code::Select | Code::SelectA | Code::SelectB | Code::SelectC | Code::SelectD => Deed::Select,
                    Code::SkipUnless | Code::SkipIf => return None,
                })
            }

            /// The function that carries it out for one state.
            fn handler(self) -> Handler {
                match self {
                    $(Code::$unary => handlers::$unary, Code::$unary_a => handlers::$unary_a,)*
                    $(
                        Code::$binary => handlers::$binary,
                        Code::$binary_a => handlers::$binary_a,
                        Code::$binary_b => handlers::$binary_b,
                    )*
                    $(
                        Code::$pair => handlers::$pair,
                        Code::$pair_a => handlers::$pair_a,
                        Code::$pair_b => handlers::$pair_b,
                        Code::$pair_c => handlers::$pair_c,
                    )*
                    Code::Decay => handlers::Decay,
                    Code::DecayA => handlers::DecayA,
                    Code::Less => handlers::Less,
                    Code::LessA => handlers::LessA,
                    Code::LessB => handlers::LessB,
                    Code::Select => handlers::Select,
                    Code::SelectA => handlers::SelectA,
                    Code::SelectB => handlers::SelectB,
                    Code::SelectC => handlers::SelectC,
                    Code::SelectD => handlers::SelectD,
                    Code::SkipUnless => handlers::SkipUnless,
                    Code::SkipIf => handlers::SkipIf,
                }
            }
        }

        /// Carries out all instructions for one state.
        #[inline(never)]
        pub(crate) fn execute<P: Place, const N: usize>(all: &[Instruction<P>], n: &mut [f64; N]) {
            let (mut last, mut next) = (0.0, 0);
            while let Some(i) = all.get(next) {
                next += 1;
                macro_rules! at {
                    ($place:ident) => {
                        n[i.$place.index()]
                    };
                }
                last = match i.code {
                    $(
                        Code::$unary => Unary::$unary.of(at!(a)),
                        Code::$unary_a => Unary::$unary.of(last),
                    )*
                    $(
                        Code::$binary => Binary::$binary.of(at!(a), at!(b)),
                        Code::$binary_a => Binary::$binary.of(last, at!(b)),
                        Code::$binary_b => Binary::$binary.of(at!(a), last),
                    )*
                    $(
                        Code::$pair => Second::$second.of(Binary::$first.of(at!(a), at!(b)), at!(c)),
                        Code::$pair_a => Second::$second.of(Binary::$first.of(last, at!(b)), at!(c)),
                        Code::$pair_b => Second::$second.of(Binary::$first.of(at!(a), last), at!(c)),
                        Code::$pair_c => Second::$second.of(Binary::$first.of(at!(a), at!(b)), last),
                    )*
                    Code::Decay => Unary::Exp.of(-at!(a)),
                    Code::DecayA => Unary::Exp.of(-last),
                    Code::Less => less(at!(a), at!(b)),
                    Code::LessA => less(last, at!(b)),
                    Code::LessB => less(at!(a), last),
                    Code::Select => chosen(at!(a), at!(b), at!(c), at!(d)),
                    Code::SelectA => chosen(last, at!(b), at!(c), at!(d)),
                    Code::SelectB => chosen(at!(a), last, at!(c), at!(d)),
                    Code::SelectC => chosen(at!(a), at!(b), last, at!(d)),
                    Code::SelectD => chosen(at!(a), at!(b), at!(c), last),
                    Code::SkipUnless => {
                        next += if at!(a) < at!(b) { 0 } else { i.skipped() };
                        continue;
                    }
                    Code::SkipIf => {
                        next += if at!(a) < at!(b) { i.skipped() } else { 0 };
                        continue;
                    }
                };
                n[i.out.index()] = last;
            }
        }

        /// Carries out all instructions in any number, both sides of every choice.
        pub(crate) fn execute_in<S: Scalar>(all: &[Instruction<u16>], n: &mut [S]) {
            for i in all {
                let at = |place: u16| n[place.index()];
                let value = match i.code {
                    $(Code::$unary | Code::$unary_a => Unary::$unary.in_any(at(i.a)),)*
                    $(Code::$binary | Code::$binary_a | Code::$binary_b => {
                        Binary::$binary.in_any(at(i.a), at(i.b))
                    })*
                    $(Code::$pair | Code::$pair_a | Code::$pair_b | Code::$pair_c => {
                        Second::$second.of(Binary::$first.in_any(at(i.a), at(i.b)), at(i.c))
                    })*
                    Code::Decay | Code::DecayA => (-at(i.a)).exp(),
                    Code::Less | Code::LessA | Code::LessB => less(at(i.a), at(i.b)),
                    Code::Select | Code::SelectA | Code::SelectB | Code::SelectC | Code::SelectD => {
                        S::select(at(i.a).lt(at(i.b)), at(i.c), at(i.d))
                    }
                    Code::SkipUnless | Code::SkipIf => continue,
                };
                n[i.out.index()] = value;
            }
        }

        /// Carries out all instructions in many lanes; a part is left out where no lane needs it.
        #[inline(always)]
        pub(crate) fn execute_in_lanes<T: Store>(all: &[Instruction<u16>], store: &mut T) {
            let mut next = 0;
            while let Some(i) = all.get(next) {
                next += 1;
                match i.code {
                    $(Code::$unary | Code::$unary_a => store.unary(i, Unary::$unary),)*
                    $(Code::$binary | Code::$binary_a | Code::$binary_b => store.binary(i, Binary::$binary),)*
                    $(
                        Code::$pair | Code::$pair_a | Code::$pair_b | Code::$pair_c => {
                            store.pair(i, Binary::$first, Second::$second)
                        }
                    )*
                    Code::Decay | Code::DecayA => store.decay(i),
                    Code::Less | Code::LessA | Code::LessB => store.less(i),
                    Code::Select | Code::SelectA | Code::SelectB | Code::SelectC | Code::SelectD => {
                        store.select(i)
                    }
                    Code::SkipUnless => next += if store.is_less_anywhere(i) { 0 } else { i.skipped() },
                    Code::SkipIf => next += if store.is_less_everywhere(i) { i.skipped() } else { 0 },
                }
            }
        }
    };
}

codes! {
    unary
    Neg NegA, Abs AbsA, Sign SignA, Sqrt SqrtA, Exp ExpA, Ln LnA, Sin SinA, Cos CosA, Tanh TanhA, SechSquared SechSquaredA, Atan AtanA, Asinh AsinhA, Floor FloorA;
    binary
    Add AddA AddB, Sub SubA SubB, Mul MulA MulB, Div DivA DivB, Max MaxA MaxB, Min MinA MinB;
    pair
    AddPlus AddPlusA AddPlusB AddPlusC = Add Plus,
    AddMinus AddMinusA AddMinusB AddMinusC = Add Minus,
    AddFrom AddFromA AddFromB AddFromC = Add From,
    AddTimes AddTimesA AddTimesB AddTimesC = Add Times,
    AddOver AddOverA AddOverB AddOverC = Add Over,
    AddUnder AddUnderA AddUnderB AddUnderC = Add Under,
    SubPlus SubPlusA SubPlusB SubPlusC = Sub Plus,
    SubMinus SubMinusA SubMinusB SubMinusC = Sub Minus,
    SubFrom SubFromA SubFromB SubFromC = Sub From,
    SubTimes SubTimesA SubTimesB SubTimesC = Sub Times,
    SubOver SubOverA SubOverB SubOverC = Sub Over,
    SubUnder SubUnderA SubUnderB SubUnderC = Sub Under,
    MulPlus MulPlusA MulPlusB MulPlusC = Mul Plus,
    MulMinus MulMinusA MulMinusB MulMinusC = Mul Minus,
    MulFrom MulFromA MulFromB MulFromC = Mul From,
    MulTimes MulTimesA MulTimesB MulTimesC = Mul Times,
    MulOver MulOverA MulOverB MulOverC = Mul Over,
    MulUnder MulUnderA MulUnderB MulUnderC = Mul Under,
    DivPlus DivPlusA DivPlusB DivPlusC = Div Plus,
    DivMinus DivMinusA DivMinusB DivMinusC = Div Minus,
    DivFrom DivFromA DivFromB DivFromC = Div From,
    DivTimes DivTimesA DivTimesB DivTimesC = Div Times,
    DivOver DivOverA DivOverB DivOverC = Div Over,
    DivUnder DivUnderA DivUnderB DivUnderC = Div Under;
}

impl Code {
    pub fn is_skip(self) -> bool {
        matches!(self, Code::SkipUnless | Code::SkipIf)
    }
}

/// Numbers of many lanes in their places. Functions are given by name, not as closures, which the compiler would not always
/// inline.
pub(crate) trait Store {
    /// `out = f(a)`.
    fn unary(&mut self, i: &Instruction<u16>, f: Unary);
    /// `out = exp(−a)`.
    fn decay(&mut self, i: &Instruction<u16>);
    /// `out = f(a, b)`.
    fn binary(&mut self, i: &Instruction<u16>, f: Binary);
    /// `out = 1` where `a < b`, else 0.
    fn less(&mut self, i: &Instruction<u16>);
    /// `out = second(first(a, b), c)`.
    fn pair(&mut self, i: &Instruction<u16>, first: Binary, second: Second);
    /// `out = c` where `a < b`, else `d`.
    fn select(&mut self, i: &Instruction<u16>);
    /// Whether `a < b` in any lane.
    fn is_less_anywhere(&self, i: &Instruction<u16>) -> bool;
    /// Whether `a < b` in all lanes.
    fn is_less_everywhere(&self, i: &Instruction<u16>) -> bool;
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

/// `yes` where `a < b`, else `no`: both are read before one is chosen, so that no branch can be guessed wrongly.
#[inline(always)]
pub(crate) fn chosen(a: f64, b: f64, yes: f64, no: f64) -> f64 {
    if a < b { yes } else { no }
}
