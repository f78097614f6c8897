use super::spring::SpringElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A linear spring between two rotors: a shaft, a drill string, a torsion bar.
///
/// ```text
/// τ = τ_0 + k (φ_a − φ_b − rest)   turns a towards b
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_spring",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct TorsionSpring<S> {
    /// Torsional stiffness: a number, or a signal.
    #[param(symbol = "k", unit = "N m/rad", min = 0.0, signal)]
    pub k: S,
    /// Twist `φ_a − φ_b` at which there is the preload alone: a number, or a signal.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0, signal)]
    pub rest: S,
    /// Torque at `rest`: a number, or a signal.
    #[param(symbol = "τ_0", unit = "N m", default = 0.0, signal)]
    pub preload: S,
}

impl Part for TorsionSpring<f64> {
    type Action = SpringElement;
    const SYMBOL: Symbol = Symbol::Spring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        SpringElement::of(builder, part, Line::Rotary).map(Some)
    }
}
