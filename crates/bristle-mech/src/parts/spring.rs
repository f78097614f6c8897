use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A linear spring between two bodies on a line.
///
/// ```text
/// F = F_0 + k (q_a − q_b − rest)   pulls a towards b
/// ```
///
/// A stiffness over time stores `½ k x²` of the moment; what its change adds, `½ k̇ x²` per second, is put in from outside, and so
/// is what moves `rest`. Let numbers rise and fall rather than jump, so that all of that is accounted for.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "spring", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Spring<S> {
    /// Stiffness: a number, or a signal.
    #[param(symbol = "k", unit = "N/m", min = 0.0, signal)]
    pub k: S,
    /// Distance `q_a − q_b` at which it pulls with the preload alone: a number, or a signal.
    #[param(symbol = "q_0", unit = "m", default = 0.0, signal)]
    pub rest: S,
    /// Force at `rest`: a number, or a signal.
    #[param(symbol = "F_0", unit = "N", default = 0.0, signal)]
    pub preload: S,
}

/// A spring along a line or about an axis, with its coordinates.
#[derive(Clone, Debug)]
pub struct SpringElement {
    ends: [usize; 2],
    k: Given,
    rest: Given,
    preload: Given,
    turns: bool,
}

impl SpringElement {
    /// A spring whose part has the numbers `k`, `rest` and `preload`.
    pub(super) fn of(builder: &mut Builder, part: &Placed, line: Line) -> Result<Self, MechError> {
        let ends = builder.ends(part, line)?;
        let (k, rest) = (builder.given(part, "k")?, builder.given(part, "rest")?);
        let preload = builder.given(part, "preload")?;
        Ok(SpringElement { ends, k, rest, preload, turns: line == Line::Rotary })
    }

    fn given(&self) -> [&Given; 3] {
        [&self.k, &self.rest, &self.preload]
    }

    #[inline]
    fn stretch<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.q[self.ends[0]] - at.q[self.ends[1]] - self.rest.value(at.p, at.t)
    }

    #[inline]
    fn pull<S: Scalar>(&self, at: &Motion<S>) -> S {
        self.preload.value(at.p, at.t) + self.k.value(at.p, at.t) * self.stretch(at)
    }
}

impl Element for SpringElement {
    #[inline]
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [a, b] = self.ends;
        let pull = self.pull(at);
        f[a] -= pull;
        f[b] += pull;
        if self.given().iter().all(|given| given.signal().is_none()) {
            return Power::none();
        }
        let stretch = self.stretch(at);
        let [k, rest, preload] = self.given().map(|given| given.jet(at.p, at.t).rate);
        let input = k * stretch.squared() * 0.5 + preload * stretch - rest * pull;
        Power { input, loss: S::zero() }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let (k, preload) = (self.k.value(at.p, at.t), self.preload.value(at.p, at.t));
        let stretch = self.stretch(at);
        (preload + k * stretch * 0.5) * stretch
    }

    fn signals(&self) -> Signals<'_> {
        self.given().into_iter().filter_map(Given::signal).collect()
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        vec![self.ends]
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn outputs(&self) -> &'static [Named] {
        if self.turns {
            &[("twist", "rad"), ("torque", "N m"), ("power", "W")]
        } else {
            &[("stretch", "m"), ("force", "N"), ("power", "W")]
        }
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let (pull, rate) = (self.pull(at), at.v[self.ends[0]] - at.v[self.ends[1]]);
        vec![self.stretch(at), pull, pull * rate]
    }
}

impl Part for Spring<f64> {
    type Action = SpringElement;
    const SYMBOL: Symbol = Symbol::Spring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        SpringElement::of(builder, part, Line::Straight).map(Some)
    }
}
