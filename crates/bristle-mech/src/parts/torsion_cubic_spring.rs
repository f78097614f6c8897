use super::cubic_spring::CubicSpringElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A spring between two rotors that hardens or softens, with a preload: a flexspline, a rubber joint.
///
/// ```text
/// x = φ_a − φ_b − rest,   τ = τ_0 + k x + k_3 x³   turns a towards b
/// ```
///
/// It is a `cubic_spring` about an axis.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_cubic_spring",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct TorsionCubicSpring<S> {
    /// Stiffness around `rest`; may be negative.
    #[param(symbol = "k", unit = "N m/rad", default = 0.0)]
    pub k: S,
    /// Hardening; softening where it is negative.
    #[param(symbol = "k_3", unit = "N m/rad^3", default = 0.0)]
    pub cubic: S,
    /// Torque at `rest`.
    #[param(symbol = "τ_0", unit = "N m", default = 0.0)]
    pub preload: S,
    /// Twist `φ_a − φ_b` from which it counts.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0)]
    pub rest: S,
}

impl Part for TorsionCubicSpring<f64> {
    type Action = CubicSpringElement;
    const SYMBOL: Symbol = Symbol::VariableSpring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        CubicSpringElement::of(builder, part, Line::Rotary).map(Some)
    }
}
