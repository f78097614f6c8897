use crate::builder::{Builder, Placed};
use crate::coordinate::{Coordinate, Follows};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A shaft or table whose turning is prescribed.
///
/// ```text
/// φ(t) = angle + ∫ speed dt,   or   φ(t) = angle(t) + speed t
/// ```
///
/// Speed or angle is a number or a signal; not both of them are signals.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rotary_drive", tags("body", "rotary"))]
pub struct RotaryDrive<S> {
    /// Angular velocity: a number, or a signal.
    #[param(symbol = "ω", unit = "rad/s", default = 0.0, signal)]
    pub speed: S,
    /// Angle at the start, or a signal of the angle.
    #[param(symbol = "φ(0)", unit = "rad", default = 0.0, signal)]
    pub angle: S,
}

impl Part for RotaryDrive<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Motor;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let (speed, angle) = (builder.given(part, "speed")?, builder.given(part, "angle")?);
        let x = match (speed, angle) {
            (Given::Number(v), Given::Number(q)) => {
                Coordinate::Driven { v: Some(v), q: Some(q), signal: None, way: None }
            }
            (Given::Signal(signal), Given::Number(q)) => {
                let signal = Some((*signal, Follows::Velocity));
                Coordinate::Driven { v: None, q: Some(q), signal, way: None }
            }
            (Given::Number(v), Given::Signal(signal)) => {
                let signal = Some((*signal, Follows::Position));
                Coordinate::Driven { v: Some(v), q: None, signal, way: None }
            }
            _ => return Err(part.fault("angle", "a drive follows a speed or an angle, not both")),
        };
        builder.add_body(part, Line::Rotary, None, x, None);
        Ok(())
    }
}
