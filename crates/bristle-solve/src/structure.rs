//! Linear systems of a [`Dynamics`](crate::Dynamics) that knows its own structure better than a full or banded matrix.

use crate::Point;
use std::fmt;

/// The systems `(s·1 − J) x = b` of a step, `J = ∂f/∂x` of all states, quadratures included, solved in the system's
/// own way: a chain of thousands of states beside a few bodies costs as much as it is long.
pub trait Structure: Send {
    /// Finds `J` at a point; writes the rates `f` there and their slopes in time `∂f/∂t`.
    fn linearise(&mut self, at: Point<f64>, rates: &mut [f64], slopes: &mut [f64]);

    /// Writes the guards at the point linearised last, and their rates along a motion with these rates.
    fn guard_rates(&mut self, at: Point<f64>, rates: &[f64], g: &mut [f64], dg: &mut [f64]);

    /// Factorises `s·1 − J`; false if it is singular.
    fn factorise(&mut self, shift: f64) -> bool;

    /// Solves in place with the factors found last.
    fn solve(&mut self, b: &mut [f64]);

    /// The same for another run, or another point.
    fn boxed(&self) -> Box<dyn Structure>;
}

/// A structure that can be copied and shown, as matrices can.
pub(crate) struct Own(pub Box<dyn Structure>);

impl Clone for Own {
    fn clone(&self) -> Self {
        Own(self.0.boxed())
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Own")
    }
}
