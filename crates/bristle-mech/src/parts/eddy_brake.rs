use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// An eddy-current brake between two rotors: its torque grows with the speed up to a peak and falls beyond.
///
/// ```text
/// τ = 2 peak · s/(1 + s²),   s = (ω_a − ω_b)/speed   against the relative turning
/// ```
///
/// It cannot hold: at rest there is no torque.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "eddy_brake",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it brakes against each other.")
)]
pub struct EddyBrake<S> {
    /// Largest torque: a number, or a signal.
    #[param(symbol = "τ_max", unit = "N m", min = 0.0, signal)]
    pub peak: S,
    /// Difference in speed at which the torque is largest: a number, or a signal.
    #[param(symbol = "ω_p", unit = "rad/s", min = 1e-9, signal)]
    pub speed: S,
}

/// An eddy-current brake with its coordinates and the places of its numbers.
#[derive(Clone, Debug)]
pub struct EddyBrakeElement {
    ends: [usize; 2],
    peak: usize,
    speed: usize,
}

impl EddyBrakeElement {
    /// The difference in speed, and the torque.
    fn torque<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let w = at.v[self.ends[0]] - at.v[self.ends[1]];
        let s = w / at.p[self.speed];
        [w, at.p[self.peak] * s * 2.0 / (s.squared() + 1.0)]
    }
}

impl Element for EddyBrakeElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [w, torque] = self.torque(at);
        f[self.ends[0]] -= torque;
        f[self.ends[1]] += torque;
        Power { input: S::zero(), loss: torque * w }
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn outputs(&self) -> &'static [Named] {
        &[("torque", "N m"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let [w, torque] = self.torque(at);
        vec![torque, torque * w]
    }
}

impl Part for EddyBrake<f64> {
    type Action = EddyBrakeElement;
    const SYMBOL: Symbol = Symbol::Magnet;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        Ok(Some(EddyBrakeElement { ends, peak: part.place("peak"), speed: part.place("speed") }))
    }
}
