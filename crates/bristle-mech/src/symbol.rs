//! How a part looks in a picture of its mechanism.

/// What a part is drawn as. Whoever adds a part names its symbol; whoever adds a symbol draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A body on a line.
    Block,
    /// A body in the plane.
    Point,
    /// A body on wheels under its rail.
    Trolley,
    /// What stands still.
    Wall,
    /// A surface, or a cart, that moves as prescribed.
    Belt,
    /// A disc that turns.
    Rotor,
    /// A shaft that turns as prescribed.
    Motor,
    /// A coil.
    Spring,
    /// A coil whose stiffness is no number.
    VariableSpring,
    /// A piston in a cylinder.
    Damper,
    /// A coil and a piston in a row.
    SpringDamper,
    /// A line that pulls.
    Rope,
    /// A gap with stops on both sides.
    Gap,
    /// A stop.
    Stop,
    /// A disc between magnets.
    Magnet,
    /// Surfaces that rub.
    Contact,
    /// A rope wound round a post.
    Capstan,
    /// A clutch that lets one way through.
    Freewheel,
    /// Wheels that mesh.
    Gear,
    /// A wheel on a rack.
    Rack,
    /// A beam on a pivot.
    Lever,
    /// A weight's arrow.
    Gravity,
    /// An arrow.
    Force,
    /// A bent arrow.
    Torque,
    /// A box with a sign of its own.
    Controller,
    /// A cable in its true shape.
    Cable,
    /// What is at the end of a cable.
    CableEnd,
    /// A disc with a spoke, where and as large as it is.
    Drum,
}

impl Symbol {
    /// Whether it stands for a body, to which others are joined.
    pub fn is_body(self) -> bool {
        use Symbol::{Belt, Block, Drum, Motor, Point, Rotor, Trolley, Wall};
        matches!(self, Block | Point | Trolley | Wall | Belt | Rotor | Motor | Drum)
    }
}
