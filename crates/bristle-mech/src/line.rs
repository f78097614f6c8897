//! Lines: what a coordinate measures.

/// How something moves along its coordinate: to and fro, or round and round.
///
/// What a part joins must move on lines of one kind; units of outputs and inertia follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Along a straight line: metres, newtons, kilograms.
    Straight,
    /// About an axis: radians, newton metres, kilogram square metres.
    Rotary,
    /// The ground, which does not move on either.
    Still,
}

impl Line {
    /// Names and units of position and velocity.
    pub fn motion(self) -> [(&'static str, &'static str); 2] {
        match self {
            Line::Rotary => [("angle", "rad"), ("speed", "rad/s")],
            Line::Straight | Line::Still => [("q", "m"), ("v", "m/s")],
        }
    }

    /// Name and unit of the acceleration.
    pub fn acceleration(self) -> (&'static str, &'static str) {
        match self {
            Line::Rotary => ("acceleration", "rad/s^2"),
            Line::Straight | Line::Still => ("a", "m/s^2"),
        }
    }

    /// Whether parts along lines of these kinds can be joined.
    pub fn goes_with(self, other: Line) -> bool {
        self == other || self == Line::Still || other == Line::Still
    }

    /// What a body on it does.
    pub fn verb(self) -> &'static str {
        match self {
            Line::Straight => "moves along a line",
            Line::Rotary => "turns about an axis",
            Line::Still => "stands still",
        }
    }
}
