use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A point mass that moves in a vertical plane.
///
/// ```text
/// m ẍ = sum of horizontal forces,   m ÿ = sum of vertical forces (y points up)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "planar_mass", tags("body"))]
pub struct PlanarMass<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Horizontal position at the start.
    #[param(symbol = "x(0)", unit = "m", default = 0.0)]
    pub x: S,
    /// Vertical position at the start.
    #[param(symbol = "y(0)", unit = "m", default = 0.0)]
    pub y: S,
    /// Horizontal velocity at the start.
    #[param(symbol = "ẋ(0)", unit = "m/s", default = 0.0)]
    pub vx: S,
    /// Vertical velocity at the start.
    #[param(symbol = "ẏ(0)", unit = "m/s", default = 0.0)]
    pub vy: S,
}

impl Part for PlanarMass<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Point;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let mass = part.place("mass");
        let x = Coordinate::free(mass, Some([part.place("x"), part.place("vx")]));
        let y = Coordinate::free(mass, Some([part.place("y"), part.place("vy")]));
        builder.add_body(part, Line::Straight, Some(mass), x, Some(y));
        Ok(())
    }
}
