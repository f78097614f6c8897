//! The catalogue of parts: one file each with the card, what it becomes in a mechanism, and the forces it puts on it.

use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::coupled::Coupling;
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::part::Part;
use crate::planar::ResolvedPlanarContact;
use crate::symbol::Symbol;
use bristle_core::{Card, Described, Mode, Scalar};

mod anchor;
mod backlash;
mod brake;
mod cable;
mod cable_end;
mod capstan;
mod clutch;
mod contact;
mod cubic_spring;
mod damper;
mod drive;
mod drum;
mod drum_motor;
mod drum_servo;
mod eddy_brake;
mod force;
mod freewheel;
mod gear;
mod gravity;
mod hard_stop;
mod lever;
mod linear_eddy_brake;
mod mass;
mod maxwell_element;
mod pid;
mod planar_contact;
mod planar_drive;
mod planar_mass;
mod planetary;
mod rack;
mod rotary_anchor;
mod rotary_drive;
mod rotary_hard_stop;
mod rotary_pid;
mod rotary_sampled_pid;
mod rotary_stop;
mod rotor;
mod sampled_pid;
mod segment;
mod spring;
mod stop;
mod table_spring;
mod tether;
mod torque;
mod torsion_cubic_spring;
mod torsion_damper;
mod torsion_spring;
mod torsion_table_spring;
mod trolley;

pub use capstan::CapstanLoad;
pub(crate) use drum_motor::DrumMotorElement;

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

            /// What it is drawn as.
            pub fn symbol(self) -> Symbol {
                match self { $(PartKind::$part => <$part<f64> as Part>::SYMBOL,)* }
            }

            /// See [`Part::IS_SINGLE`].
            pub(crate) fn is_single(self) -> bool {
                match self { $(PartKind::$part => <$part<f64> as Part>::IS_SINGLE,)* }
            }

            /// See [`Part::place`].
            pub(crate) fn place(self, builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
                match self { $(PartKind::$part => <$part<f64> as Part>::place(builder, part),)* }
            }

            /// See [`Part::act`].
            pub(crate) fn act(self, builder: &mut Builder, part: &Placed) -> Result<Option<AnyElement>, MechError> {
                Ok(match self {
                    $(PartKind::$part => <$part<f64> as Part>::act(builder, part)?.map(AnyElement::$part),)*
                })
            }

            /// See [`Part::touch`].
            pub(crate) fn touch(
                self,
                builder: &mut Builder,
                part: &Placed,
            ) -> Result<Option<ResolvedContact>, MechError> {
                match self { $(PartKind::$part => <$part<f64> as Part>::touch(builder, part),)* }
            }

            /// See [`Part::touch_in_plane`].
            pub(crate) fn touch_in_plane(
                self,
                builder: &mut Builder,
                part: &Placed,
            ) -> Result<Option<ResolvedPlanarContact>, MechError> {
                match self { $(PartKind::$part => <$part<f64> as Part>::touch_in_plane(builder, part),)* }
            }

            /// See [`Part::couple`].
            pub(crate) fn couple(self, builder: &mut Builder, part: &Placed) -> Result<Option<Coupling>, MechError> {
                match self { $(PartKind::$part => <$part<f64> as Part>::couple(builder, part),)* }
            }
        }

        /// The force element of a part, its ends resolved to coordinates.
        #[derive(Clone, Debug)]
        pub(crate) enum AnyElement {
            $($part(<$part<f64> as Part>::Action),)*
        }

        /// Asks whichever element it is.
        macro_rules! of_any {
            ($any:expr, $element:ident => $answer:expr) => {
                match $any { $(AnyElement::$part($element) => $answer,)* }
            };
        }

        impl Element for AnyElement {
            #[inline]
            fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
                of_any!(self, e => e.apply(at, f))
            }
            fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
                of_any!(self, e => e.potential(at))
            }
            fn dissipates(&self) -> bool {
                of_any!(self, e => e.dissipates())
            }
            fn signals(&self) -> Signals<'_> {
                of_any!(self, e => e.signals())
            }
            fn pairs(&self) -> Vec<[usize; 2]> {
                of_any!(self, e => e.pairs())
            }
            fn pushes(&self) -> bool {
                of_any!(self, e => e.pushes())
            }
            fn coordinates(&self) -> Vec<usize> {
                of_any!(self, e => e.coordinates())
            }
            fn states(&self) -> &'static [Named] {
                of_any!(self, e => e.states())
            }
            fn initial(&self, at: &Motion<f64>, z: &mut [f64]) {
                of_any!(self, e => e.initial(at, z));
            }
            fn rates<S: Scalar>(&self, at: &Motion<S>, dz: &mut [S]) {
                of_any!(self, e => e.rates(at, dz));
            }
            fn guard_count(&self) -> usize {
                of_any!(self, e => e.guard_count())
            }
            fn guards<S: Scalar>(&self, at: &Motion<S>, g: &mut [S]) {
                of_any!(self, e => e.guards(at, g));
            }
            fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
                of_any!(self, e => e.settle(at, mode));
            }
            fn switch(&self, fired: usize, at: &Motion<f64>, z: &mut [f64], mode: &mut [Mode]) {
                of_any!(self, e => e.switch(fired, at, z, mode));
            }
            fn outputs(&self) -> &'static [Named] {
                of_any!(self, e => e.outputs())
            }
            fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
                of_any!(self, e => e.observe(at))
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
    planar_drive::PlanarDrive,
    spring::Spring,
    cubic_spring::CubicSpring,
    table_spring::TableSpring,
    tether::Tether,
    damper::Damper,
    maxwell_element::MaxwellElement,
    segment::Segment,
    gravity::Gravity,
    force::Force,
    contact::Contact,
    planar_contact::PlanarContact,
    capstan::Capstan,
    rotor::Rotor,
    rotary_anchor::RotaryAnchor,
    rotary_drive::RotaryDrive,
    torsion_spring::TorsionSpring,
    torsion_cubic_spring::TorsionCubicSpring,
    torsion_table_spring::TorsionTableSpring,
    torsion_damper::TorsionDamper,
    backlash::Backlash,
    eddy_brake::EddyBrake,
    linear_eddy_brake::LinearEddyBrake,
    torque::Torque,
    clutch::Clutch,
    brake::Brake,
    freewheel::Freewheel,
    gear::Gear,
    rack::Rack,
    lever::Lever,
    planetary::Planetary,
    stop::Stop,
    hard_stop::HardStop,
    rotary_stop::RotaryStop,
    rotary_hard_stop::RotaryHardStop,
    pid::Pid,
    rotary_pid::RotaryPid,
    sampled_pid::SampledPid,
    rotary_sampled_pid::RotarySampledPid,
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

#[cfg(test)]
mod catalogue_tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_in_the_catalogue() {
        crate::catalogue::check("parts", include_str!("mod.rs"), &[], |name| PartKind::named(name).is_some());
    }

    /// The page on adding a part shows one as it is.
    #[test]
    fn the_manual_shows_a_part_as_it_is_written() {
        let page = include_str!("../../../../docs/src/add_a_part.md");
        assert!(
            page.contains(include_str!("eddy_brake.rs")),
            "docs/src/add_a_part.md shows another eddy_brake.rs"
        );
    }
}
