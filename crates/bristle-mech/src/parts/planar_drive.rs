use crate::builder::{Builder, Placed};
use crate::coordinate::{Coordinate, Follows};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A surface that moves in the plane as prescribed: a belt in any direction, a table that is shaken.
///
/// ```text
/// x(t) = x + vx t + ∫ velocity_x dt,   y(t) = y + vy t + ∫ velocity_y dt
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "planar_drive",
    tags("body"),
    entry(
        name = "velocity_x",
        table = "signal",
        unit = "m/s",
        optional,
        doc = "Velocity along x over time, added to `vx`."
    ),
    entry(
        name = "velocity_y",
        table = "signal",
        unit = "m/s",
        optional,
        doc = "Velocity along y over time, added to `vy`."
    )
)]
pub struct PlanarDrive<S> {
    /// Constant velocity along x.
    #[param(symbol = "v_x", unit = "m/s", default = 0.0)]
    pub vx: S,
    /// Constant velocity along y.
    #[param(symbol = "v_y", unit = "m/s", default = 0.0)]
    pub vy: S,
    /// Position along x at the start.
    #[param(symbol = "x(0)", unit = "m", default = 0.0)]
    pub x: S,
    /// Position along y at the start.
    #[param(symbol = "y(0)", unit = "m", default = 0.0)]
    pub y: S,
}

impl Part for PlanarDrive<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Belt;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        let mut along = |velocity: &str, v: &str, q: &str| {
            let signal = builder.signal(part, velocity)?.map(|signal| (signal, Follows::Velocity));
            Ok(Coordinate::Driven { v: Some(part.place(v)), q: Some(part.place(q)), signal, way: None })
        };
        let (x, y) = (along("velocity_x", "vx", "x")?, along("velocity_y", "vy", "y")?);
        builder.add_body(part, Line::Straight, None, x, Some(y));
        Ok(())
    }
}
