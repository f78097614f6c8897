use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::signals::Signal;
use bristle_core::{Card, Scalar};

/// A linear spring between two bodies on a line.
///
/// ```text
/// F = k (q_a − q_b − rest)   pulls a towards b
/// ```
///
/// A stiffness over time stores `½ k x²` of the moment; what its change adds, `½ k̇ x²` per second, is put in from outside. Let
/// it rise and fall rather than jump, so that all of that is accounted for.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "spring", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Spring<S> {
    /// Stiffness: a number, or a signal.
    #[param(symbol = "k", unit = "N/m", min = 0.0, signal)]
    pub k: S,
    /// Distance `q_a − q_b` at which it is relaxed.
    #[param(symbol = "q_0", unit = "m", default = 0.0)]
    pub rest: S,
}

/// A spring with its coordinates.
#[derive(Clone, Debug)]
pub struct SpringElement {
    ends: [usize; 2],
    k: Given,
    rest: usize,
}

impl SpringElement {
    #[inline]
    fn stretch<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.q[self.ends[0]] - at.q[self.ends[1]] - at.p[self.rest]
    }
}

impl Element for SpringElement {
    #[inline]
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [a, b] = self.ends;
        let stretch = self.stretch(at);
        let (k, input) = match &self.k {
            Given::Number(k) => (at.p[*k], S::zero()),
            Given::Signal(k) => {
                let jet = k.jet(at.p, at.t);
                (jet.value, jet.rate * stretch.squared() * 0.5)
            }
        };
        let pull = k * stretch;
        f[a] -= pull;
        f[b] += pull;
        Power { input, loss: S::zero() }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        self.k.value(at.p, at.t) * self.stretch(at).squared() * 0.5
    }

    fn signals(&self) -> Vec<&Signal> {
        self.k.signal().into_iter().collect()
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
        let ends = builder.ends(part, Line::Straight)?;
        Ok(Some(SpringElement { ends, k: builder.given(part, "k")?, rest: part.place("rest") }))
    }
}
