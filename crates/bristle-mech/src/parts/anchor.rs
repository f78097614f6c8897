use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A point that never moves. The name `ground` always stands for one at the origin.
///
/// ```text
/// x, y = constant
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "anchor", tags("body"))]
pub struct Anchor<S> {
    /// Horizontal position.
    #[param(symbol = "x", unit = "m", default = 0.0)]
    pub x: S,
    /// Vertical position.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}

impl Part for Anchor<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Wall;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let [x, y] = ["x", "y"].map(|field| Coordinate::Fixed { q: Some(part.place(field)) });
        builder.add_body(part, Line::Straight, None, x, Some(y));
        Ok(())
    }
}
