use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A mass that moves along a line.
///
/// ```text
/// m q̈ = sum of forces
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "mass", tags("body"))]
pub struct Mass<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Velocity at the start.
    #[param(symbol = "v(0)", unit = "m/s", default = 0.0)]
    pub v: S,
}

impl Part for Mass<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Block;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let mass = part.place("mass");
        let x = Coordinate::free(mass, Some([part.place("q"), part.place("v")]));
        builder.add_body(part, Line::Straight, Some(mass), x, None);
        Ok(())
    }
}
