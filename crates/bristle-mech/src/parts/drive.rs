use crate::builder::{Builder, Placed};
use crate::coordinate::{Coordinate, Follows};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::signals::Signal;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A body or surface with prescribed motion: a belt, a slide, a towing trolley.
///
/// ```text
/// q(t) = q + v t + ∫ velocity dt,   or   q(t) = q + v t + position(t)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drive",
    tags("body"),
    entry(
        name = "velocity",
        table = "signal",
        unit = "m/s",
        optional,
        doc = "Velocity over time, added to `v`."
    ),
    entry(
        name = "position",
        table = "signal",
        unit = "m",
        optional,
        doc = "Position over time, added to `q`."
    )
)]
pub struct Drive<S> {
    /// Constant velocity.
    #[param(symbol = "v", unit = "m/s", default = 0.0)]
    pub v: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Height.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}

impl Part for Drive<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Belt;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let followed = prescribed(builder, part, ["velocity", "position"]);
        let signal = builder.keep(followed).flatten();
        let x = Coordinate::Driven { v: Some(part.place("v")), q: Some(part.place("q")), signal, way: None };
        let y = Coordinate::Fixed { q: Some(part.place("y")) };
        builder.add_body(part, Line::Straight, None, x, Some(y));
        Ok(())
    }
}

/// What a drive follows besides its constant velocity: a signal of its velocity or of its position, in these fields.
pub(super) fn prescribed(
    builder: &mut Builder,
    part: &Placed,
    [velocity, position]: [&str; 2],
) -> Result<Option<(Signal, Follows)>, MechError> {
    let is_given = |field| part.spec.table(field).is_some();
    if is_given(velocity) && is_given(position) {
        return Err(part.fault(position, "a drive follows a velocity or a position, not both"));
    }
    let (field, follows) =
        if is_given(velocity) { (velocity, Follows::Velocity) } else { (position, Follows::Position) };
    Ok(builder.signal(part, field)?.map(|signal| (signal, follows)))
}
