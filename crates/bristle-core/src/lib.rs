//! What every other crate of bristle speaks: numbers, cards, modes and units. No physics, no files.
//!
//! | type | role |
//! |---|---|
//! | [`Scalar`] | the number type of equations: `f64`, or one of the following |
//! | [`Dual`] | a number that carries exact derivatives |
//! | [`Lanes`] | several numbers that go through an equation together |
//! | [`Enclosure`] | what a number and its rate can be over a stretch of time |
//! | [`Card`](struct@Card) | the self-description of anything a user can name |
//! | [`Params`] | a described struct that can be built from a slice of numbers |
//! | [`Mode`] | stick, or slide in a direction |
//! | [`units`] | `"5 mm/s"` → 0.005, checked for dimension |
//!
//! ```
//! use bristle_core::{Scalar, units};
//!
//! fn kinetic<S: Scalar>(m: S, v: S) -> S {
//!     m * v * v * 0.5
//! }
//! let v = units::parse("5 mm/s", "m/s").unwrap();
//! assert_eq!(kinetic(2.0, v), 2.5e-5);
//! ```

// The derive macro writes `::bristle_core::…`; inside this crate that name must exist as well.
extern crate self as bristle_core;

mod card;
mod dual;
mod enclosure;
mod lanes;
mod mode;
mod scalar;
pub mod units;

pub use bristle_derive::Card;
pub use card::{
    Card, Choice, Described, Field, Kind, Params, Role, StateCard, StateRole, join_fields, nearest,
};
pub use dual::{Dual, derivative, partial, seed};
pub use enclosure::{Enclosure, Truth};
pub use lanes::{LaneMask, Lanes};
pub use mode::Mode;
pub use scalar::Scalar;
