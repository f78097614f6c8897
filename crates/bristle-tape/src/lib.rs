//! Equations recorded once: sparse exact derivatives of any order, a fast interpreter, C text.
//!
//! Equations written for any [`Scalar`](bristle_core::Scalar) are run once with [`Symbol`]s. What is left is a graph of the
//! terms that matter, from which programs are made:
//!
//! ```text
//! y = f(x, p)      ∂y/∂x, ∂y/∂p, ∂²y/∂x∂p, …      ẏ along a direction
//! ```
//!
//! | type | role |
//! |---|---|
//! | [`record`] | runs equations with symbols |
//! | [`Symbol`] | the number that remembers how it came about |
//! | [`Recording`] | inputs, outputs and terms; makes derivatives and programs |
//! | [`Graph`] | the terms, each of them once |
//! | [`Derivatives`], [`Pattern`] | terms of derivatives, and where they are in the matrix |
//! | [`Program`] | straight-line code; [`Room`] and [`LaneBlock`] hold its numbers for one state, for many, [`Bound`] runs it in a row |
//! | [`Assumptions`] | what was decided while recording, to be checked when parameters change |
//!
//! ```
//! use bristle_core::Scalar;
//!
//! // A pendulum: x = (angle, rate), p = (g/l).
//! let mut pendulum = bristle_tape::record(&[0.1, 0.0], &[9.81], |x, p| vec![x[1], -p[0] * x[0].sin()]).unwrap();
//! let (rates, states) = (pendulum.outputs().to_vec(), pendulum.variables().to_vec());
//! let slopes = pendulum.derivatives(&rates, &states);
//! assert_eq!(slopes.pattern.entries, [(0, 1), (1, 0)]);
//! let program = pendulum.program(&slopes.terms).unwrap();
//! let mut y = [0.0; 2];
//! program.run(&mut program.room(&[9.81]), &[0.0, 2.0], &mut y);
//! assert_eq!(y, [1.0, -9.81]);
//! ```
//!
//! Limits: a program holds at most 65,536 numbers at a time, and loops that depend on values cannot be recorded: whoever asks
//! for the value of a term makes the recording fail.

mod assumptions;
mod batch;
mod block;
mod branches;
mod c;
mod derivative;
mod graph;
mod instruction;
#[cfg(feature = "jit")]
mod machine;
mod operation;
mod places;
mod program;
mod recorder;
mod recording;
mod schedule;
mod symbol;

pub use assumptions::Assumptions;
pub use block::LaneBlock;
pub use derivative::Pattern;
pub use graph::{Graph, Node, Reach, Term};
#[cfg(feature = "jit")]
pub use machine::allow_machine_code;
pub use operation::{Binary, Unary};
pub use program::{Bound, Program, ProgramError, Room, RoomIn};
pub use recording::{Derivatives, Recording, RecordingError, record};
pub use symbol::{Condition, Symbol};
