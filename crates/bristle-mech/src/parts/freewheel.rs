use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::line::Line;
use crate::one_way::OneWay;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A freewheel, sprag clutch or ratchet: the first rotor drives the second forwards and is overrun by it.
///
/// ```text
/// ω_a ≤ ω_b,   τ ≥ 0 from a to b,   τ = 0 while ω_a < ω_b
/// ```
///
/// It is rigid: it locks where the speeds meet, with an impulse if they jump past each other, and lets go where its torque
/// falls to zero. Back stops name the `ground` as one of the rotors.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "freewheel",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The rotor that drives, and the one that may run ahead of it.")
)]
pub struct Freewheel<S> {
    /// Part of the difference in speed that is left, with the other sign, where they strike.
    #[param(symbol = "e", unit = "1", default = 0.0, min = 0.0, max = 1.0)]
    pub restitution: S,
}

impl Part for Freewheel<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Freewheel;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        let restitution = Some(part.place("restitution"));
        Ok(Some(builder.bearing(part, ends, OneWay { at: None, restitution, turns: true })))
    }
}
