use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A servo that turns a drum and does not feel the cable.
///
/// ```text
/// ω̇ = k_p (θ_d(t) − θ) + k_d (θ̇_d(t) − ω)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drum_servo",
    cite = "westin2020",
    tags("cable"),
    entry(name = "turns", part, doc = "The drum it turns."),
    entry(name = "angle", table = "signal", unit = "rad", doc = "Wanted angle over time.")
)]
pub struct DrumServo<S> {
    /// Gain of the angle.
    #[param(symbol = "k_p", unit = "1/s^2", default = 100.0, min = 0.0)]
    pub kp: S,
    /// Gain of the speed.
    #[param(symbol = "k_d", unit = "1/s", default = 20.0, min = 0.0)]
    pub kd: S,
}

// Ropes are built from all their parts together.
impl Part for DrumServo<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Controller;
}
