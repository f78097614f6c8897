//! Flexible cables on drums and pulleys, with stick-slip friction.
//!
//! A planar cable in absolute nodal coordinates (place and slope at each node) touches circular drums at its nodes
//! and is held there by friction:
//!
//! ```text
//! M a = Q(q, v, t) + Aᵀ F,   F_i = −μ N_i h(v_i/ε + h(λ_i/(μ N_i))),   W λ = A M⁻¹ Q − b
//! ```
//!
//! | type | role |
//! |---|---|
//! | [`FlexibleCable`], [`EndCondition`], [`CableDrum`], [`DrumDrive`], [`CableSignal`] | what the cable is, what holds it, what it lies on, what moves |
//! | [`CableDamping`], [`damping_force`] | what internal damping acts on; its force on an element, in any number type |
//! | [`Friction`], [`Sigmoid`] | Quinn, CDQ, Karnopp through the holding force, or any law of the catalogue |
//! | [`CableSystem`], [`CableState`] | the cable made ready for computing; where it is |
//! | [`Path`], [`arc_over`], [`Statics`] | lay it over its drums, let it come to rest |
//! | [`LimitLoad`] | the largest load before it slips |
//! | [`GeneralisedAlpha`], [`GeneralisedAlphaRun`] | motion of a cable alone in even steps, as published; mechanisms move theirs by `bristle-solve` |
//! | [`contacts`], [`carried`], [`tension`], [`end_tension`], [`energy`], [`frequencies`] | what to look at |
//! | [`capstan::MasslessCapstan`] | the massless capstan in closed form |
//!
//! ```
//! use bristle_cable::*;
//!
//! // A hoist: two masses over a pulley turned by a servo.
//! let target = CableSignal::Cycloid { amplitude: 0.1, duration: 1.0 };
//! let drive = DrumDrive::Servo { kp: 100.0, kd: 20.0, target };
//! let drum = CableDrum { friction: Friction::quinn(0.25, 0.01), drive, ..CableDrum::new([0.0, 0.0], 0.25) };
//! let end = EndCondition { mass: 10.0, ..EndCondition::default() };
//! let system = CableSystem::new(FlexibleCable { ends: [end.clone(), end], drums: vec![drum], ..FlexibleCable::default() })?;
//! let mut start = system.state(arc_over(system.cable(), 0, 2e-4))?;
//! Statics::default().solve(&system, &mut start)?;
//! let mut run = GeneralisedAlphaRun::new(&system, GeneralisedAlpha::default(), start)?;
//! run.advance_to(0.1)?;
//! assert!(contacts(&system, &run.state).len() > 10);
//! # Ok::<(), CableError>(())
//! ```
//!
//! Limits: planar; one straight line of equal elements; contact at nodes (their place on a drum moves a limit
//! load by up to one per cent on coarse meshes; points inside elements are for cables beside mechanisms); drum centres stand still; the published internal damping
//! ([`CableDamping::Slope`]) also resists rigid rotation, that of the strain does not. Cost is proportional to the number of nodes for any number of contacts, and steps
//! allocate nothing once the largest number of contacts has been seen.

mod assembly;
mod blocks;
mod border;
mod bristles;
pub mod capstan;
pub mod contact;
mod damping;
mod delassus;
mod drum;
mod elastic;
pub mod element;
mod element_forces;
mod error;
mod friction;
mod generalised_alpha;
mod lay;
mod limit;
mod model;
mod modes;
mod newton;
mod observe;
mod points;
mod settle;
mod sigmoid;
mod signal;
mod small;
mod state;
mod statics;
mod system;

pub use assembly::{ActiveFriction, Assembly, TouchingNode, Weights};
pub use blocks::Tridiagonal;
pub use damping::{CableDamping, damping_force};
pub use drum::{CableDrum, DrumDrive, Sense};
pub use elastic::{CableNode, Elastic, Strain};
pub use element_forces::{ElementForces, ElementMatrix, ElementSlopes};
pub use error::CableError;
pub use friction::{Friction, RopePull};
pub use generalised_alpha::{GeneralisedAlpha, GeneralisedAlphaRun, RunCost};
pub use lay::{LayError, Path, Waypoint, arc_over, lay_over};
pub use limit::{LimitLoad, LimitSolution};
pub use model::{EndCondition, FlexibleCable, Support};
pub use modes::frequencies;
pub use newton::NewtonWorkspace;
pub use observe::{Energy, NodeContact, carried, contacts, end_tension, energy, tension};
pub use points::{ContactPoint, PointTerm};
pub use settle::settle;
pub use sigmoid::{Sigmoid, cubic};
pub use signal::{CableSignal, Function};
pub use state::CableState;
pub use statics::{Rest, Statics};
pub use system::CableSystem;
