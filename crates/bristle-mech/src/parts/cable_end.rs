use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice};

/// An end of a cable: what hangs on it, what pulls it, what holds it.
///
/// ```text
/// free: m a = tension + force(t) − m g;   pinned, clamped: stays;   moving: x(0) + move_x(t), y(0) + move_y(t)
/// ```
///
/// An end without `x` and `y` hangs down from its drum. A moving end is a vessel, a hand or a pay-out: it follows
/// `move_x` and `move_y`, each counted from its value at the start.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "cable_end",
    tags("cable"),
    entry(name = "of", part, optional, doc = "The cable whose end it is, where there are several."),
    entry(name = "on", part, optional, doc = "The body it is tied to; `x` and `y` then count from there."),
    entry(name = "rim", part, optional, doc = "The drum to whose rim it is tied, at `angle`."),
    entry(name = "force_x", table = "signal", unit = "N", optional, doc = "Force to the right over time."),
    entry(name = "force_y", table = "signal", unit = "N", optional, doc = "Force upwards over time."),
    entry(
        name = "move_x",
        table = "signal",
        unit = "m",
        optional,
        doc = "Way to the right over time, of a moving end."
    ),
    entry(
        name = "move_y",
        table = "signal",
        unit = "m",
        optional,
        doc = "Way upwards over time, of a moving end."
    )
)]
pub struct CableEnd<S> {
    /// Which end.
    #[choice("first", "last")]
    pub at: Choice,
    /// How it is held.
    #[choice("free", "pinned", "clamped", "moving")]
    pub support: Choice,
    /// Mass that hangs on it.
    #[param(symbol = "m", unit = "kg", default = 0.0, min = 0.0)]
    pub mass: S,
    /// Where it is laid, to the right.
    #[param(symbol = "x(0)", unit = "m", default = f64::NAN)]
    pub x: S,
    /// Where it is laid, upwards.
    #[param(symbol = "y(0)", unit = "m", default = f64::NAN)]
    pub y: S,
    /// Direction in which a mass on a line moves it, from the horizontal upwards.
    #[param(symbol = "β", unit = "rad", default = 0.0)]
    pub direction: S,
    /// Where on the rim of a drum it is tied, clockwise from the crown.
    #[param(symbol = "φ", unit = "rad", default = 0.0)]
    pub angle: S,
}

// Ropes are built from all their parts together.
impl Part for CableEnd<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::CableEnd;
}
