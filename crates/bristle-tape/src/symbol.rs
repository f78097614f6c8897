//! The number that remembers how it came about.

use crate::graph::{Graph, Node, Reach};
use crate::operation::{Binary, Unary};
use crate::recorder::Recorder;
use crate::recording::RecordingError;
use bristle_core::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number that writes what is done to it into the graph of the [recording](crate::record) of its thread.
///
/// Conditions on parameters alone are decided where equations [`choose`](Scalar::choose) between branches, and any
/// condition where they [`decide`](Scalar::decide); the recording keeps these decisions as its assumptions. Everything else
/// that branches is recorded with both sides.
#[derive(Clone, Copy, Debug)]
pub struct Symbol(Origin);

/// What a comparison of symbols gives.
#[derive(Clone, Copy, Debug)]
pub struct Condition(MaskOrigin);

#[derive(Clone, Copy, Debug)]
enum Origin {
    Plain(f64),
    Term {
        node: Node,
        recording: u32,
    },
    /// Made where nothing records.
    Stray,
}

#[derive(Clone, Copy, Debug)]
enum MaskOrigin {
    Truth(bool),
    Term { node: Node, recording: u32 },
}

impl Symbol {
    pub(crate) fn of(node: Node, recording: u32) -> Symbol {
        Symbol(Origin::Term { node, recording })
    }

    /// Its term in the graph; nothing if it belongs elsewhere.
    pub(crate) fn node(self, recorder: &mut Recorder) -> Option<Node> {
        match self.0 {
            Origin::Plain(value) => Some(recorder.graph.constant(value)),
            Origin::Term { node, recording } if recording == recorder.number => Some(node),
            _ => {
                recorder.blame(RecordingError::Foreign);
                None
            }
        }
    }

    /// The term that `make` makes of these.
    fn made<const N: usize>(of: [Symbol; N], make: impl FnOnce(&mut Graph, [Node; N]) -> Node) -> Symbol {
        let made = Recorder::with(|recorder| {
            let mut nodes = [Node::default(); N];
            for i in 0..N {
                nodes[i] = of[i].node(recorder)?;
            }
            let node = make(&mut recorder.graph, nodes);
            Some(recorder.symbol(node))
        });
        made.flatten().unwrap_or(Symbol(Origin::Stray))
    }

    fn unary(self, f: Unary) -> Symbol {
        match self.0 {
            Origin::Plain(a) => Symbol(Origin::Plain(f.of(a))),
            _ => Symbol::made([self], |graph, [a]| graph.unary(f, a)),
        }
    }

    fn binary(self, f: Binary, other: Symbol) -> Symbol {
        match (self.0, other.0) {
            (Origin::Plain(a), Origin::Plain(b)) => Symbol(Origin::Plain(f.of(a, b))),
            _ => Symbol::made([self, other], |graph, [a, b]| graph.binary(f, a, b)),
        }
    }
}

impl Recorder {
    fn symbol(&self, node: Node) -> Symbol {
        match self.graph.constant_value(node) {
            Some(value) => Symbol(Origin::Plain(value)),
            None => Symbol::of(node, self.number),
        }
    }
}

impl Condition {
    /// The node, or the truth it is known to have.
    fn resolved(self, recorder: &mut Recorder) -> Result<Node, bool> {
        match self.0 {
            MaskOrigin::Truth(truth) => Err(truth),
            MaskOrigin::Term { node, recording } if recording == recorder.number => {
                recorder.decided(node).map_or(Ok(node), Err)
            }
            MaskOrigin::Term { .. } => {
                recorder.blame(RecordingError::Foreign);
                Err(false)
            }
        }
    }
}

impl From<f64> for Symbol {
    fn from(value: f64) -> Self {
        Symbol(Origin::Plain(value))
    }
}

impl Neg for Symbol {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Unary::Neg)
    }
}

macro_rules! operator {
    ($($name:ident, $method:ident);*) => {
        $(impl $name for Symbol {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.binary(Binary::$name, other)
            }
        }
        impl $name<f64> for Symbol {
            type Output = Self;
            fn $method(self, other: f64) -> Self {
                self.binary(Binary::$name, Symbol::from(other))
            }
        })*
    };
}
operator!(Add, add; Sub, sub; Mul, mul; Div, div);

impl AddAssign for Symbol {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Symbol {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Symbol {
    type Mask = Condition;

    /// The value of a constant. A term has none: whoever asks makes the recording fail, since what would follow from the
    /// value could not be recorded.
    fn value(self) -> f64 {
        match self.0 {
            Origin::Plain(value) => value,
            _ => {
                let value = Recorder::with(|recorder| {
                    let node = self.node(recorder)?;
                    let term = recorder.graph.formula(node);
                    recorder.blame(RecordingError::Value { term });
                    Some(recorder.value(node))
                });
                value.flatten().unwrap_or(f64::NAN)
            }
        }
    }

    fn lt(self, other: Self) -> Condition {
        if let (Origin::Plain(a), Origin::Plain(b)) = (self.0, other.0) {
            return Condition(MaskOrigin::Truth(a < b));
        }
        let mask = Recorder::with(|recorder| {
            let (a, b) = (self.node(recorder)?, other.node(recorder)?);
            let node = recorder.graph.less(a, b);
            Some(match recorder.graph.truth_value(node) {
                Some(truth) => MaskOrigin::Truth(truth),
                None => MaskOrigin::Term { node, recording: recorder.number },
            })
        });
        Condition(mask.flatten().unwrap_or(MaskOrigin::Truth(false)))
    }

    fn select(mask: Condition, yes: Self, no: Self) -> Self {
        let made = Recorder::with(|recorder| match mask.resolved(recorder) {
            Err(truth) => Some(if truth { yes } else { no }),
            Ok(mask) => {
                let (yes, no) = (yes.node(recorder)?, no.node(recorder)?);
                let node = recorder.graph.select(mask, yes, no);
                Some(recorder.symbol(node))
            }
        });
        made.flatten().unwrap_or(Symbol(Origin::Stray))
    }

    /// One branch where the condition depends on parameters alone, which is noted as an assumption; else both.
    fn choose(mask: Condition, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        let decided = Recorder::with(|recorder| match mask.resolved(recorder) {
            Err(truth) => Some(truth),
            Ok(node) => (recorder.graph.reach(node) <= Reach::Parameters).then(|| recorder.decide(node)),
        });
        match decided.flatten() {
            Some(true) => yes(),
            Some(false) => no(),
            None => Symbol::select(mask, yes(), no()),
        }
    }

    fn decide(mask: Condition) -> bool {
        let decided = Recorder::with(|recorder| match mask.resolved(recorder) {
            Err(truth) => truth,
            Ok(node) => recorder.decide(node),
        });
        decided.unwrap_or(false)
    }

    fn sloped_as(self, smooth: Self) -> Self {
        match self.0 {
            Origin::Plain(_) if matches!(smooth.0, Origin::Plain(_)) => self,
            _ => Symbol::made([self, smooth], |graph, [value, smooth]| graph.sloped(value, smooth)),
        }
    }

    fn frozen(self) -> Self {
        match self.0 {
            Origin::Plain(_) => self,
            _ => Symbol::made([self], |graph, [a]| graph.frozen(a)),
        }
    }

    fn sqrt(self) -> Self {
        self.unary(Unary::Sqrt)
    }
    fn exp(self) -> Self {
        self.unary(Unary::Exp)
    }
    fn ln(self) -> Self {
        self.unary(Unary::Ln)
    }
    fn sin(self) -> Self {
        self.unary(Unary::Sin)
    }
    fn cos(self) -> Self {
        self.unary(Unary::Cos)
    }
    fn tanh(self) -> Self {
        self.unary(Unary::Tanh)
    }
    fn atan(self) -> Self {
        self.unary(Unary::Atan)
    }
    fn asinh(self) -> Self {
        self.unary(Unary::Asinh)
    }
    fn pow(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
    fn floor(self) -> Self {
        self.unary(Unary::Floor)
    }
    fn sign(self) -> Self {
        self.unary(Unary::Sign)
    }
    fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }
    fn max(self, other: Self) -> Self {
        self.binary(Binary::Max, other)
    }
    fn min(self, other: Self) -> Self {
        self.binary(Binary::Min, other)
    }
}
