use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A spring and damper in the plane, such as a piece of cable between two points.
///
/// ```text
/// F = k x + d ẋ,   x = l − length   along the line between the ends
/// ```
///
/// The force is linear: a slack segment pushes. A length over time is wound in and out, which puts work in. Ends that coincide have no direction; the force is then zero.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "segment", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Segment<S> {
    /// Stiffness.
    #[param(symbol = "k", unit = "N/m", min = 0.0)]
    pub k: S,
    /// Damping.
    #[param(symbol = "d", unit = "N s/m", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// Relaxed length: a number, or a signal.
    #[param(symbol = "l_0", unit = "m", min = 0.0, signal)]
    pub length: S,
}

/// A segment with its coordinates: x and y of both ends.
#[derive(Clone, Debug)]
pub struct SegmentElement {
    x: [usize; 2],
    y: [usize; 2],
    k: usize,
    d: usize,
    length: Given,
}

/// A segment at one instant.
struct Pull<S> {
    /// From the second end to the first.
    direction: [S; 2],
    length: S,
    /// How fast it grows longer than when it is relaxed.
    stretching: S,
    force: S,
}

impl SegmentElement {
    fn pull<S: Scalar>(&self, at: &Motion<S>) -> Pull<S> {
        let ([xa, xb], [ya, yb]) = (self.x, self.y);
        let (dx, dy) = (at.q[xa] - at.q[xb], at.q[ya] - at.q[yb]);
        let (vx, vy) = (at.v[xa] - at.v[xb], at.v[ya] - at.v[yb]);
        let square = dx * dx + dy * dy;
        let length = square.sqrt();
        let (ex, ey) = (dx / length, dy / length);
        let relaxed = self.length.jet(at.p, at.t);
        let stretching = ex * vx + ey * vy - relaxed.rate;
        let force = at.p[self.k] * (length - relaxed.value) + at.p[self.d] * stretching;
        let apart = |x: S| S::select(S::zero().lt(square), x, S::zero());
        let (direction, stretching, force) = ([apart(ex), apart(ey)], apart(stretching), apart(force));
        Pull { direction, length, stretching, force }
    }
}

impl Element for SegmentElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let pull = self.pull(at);
        for ([a, b], along) in [self.x, self.y].into_iter().zip(pull.direction) {
            f[a] -= pull.force * along;
            f[b] += pull.force * along;
        }
        let loss = at.p[self.d] * pull.stretching.squared();
        // Whoever winds it in works against what it pulls with.
        Power { input: -pull.force * self.length.jet(at.p, at.t).rate, loss }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let ([xa, xb], [ya, yb]) = (self.x, self.y);
        let l = ((at.q[xa] - at.q[xb]).squared() + (at.q[ya] - at.q[yb]).squared()).sqrt();
        at.p[self.k] * (l - self.length.value(at.p, at.t)).squared() * 0.5
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn signals(&self) -> Signals<'_> {
        self.length.signal().into_iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        vec![self.x, self.y]
    }

    fn coordinates(&self) -> Vec<usize> {
        vec![self.x[0], self.y[0], self.x[1], self.y[1]]
    }

    fn outputs(&self) -> &'static [Named] {
        &[("length", "m"), ("stretch", "m"), ("force", "N"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let pull = self.pull(at);
        let relaxed = self.length.jet(at.p, at.t);
        let rate = pull.stretching + relaxed.rate;
        vec![pull.length, pull.length - relaxed.value, pull.force, pull.force * rate]
    }
}

impl Part for Segment<f64> {
    type Action = SegmentElement;
    const SYMBOL: Symbol = Symbol::Rope;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let [x, y] = builder.plane(part)?;
        let length = builder.given(part, "length")?;
        Ok(Some(SegmentElement { x, y, k: part.place("k"), d: part.place("d"), length }))
    }
}
