//! Coordinates: the directions in which bodies can be displaced, and who says how they move.

use crate::frame::Frame;
use crate::line::Line;
use crate::signals::Signal;
use crate::system::{System, SystemEval, nothing};
use bristle_core::Scalar;
use bristle_solve::Point;

/// One direction in which a body can be displaced.
#[derive(Clone, Debug)]
pub(crate) enum Coordinate {
    /// A state: places of position and velocity among the states, of the inertia among the parameters, and of position and
    /// velocity at the start, which are zero without.
    Free { q: usize, v: usize, mass: usize, start: Option<[usize; 2]> },
    /// Held by a guide or anchor; the place of its position among the parameters, if it has one.
    Fixed { q: Option<usize> },
    /// Prescribed: places of constant velocity and start position, if it has them, and the signal added to them. Where its
    /// velocity is set from outside, `way` is the place among the states of what that has made of its position.
    Driven { v: Option<usize>, q: Option<usize>, signal: Option<(Signal, Follows)>, way: Option<usize> },
    /// Turned by a servo that feels no force: places of position and velocity among the states, where the gains start among the
    /// parameters, and the wanted position.
    Servo { q: usize, v: usize, first: usize, signal: Signal },
    /// Coupled to others, which it follows: the place of its inertia among the parameters, those of position and velocity at the
    /// start, and the coordinates it follows.
    Follower { mass: usize, start: Option<[usize; 2]>, sources: Vec<usize> },
}

impl Coordinate {
    /// A state with the places of its inertia and, where it has them, of position and velocity at the start.
    pub(crate) fn free(mass: usize, start: Option<[usize; 2]>) -> Self {
        Coordinate::Free { q: 0, v: 0, mass, start }
    }

    /// The coordinates it follows, if it is coupled to others.
    pub(crate) fn sources(&self) -> Option<&[usize]> {
        match self {
            Coordinate::Follower { sources, .. } => Some(sources),
            _ => None,
        }
    }

    /// Where it is at the start.
    fn start<S: Scalar>(&self, p: &[S]) -> S {
        let number = |place: Option<usize>| place.map_or_else(S::zero, |i| p[i]);
        match self {
            Coordinate::Free { start, .. } | Coordinate::Follower { start, .. } => {
                number(start.map(|s| s[0]))
            }
            Coordinate::Fixed { q } => number(*q),
            Coordinate::Servo { .. } => S::zero(),
            Coordinate::Driven { q, signal, .. } => match signal {
                Some((signal, Follows::Position)) => number(*q) + signal.jet(p, S::zero()).value,
                _ => number(*q),
            },
        }
    }
}

/// What a drive's signal prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Velocity,
    Position,
}

/// A body: its name and its coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    /// What its coordinate measures.
    pub(crate) line: Line,
    /// The coordinate along the line, or horizontal, or the angle.
    pub(crate) x: usize,
    /// The vertical coordinate, where there is one.
    pub(crate) y: Option<usize>,
    /// Place of the inertia among the parameters.
    pub(crate) mass: Option<usize>,
}

impl Body {
    /// Whether its coordinate is an angle.
    pub(crate) fn rotates(&self) -> bool {
        self.line == Line::Rotary
    }
}

impl System {
    /// Positions, velocities and prescribed accelerations of all coordinates.
    pub(crate) fn motion<S: Scalar>(&self, at: &Point<S>, flow: &mut SystemEval<S>) {
        self.motion_from(at, self.frame.as_ref(), flow);
    }

    /// The same of states that are measured in a frame, or as they are.
    pub(crate) fn motion_from<S: Scalar>(
        &self,
        at: &Point<S>,
        frame: Option<&Frame>,
        flow: &mut SystemEval<S>,
    ) {
        for coordinate in &self.coordinates {
            let (q, v, a) = match coordinate {
                Coordinate::Free { q, v, .. } => (at.x[*q], at.x[*v], S::zero()),
                Coordinate::Fixed { q } => (q.map_or_else(S::zero, |i| at.p[i]), S::zero(), S::zero()),
                // Known once those are that it follows.
                Coordinate::Follower { .. } => (coordinate.start(at.p), S::zero(), S::zero()),
                Coordinate::Servo { q, v, first, signal } => {
                    let (q, v) = (at.x[*q], at.x[*v]);
                    let (kp, kd, jet) = (at.p[*first], at.p[*first + 1], signal.jet(at.p, at.t));
                    (q, v, kp * (jet.value - q) + kd * (jet.rate - v))
                }
                Coordinate::Driven { v, q, signal, way } => {
                    let number = |place: Option<usize>| place.map_or_else(S::zero, |i| at.p[i]);
                    let (v, q) = (number(*v), number(*q));
                    // In a frame that moves with it a drive stays where it is.
                    let steady = if self.frame.is_some() { S::zero() } else { v * at.t };
                    match signal {
                        None => (q + steady, v, S::zero()),
                        Some((signal, follows)) => {
                            let jet = signal.jet(at.p, at.t);
                            match follows {
                                Follows::Velocity => {
                                    let moved = way.map_or(jet.integral, |place| at.x[place]);
                                    (q + v * at.t + moved, v + jet.value, jet.rate)
                                }
                                Follows::Position => (q + v * at.t + jet.value, v + jet.rate, jet.second),
                            }
                        }
                    }
                }
            };
            flow.q.push(q);
            flow.v.push(v);
            flow.a.push(a);
            flow.f.push(nothing());
        }
        flow.drift.extend_from_slice(&flow.v);
        if let Some(frame) = frame {
            frame.leave(self, at.p, flow);
        }
        if !self.couplings.is_empty() {
            self.follow(at.p, flow);
        }
    }

    /// Moves followers with those they follow.
    fn follow<S: Scalar>(&self, p: &[S], flow: &mut SystemEval<S>) {
        let transmission = self.transmission(p);
        for (follower, row) in transmission.rows() {
            for &c in self.coordinates[follower].sources().unwrap_or(&[]) {
                let (way, v, a) = (flow.q[c] - self.coordinates[c].start(p), flow.v[c], flow.a[c]);
                flow.q[follower] += row[c] * way;
                flow.v[follower] += row[c] * v;
                flow.a[follower] += row[c] * a;
            }
        }
        flow.transmission = Some(transmission);
    }

    /// The velocity of a coordinate at the start.
    pub(crate) fn start_velocity(&self, coordinate: usize, p: &[f64]) -> f64 {
        match &self.coordinates[coordinate] {
            Coordinate::Free { start, .. } => start.map_or(0.0, |[_, v]| p[v]),
            _ => self.prescribed_velocity(coordinate, p, 0.0).unwrap_or(0.0),
        }
    }

    /// The inertia of a coordinate that forces move.
    #[inline]
    pub(crate) fn mass<S: Scalar>(&self, coordinate: usize, p: &[S]) -> Option<S> {
        match self.coordinates[coordinate] {
            Coordinate::Free { mass, .. } | Coordinate::Follower { mass, .. } => Some(p[mass]),
            _ => None,
        }
    }

    /// Whether the motion of a coordinate is given, whatever the forces; one that follows others need not be.
    pub(crate) fn is_prescribed(&self, coordinate: usize) -> bool {
        !matches!(self.coordinates[coordinate], Coordinate::Free { .. } | Coordinate::Follower { .. })
    }
}
