//! The inverse of the mass that coordinates feel which ropes are tied to, or which are coupled.

use crate::coupled::Transmission;
use crate::system::{Coordinate, Short, System};
use bristle_core::Scalar;

/// The inverse of the mass that coordinates feel: their own, that of the ropes tied to them, and that of what follows them.
///
/// ```text
/// W = T M⁻¹ Tᵀ,   M = Tᵀ diag(m) T + ropes
/// ```
///
/// with `T` the identity on free coordinates and the transmission on followers.
#[derive(Clone, Debug)]
pub(crate) struct Mobility<S> {
    /// The row of each coordinate that it knows.
    row: Short<Option<usize>>,
    /// Free coordinates first, then followers.
    coordinates: Vec<usize>,
    /// How many of them are free.
    free: usize,
    /// How followers move with the free coordinates, a row for each.
    follows: Vec<S>,
    /// Mass of the free coordinates; once inverted, mobility of all.
    matrix: Vec<S>,
    /// What prescribed motion makes of the acceleration of each of them, without forces.
    carried: Vec<S>,
}

impl<S: Scalar> Mobility<S> {
    pub(crate) fn new(system: &System, p: &[S], transmission: Option<&Transmission<S>>) -> Self {
        let mut row = Short::from_elem(None, system.coordinates.len());
        let mut coordinates = Vec::new();
        let is_free = |c: usize| matches!(system.coordinates[c], Coordinate::Free { .. });
        let mut add = |c: usize| {
            if row[c].is_none() {
                row[c] = Some(coordinates.len());
                coordinates.push(c);
            }
        };
        for tie in system.ropes.iter().flat_map(|rope| &rope.ends).filter_map(|e| e.tie.as_ref()) {
            tie.coordinates(system).into_iter().filter(|c| is_free(*c)).for_each(&mut add);
        }
        let sources = system.coordinates.iter().filter_map(Coordinate::sources);
        sources.flatten().copied().filter(|c| is_free(*c)).for_each(&mut add);
        system.couplings.iter().for_each(|coupling| add(coupling.follower));
        let n = coordinates.len() - system.couplings.len();
        let mut mobility = Mobility {
            row,
            free: n,
            follows: Vec::new(),
            matrix: vec![S::zero(); n * n],
            carried: vec![S::zero(); coordinates.len()],
            coordinates,
        };
        for i in 0..n {
            mobility.matrix[i * n + i] = system.mass(mobility.coordinates[i], p).unwrap_or_else(S::one);
        }
        for (follower, from) in transmission.into_iter().flat_map(Transmission::rows) {
            let mass = system.mass(follower, p).unwrap_or_else(S::zero);
            let by: Vec<S> = mobility.coordinates[..n].iter().map(|c| from[*c]).collect();
            for i in 0..n {
                for j in 0..n {
                    mobility.matrix[i * n + j] += mass * by[i] * by[j];
                }
            }
            mobility.follows.extend(by);
        }
        mobility
    }

    /// Adds the mass that one end feels when another is accelerated.
    pub(crate) fn add(&mut self, rows: &[(usize, [S; 2])], columns: &[(usize, [S; 2])], felt: f64) {
        let n = self.free;
        for (c, x) in rows {
            for (d, y) in columns {
                if let (Some(i), Some(j)) = (self.row[*c], self.row[*d]) {
                    self.matrix[i * n + j] += (x[0] * y[0] + x[1] * y[1]) * felt;
                }
            }
        }
    }

    /// Turns mass into mobility; it is symmetric and positive definite.
    pub(crate) fn invert(&mut self) {
        let n = self.free;
        let mut inverse = vec![S::zero(); n * n];
        for i in 0..n {
            inverse[i * n + i] = S::one();
        }
        let m = &mut self.matrix;
        for k in 0..n {
            let pivot = S::one() / m[k * n + k];
            for j in 0..n {
                m[k * n + j] = m[k * n + j] * pivot;
                inverse[k * n + j] = inverse[k * n + j] * pivot;
            }
            for i in (0..n).filter(|&i| i != k) {
                let factor = m[i * n + k];
                for j in 0..n {
                    let (above, beside) = (m[k * n + j], inverse[k * n + j]);
                    m[i * n + j] -= factor * above;
                    inverse[i * n + j] -= factor * beside;
                }
            }
        }
        self.matrix = if self.coordinates.len() == n { inverse } else { self.widened(&inverse) };
    }

    /// The mobility of free coordinates and followers from that of the free ones.
    fn widened(&self, inverse: &[S]) -> Vec<S> {
        let (n, all) = (self.free, self.coordinates.len());
        let follows = |i: usize| &self.follows[(i - n) * n..(i - n + 1) * n];
        // Rows of W T: the mobility of all coordinates to forces on the free ones.
        let mut tall = inverse.to_vec();
        for i in n..all {
            for j in 0..n {
                tall.push((0..n).fold(S::zero(), |sum, k| sum + follows(i)[k] * inverse[k * n + j]));
            }
        }
        let mut wide = Vec::with_capacity(all * all);
        for i in 0..all {
            wide.extend_from_slice(&tall[i * n..(i + 1) * n]);
            for j in n..all {
                wide.push((0..n).fold(S::zero(), |sum, k| sum + tall[i * n + k] * follows(j)[k]));
            }
        }
        wide
    }

    /// Takes in how prescribed coordinates accelerate what follows them: `given` on each follower by itself.
    pub(crate) fn carry(&mut self, system: &System, p: &[S], given: &[S]) {
        if system.couplings.is_empty() {
            return;
        }
        let inert: Vec<S> = (0..system.coordinates.len())
            .map(|c| match system.coordinates[c] {
                Coordinate::Follower { mass, .. } => -(p[mass] * given[c]),
                _ => S::zero(),
            })
            .collect();
        let follower =
            |c: usize| if self.row[c].is_some_and(|i| i >= self.free) { given[c] } else { S::zero() };
        self.carried = self.coordinates.iter().map(|&c| self.response(c, &inert) + follower(c)).collect();
    }

    /// The acceleration of a coordinate that it knows, under forces on all of them.
    pub(crate) fn acceleration(&self, coordinate: usize, f: &[S]) -> S {
        self.response(coordinate, f) + self.carried(coordinate)
    }

    /// The acceleration that prescribed motion gives a coordinate without forces.
    pub(crate) fn carried(&self, coordinate: usize) -> S {
        self.row[coordinate].map_or_else(S::zero, |i| self.carried[i])
    }

    /// What forces on all coordinates add to the acceleration of one, or impulses to its velocity.
    pub(crate) fn response(&self, coordinate: usize, f: &[S]) -> S {
        let n = self.coordinates.len();
        let Some(i) = self.row[coordinate] else { return S::zero() };
        (0..n).fold(S::zero(), |sum, j| sum + self.matrix[i * n + j] * f[self.coordinates[j]])
    }

    /// What a unit force on one coordinate does to the acceleration of another; nothing where it knows not both.
    pub(crate) fn entry(&self, a: usize, b: usize) -> Option<S> {
        let n = self.coordinates.len();
        let (i, j) = (self.row[a]?, self.row[b]?);
        Some(self.matrix[i * n + j])
    }

    /// Whether a rope is tied to the coordinate, or it is coupled.
    pub(crate) fn has(&self, coordinate: usize) -> bool {
        self.row[coordinate].is_some()
    }
}
