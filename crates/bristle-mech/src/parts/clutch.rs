use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A friction clutch between two rotors.
///
/// ```text
/// τ = faces · radius · F(law, slip rate, force),   slip rate = radius (ω_a − ω_b)
/// ```
///
/// The force that presses the faces together is a number or a signal; the clutch is open while it is not positive. A clutch of
/// torque `T` brings two rotors to one speed after `J₁ J₂ Δω/((J₁ + J₂) T)`, and turns `½ J₁ J₂/(J₁ + J₂) Δω²` into heat,
/// however long that takes.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "clutch",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins."),
    entry(name = "law", table = "law", doc = "The friction law, in coefficients.")
)]
pub struct Clutch<S> {
    /// Force that presses the faces together: a number, or a signal.
    #[param(symbol = "N", unit = "N", min = 0.0, signal)]
    pub force: S,
    /// Mean radius of the faces.
    #[param(symbol = "r", unit = "m", min = 1e-9)]
    pub radius: S,
    /// Number of faces that rub: two for a disc between two plates.
    #[param(symbol = "z", unit = "1", default = 1.0, min = 1.0, max = 1000.0, whole)]
    pub faces: S,
    /// Factor on all friction coefficients, or forces, of the law: a number, or a signal.
    #[param(symbol = "s", unit = "1", default = 1.0, min = 0.0, signal)]
    pub scale: S,
}

impl Part for Clutch<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Contact;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        builder.clamped(part, ends).map(Some)
    }
}
