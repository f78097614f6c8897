use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A spring that hardens or softens, with a preload, between two bodies on a line.
///
/// ```text
/// x = q_a − q_b − rest,   F = F_0 + k x + k_3 x³   pulls a towards b
/// ```
///
/// With a negative `k` and a positive `k_3` it has two places of rest: a buckled beam, a snap-through.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "cubic_spring", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct CubicSpring<S> {
    /// Stiffness around `rest`; may be negative.
    #[param(symbol = "k", unit = "N/m", default = 0.0)]
    pub k: S,
    /// Hardening; softening where it is negative.
    #[param(symbol = "k_3", unit = "N/m^3", default = 0.0)]
    pub cubic: S,
    /// Force at `rest`.
    #[param(symbol = "F_0", unit = "N", default = 0.0)]
    pub preload: S,
    /// Distance `q_a − q_b` from which the stretch counts.
    #[param(symbol = "q_0", unit = "m", default = 0.0)]
    pub rest: S,
}

/// A hardening spring with its coordinates and the places of stiffness, hardening, preload and rest.
#[derive(Clone, Debug)]
pub struct CubicSpringElement {
    ends: [usize; 2],
    numbers: [usize; 4],
    turns: bool,
}

impl CubicSpringElement {
    /// A spring whose part has the numbers of a `cubic_spring`.
    pub(super) fn of(builder: &Builder, part: &Placed, line: Line) -> Result<Self, MechError> {
        let numbers = ["k", "cubic", "preload", "rest"].map(|field| part.place(field));
        Ok(CubicSpringElement { ends: builder.ends(part, line)?, numbers, turns: line == Line::Rotary })
    }

    /// Stretch, stiffness, hardening and preload.
    fn state<S: Scalar>(&self, at: &Motion<S>) -> [S; 4] {
        let [k, cubic, preload, rest] = self.numbers.map(|i| at.p[i]);
        [at.q[self.ends[0]] - at.q[self.ends[1]] - rest, k, cubic, preload]
    }

    fn pull<S: Scalar>(&self, at: &Motion<S>) -> S {
        let [x, k, cubic, preload] = self.state(at);
        preload + (k + cubic * x.squared()) * x
    }
}

impl Element for CubicSpringElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let pull = self.pull(at);
        f[self.ends[0]] -= pull;
        f[self.ends[1]] += pull;
        Power::none()
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let [x, k, cubic, preload] = self.state(at);
        (preload + (k * 0.5 + cubic * x.squared() * 0.25) * x) * x
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        vec![self.ends]
    }

    fn pushes(&self) -> bool {
        true
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
        vec![self.state(at)[0], pull, pull * rate]
    }
}

impl Part for CubicSpring<f64> {
    type Action = CubicSpringElement;
    const SYMBOL: Symbol = Symbol::VariableSpring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        CubicSpringElement::of(builder, part, Line::Straight).map(Some)
    }
}
