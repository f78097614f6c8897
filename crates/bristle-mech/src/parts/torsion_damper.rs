use super::damper::DamperElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A damper between two rotors: linear, quadratic as that of a fan, or both.
///
/// ```text
/// τ = d w + d_2 |w| w,   w = ω_a − ω_b   against the relative turning
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_damper",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct TorsionDamper<S> {
    /// Torsional damping: a number, or a signal.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// Damping with the square of the speed: a number, or a signal.
    #[param(symbol = "d_2", unit = "N m s^2/rad^2", default = 0.0, min = 0.0, signal)]
    pub quadratic: S,
}

impl Part for TorsionDamper<f64> {
    type Action = DamperElement;
    const SYMBOL: Symbol = Symbol::Damper;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        DamperElement::of(builder, part, Line::Rotary).map(Some)
    }
}
