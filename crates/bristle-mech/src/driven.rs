//! What moves as a signal or a constant says, and what that makes of the equations.

use crate::contact::Load;
use crate::coordinate::{Coordinate, Follows};
use crate::element::Element;
use crate::one_way::OneWay;
use crate::signals::Signal;
use crate::system::System;

impl System {
    /// Whether its equations depend on time: through a signal that is not constant, whenever it changes, or through an element
    /// that is stretched by a drive.
    pub fn depends_on_time(&self, p: &[f64]) -> bool {
        let is_driven = |c: &usize| self.prescribed_velocity(*c, p, 0.0).is_some_and(|v| v != 0.0);
        let moves = |c: usize| self.sources(&c).iter().any(is_driven);
        let is_stretched = || self.position_pairs().into_iter().flatten().any(moves);
        self.signals().any(|s| !s.is_constant(p)) || self.frame.is_none() && is_stretched()
    }

    /// Pairs of coordinates of whose positions something reads the difference.
    pub(crate) fn position_pairs(&self) -> Vec<[usize; 2]> {
        let elements = self.elements.iter().flat_map(|e| e.action.pairs());
        let contacts = self.contacts.iter().flat_map(|c| match (&c.load, &c.one_way) {
            (Load::Wrapped(capstan), _) => capstan.ropes.iter().map(|(ends, _)| *ends).collect(),
            (_, Some(OneWay { at: Some(_), .. })) => vec![c.ends],
            _ => Vec::new(),
        });
        elements.chain(contacts).collect()
    }

    /// All signals of drives, servos, elements, loads, ends of ropes and numbers.
    pub(crate) fn signals(&self) -> impl Iterator<Item = &Signal> {
        let drives = self.coordinates.iter().filter_map(|c| match c {
            Coordinate::Driven { signal: Some((signal, _)), .. } | Coordinate::Servo { signal, .. } => {
                Some(signal)
            }
            _ => None,
        });
        let elements = self.elements.iter().flat_map(|e| e.action.signals());
        let loads = self.contacts.iter().map(|c| &c.load).chain(self.planar.iter().map(|c| &c.load));
        let loads = loads.filter_map(Load::signal);
        let ends = self.ropes.iter().flat_map(|r| &r.ends).flat_map(|e| e.force.iter().flatten());
        let numbers = self.followed.iter().map(|f| &f.signal);
        drives.chain(elements).chain(loads).chain(ends).chain(numbers)
    }

    /// Whether a coordinate moves as a signal says.
    pub(crate) fn follows_signal(&self, coordinate: usize) -> bool {
        self.sources(&coordinate).iter().any(|c| {
            let coordinate = &self.coordinates[*c];
            matches!(coordinate, Coordinate::Driven { signal: Some(_), .. } | Coordinate::Servo { .. })
        })
    }

    /// The coordinates that one follows, or itself.
    pub(crate) fn sources<'a>(&'a self, coordinate: &'a usize) -> &'a [usize] {
        self.coordinates[*coordinate].sources().unwrap_or(std::slice::from_ref(coordinate))
    }

    /// The velocity that a drive or guide prescribes for a coordinate itself at time `t`.
    pub(crate) fn prescribed_velocity(&self, coordinate: usize, p: &[f64], t: f64) -> Option<f64> {
        match &self.coordinates[coordinate] {
            Coordinate::Free { .. }
            | Coordinate::Servo { .. }
            | Coordinate::Follower { .. }
            | Coordinate::OnRope { .. } => None,
            Coordinate::Fixed { .. } => Some(0.0),
            Coordinate::Driven { v, signal, .. } => {
                let constant = v.map_or(0.0, |v| p[v]);
                Some(signal.as_ref().map_or(constant, |(signal, follows)| {
                    let jet = signal.jet(p, t);
                    constant + if *follows == Follows::Velocity { jet.value } else { jet.rate }
                }))
            }
        }
    }
}
