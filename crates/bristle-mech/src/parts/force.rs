use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::signals::Signal;
use bristle_core::{Card, Choice, Scalar};

/// A force over time on a body.
///
/// ```text
/// F = value + signal(t)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "force",
    entry(name = "on", part, doc = "The body it acts on."),
    entry(name = "signal", table = "signal", unit = "N", optional, doc = "The force over time.")
)]
pub struct Force<S> {
    /// Constant part.
    #[param(symbol = "F", unit = "N", default = 0.0)]
    pub value: S,
    /// Direction on a planar body.
    #[choice("x", "y")]
    pub direction: Choice,
}

/// A force with its coordinate; its number stands at `first`.
#[derive(Clone, Debug)]
pub struct ForceElement {
    /// The coordinate it acts on.
    pub coordinate: usize,
    /// The force over time, if it is not constant.
    pub signal: Option<Signal>,
    /// Where its number stands.
    pub first: usize,
}

impl Element for ForceElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let varying = self.signal.as_ref().map_or_else(S::zero, |s| s.jet(at.p, at.t).value);
        let force = at.p[self.first] + varying;
        f[self.coordinate] += force;
        Power { input: force * at.v[self.coordinate], loss: S::zero() }
    }

    fn signals(&self) -> Vec<&Signal> {
        self.signal.iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }
}

impl Part for Force<f64> {
    type Action = ForceElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let body = builder.pushed(part, Line::Straight)?;
        let (name, x, y) = (body.name.clone(), body.x, body.y);
        let not_planar = || MechError::NotPlanar { part: part.name.to_owned(), name };
        let coordinate = if part.choice() == Choice(1) { y.ok_or_else(not_planar)? } else { x };
        Ok(Some(ForceElement { coordinate, signal: builder.signal(part, "signal")?, first: part.first }))
    }
}
