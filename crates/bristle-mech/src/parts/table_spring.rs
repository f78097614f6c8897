use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::polygon::Polygon;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A spring between two bodies on a line whose force is given by a table.
///
/// ```text
/// F = scale · table(q_a − q_b − rest)   pulls a towards b;   straight between the points, and going on beyond them
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "table_spring",
    entry(name = "between", names = 2, doc = "The two bodies it joins."),
    entry(name = "stretches", numbers = "m", doc = "Stretches, rising."),
    entry(name = "forces", numbers = "N", doc = "Forces at these stretches.")
)]
pub struct TableSpring<S> {
    /// Distance `q_a − q_b` from which the stretch counts.
    #[param(symbol = "q_0", unit = "m", default = 0.0)]
    pub rest: S,
    /// Factor on all forces.
    #[param(symbol = "s", unit = "1", default = 1.0)]
    pub scale: S,
}

/// A spring by a table, along a line or about an axis, with its coordinates.
#[derive(Clone, Debug)]
pub struct TableSpringElement {
    ends: [usize; 2],
    table: Polygon,
    rest: usize,
    scale: usize,
    turns: bool,
}

impl TableSpringElement {
    /// A spring whose part has the numbers `rest` and `scale`, and its table in these lists.
    pub(super) fn of(
        builder: &Builder,
        part: &Placed,
        line: Line,
        [x, y]: [&str; 2],
    ) -> Result<Self, MechError> {
        let ends = builder.ends(part, line)?;
        let table = Polygon::through(part.spec.list(x), part.spec.list(y));
        let fault = "a table has two points at least, as many in both lists, the first of which rises";
        let table = table.ok_or_else(|| part.fault(x, fault))?;
        let (rest, scale) = (part.place("rest"), part.place("scale"));
        Ok(TableSpringElement { ends, table, rest, scale, turns: line == Line::Rotary })
    }

    fn stretch<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.q[self.ends[0]] - at.q[self.ends[1]] - at.p[self.rest]
    }

    fn pull<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.p[self.scale] * self.table.extended(self.stretch(at))
    }
}

impl Element for TableSpringElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let pull = self.pull(at);
        f[self.ends[0]] -= pull;
        f[self.ends[1]] += pull;
        Power::none()
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let from_rest = self.table.integral(self.stretch(at)) - self.table.integral(S::zero());
        at.p[self.scale] * from_rest
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
        vec![self.stretch(at), pull, pull * rate]
    }
}

impl Part for TableSpring<f64> {
    type Action = TableSpringElement;
    const SYMBOL: Symbol = Symbol::VariableSpring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        TableSpringElement::of(builder, part, Line::Straight, ["stretches", "forces"]).map(Some)
    }
}
