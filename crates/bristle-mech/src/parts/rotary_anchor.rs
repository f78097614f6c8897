use crate::builder::{Builder, Placed};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A shaft or housing that never turns. The name `ground` stands for one at the angle zero.
///
/// ```text
/// φ = constant
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rotary_anchor", tags("body", "rotary"))]
pub struct RotaryAnchor<S> {
    /// Angle.
    #[param(symbol = "φ", unit = "rad", default = 0.0)]
    pub angle: S,
}

impl Part for RotaryAnchor<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Wall;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        builder.add_body(part, Line::Rotary, None, Coordinate::Fixed { q: Some(part.place("angle")) }, None);
        Ok(())
    }
}
