use crate::builder::{Builder, Placed};
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A rack and pinion, a wheel that rolls, a drum with a rope that does not slip: a rotor and a body on a line that move together.
///
/// ```text
/// v = radius · ω,   torque on the rotor = −radius · force on the body
/// ```
///
/// It is exact: the body follows the rotor. A lead screw is a rack whose radius is its lead over a full turn, `p/(2π)`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "rack",
    tags("rotary"),
    entry(name = "body", part, doc = "The body on a line."),
    entry(name = "rotor", part, doc = "The rotor.")
)]
pub struct Rack<S> {
    /// Radius at which they meet; negative where a positive angle moves the body backwards.
    #[param(symbol = "r", unit = "m")]
    pub radius: S,
}

impl Part for Rack<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Rack;

    fn couple(builder: &mut Builder, part: &Placed) -> Result<Option<Coupling>, MechError> {
        let radius = part.place("radius");
        if builder.list.values[radius] == 0.0 {
            return Err(
                part.fault("radius", "a radius of zero couples nothing; leave the rack out, or fix the body")
            );
        }
        let (body, rotor) = (part.named("body"), part.named("rotor"));
        builder.on_line(part, "body", body, Line::Straight)?;
        builder.on_line(part, "rotor", rotor, Line::Rotary)?;
        let bodies =
            [("body", body, Factor::constant(1.0)), ("rotor", rotor, Factor::affine(0.0, -1.0, radius))];
        builder.coupling(part, &bodies).map(Some)
    }
}
