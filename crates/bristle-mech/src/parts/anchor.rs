use bristle_core::Card;

/// A point that never moves. The name `ground` always stands for one at the origin.
///
/// ```text
/// x, y = constant
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "anchor", tags("body"))]
pub struct Anchor<S> {
    /// Horizontal position.
    #[param(symbol = "x", unit = "m", default = 0.0)]
    pub x: S,
    /// Vertical position.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}
