use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A body that turns about an axis: a flywheel, a shaft, a bit.
///
/// ```text
/// J φ̈ = sum of torques
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rotor", tags("body", "rotary"))]
pub struct Rotor<S> {
    /// Moment of inertia about the axis.
    #[param(symbol = "J", unit = "kg m^2", min = 1e-12)]
    pub inertia: S,
    /// Angle at the start.
    #[param(symbol = "φ(0)", unit = "rad", default = 0.0)]
    pub angle: S,
    /// Angular velocity at the start.
    #[param(symbol = "ω(0)", unit = "rad/s", default = 0.0)]
    pub speed: S,
}

impl Part for Rotor<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Rotor;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let inertia = part.place("inertia");
        let x = Coordinate::free(inertia, Some([part.place("angle"), part.place("speed")]));
        builder.add_body(part, Line::Rotary, Some(inertia), x, None);
        Ok(())
    }
}
