//! Both ends of a rope, and what pulls at them.

use super::tie::TieMotion;
use bristle_core::Scalar;

/// Both ends of a rope: how they move, and what pulls at them.
pub(super) struct TiedEnds<S> {
    pub(super) ends: [Option<TieMotion<S>>; 2],
    pub(super) pull: [[S; 2]; 2],
    /// The mass that each end feels when either is accelerated.
    pub(super) felt: [[f64; 2]; 2],
}

impl<S: Scalar> TiedEnds<S> {
    /// The ends that something moves.
    pub(super) fn pulled(&self) -> impl Iterator<Item = (usize, &TieMotion<S>)> {
        self.ends.iter().enumerate().filter_map(|(e, end)| Some((e, end.as_ref()?)))
    }

    /// What pulls at an end along a direction.
    pub(super) fn along(&self, end: usize, direction: &[S; 2]) -> S {
        self.pull[end][0] * direction[0] + self.pull[end][1] * direction[1]
    }

    /// Takes off what the ends feel of their own mass when the free coordinates accelerate.
    pub(super) fn follow(&mut self, acceleration: impl Fn(usize) -> S) {
        let mut less = [[S::zero(); 2]; 2];
        for (d, end) in self.pulled() {
            for (c, along) in &end.free {
                let rate = acceleration(*c);
                for e in 0..2 {
                    (0..2).for_each(|k| less[e][k] += along[k] * rate * self.felt[e][d]);
                }
            }
        }
        for e in 0..2 {
            (0..2).for_each(|k| self.pull[e][k] -= less[e][k]);
        }
    }
}
