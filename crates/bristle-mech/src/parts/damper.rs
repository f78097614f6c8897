use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A linear damper between two bodies on a line.
///
/// ```text
/// F = d (v_a − v_b)   against the relative motion
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "damper", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Damper<S> {
    /// Damping.
    #[param(symbol = "d", unit = "N s/m", min = 0.0)]
    pub d: S,
}

/// A damper with its coordinates; its number stands at `first`.
#[derive(Clone, Debug)]
pub struct DamperElement {
    /// Coordinates of the two ends.
    pub ends: [usize; 2],
    /// Where its number stands.
    pub first: usize,
}

impl Element for DamperElement {
    #[inline]
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [a, b] = self.ends;
        let w = at.v[a] - at.v[b];
        let force = at.p[self.first] * w;
        f[a] -= force;
        f[b] += force;
        Power { input: S::zero(), loss: force * w }
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }
}

impl Part for Damper<f64> {
    type Action = DamperElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        Ok(Some(DamperElement { ends: builder.ends(part, Line::Straight)?, first: part.first }))
    }
}
