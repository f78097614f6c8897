//! What can be wrong with a mechanism.

use crate::line::Line;
use thiserror::Error;

/// Why parts do not make a system. Every variant names the part, so that a scenario can point at it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MechError {
    /// A number that is missing or lies outside its range.
    #[error("`{part}.{field}` is {value}; it must lie between {} and {}", range[0], range[1])]
    Range {
        /// The part.
        part: String,
        /// Which of its numbers.
        field: String,
        /// What it is; not a number if it was not given.
        value: f64,
        /// The smallest and the largest value.
        range: [f64; 2],
    },
    /// A name that belongs to no part.
    #[error("part `{part}` names `{name}`, which does not exist")]
    NoSuchPart {
        /// The part with the reference.
        part: String,
        /// Which of its fields.
        field: String,
        /// The name that was not found.
        name: String,
        /// A name that is near.
        hint: Option<String>,
    },
    /// A reference to a part that is no body.
    #[error("part `{part}` names `{name}`, which is not a body")]
    NotABody {
        /// The part with the reference.
        part: String,
        /// Which of its fields.
        field: String,
        /// The name that is no body.
        name: String,
    },
    /// Both ends on one body.
    #[error("part `{part}` joins `{name}` to itself")]
    SelfJoined {
        /// The part.
        part: String,
        /// The body.
        name: String,
    },
    /// Two parts of one name.
    #[error("two parts are named `{name}`")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A planar element on a body that moves along a line only.
    #[error("part `{part}` works in the plane, but `{name}` moves along a line only")]
    NotPlanar {
        /// The part.
        part: String,
        /// The body.
        name: String,
    },
    /// An element along a line on a body that moves in the plane.
    #[error("part `{part}` acts along a line, but `{name}` moves in the plane")]
    Planar {
        /// The part.
        part: String,
        /// Its kind.
        kind: &'static str,
        /// Which of its fields names the body.
        field: &'static str,
        /// The body.
        name: String,
    },
    /// A body that moves to and fro where one that turns is wanted, or the other way round.
    #[error("part `{part}` goes with what {}, but `{name}` {}", wanted.verb(), moves.verb())]
    WrongLine {
        /// The part.
        part: String,
        /// Which of its fields names the body.
        field: &'static str,
        /// The body.
        name: String,
        /// How the body moves.
        moves: Line,
        /// How it would have to move.
        wanted: Line,
        /// A way out.
        hint: Box<str>,
    },
    /// A contact of rotors without a radius, or of bodies on a line with one.
    #[error(
        "contact `{part}` {}",
        if *is_given { "has a radius, but its bodies move along a line" } else { "of rotors has no radius" }
    )]
    Radius {
        /// The contact.
        part: String,
        /// Whether there is a radius.
        is_given: bool,
    },
    /// A force on something that cannot move.
    #[error("part `{part}` pushes `{name}`, which cannot move")]
    Immovable {
        /// The part.
        part: String,
        /// What it pushes.
        name: String,
    },
    /// Two ends that neither can move.
    #[error("part `{part}` joins `{first}` and `{second}`, of which neither can move")]
    NothingMoves {
        /// The part.
        part: String,
        /// One end.
        first: String,
        /// The other end.
        second: String,
    },
    /// A contact whose load is not known.
    #[error("contact `{part}` has no normal load")]
    NoLoad {
        /// The contact.
        part: String,
    },
    /// A load beside a law that is given in forces.
    #[error("contact `{part}` has a normal load, but its law is given in forces")]
    LoadAndForces {
        /// The contact.
        part: String,
    },
    /// A kind no catalogue knows.
    #[error("part `{part}` has unknown kind `{kind}`")]
    UnknownKind {
        /// The part.
        part: String,
        /// The kind.
        kind: String,
    },
    /// A law whose parameters contradict each other.
    #[error("law `{law}` of contact `{part}`: {fault}")]
    Law {
        /// The contact.
        part: String,
        /// The law.
        law: String,
        /// What is wrong.
        fault: &'static str,
    },
    /// A drive with both a position and a velocity, or a force without a signal.
    #[error("part `{part}`: {fault}")]
    Signal {
        /// The part.
        part: String,
        /// Which of its fields.
        field: String,
        /// What is wrong.
        fault: &'static str,
    },
    /// A second part of a kind of which there is one.
    #[error("part `{part}` is a second part of kind `{kind}`; the first is `{first}`")]
    Second {
        /// The part.
        part: String,
        /// Its kind.
        kind: &'static str,
        /// The first of that kind.
        first: String,
    },
    /// A cable, an end of one, a drum or a coupling that does not fit.
    #[error("part `{part}`: {reason}")]
    Misfit {
        /// The part.
        part: String,
        /// Which of its fields.
        field: &'static str,
        /// What is wrong.
        reason: String,
        /// A way out.
        hint: String,
    },
    /// Nothing that could move.
    #[error("there is no body that can move")]
    Empty,
}

impl MechError {
    /// The part that is at fault, if it is one.
    pub fn part(&self) -> Option<&str> {
        match self {
            MechError::Range { part, .. }
            | MechError::NoSuchPart { part, .. }
            | MechError::NotABody { part, .. }
            | MechError::SelfJoined { part, .. }
            | MechError::NotPlanar { part, .. }
            | MechError::Planar { part, .. }
            | MechError::WrongLine { part, .. }
            | MechError::Radius { part, .. }
            | MechError::Immovable { part, .. }
            | MechError::NothingMoves { part, .. }
            | MechError::NoLoad { part }
            | MechError::LoadAndForces { part }
            | MechError::UnknownKind { part, .. }
            | MechError::Law { part, .. }
            | MechError::Signal { part, .. }
            | MechError::Misfit { part, .. }
            | MechError::Second { part, .. } => Some(part),
            MechError::Duplicate { name } => Some(name),
            MechError::Empty => None,
        }
    }

    /// The other part it names, if it does.
    pub fn named(&self) -> Option<&str> {
        match self {
            MechError::NoSuchPart { name, .. } | MechError::NotABody { name, .. } => Some(name),
            _ => None,
        }
    }
}
