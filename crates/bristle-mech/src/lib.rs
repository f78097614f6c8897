//! Mechanisms: bodies, springs, drives and contacts, assembled into a [`System`] that can be integrated.
//!
//! ```text
//! m q̈ = springs + dampers + gravity + forces − friction(law, slip rate, load)
//! ```
//!
//! | type | role |
//! |---|---|
//! | [`Mechanism`] | a mechanism written in Rust, part by part |
//! | [`Spec`] | what a part is told: numbers in the order of its card, names of other parts |
//! | [`PartKind`] | which part of the catalogue in [`parts`] |
//! | [`SignalKind`] | which time function of the catalogue in [`signals`] |
//! | [`System`] | parts assembled; implements [`Dynamics`](bristle_solve::Dynamics) |
//! | [`stick`] | who sticks: the stick forces of all resting contacts solved together |
//!
//! Every coordinate is free (a state), fixed or driven; elements add forces to coordinates; the force that ends on
//! a fixed coordinate is the reaction of its guide.

mod assemble;
mod band;
mod channels;
mod driven;
mod error;
mod holding;
mod invariant;
mod joined;
pub mod mechanism;
mod outcomes;
pub mod parts;
mod planar;
mod rope;
mod run;
mod scales;
pub mod signals;
mod spec;
mod split;
mod step_limits;
pub mod stick;
mod system;

pub use channels::OutputChannel;
pub use error::MechError;
pub use mechanism::Mechanism;
pub use parts::PartKind;
pub use planar::ResolvedPlanarContact;
pub use rope::{DrumContact, DrumShape, RopeShape, drum_named, drums_passed, is_lone_cable, turned_once};
pub use signals::{Signal, SignalKind};
pub use spec::Spec;
pub use system::{Load, Param, ParamList, ResolvedContact, System};
