use super::hard_stop;
use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A rigid stop that a rotor strikes: it bounces off with a part of its speed, and rests against the stop in the end.
///
/// ```text
/// φ_a − φ_b ≤ at;   ω⁺ = −e ω⁻ where they strike;   τ ≥ 0 while they rest against each other
/// ```
///
/// It is a `hard_stop` about an axis and bounds `φ_a − φ_b` from above; name the rotors the other way round for a bound from below.
/// Two of them between the same rotors are play without springs. A `rotary_stop` is elastic instead.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "rotary_hard_stop",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The rotor and what stops it.")
)]
pub struct RotaryHardStop<S> {
    /// Angle `φ_a − φ_b` at which they strike.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0)]
    pub at: S,
    /// Coefficient of restitution.
    #[param(symbol = "e", unit = "1", default = 0.0, min = 0.0, max = 1.0)]
    pub restitution: S,
}

impl Part for RotaryHardStop<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Stop;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        hard_stop::bearing(builder, part, Line::Rotary).map(Some)
    }
}
