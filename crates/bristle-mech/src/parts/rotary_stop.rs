use super::stop::StopElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A stop that a rotor runs against: the end of the range of a joint, a key in its slot.
///
/// ```text
/// δ = φ_a − φ_b − at > 0:   τ = max(0, k δⁿ (1 + D δ̇) + d δ̇) turns a back, with |d δ̇| ≤ k δⁿ;   else τ = 0
/// ```
///
/// It is a `stop` about an axis and bounds `φ_a − φ_b` from above; name the rotors the other way round for a bound from below. Play
/// with both flanks is a `backlash`. With an exponent δ counts in radians.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "rotary_stop",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The rotor and what stops it.")
)]
pub struct RotaryStop<S> {
    /// Angle `φ_a − φ_b` at which they touch: a number, or a signal.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0, signal)]
    pub at: S,
    /// Stiffness.
    #[param(symbol = "k", unit = "N m/rad", min = 1e-9)]
    pub k: S,
    /// Damping, relative to the stiffness.
    #[param(symbol = "D", unit = "s/rad", default = 0.0, min = 0.0, signal)]
    pub damping: S,
    /// Linear damping, at most as strong as the spring.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// Exponent of the depth; left out, the stop is linear.
    #[param(symbol = "n", unit = "1", default = f64::NAN, min = 1.0, max = 10.0)]
    pub exponent: S,
}

impl Part for RotaryStop<f64> {
    type Action = StopElement;
    const SYMBOL: Symbol = Symbol::Stop;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        StopElement::of(builder, part, Line::Rotary).map(Some)
    }
}
