use bristle_core::Card;

/// A mass on a horizontal rail; the rail's reaction can load a contact.
///
/// ```text
/// m q̈ = sum of horizontal forces,   N = −(sum of vertical forces)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "trolley", tags("body"))]
pub struct Trolley<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Position at the start.
    #[param(symbol = "q(0)", unit = "m", default = 0.0)]
    pub q: S,
    /// Velocity at the start.
    #[param(symbol = "v(0)", unit = "m/s", default = 0.0)]
    pub v: S,
    /// Height of the rail.
    #[param(symbol = "y", unit = "m", default = 0.0)]
    pub y: S,
}
