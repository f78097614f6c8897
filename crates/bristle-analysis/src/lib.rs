//! Will it squeal? Equilibria, stability maps, Hopf points with a verdict, stick-slip cycles and attractors of any
//! [`Dynamics`](bristle_solve::Dynamics).
//!
//! ```text
//! 0 = f(x, p)                      equilibria, branches, boundaries, maps
//! ξ = P(ξ, p),  P the return map   cycles, their branches, multipliers
//! ```
//!
//! Derivatives are exact throughout: Jacobians, second and third derivatives for normal forms, and variational
//! equations with jumps at switches come from the same text as the rates. States are measured in units of
//! [`Dynamics::scales`](bristle_solve::Dynamics::scales); quadratures and states nothing depends on are left out.
//!
//! | module | question |
//! |---|---|
//! | [`steady`] | Where does it rest or slide steadily, and how stably? |
//! | [`branch`] | What happens to that when a parameter changes? |
//! | [`hopf`] | Is the onset gentle or does the motion jump? |
//! | [`boundary`], [`map`] | Where is the onset in a plane of two parameters? |
//! | [`section`], [`shooting`], [`orbit`], [`find_orbits`] | Which cycles are there, stable or not? |
//! | [`cycles`] | What happens to a cycle when a parameter changes? |
//! | [`cycle_map`](mod@cycle_map), [`batch`] | How large are cycles in a plane of two parameters? |
//! | [`attractor`], [`sweep`], [`lyapunov`] | What do motions settle to, from which starts? |
//! | [`tones`] | At which frequencies does a motion vibrate? |
//! | [`phases`] | How long does a cycle stick, accelerate, decelerate? |
//!
//! ```
//! use bristle_analysis::branch::hopf_near;
//! use bristle_solve::problems::{Belt, belt};
//!
//! let block = Belt::two_state();
//! let p = block.with(&[(belt::V_B, 3.1)]);
//! let onset = hopf_near(&block, &p, &block.sliding(&p), belt::V_B).unwrap();
//! assert!((onset.steady.p[belt::V_B] - 2.9958075695).abs() < 1e-9);
//! assert!(onset.verdict.to_string().starts_with("subcritical: the local boundary is not safe"));
//! ```
//!
//! Limits: the rates must not depend on time; cycles are followed one section at a time (no tori, no homoclinic
//! orbits); two-parameter curves are followed for Hopf points alone; matrices are dense.

pub mod active_states;
pub mod attractor;
pub mod batch;
pub mod boundary;
pub mod branch;
mod collector;
mod continuation;
pub mod cycle_map;
pub mod cycles;
mod eigenvalues;
mod error;
pub mod find_orbits;
pub mod hopf;
pub mod linear;
pub mod lyapunov;
pub mod map;
pub mod orbit;
pub mod phases;
mod range;
pub mod section;
pub mod sensitivity;
mod settling;
pub mod shooting;
pub mod steady;
pub mod sweep;
pub mod tones;
mod variation;

pub use continuation::{ContinuationSettings, CurveEnd};
pub use error::AnalysisError;
