//! The operations of a law's formulas, runnable in any number type.

use super::formula::{BinaryOperator, BuiltIn};
use crate::law::At;
use crate::stribeck;
use bristle_core::{Mode, Scalar};
use smallvec::SmallVec;

/// The place of an operation in the list.
pub(super) type CodePlace = u16;

/// The value of every operation; on the stack for laws of the usual size.
pub(super) type Values<S> = SmallVec<[S; 48]>;

/// One operation; places point backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LawOperation {
    /// A number, as its bits.
    Number(u64),
    Parameter(u16),
    State(u16),
    SlipRate,
    Load,
    Hold,
    Speed,
    Direction,
    Negative(CodePlace),
    BinaryOperator(BinaryOperator, CodePlace, CodePlace),
    /// A whole power.
    Whole(CodePlace, i8),
    Call(BuiltIn, CodePlace, CodePlace),
    /// `if(a < b, yes, no)`; the element remembers which.
    If {
        element: u16,
        a: CodePlace,
        b: CodePlace,
        yes: CodePlace,
        no: CodePlace,
    },
    /// `choose(a < b, yes, no)`, by the values alone.
    Choose {
        a: CodePlace,
        b: CodePlace,
        yes: CodePlace,
        no: CodePlace,
    },
    /// `if(slider.slips, yes, no)`: whether a mode has a value.
    InMode {
        slot: u8,
        value: u8,
        yes: CodePlace,
        no: CodePlace,
    },
}

/// A mode that the author has declared: what leads away from its first value, and where to.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaving(pub(super) Vec<(CodePlace, u8)>);

/// The modes that stand for the values of a declared mode, in order.
pub(super) const VALUES: [Mode; 3] = [Mode::Stick, Mode::Forward, Mode::Backward];

/// The operations of a law's formulas.
#[derive(Clone, Debug, Default)]
pub(super) struct LawCode {
    pub(super) operations: Vec<LawOperation>,
    /// The choices, in the order of their elements: where `a` and `b` stand.
    pub(super) choices: Vec<(CodePlace, CodePlace)>,
    /// The modes that the author has declared.
    pub(super) modes: Vec<Leaving>,
    pub(super) uses_direction: bool,
    pub(super) uses_hold: bool,
}

impl LawCode {
    /// How many choices remember a mode.
    pub(super) fn choices(&self) -> usize {
        self.choices.len()
    }

    /// Whether a formula asks for the direction of sliding.
    pub(super) fn uses_direction(&self) -> bool {
        self.uses_direction
    }

    /// Whether a formula asks for the holding force.
    pub(super) fn uses_hold(&self) -> bool {
        self.uses_hold
    }

    /// Runs all operations. `modes` are those of the choices, then those that the author has declared; one that is not kept goes by
    /// the values.
    pub(super) fn run<S: Scalar>(&self, p: &[S], at: &At<S>, modes: &[Mode], z: &[S]) -> Values<S> {
        let mut all: Values<S> = SmallVec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let get = |place: &CodePlace| all[*place as usize];
            let value = match operation {
                LawOperation::Number(bits) => S::from(f64::from_bits(*bits)),
                LawOperation::Parameter(i) => p[*i as usize],
                LawOperation::State(i) => z[*i as usize],
                LawOperation::SlipRate => at.v,
                LawOperation::Load => at.load_floored(),
                LawOperation::Hold => at.hold,
                LawOperation::Speed => at.speed(),
                LawOperation::Direction => at.direction(),
                LawOperation::Negative(a) => -get(a),
                LawOperation::BinaryOperator(kind, a, b) => match kind {
                    BinaryOperator::Add => get(a) + get(b),
                    BinaryOperator::Subtract => get(a) - get(b),
                    BinaryOperator::Multiply => get(a) * get(b),
                    BinaryOperator::Divide => get(a) / get(b),
                    BinaryOperator::Power => stribeck::power(get(a), get(b)),
                },
                LawOperation::Whole(a, k) => whole(get(a), *k),
                LawOperation::Call(function, a, b) => call(*function, get(a), get(b)),
                LawOperation::If { element, a, b, yes, no } => match modes.get(*element as usize) {
                    Some(Mode::Forward) => get(yes),
                    Some(Mode::Backward) => get(no),
                    _ => S::select(get(a).lt(get(b)), get(yes), get(no)),
                },
                LawOperation::Choose { a, b, yes, no } => S::select(get(a).lt(get(b)), get(yes), get(no)),
                LawOperation::InMode { slot, value, yes, no } => {
                    let pick = |found: u8| if found == *value { get(yes) } else { get(no) };
                    match modes.get(self.choices.len() + usize::from(*slot)) {
                        Some(mode) => pick(place_of(*mode)),
                        // The first event that leads away from the first value would have happened.
                        None => self.modes[usize::from(*slot)]
                            .0
                            .iter()
                            .rev()
                            .fold(pick(0), |otherwise, (when, to)| {
                                S::select(get(when).lt(S::zero()), pick(*to), otherwise)
                            }),
                    }
                }
            };
            all.push(value);
        }
        all
    }

    /// How far each choice is from its border, positive where `a < b`.
    pub(super) fn borders<'a, S: Scalar>(&'a self, values: &'a [S]) -> impl Iterator<Item = S> + 'a {
        self.choices.iter().map(|(a, b)| values[*b as usize] - values[*a as usize])
    }
}

fn call<S: Scalar>(function: BuiltIn, a: S, b: S) -> S {
    match function {
        BuiltIn::Abs => a.abs(),
        BuiltIn::Sign => a.sign(),
        BuiltIn::Sqrt => a.sqrt(),
        BuiltIn::Exp => a.exp(),
        BuiltIn::Ln => a.ln(),
        BuiltIn::Sin => a.sin(),
        BuiltIn::Cos => a.cos(),
        BuiltIn::Tanh => a.tanh(),
        BuiltIn::Atan => a.atan(),
        BuiltIn::Asinh => a.asinh(),
        BuiltIn::Min => a.min(b),
        BuiltIn::Max => a.max(b),
    }
}

/// A whole power by repeated squaring.
fn whole<S: Scalar>(base: S, power: i8) -> S {
    let (mut left, mut square, mut product) = (power.unsigned_abs(), base, S::one());
    let mut is_first = true;
    while left > 0 {
        if left & 1 == 1 {
            product = if is_first { square } else { product * square };
            is_first = false;
        }
        left >>= 1;
        if left > 0 {
            square = square * square;
        }
    }
    if power < 0 { S::one() / product } else { product }
}

/// Which of the values of a declared mode this is.
pub(super) fn place_of(mode: Mode) -> u8 {
    match mode {
        Mode::Stick => 0,
        Mode::Forward => 1,
        Mode::Backward => 2,
    }
}
