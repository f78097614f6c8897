use super::AnyElement;
use crate::element::{Element, GROUND, Motion, Power, Signals};
use crate::part::Part;
use crate::signals::Signal;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A controlled motor that turns a drum and feels the cable.
///
/// ```text
/// J ω̇ = τ(t) + K_p (θ_d(t) − θ) + K_d (θ̇_d(t) − ω) − d ω − Σ s R F
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drum_motor",
    tags("cable"),
    entry(name = "turns", part, doc = "The drum it turns."),
    entry(
        name = "angle",
        table = "signal",
        unit = "rad",
        optional,
        doc = "Wanted angle over time; zero unless given."
    ),
    entry(
        name = "torque",
        table = "signal",
        unit = "N m",
        optional,
        doc = "Torque over time besides the control."
    )
)]
pub struct DrumMotor<S> {
    /// Inertia of drum, gear and rotor, seen at the drum.
    #[param(symbol = "J", unit = "kg m^2", min = 1e-12)]
    pub inertia: S,
    /// Gain of the angle.
    #[param(symbol = "K_p", unit = "N m/rad", default = 0.0, min = 0.0)]
    pub kp: S,
    /// Gain of the speed.
    #[param(symbol = "K_d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub kd: S,
    /// Friction of the bearing.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub bearing: S,
}

/// What turns a drum that feels its ropes, beside a mechanism: a motor, or the friction of a bearing alone.
#[derive(Clone, Debug)]
pub struct DrumMotorElement {
    /// The coordinate that turns.
    pub rotor: usize,
    /// Wanted angle; zero without.
    pub angle: Option<Signal>,
    /// Torque besides the control.
    pub torque: Option<Signal>,
    /// Where the two gains stand, if it has any.
    pub gains: Option<usize>,
    /// Where the friction of the bearing stands.
    pub bearing: usize,
}

impl Element for DrumMotorElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let (angle, speed) = (at.q[self.rotor], at.v[self.rotor]);
        let mut torque = self.torque.as_ref().map_or_else(S::zero, |s| s.jet(at.p, at.t).value);
        if let Some(gains) = self.gains {
            let (mut wanted, mut rate) = (S::zero(), S::zero());
            if let Some(signal) = &self.angle {
                let jet = signal.jet(at.p, at.t);
                (wanted, rate) = (jet.value, jet.rate);
            }
            torque += at.p[gains] * (wanted - angle) + at.p[gains + 1] * (rate - speed);
        }
        let drag = at.p[self.bearing] * speed;
        f[self.rotor] += torque - drag;
        Power { input: torque * speed, loss: drag * speed }
    }

    fn signals(&self) -> Signals<'_> {
        self.angle.iter().chain(&self.torque).collect()
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        self.gains.iter().map(|_| [self.rotor, GROUND]).collect()
    }

    fn coordinates(&self) -> Vec<usize> {
        vec![self.rotor]
    }
}

// Drums bring their motors, with the coordinate that turns.
impl Part for DrumMotor<f64> {
    type Action = DrumMotorElement;
    const SYMBOL: Symbol = Symbol::Controller;
}

impl From<DrumMotorElement> for AnyElement {
    fn from(motor: DrumMotorElement) -> Self {
        AnyElement::DrumMotor(motor)
    }
}
