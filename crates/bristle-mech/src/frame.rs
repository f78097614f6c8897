//! Frames that move along with a mechanism that moves on for ever.
//!
//! A drill string turns, a block is towed at constant speed, two blocks slide down together: nothing but differences of positions
//! matters, and these can be steady. For every difference that something reads,
//!
//! ```text
//! D_a − D_b = 0,   D = 0 for what is fixed, D = v for a drive, D = Σ T D for what follows others
//! ```
//!
//! is solved for the velocities `D` at which all that is read stays as it is. What follows from drives is taken off positions and
//! velocities; where a group drifts at a speed of its own, positions count from one of its bodies, whose own position then has no
//! effect.

use crate::coordinate::{Coordinate, Follows};
use crate::coupled::Transmission;
use crate::holding::{eliminate, largest_from};
use crate::system::{System, SystemEval};
use bristle_core::Scalar;
use bristle_solve::Recordings;

/// Less than this is what rounding leaves of an equation.
const NOTHING: f64 = 1e-9;

/// What a frame goes by: the pairs of coordinates whose difference is read, and the free coordinates behind them.
#[derive(Clone, Debug)]
pub(crate) struct MovingFrame {
    pairs: Vec<[usize; 2]>,
    free: Vec<usize>,
    /// Which column each equation is solved for, and where the equation stands then: chosen once, so that the frame can be recorded.
    pivots: Vec<(usize, usize)>,
}

/// How fast the frame of each free coordinate moves: a speed from drives, and those of others with their factors.
struct Drifts<S> {
    of: Vec<Drift<S>>,
}

/// A free coordinate, its speed from drives, and the others it goes by with their factors.
type Drift<S> = (usize, S, Vec<(usize, S)>);

impl MovingFrame {
    /// A frame that goes by these pairs, or nothing where no motion leaves all differences as they are.
    fn new(system: &System, p: &[f64], pairs: Vec<[usize; 2]>, free: Vec<usize>) -> Option<MovingFrame> {
        let mut frame = MovingFrame { pairs, free, pivots: Vec::new() };
        let (n, mut rows) = (frame.free.len(), frame.equations(system, p));
        // The last coordinates are measured from the first.
        frame.pivots = eliminate(&mut rows, (0..n).rev(), largest_from(NOTHING));
        let is_solved = rows[frame.pivots.len()..].iter().all(|row| row[n].abs() <= NOTHING);
        is_solved.then_some(frame)
    }

    /// An equation for each pair: factors of the free coordinates, then what drives add.
    fn equations<S: Scalar>(&self, system: &System, p: &[S]) -> Vec<Vec<S>> {
        let (n, transmission) = (self.free.len(), system.transmission(p));
        let equation = |[a, b]: &[usize; 2]| {
            let mut row = vec![S::zero(); n + 1];
            for (c, sign) in [(*a, 1.0), (*b, -1.0)] {
                self.add(system, p, &transmission, c, S::from(sign), &mut row);
            }
            row
        };
        self.pairs.iter().map(equation).collect()
    }

    fn drifts<S: Scalar>(&self, system: &System, p: &[S]) -> Drifts<S> {
        let (n, mut rows) = (self.free.len(), self.equations(system, p));
        let mut chosen = self.pivots.iter().map(|(_, row)| *row);
        eliminate(&mut rows, self.pivots.iter().map(|(column, _)| *column), |_, _, _| chosen.next());
        let is_solved = |k: &usize| self.pivots.iter().any(|(column, _)| column == k);
        let of = self.pivots.iter().zip(&rows).map(|(&(column, _), row)| {
            let scaled = |k: usize| -(row[k] / row[column]);
            let others = (0..n).filter(|k| !is_solved(k));
            (self.free[column], scaled(n), others.map(|k| (self.free[k], scaled(k))).collect())
        });
        Drifts { of: of.collect() }
    }

    /// Adds the velocity of a coordinate to an equation.
    fn add<S: Scalar>(
        &self,
        system: &System,
        p: &[S],
        transmission: &Transmission<S>,
        c: usize,
        factor: S,
        row: &mut [S],
    ) {
        match &system.coordinates[c] {
            Coordinate::Free { .. } => {
                if let Some(place) = self.free.iter().position(|free| *free == c) {
                    row[place] += factor;
                }
            }
            Coordinate::Driven { v: Some(v), .. } => row[self.free.len()] += factor * p[*v],
            Coordinate::Follower { sources, .. } => {
                let found = transmission.rows().find(|(follower, _)| *follower == c);
                for &source in sources {
                    let share = found.map_or_else(S::zero, |(_, row)| row[source]);
                    self.add(system, p, transmission, source, factor * share, row);
                }
            }
            _ => {}
        }
    }

    /// Turns what is measured in the frame into positions and velocities.
    pub(crate) fn leave<S: Scalar>(&self, system: &System, p: &[S], flow: &mut SystemEval<S>) {
        let drifts = self.drifts(system, p);
        for (c, speed, _) in &drifts.of {
            flow.v[*c] += *speed;
        }
        let (q, v) = (flow.q.clone(), flow.v.clone());
        for (c, speed, others) in &drifts.of {
            flow.drift[*c] = v[*c] - *speed;
            for (other, factor) in others {
                flow.q[*c] += *factor * q[*other];
                flow.drift[*c] -= *factor * v[*other];
            }
        }
    }

    /// Adds the speeds of the frame to velocities, or takes them off.
    pub(crate) fn shift(&self, system: &System, p: &[f64], x: &mut [f64], sign: f64) {
        for (c, speed, _) in self.drifts(system, p).of {
            if let Coordinate::Free { v, .. } = system.coordinates[c] {
                x[v] += sign * speed;
            }
        }
    }
}

impl System {
    /// The same system seen from a frame that moves along with it, if there is one and it moves; also what positions count from,
    /// for each body whose position does not count from a place that stays.
    pub fn moving_along(&self, p: &[f64]) -> Option<(System, Vec<(String, String)>)> {
        let is_free = |c: &usize| matches!(self.coordinates[*c], Coordinate::Free { .. });
        let pairs = self.position_pairs();
        let mut free: Vec<usize> =
            pairs.iter().flatten().flat_map(|c| self.sources(c)).copied().filter(is_free).collect();
        free.sort_unstable();
        free.dedup();
        let follows_position = |c: &Coordinate| {
            matches!(c, Coordinate::Driven { signal: Some((_, Follows::Position | Follows::Velocity)), .. })
        };
        if self.has_ropes()
            || self.coordinates.iter().any(|c| follows_position(c) || matches!(c, Coordinate::Servo { .. }))
        {
            return None;
        }
        let frame = MovingFrame::new(self, p, pairs, free)?;
        let drifts = frame.drifts(self, p);
        let counts_from = drifts.of.iter().filter_map(|(c, speed, others)| {
            let name =
                |c: usize| self.bodies.iter().find(|b| b.x == c || b.y == Some(c)).map(|b| b.name.clone());
            let drive = || self.drives_behind(&frame, *c).and_then(name);
            let mut others = others.iter().filter(|(_, factor)| *factor != 0.0);
            let first = others.next();
            let from = first.map_or_else(drive, |(other, _)| name(*other));
            (*speed != 0.0 || first.is_some()).then_some((name(*c)?, from.unwrap_or_default()))
        });
        let counts_from: Vec<(String, String)> = counts_from.collect();
        let is_driven = |c: &usize| matches!(self.coordinates[*c], Coordinate::Driven { .. });
        let is_towed = frame.pairs.iter().flatten().any(|c| self.sources(c).iter().any(is_driven));
        if counts_from.is_empty() && !is_towed {
            return None;
        }
        // In the frame positions change with the velocities of others too.
        let system =
            System { frame: Some(frame), band: None, recordings: Recordings::default(), ..self.clone() };
        Some((system, counts_from))
    }

    /// The speeds at which drives take positions along in steady motion: places among the states, and speeds.
    pub fn taken_along(&self, p: &[f64]) -> Vec<(usize, f64)> {
        let moving = self.moving_along(p);
        let drifts = moving.as_ref().and_then(|(system, _)| Some(system.frame.as_ref()?.drifts(self, p).of));
        let place = |(c, speed, _): Drift<f64>| match self.coordinates[c] {
            Coordinate::Free { q, .. } if speed != 0.0 => Some((q, speed)),
            _ => None,
        };
        drifts.into_iter().flatten().filter_map(place).collect()
    }

    /// A drive that a coordinate goes along with.
    fn drives_behind(&self, frame: &MovingFrame, c: usize) -> Option<usize> {
        let mut reached = vec![c];
        // As far as pairs lead.
        for _ in &frame.pairs {
            for [a, b] in &frame.pairs {
                let ends = [a, b].map(|c| self.sources(c).to_vec());
                if ends.iter().flatten().any(|c| reached.contains(c)) {
                    reached.extend(ends.concat());
                    reached.sort_unstable();
                    reached.dedup();
                }
            }
        }
        reached.into_iter().find(|c| matches!(self.coordinates[*c], Coordinate::Driven { .. }))
    }

    /// Measures a start in the frame.
    pub(crate) fn enter_frame(&self, p: &[f64], x: &mut [f64]) {
        let Some(frame) = &self.frame else { return };
        frame.shift(self, p, x, -1.0);
        let drifts = frame.drifts(self, p);
        let place = |c: usize| match self.coordinates[c] {
            Coordinate::Free { q, .. } => Some(q),
            _ => None,
        };
        let before = x.to_vec();
        for (c, _, others) in drifts.of {
            for (other, factor) in others {
                if let (Some(own), Some(from)) = (place(c), place(other)) {
                    x[own] -= factor * before[from];
                }
            }
        }
    }
}
