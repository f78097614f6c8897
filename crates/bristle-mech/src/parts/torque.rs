use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use bristle_core::{Card, Scalar};

/// A torque on a rotor, constant or over time.
///
/// ```text
/// τ = value
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "torque", tags("rotary"), entry(name = "on", part, doc = "The rotor it acts on."))]
pub struct Torque<S> {
    /// The torque: a number, or a signal.
    #[param(symbol = "τ", unit = "N m", default = 0.0, signal)]
    pub value: S,
}

/// A torque with its coordinate.
#[derive(Clone, Debug)]
pub struct TorqueElement {
    rotor: usize,
    value: Given,
}

impl Element for TorqueElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let torque = self.value.value(at.p, at.t);
        f[self.rotor] += torque;
        Power { input: torque * at.v[self.rotor], loss: S::zero() }
    }

    fn signals(&self) -> Signals<'_> {
        self.value.signal().into_iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    // A torque that depends on time alone couples nothing.
    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }

    fn outputs(&self) -> &'static [Named] {
        &[("torque", "N m"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let torque = self.value.value(at.p, at.t);
        vec![torque, torque * at.v[self.rotor]]
    }
}

impl Part for Torque<f64> {
    type Action = TorqueElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let rotor = builder.pushed(part, Line::Rotary)?.x;
        Ok(Some(TorqueElement { rotor, value: builder.given(part, "value")? }))
    }
}
