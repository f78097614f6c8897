use bristle_core::Card;

/// A controlled motor that turns a drum and feels the cable.
///
/// ```text
/// J ω̇ = τ(t) + K_p (θ_d(t) − θ) + K_d (θ̇_d(t) − ω) − d ω − Σ s R F
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drum_motor",
    tags("cable"),
    entry(name = "turns", part, doc = "The drum it turns."),
    entry(name = "angle", table = "signal", optional, doc = "Wanted angle over time; zero unless given."),
    entry(name = "torque", table = "signal", optional, doc = "Torque over time besides the control.")
)]
pub struct DrumMotor<S> {
    /// Inertia of drum, gear and rotor, seen at the drum.
    #[param(symbol = "J", unit = "kg m^2", min = 1e-12)]
    pub inertia: S,
    /// Gain of the angle.
    #[param(symbol = "K_p", unit = "N m/rad", default = 0.0, min = 0.0)]
    pub kp: S,
    /// Gain of the speed.
    #[param(symbol = "K_d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub kd: S,
    /// Friction of the bearing.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub bearing: S,
}
