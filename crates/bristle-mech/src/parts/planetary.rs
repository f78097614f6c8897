use crate::builder::{Builder, Placed};
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A planetary gear: sun, ring and carrier, of which two say how the third turns. With a ratio of one it is a differential.
///
/// ```text
/// (1 + ratio) ω_carrier = ω_sun + ratio · ω_ring
/// ```
///
/// The inertia of the planets belongs to the carrier. A ring that is held is `ground`, or a rotor with a brake.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "planetary",
    tags("rotary"),
    entry(name = "sun", part, doc = "The rotor in the middle."),
    entry(name = "ring", part, doc = "The rotor with inner teeth."),
    entry(name = "carrier", part, doc = "The rotor that carries the planets.")
)]
pub struct Planetary<S> {
    /// Teeth of the ring over those of the sun.
    #[param(symbol = "ρ", unit = "1", min = 1e-9)]
    pub ratio: S,
}

impl Part for Planetary<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Gear;

    fn couple(builder: &mut Builder, part: &Placed) -> Result<Option<Coupling>, MechError> {
        let ratio = part.place("ratio");
        let factors = [
            ("carrier", Factor::affine(1.0, 1.0, ratio)),
            ("sun", Factor::constant(-1.0)),
            ("ring", Factor::affine(0.0, -1.0, ratio)),
        ];
        let bodies = factors.map(|(field, factor)| (field, part.named(field), factor));
        for (field, name, _) in bodies {
            builder.on_line(part, field, name, Line::Rotary)?;
        }
        builder.coupling(part, &bodies).map(Some)
    }
}
