//! The catalogue of parts: one file each, a card and, for a force element, the force.

use crate::signals::Signal;
use bristle_core::{Card, Described, Scalar};

mod anchor;
mod cable;
mod cable_end;
mod capstan;
mod contact;
mod damper;
mod drive;
mod drum;
mod drum_motor;
mod drum_servo;
mod force;
mod gravity;
mod mass;
mod planar_contact;
mod planar_mass;
mod segment;
mod spring;
mod trolley;

pub use capstan::CapstanLoad;
pub use damper::DamperElement;
pub use drum_motor::DrumMotorElement;
pub use force::ForceElement;
pub use gravity::GravityElement;
pub use segment::SegmentElement;
pub use spring::SpringElement;

/// Positions and velocities of all coordinates, and the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a, S> {
    /// Time.
    pub t: S,
    /// Positions of all coordinates.
    pub q: &'a [S],
    /// Velocities of all coordinates.
    pub v: &'a [S],
    /// Parameters.
    pub p: &'a [S],
}

/// What an element exchanges with the outside or loses, per second.
#[derive(Clone, Copy, Debug)]
pub struct Power<S> {
    /// Put in from outside.
    pub input: S,
    /// Turned into heat.
    pub loss: S,
}

impl<S: Scalar> Power<S> {
    /// Neither.
    pub fn none() -> Self {
        Power { input: S::zero(), loss: S::zero() }
    }
}

/// Something that puts forces on coordinates.
pub trait Element {
    /// Adds its forces to `f`, one per coordinate, and says what power it takes.
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S>;

    /// The energy it stores.
    fn potential<S: Scalar>(&self, _at: &Motion<S>) -> S {
        S::zero()
    }

    /// Whether it loses energy by itself.
    fn dissipates(&self) -> bool {
        false
    }

    /// The signals it follows.
    fn signals(&self) -> Vec<&Signal> {
        Vec::new()
    }

    /// Whether its forces depend on where its coordinates are.
    fn reads_positions(&self) -> bool {
        false
    }

    /// The coordinates it couples.
    fn coordinates(&self) -> Vec<usize>;
}

/// Makes the catalogue of parts from one list.
macro_rules! parts {
    ($($file:ident :: $part:ident),* $(,)?) => {
        $(pub use $file::$part;)*

        /// Which part of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PartKind {
            $(#[doc = concat!("See [`", stringify!($part), "`](struct@", stringify!($part), ").")] $part,)*
        }

        impl PartKind {
            /// Every part, in the order of the catalogue.
            pub const ALL: &'static [PartKind] = &[$(PartKind::$part),*];

            /// The part's card.
            pub fn card(self) -> Card {
                match self { $(PartKind::$part => <$part<f64> as Described>::CARD,)* }
            }
        }
    };
}

parts! {
    mass::Mass,
    planar_mass::PlanarMass,
    trolley::Trolley,
    anchor::Anchor,
    drive::Drive,
    spring::Spring,
    damper::Damper,
    segment::Segment,
    gravity::Gravity,
    force::Force,
    contact::Contact,
    planar_contact::PlanarContact,
    capstan::Capstan,
    cable::Cable,
    cable_end::CableEnd,
    drum::Drum,
    drum_servo::DrumServo,
    drum_motor::DrumMotor,
}

impl PartKind {
    /// The part of that name.
    pub fn named(name: &str) -> Option<PartKind> {
        Self::ALL.iter().copied().find(|kind| kind.card().name == name)
    }

    /// Whether the part belongs to a cable on drums, which is no mechanism of bodies and elements.
    pub fn is_of_cable(self) -> bool {
        self.card().tags.contains(&"cable")
    }
}

/// Makes the enum over all force elements.
macro_rules! elements {
    ($($element:ident),* $(,)?) => {
        /// An element of the catalogue, its ends resolved to coordinates.
        #[derive(Clone, Debug)]
        pub enum AnyElement {
            $(#[doc = concat!("See [`", stringify!($element), "`].")] $element($element),)*
        }

        $(impl From<$element> for AnyElement {
            fn from(element: $element) -> Self { AnyElement::$element(element) }
        })*

        impl Element for AnyElement {
            #[inline]
            fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
                match self { $(AnyElement::$element(e) => e.apply(at, f),)* }
            }
            fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
                match self { $(AnyElement::$element(e) => e.potential(at),)* }
            }
            fn dissipates(&self) -> bool {
                match self { $(AnyElement::$element(e) => e.dissipates(),)* }
            }
            fn signals(&self) -> Vec<&Signal> {
                match self { $(AnyElement::$element(e) => e.signals(),)* }
            }
            fn reads_positions(&self) -> bool {
                match self { $(AnyElement::$element(e) => e.reads_positions(),)* }
            }
            fn coordinates(&self) -> Vec<usize> {
                match self { $(AnyElement::$element(e) => e.coordinates(),)* }
            }
        }
    };
}

elements! { SpringElement, DamperElement, SegmentElement, GravityElement, ForceElement, DrumMotorElement }
