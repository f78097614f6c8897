//! Numbers of parts that are given once, or over time.

use crate::signals::{Jet, Signal};
use bristle_core::Scalar;

/// A number of a part: a constant, or a signal of time.
///
/// A card marks the numbers that a scenario may give as a signal; the part asks for one with `Builder::given` and reads its
/// value where it needs it, without knowing which of the two it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A constant, with its place among the parameters.
    Number(usize),
    /// A signal of time.
    Signal(Box<Signal>),
}

impl Given {
    /// Its value at time `t`.
    #[inline]
    pub fn value<S: Scalar>(&self, p: &[S], t: S) -> S {
        match self {
            Given::Number(place) => p[*place],
            Given::Signal(signal) => signal.jet(p, t).value,
        }
    }

    /// Its value and rates at time `t`.
    pub fn jet<S: Scalar>(&self, p: &[S], t: S) -> Jet<S> {
        match self {
            Given::Number(place) => Jet::constant(p[*place], t),
            Given::Signal(signal) => signal.jet(p, t),
        }
    }

    /// As the normal load of a contact, which is open where a signal falls below zero.
    #[inline]
    pub(crate) fn load<S: Scalar>(&self, p: &[S], t: S) -> S {
        match self {
            Given::Number(place) => p[*place],
            Given::Signal(signal) => signal.jet(p, t).value.max(S::zero()),
        }
    }

    /// The signal it follows, if it does.
    pub fn signal(&self) -> Option<&Signal> {
        match self {
            Given::Number(_) => None,
            Given::Signal(signal) => Some(signal),
        }
    }
}
