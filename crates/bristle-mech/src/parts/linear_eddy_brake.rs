use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// An eddy-current brake between two bodies on a line, such as one of a train on its rail: its force grows with the speed up to a peak
/// and falls beyond.
///
/// ```text
/// F = 2 peak · s/(1 + s²),   s = (v_a − v_b)/speed   against the relative motion
/// ```
///
/// It cannot hold: at rest there is no force.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "linear_eddy_brake",
    entry(name = "between", names = 2, doc = "The two bodies it brakes against each other.")
)]
pub struct LinearEddyBrake<S> {
    /// Largest force: a number, or a signal.
    #[param(symbol = "F_max", unit = "N", min = 0.0, signal)]
    pub peak: S,
    /// Difference in velocity at which the force is largest: a number, or a signal.
    #[param(symbol = "v_p", unit = "m/s", min = 1e-9, signal)]
    pub speed: S,
}

/// A linear eddy-current brake with its coordinates and the places of its numbers.
#[derive(Clone, Debug)]
pub struct LinearEddyBrakeElement {
    ends: [usize; 2],
    peak: usize,
    speed: usize,
}

impl LinearEddyBrakeElement {
    /// The difference in velocity, and the force.
    fn force<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let w = at.v[self.ends[0]] - at.v[self.ends[1]];
        let s = w / at.p[self.speed];
        [w, at.p[self.peak] * s * 2.0 / (s.squared() + 1.0)]
    }
}

impl Element for LinearEddyBrakeElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [w, force] = self.force(at);
        f[self.ends[0]] -= force;
        f[self.ends[1]] += force;
        Power { input: S::zero(), loss: force * w }
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn outputs(&self) -> &'static [Named] {
        &[("force", "N"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let [w, force] = self.force(at);
        vec![force, force * w]
    }
}

impl Part for LinearEddyBrake<f64> {
    type Action = LinearEddyBrakeElement;
    const SYMBOL: Symbol = Symbol::Magnet;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Straight)?;
        Ok(Some(LinearEddyBrakeElement { ends, peak: part.place("peak"), speed: part.place("speed") }))
    }
}
