use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice};

/// A drum, pulley or capstan, with a fixed centre or carried by a body.
///
/// ```text
/// δ = R − |r − r₀| > 0:   N = max(0, k δⁿ (1 + D δ̇));   friction from the law at slip speed t·v − s ω R
/// ```
///
/// It stands still, follows `angle`, turns freely if it has an `inertia`, is turned by a `drum_servo` or a
/// `drum_motor`, or turns as one with a `rotor`: a shaft that drives, springs, clutches and gears turn. A drum that feels its
/// cable is a rotor itself, so that brakes, gears and torques may name it. Positive angles are clockwise. A drum the cable passes clockwise, on top from left to right, is
/// `along`; one that it passes the other way round, below from left to right, is `against`. Laws that read the holding
/// force (`quinn`, `cdq`, `karnopp`) hold without creep; any velocity or bristle law of the catalogue works as well.
/// A drum is as hard as its `stiffness`: a cable that sinks in by more than 2 % of the radius is warned of.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "drum",
    cite = "westin2020",
    tags("cable"),
    entry(name = "on", part, optional, doc = "The body that carries it; `x` and `y` then count from there."),
    entry(
        name = "rotor",
        part,
        optional,
        doc = "The rotor, drive or anchor it turns with as one; several drums may share it."
    ),
    entry(name = "law", table = "law", optional, doc = "The friction law; none makes the drum smooth."),
    entry(
        name = "angle",
        table = "signal",
        unit = "rad",
        optional,
        doc = "Angle over time, of a drum that is turned as given."
    )
)]
pub struct Drum<S> {
    /// Centre, to the right.
    #[param(symbol = "x_0", unit = "m", default = 0.0)]
    pub x: S,
    /// Centre, upwards.
    #[param(symbol = "y_0", unit = "m", default = 0.0)]
    pub y: S,
    /// Radius to the cable's centre line.
    #[param(symbol = "R", unit = "m", min = 1e-6, max = 1e6)]
    pub radius: S,
    /// Whole turns of the cable besides the part its way needs; they share one plane.
    #[param(symbol = "w", unit = "1", default = 0.0, min = 0.0, max = 50.0, whole)]
    pub turns: S,
    /// Inertia of a drum that turns freely; left out, it does not feel the cable.
    #[param(symbol = "J", unit = "kg m^2", default = f64::NAN, min = 1e-12)]
    pub inertia: S,
    /// Friction of its bearing, if it turns freely.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub bearing: S,
    /// Contact stiffness: the force at a penetration of 1 m, so that the number is `k` in N/mⁿ.
    #[param(symbol = "k (1 m)ⁿ", unit = "N", default = 5e6, min = 1e-6)]
    pub stiffness: S,
    /// Exponent of the penetration.
    #[param(symbol = "n", unit = "1", default = 1.5, min = 1.0, max = 4.0)]
    pub exponent: S,
    /// Contact damping.
    #[param(symbol = "D", unit = "s/m", default = 1.0, min = 0.0)]
    pub damping: S,
    /// Whether the cable passes it clockwise, so that positive angles carry the surface along, or the other way round.
    #[choice("along", "against")]
    pub sense: Choice,
}

// Ropes are built from all their parts together.
impl Part for Drum<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Drum;
}
