//! Friction laws: one file each in [`laws`], written once and generic over the number.
//!
//! | type | role |
//! |---|---|
//! | [`Law`] | a friction law: force and state rates, optionally a set-valued rest, guards and switches |
//! | [`At`] | where a contact is: slip rate, normal load, holding force, modes |
//! | [`InPlane`] | the same for a body that slides in a plane |
//! | [`AnyLaw`] | a law of the catalogue with its parameters |
//! | [`LawKind`] | which law of the catalogue |
//! | [`WrittenDraft`] | a law somebody wrote as text, with formulas whose units are checked |
//! | [`GuestLaw`] | a law of another crate, written in Rust |
//! | [`Bristles`] | a contact with its memory, for somebody else's loop |
//! | [`ParameterSet`] | published numbers of a law for a contact |
//! | [`fixed_step::kernel`] | a law's step of fixed length for real time, if it has one |
//!
//! The force is positive against positive sliding. Bristle stiffness and damping are absolute (N/m, N s/m);
//! friction levels are coefficient × normal load.
//!
//! ```
//! use bristle_law::{At, Law, laws::LuGre};
//!
//! let law = LuGre::default();
//! let mut dz = [0.0];
//! let force = law.eval(&At::sliding(0.1, 5.0), &[1e-6], &mut dz);
//! assert!(force.is_finite());
//! ```

mod bristles;
mod entered;
pub mod fixed_step;
mod guest;
mod law;
pub mod laws;
mod maxwell;
mod piecewise;
mod plane;
mod rate_state;
pub mod sets;
pub mod step;
pub mod stribeck;
mod written;

pub use bristle_tape::Symbol;
pub use bristles::Bristles;
pub use fixed_step::FixedStep;
pub use guest::{Guest, GuestError, GuestLaw};
pub use law::{At, Law, OPEN};
pub use laws::{AnyLaw, LawKind};
pub use maxwell::Shares;
pub use plane::{InPlane, dot, length, states_in_plane};
pub use rate_state::RateState;
pub use sets::{ParameterSet, SetOrigin};
pub use written::{
    DraftEvent, DraftParameter, DraftState, Expression, Written, WrittenDraft, WrittenError, WrittenLaw,
};
