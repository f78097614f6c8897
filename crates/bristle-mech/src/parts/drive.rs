use bristle_core::Card;

/// A body or surface with prescribed motion: a belt, a slide, a towing trolley.
///
/// ```text
/// q(t) = q + v t + ∫ velocity dt,   or   q(t) = q + v t + position(t)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drive",
    tags("body"),
    entry(name = "velocity", table = "signal", optional, doc = "Velocity over time, added to `v`."),
    entry(name = "position", table = "signal", optional, doc = "Position over time, added to `q`.")
)]
pub struct Drive<S> {
    /// Constant velocity.
    #[param(symbol = "v", unit = "m/s", default = 0.0)]
    pub v: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Height.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}
