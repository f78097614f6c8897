use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A linear damper between two rotors.
///
/// ```text
/// τ = d (ω_a − ω_b)   against the relative turning
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_damper",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct TorsionDamper<S> {
    /// Torsional damping.
    #[param(symbol = "d", unit = "N m s/rad", min = 0.0)]
    pub d: S,
}

/// A torsion damper with its coordinates.
#[derive(Clone, Debug)]
pub struct TorsionDamperElement {
    ends: [usize; 2],
    d: usize,
}

impl Element for TorsionDamperElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [a, b] = self.ends;
        let w = at.v[a] - at.v[b];
        let torque = at.p[self.d] * w;
        f[a] -= torque;
        f[b] += torque;
        Power { input: S::zero(), loss: torque * w }
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }
}

impl Part for TorsionDamper<f64> {
    type Action = TorsionDamperElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        Ok(Some(TorsionDamperElement { ends, d: part.place("d") }))
    }
}
