use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A friction brake that holds a rotor to the ground.
///
/// ```text
/// τ = faces · radius · F(law, slip rate, force),   slip rate = radius ω
/// ```
///
/// The force that presses the pads on is a number or a signal; the brake is open while it is not positive.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "brake",
    tags("rotary"),
    entry(name = "on", part, doc = "The rotor it brakes."),
    entry(name = "law", table = "law", doc = "The friction law, in coefficients.")
)]
pub struct Brake<S> {
    /// Force that presses a pad on: a number, or a signal.
    #[param(symbol = "N", unit = "N", min = 0.0, signal)]
    pub force: S,
    /// Radius at which the pads rub.
    #[param(symbol = "r", unit = "m", min = 1e-9)]
    pub radius: S,
    /// Number of faces that rub: two for a disc between two pads.
    #[param(symbol = "z", unit = "1", default = 1.0, min = 1.0, max = 1000.0, whole)]
    pub faces: S,
    /// Factor on all friction coefficients, or forces, of the law: a number, or a signal.
    #[param(symbol = "s", unit = "1", default = 1.0, min = 0.0, signal)]
    pub scale: S,
}

impl Part for Brake<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Contact;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let rotor = builder.pushed(part, Line::Rotary)?.x;
        let ground = builder.body(part, "on", "ground")?.x;
        builder.clamped(part, [rotor, ground]).map(Some)
    }
}
