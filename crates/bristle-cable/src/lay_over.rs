//! Laying a cable over its drums from end to end, with tails that hang where no place is given.

use crate::drum::Sense;
use crate::elastic::Node;
use crate::error::CableError;
use crate::lay::{Path, Waypoint, arc_over};
use crate::model::{FlexibleCable, Support};

/// Why a cable cannot be laid.
#[derive(Clone, Debug, PartialEq)]
pub enum LayError {
    /// A held end without a place.
    NoPlace {
        /// Which end.
        end: usize,
    },
    /// The cable does not fit its way.
    Cable(CableError),
}

/// How deep a cable over a crown is laid into its drum, m: near the depth at which contact carries it.
const DEPTH: f64 = 2e-4;

/// Lays the cable over its drums, each with its extra turns, between its ends; gives its nodes and the length of the arc
/// on each drum.
pub fn lay_over(
    cable: &FlexibleCable,
    over: &[(usize, usize)],
    places: [Option<[f64; 2]>; 2],
) -> Result<(Vec<Node>, Vec<f64>), LayError> {
    for end in 0..2 {
        if cable.ends[end].support != Support::Free && places[end].is_none() {
            return Err(LayError::NoPlace { end });
        }
    }
    let [first, last] = places;
    if let ([(drum, 0)], None, None) = (over, first, last)
        && cable.drums[*drum].sense == Sense::Along
    {
        let half = 0.5 * std::f64::consts::PI * cable.drums[*drum].radius;
        return if cable.length > 2.0 * half {
            Ok((arc_over(cable, *drum, DEPTH), vec![2.0 * half]))
        } else {
            Err(LayError::Cable(CableError::TooShort { path: 2.0 * half, length: cable.length }))
        };
    }
    // An end without a place hangs down from its drum.
    let below = |drum: usize, side: f64, tail: f64| {
        let body = &cable.drums[drum];
        [body.centre[0] + side * body.sense.sign() * body.radius, body.centre[1] - tail]
    };
    let stations = |tail: f64| {
        let start = match (first, over.first()) {
            (Some(place), _) => place,
            (None, Some((drum, _))) => below(*drum, -1.0, tail),
            (None, None) => [0.0, 0.0],
        };
        let end = match (last, over.last()) {
            (Some(place), _) => place,
            (None, Some((drum, _))) => below(*drum, 1.0, tail),
            (None, None) => [start[0], start[1] - cable.length],
        };
        let mut list = vec![Waypoint::Point(start)];
        list.extend(over.iter().map(|&(index, turns)| Waypoint::Drum { index, turns }));
        list.push(Waypoint::Point(end));
        list
    };
    let tails = usize::from(first.is_none()) + usize::from(last.is_none());
    let mut tail = 1.0;
    if tails > 0 && !over.is_empty() {
        let path = Path::through(cable, &stations(tail)).length();
        tail += (cable.length - path) / tails as f64;
        if tail <= 0.0 {
            let path = path - tails as f64;
            return Err(LayError::Cable(CableError::TooShort { path, length: cable.length }));
        }
    }
    let path = Path::through(cable, &stations(tail));
    Ok((path.lay(cable).map_err(LayError::Cable)?, path.arcs()))
}
