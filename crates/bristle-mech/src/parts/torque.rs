use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A torque on a rotor, constant or over time.
///
/// ```text
/// τ = value on the rotor,   −τ on what it acts against
/// ```
///
/// A motor whose housing can turn acts against the rotor that stands for it.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torque",
    tags("rotary"),
    entry(name = "on", part, doc = "The rotor it acts on."),
    entry(
        name = "against",
        part,
        optional,
        doc = "The rotor that bears the reaction; the ground unless given."
    )
)]
pub struct Torque<S> {
    /// The torque: a number, or a signal.
    #[param(symbol = "τ", unit = "N m", default = 0.0, signal)]
    pub value: S,
}

/// A torque with its coordinates: that of the rotor, and that of what it acts against.
#[derive(Clone, Debug)]
pub struct TorqueElement {
    ends: [usize; 2],
    value: Given,
}

impl Element for TorqueElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let torque = self.value.value(at.p, at.t);
        f[self.ends[0]] += torque;
        f[self.ends[1]] -= torque;
        Power { input: torque * (at.v[self.ends[0]] - at.v[self.ends[1]]), loss: S::zero() }
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
        vec![torque, torque * (at.v[self.ends[0]] - at.v[self.ends[1]])]
    }
}

impl Part for Torque<f64> {
    type Action = TorqueElement;
    const SYMBOL: Symbol = Symbol::Torque;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = [builder.pushed(part, Line::Rotary)?.x, builder.against(part, Line::Rotary)?.x];
        Ok(Some(TorqueElement { ends, value: builder.given(part, "value")? }))
    }
}
