use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A linear spring between two rotors: a shaft, a drill string, a torsion bar.
///
/// ```text
/// τ = k (φ_a − φ_b − rest)   turns a towards b
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_spring",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct TorsionSpring<S> {
    /// Torsional stiffness.
    #[param(symbol = "k", unit = "N m/rad", min = 0.0)]
    pub k: S,
    /// Twist `φ_a − φ_b` at which it is relaxed.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0)]
    pub rest: S,
}

/// A torsion spring with its coordinates.
#[derive(Clone, Debug)]
pub struct TorsionSpringElement {
    ends: [usize; 2],
    k: usize,
    rest: usize,
}

impl TorsionSpringElement {
    fn twist<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.q[self.ends[0]] - at.q[self.ends[1]] - at.p[self.rest]
    }
}

impl Element for TorsionSpringElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let torque = at.p[self.k] * self.twist(at);
        f[self.ends[0]] -= torque;
        f[self.ends[1]] += torque;
        Power::none()
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.p[self.k] * self.twist(at).squared() * 0.5
    }

    fn reads_positions(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn outputs(&self) -> &'static [Named] {
        &[("twist", "rad"), ("torque", "N m")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let twist = self.twist(at);
        vec![twist, at.p[self.k] * twist]
    }
}

impl Part for TorsionSpring<f64> {
    type Action = TorsionSpringElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        Ok(Some(TorsionSpringElement { ends, k: part.place("k"), rest: part.place("rest") }))
    }
}
