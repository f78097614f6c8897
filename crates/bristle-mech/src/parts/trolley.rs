use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A mass on a horizontal rail; the rail's reaction can load a contact.
///
/// ```text
/// m q̈ = sum of horizontal forces,   N = −(sum of vertical forces)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "trolley", tags("body"))]
pub struct Trolley<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Velocity at the start.
    #[param(symbol = "v(0)", unit = "m/s", default = 0.0)]
    pub v: S,
    /// Height of the rail.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}

impl Part for Trolley<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Trolley;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let mass = part.place("mass");
        let x = Coordinate::free(mass, Some([part.place("q"), part.place("v")]));
        let y = Coordinate::Fixed { q: Some(part.place("y")) };
        builder.add_body(part, Line::Straight, Some(mass), x, Some(y));
        Ok(())
    }
}
