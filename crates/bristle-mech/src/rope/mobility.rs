//! The mass that a mechanism feels with ropes tied to it.

use super::tie::TieMotion;
use crate::system::{Coordinate, Short, System};
use bristle_core::Scalar;

/// Both ends of a rope: how they move, and what pulls at them.
pub(super) struct TiedEnds<S> {
    pub(super) ends: [Option<TieMotion<S>>; 2],
    pub(super) pull: [[S; 2]; 2],
    /// The mass that each end feels when either is accelerated.
    pub(super) felt: [[f64; 2]; 2],
}

impl<S: Scalar> TiedEnds<S> {
    /// The ends that something moves.
    pub(super) fn pulled(&self) -> impl Iterator<Item = (usize, &TieMotion<S>)> {
        self.ends.iter().enumerate().filter_map(|(e, end)| Some((e, end.as_ref()?)))
    }

    /// What pulls at an end along a direction.
    pub(super) fn along(&self, end: usize, direction: &[S; 2]) -> S {
        self.pull[end][0] * direction[0] + self.pull[end][1] * direction[1]
    }

    /// Takes off what the ends feel of their own mass when the free coordinates accelerate.
    pub(super) fn follow(&mut self, acceleration: impl Fn(usize) -> S) {
        let mut less = [[S::zero(); 2]; 2];
        for (d, end) in self.pulled() {
            for (c, along) in &end.free {
                let rate = acceleration(*c);
                for e in 0..2 {
                    (0..2).for_each(|k| less[e][k] += along[k] * rate * self.felt[e][d]);
                }
            }
        }
        for e in 0..2 {
            (0..2).for_each(|k| self.pull[e][k] -= less[e][k]);
        }
    }
}

/// The inverse of the mass that free coordinates feel: their own, and that of the ropes tied to them.
#[derive(Clone, Debug)]
pub(crate) struct Mobility<S> {
    /// The row of each coordinate that a rope is tied to.
    row: Short<Option<usize>>,
    coordinates: Vec<usize>,
    matrix: Vec<S>,
}

impl<S: Scalar> Mobility<S> {
    pub(super) fn new(system: &System, p: &[S]) -> Self {
        let mut row = Short::from_elem(None, system.coordinates.len());
        let mut coordinates = Vec::new();
        for rope in &system.ropes {
            for tie in rope.ends.iter().filter_map(|e| e.tie.as_ref()) {
                for c in tie.coordinates(system) {
                    if matches!(system.coordinates[c], Coordinate::Free { .. }) && row[c].is_none() {
                        row[c] = Some(coordinates.len());
                        coordinates.push(c);
                    }
                }
            }
        }
        let n = coordinates.len();
        let mut matrix = vec![S::zero(); n * n];
        for (i, &c) in coordinates.iter().enumerate() {
            matrix[i * n + i] = system.mass(c, p).unwrap_or_else(S::one);
        }
        Mobility { row, coordinates, matrix }
    }

    /// Adds the mass that one end feels when another is accelerated.
    pub(super) fn add(&mut self, rows: &[(usize, [S; 2])], columns: &[(usize, [S; 2])], felt: f64) {
        let n = self.coordinates.len();
        for (c, x) in rows {
            for (d, y) in columns {
                if let (Some(i), Some(j)) = (self.row[*c], self.row[*d]) {
                    self.matrix[i * n + j] += (x[0] * y[0] + x[1] * y[1]) * felt;
                }
            }
        }
    }

    /// Turns mass into mobility; it is symmetric and positive definite.
    pub(super) fn invert(&mut self) {
        let n = self.coordinates.len();
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
        self.matrix = inverse;
    }

    /// The acceleration of a coordinate that a rope is tied to, under forces on all of them.
    pub(crate) fn acceleration(&self, coordinate: usize, f: &[S]) -> S {
        let n = self.coordinates.len();
        let Some(i) = self.row[coordinate] else { return S::zero() };
        (0..n).fold(S::zero(), |sum, j| sum + self.matrix[i * n + j] * f[self.coordinates[j]])
    }

    /// What a unit force on one coordinate does to the acceleration of another; nothing where no rope is tied to either.
    pub(crate) fn entry(&self, a: usize, b: usize) -> Option<S> {
        let n = self.coordinates.len();
        let (i, j) = (self.row[a]?, self.row[b]?);
        Some(self.matrix[i * n + j])
    }

    /// Whether a rope is tied to the coordinate.
    pub(crate) fn has(&self, coordinate: usize) -> bool {
        self.row[coordinate].is_some()
    }
}
