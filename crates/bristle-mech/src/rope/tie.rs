//! What moves the end of a rope.

use super::System;
use crate::coupled::Transmission;
use crate::system::{Coordinate, Short, SystemEval};
use bristle_core::Scalar;

/// What an end is tied to.
#[derive(Clone, Debug)]
pub(crate) enum Tie {
    /// A body: its coordinates with the directions in which they move the end, and what is added to them.
    Body { along: Vec<(usize, [f64; 2])>, offset: Offset },
    /// The rim of a drum, at this angle from its crown while the drum has not turned.
    Rim { drum: usize, angle: f64 },
}

/// Where an end sits relative to its body.
#[derive(Clone, Debug)]
pub(crate) enum Offset {
    /// Parameters; none is nothing.
    Given([Option<usize>; 2]),
    /// What is left of a start place once the signals that move the end have their start values.
    Fixed([f64; 2]),
}

/// An end that something moves.
#[derive(Clone, Debug)]
pub(crate) struct TieMotion<S> {
    pub(crate) place: [S; 2],
    pub(crate) velocity: [S; 2],
    /// Coordinates that feel the end, free ones and followers, and the directions in which they move it.
    pub(crate) felt_by: Short<(usize, [S; 2]), 3>,
    /// Free coordinates, those behind followers among them, and the directions in which they move the end.
    pub(crate) free: Short<(usize, [S; 2]), 3>,
    /// The same of coordinates that are prescribed.
    pub(crate) given: Short<(usize, [S; 2]), 3>,
    /// The part of its acceleration that free coordinates have no share in.
    pub(crate) bias: [S; 2],
}

impl Tie {
    /// The coordinates that move the end.
    pub(crate) fn coordinates(&self, system: &System) -> Vec<usize> {
        match self {
            Tie::Body { along, .. } => along.iter().map(|(c, _)| *c).collect(),
            Tie::Rim { drum, .. } => {
                let drum = &system.drums[*drum];
                drum.carrier.into_iter().flatten().chain([drum.rotor]).collect()
            }
        }
    }

    /// Where the end is and how it moves.
    pub(crate) fn motion<S: Scalar>(&self, system: &System, p: &[S], flow: &SystemEval<S>) -> TieMotion<S> {
        let zero = [S::zero(); 2];
        let mut out = TieMotion {
            place: zero,
            velocity: zero,
            felt_by: Short::new(),
            free: Short::new(),
            given: Short::new(),
            bias: zero,
        };
        match self {
            Tie::Body { along, offset } => {
                out.place = match offset {
                    Offset::Given(places) => places.map(|p_of| {
                        let value = p_of.map_or_else(S::zero, |i| p[i]);
                        if value.value().is_nan() { S::zero() } else { value }
                    }),
                    Offset::Fixed(place) => place.map(S::from),
                };
                for &(c, direction) in along {
                    let direction = direction.map(S::from);
                    for k in 0..2 {
                        out.place[k] += direction[k] * flow.q[c];
                    }
                    out.add(system, c, direction, flow);
                }
            }
            Tie::Rim { drum, angle } => {
                let drum = &system.drums[*drum];
                let motion = drum.motion(p, flow);
                let radius = drum.numbers(p).radius;
                let turned = flow.q[drum.rotor] + *angle;
                let (sin, cos) = (turned.sin(), turned.cos());
                let spin = flow.v[drum.rotor];
                out.place = [motion.centre[0] + radius * sin, motion.centre[1] + radius * cos];
                for (k, c) in drum.carrier.into_iter().flatten().enumerate() {
                    let mut direction = zero;
                    direction[k] = S::one();
                    out.add(system, c, direction, flow);
                }
                out.add(system, drum.rotor, [radius * cos, -(radius * sin)], flow);
                let inwards = radius * spin * spin;
                out.bias[0] -= inwards * sin;
                out.bias[1] -= inwards * cos;
            }
        }
        out
    }

    /// The derivatives of an end's motion with the states of the mechanism: see [`TieSlopes`].
    pub(crate) fn slopes(
        &self,
        system: &System,
        p: &[f64],
        flow: &SystemEval<f64>,
        a: &[f64],
    ) -> Vec<TieSlopes> {
        let mut out = Vec::new();
        match self {
            Tie::Body { along, .. } => {
                for &(c, direction) in along {
                    out.extend(TieSlopes::along(system, c, direction, p));
                }
            }
            Tie::Rim { drum, angle } => {
                let drum = &system.drums[*drum];
                for (k, c) in drum.carrier.into_iter().flatten().enumerate() {
                    let mut direction = [0.0; 2];
                    direction[k] = 1.0;
                    out.extend(TieSlopes::along(system, c, direction, p));
                }
                let radius = drum.numbers(p).radius;
                let (sin, cos) = (flow.q[drum.rotor] + angle).sin_cos();
                let (first, second) = ([radius * cos, -radius * sin], [-radius * sin, -radius * cos]);
                let (spin, rate) = (flow.v[drum.rotor], a[drum.rotor]);
                for (q, v, by) in system.states_behind(drum.rotor, p) {
                    let mut slopes = TieSlopes::new([q, v], first.map(|x| by * x));
                    for k in 0..2 {
                        slopes.velocity_by_q[k] = by * second[k] * spin;
                        slopes.acceleration_by_q[k] = by * (second[k] * rate - first[k] * spin * spin);
                        slopes.acceleration_by_v[k] = by * 2.0 * second[k] * spin;
                    }
                    out.push(slopes);
                }
            }
        }
        out
    }
}

/// How an end moves with position and velocity of one coordinate that has states; its acceleration apart from that of the
/// coordinate itself, which moves it along `direction`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TieSlopes {
    /// Places of position and velocity among the states.
    pub(crate) q: usize,
    pub(crate) v: usize,
    pub(crate) direction: [f64; 2],
    pub(crate) velocity_by_q: [f64; 2],
    pub(crate) acceleration_by_q: [f64; 2],
    pub(crate) acceleration_by_v: [f64; 2],
}

impl TieSlopes {
    /// Of an end that the states behind a coordinate move along a direction.
    fn along<'a>(
        system: &System,
        coordinate: usize,
        direction: [f64; 2],
        p: &'a [f64],
    ) -> impl Iterator<Item = TieSlopes> + use<'a> {
        let behind = system.states_behind(coordinate, p).into_iter();
        behind.map(move |(q, v, by)| TieSlopes::new([q, v], direction.map(|x| by * x)))
    }

    fn new([q, v]: [usize; 2], direction: [f64; 2]) -> TieSlopes {
        let zero = [0.0; 2];
        TieSlopes { q, v, direction, velocity_by_q: zero, acceleration_by_q: zero, acceleration_by_v: zero }
    }
}

impl<S: Scalar> TieMotion<S> {
    /// Adds a coordinate that moves the end along a direction.
    fn add(&mut self, system: &System, c: usize, direction: [S; 2], flow: &SystemEval<S>) {
        for k in 0..2 {
            self.velocity[k] += direction[k] * flow.v[c];
        }
        match &system.coordinates[c] {
            Coordinate::Free { .. } => {
                self.felt_by.push((c, direction));
                self.free.push((c, direction));
            }
            Coordinate::Follower { sources, .. } => {
                self.felt_by.push((c, direction));
                let rows = flow.transmission.iter().flat_map(Transmission::rows);
                for (_, row) in rows.filter(|(follower, _)| *follower == c) {
                    let free = sources.iter().filter(|s| !system.is_prescribed(**s));
                    self.free.extend(free.map(|s| (*s, direction.map(|x| x * row[*s]))));
                }
                self.accelerate(direction, flow.a[c]);
            }
            _ => {
                self.given.push((c, direction));
                self.accelerate(direction, flow.a[c]);
            }
        }
    }

    /// Adds what prescribed motion makes of its acceleration.
    fn accelerate(&mut self, direction: [S; 2], rate: S) {
        for k in 0..2 {
            self.bias[k] += direction[k] * rate;
        }
    }
}
