use super::table_spring::TableSpringElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A spring between two rotors whose torque is given by a table: a clutch disc with several stages, a rubber coupling.
///
/// ```text
/// τ = scale · table(φ_a − φ_b − rest)   turns a towards b;   straight between the points, and going on beyond them
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "torsion_table_spring",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins."),
    entry(name = "twists", numbers = "rad", doc = "Twists, rising."),
    entry(name = "torques", numbers = "N m", doc = "Torques at these twists.")
)]
pub struct TorsionTableSpring<S> {
    /// Twist `φ_a − φ_b` from which it counts.
    #[param(symbol = "φ_0", unit = "rad", default = 0.0)]
    pub rest: S,
    /// Factor on all torques.
    #[param(symbol = "s", unit = "1", default = 1.0)]
    pub scale: S,
}

impl Part for TorsionTableSpring<f64> {
    type Action = TableSpringElement;
    const SYMBOL: Symbol = Symbol::VariableSpring;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        TableSpringElement::of(builder, part, Line::Rotary, ["twists", "torques"]).map(Some)
    }
}
