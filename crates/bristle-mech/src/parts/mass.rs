use bristle_core::Card;

/// A mass that moves along a line.
///
/// ```text
/// m q̈ = sum of forces
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "mass", tags("body"))]
pub struct Mass<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Velocity at the start.
    #[param(symbol = "v(0)", unit = "m/s", default = 0.0)]
    pub v: S,
}
