use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A linear spring between two bodies on a line.
///
/// ```text
/// F = k (q_a − q_b − rest)   pulls a towards b
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "spring", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Spring<S> {
    /// Stiffness.
    #[param(symbol = "k", unit = "N/m", min = 0.0)]
    pub k: S,
    /// Distance `q_a − q_b` at which it is relaxed.
    #[param(symbol = "q_0", unit = "m", default = 0.0)]
    pub rest: S,
}

/// A spring with its coordinates; its numbers start at `first`.
#[derive(Clone, Debug)]
pub struct SpringElement {
    /// Coordinates of the two ends.
    pub ends: [usize; 2],
    /// Where its numbers start.
    pub first: usize,
}

impl Element for SpringElement {
    #[inline]
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [a, b] = self.ends;
        let pull = at.p[self.first] * (at.q[a] - at.q[b] - at.p[self.first + 1]);
        f[a] -= pull;
        f[b] += pull;
        Power::none()
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let [a, b] = self.ends;
        at.p[self.first] * (at.q[a] - at.q[b] - at.p[self.first + 1]).squared() * 0.5
    }

    fn reads_positions(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }
}

impl Part for Spring<f64> {
    type Action = SpringElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        Ok(Some(SpringElement { ends: builder.ends(part, Line::Straight)?, first: part.first }))
    }
}
