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
//! | [`PartKind`] | which part of the catalogue in [`parts`]; each file says what its part becomes in a mechanism |
//! | [`Line`] | whether a body moves along a line or turns about an axis |
//! | [`Given`] | a number of a part that is constant or follows a signal |
//! | [`SignalKind`] | which time function of the catalogue in [`signals`] |
//! | [`LiveRun`], [`LiveInput`] | a mechanism that moves by somebody else's clock, and what can be set on the way |
//! | [`System`] | parts assembled; implements [`Dynamics`](bristle_solve::Dynamics) |
//! | [`stick`] | who sticks: the stick forces of all resting contacts solved together |
//!
//! Every coordinate is free (a state), fixed, driven or coupled to others, which it follows, and measures a way or an angle; elements add forces to coordinates; the
//! force that ends on a fixed coordinate is the reaction of its guide.

mod acting;
mod assemble;
mod asymmetry;
mod band;
mod builder;
#[cfg(test)]
mod catalogue;
mod channels;
mod contact;
mod coordinate;
mod coupled;
mod cuts;
mod derived;
mod disc;
mod driven;
mod dynamics;
mod element;
mod error;
mod feed_forward;
mod followed;
mod frame;
mod gate;
mod geared_cut;
mod given;
mod grain;
mod holding;
mod inputs;
mod invariant;
mod islands;
mod joined;
mod line;
pub mod live;
pub mod mechanism;
mod mesh;
mod mobility;
mod one_way;
mod order;
mod outcomes;
mod params;
mod part;
pub mod parts;
mod piecewise;
mod planar;
mod polygon;
mod rope;
mod run;
mod scales;
pub mod signals;
mod spec;
mod split;
mod step_limits;
pub mod stick;
mod symbol;
mod system;

pub use channels::{FreeMotion, OutputChannel};
pub use contact::{Load, ResolvedContact};
pub use error::MechError;
pub use given::Given;
pub use inputs::LiveInput;
pub use line::Line;
pub use live::{LiveError, LiveRun};
pub use mechanism::Mechanism;
pub use params::{Param, ParamList};
pub use parts::PartKind;
pub use planar::ResolvedPlanarContact;
pub use rope::{CableAlone, DrumContact, DrumShape, PointContact, RopeShape, drum_friction};
pub use signals::{Signal, SignalKind};
pub use spec::Spec;
pub use symbol::Symbol;
pub use system::System;
