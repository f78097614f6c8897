use super::{Element, Motion, Power};
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
    entry(name = "signal", table = "signal", optional, doc = "The force over time.")
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

    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }
}
