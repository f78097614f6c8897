//! What moves as a signal or a constant says, and what that makes of the equations.

use crate::parts::{AnyElement, Element};
use crate::system::{Coordinate, Follows, System};

impl System {
    /// Whether its equations depend on time: through a signal that is not constant, whenever it changes, or through an element
    /// that is stretched by a drive.
    pub fn depends_on_time(&self, p: &[f64]) -> bool {
        let varies = |c: &Coordinate| matches!(c, Coordinate::Driven { signal: Some((s, _)), .. } if !s.is_constant(p));
        let moves = |c: usize| self.prescribed_velocity(c, p, 0.0).is_some_and(|v| v != 0.0);
        let pushes = |e: &AnyElement| {
            let is_stretched = e.reads_positions() && e.coordinates().into_iter().any(moves);
            is_stretched || e.signal().is_some_and(|s| !s.is_constant(p))
        };
        self.coordinates.iter().any(varies) || self.elements.iter().any(pushes)
    }

    /// Whether a coordinate moves as a signal says.
    pub(crate) fn follows_signal(&self, coordinate: usize) -> bool {
        matches!(self.coordinates[coordinate], Coordinate::Driven { signal: Some(_), .. })
    }

    /// The velocity that a drive or guide prescribes for a coordinate at time `t`.
    pub(crate) fn prescribed_velocity(&self, coordinate: usize, p: &[f64], t: f64) -> Option<f64> {
        match &self.coordinates[coordinate] {
            Coordinate::Free { .. } => None,
            Coordinate::Fixed { .. } => Some(0.0),
            Coordinate::Driven { v, signal, .. } => {
                Some(signal.as_ref().map_or(p[*v], |(signal, follows)| {
                    let jet = signal.jet(p, t);
                    p[*v] + if *follows == Follows::Velocity { jet.value } else { jet.rate }
                }))
            }
        }
    }
}
