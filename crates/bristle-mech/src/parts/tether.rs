use super::stop::StopElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A rope, chain or strap between two bodies on a line: it pulls where it is taut and is slack otherwise.
///
/// ```text
/// δ = q_a − q_b − length > 0:   F = max(0, k δ + d δ̇) pulls a towards b, with |d δ̇| ≤ k δ;   else F = 0
/// ```
///
/// The first body is the one further ahead. A length over time is a winch, which puts work in.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "tether",
    entry(name = "between", names = 2, doc = "The two bodies it joins, the one ahead first.")
)]
pub struct Tether<S> {
    /// Distance `q_a − q_b` at which it becomes taut: a number, or a signal.
    #[param(symbol = "l", unit = "m", min = 0.0, signal)]
    pub length: S,
    /// Stiffness.
    #[param(symbol = "k", unit = "N/m", min = 1e-9)]
    pub k: S,
    /// Damping while it is taut, at most as strong as the stiffness.
    #[param(symbol = "d", unit = "N s/m", default = 0.0, min = 0.0, signal)]
    pub d: S,
}

impl Part for Tether<f64> {
    type Action = StopElement;
    const SYMBOL: Symbol = Symbol::Rope;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Straight)?;
        let (k, d) = (part.place("k"), part.place("d"));
        let at = builder.given(part, "length")?;
        Ok(Some(StopElement { ends, at, k, damping: None, d, exponent: None, turns: false }))
    }
}
