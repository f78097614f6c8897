use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A spring and damper in the plane, such as a piece of cable between two points.
///
/// ```text
/// F = k (l − length) + d l̇   along the line between the ends
/// ```
///
/// The force is linear: a slack segment pushes. Ends that coincide have no direction; the force is then zero.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "segment", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Segment<S> {
    /// Stiffness.
    #[param(symbol = "k", unit = "N/m", min = 0.0)]
    pub k: S,
    /// Damping.
    #[param(symbol = "d", unit = "N s/m", default = 0.0, min = 0.0)]
    pub d: S,
    /// Relaxed length.
    #[param(symbol = "l_0", unit = "m", min = 0.0)]
    pub length: S,
}

/// A segment with its coordinates (x and y of both ends); its numbers start at `first`.
#[derive(Clone, Debug)]
pub struct SegmentElement {
    /// x of both ends.
    pub x: [usize; 2],
    /// y of both ends.
    pub y: [usize; 2],
    /// Where its numbers start.
    pub first: usize,
}

impl Element for SegmentElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [k, d, length] = [at.p[self.first], at.p[self.first + 1], at.p[self.first + 2]];
        let ([xa, xb], [ya, yb]) = (self.x, self.y);
        let (dx, dy) = (at.q[xa] - at.q[xb], at.q[ya] - at.q[yb]);
        let (vx, vy) = (at.v[xa] - at.v[xb], at.v[ya] - at.v[yb]);
        let square = dx * dx + dy * dy;
        let l = square.sqrt();
        let (ex, ey) = (dx / l, dy / l);
        let stretching = ex * vx + ey * vy;
        let pull = k * (l - length) + d * stretching;
        let apart = |x: S| S::select(S::zero().lt(square), x, S::zero());
        let (fx, fy) = (apart(pull * ex), apart(pull * ey));
        f[xa] -= fx;
        f[ya] -= fy;
        f[xb] += fx;
        f[yb] += fy;
        Power { input: S::zero(), loss: apart(d * stretching * stretching) }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let ([xa, xb], [ya, yb]) = (self.x, self.y);
        let l = ((at.q[xa] - at.q[xb]).squared() + (at.q[ya] - at.q[yb]).squared()).sqrt();
        at.p[self.first] * (l - at.p[self.first + 2]).squared() * 0.5
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn pushes(&self) -> bool {
        true
    }

    fn reads_positions(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        vec![self.x[0], self.y[0], self.x[1], self.y[1]]
    }
}

impl Part for Segment<f64> {
    type Action = SegmentElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let [x, y] = builder.plane(part)?;
        Ok(Some(SegmentElement { x, y, first: part.first }))
    }
}
