use bristle_core::Card;

/// A point mass that moves in a vertical plane.
///
/// ```text
/// m ẍ = sum of horizontal forces,   m ÿ = sum of vertical forces (y points up)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "planar_mass", tags("body"))]
pub struct PlanarMass<S> {
    /// Mass.
    #[param(symbol = "m", unit = "kg", min = 1e-12)]
    pub mass: S,
    /// Horizontal position at the start.
    #[param(symbol = "x(0)", unit = "m", default = 0.0)]
    pub x: S,
    /// Vertical position at the start.
    #[param(symbol = "y(0)", unit = "m", default = 0.0)]
    pub y: S,
    /// Horizontal velocity at the start.
    #[param(symbol = "ẋ(0)", unit = "m/s", default = 0.0)]
    pub vx: S,
    /// Vertical velocity at the start.
    #[param(symbol = "ẏ(0)", unit = "m/s", default = 0.0)]
    pub vy: S,
}
