//! Where contact is felt: at the nodes, and at points inside the elements where a cable has them.
//!
//! ```text
//! r = Σ S_k e_k,   r' = Σ S'_k e_k,   f_k = S_k F,   N = w k δⁿ (1 + D δ̇),   w = 1/count
//! ```
//!
//! Points stand evenly along the cable, a node being one of them, so that the stiffness per length stays what it is.

use crate::blocks::Tridiagonal;
use crate::element;
use bristle_core::Scalar;
use std::cmp::Ordering;

/// A point of a cable that can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The node that it is, or the node before it.
    pub node: usize,
    /// Its place among the points that belong to that node: 0 is the node itself.
    pub index: usize,
    /// Its share of the stiffness of a node.
    pub share: f64,
    terms: [PointTerm; 4],
}

/// What a coordinate of a node, in either direction, has to do with a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointTerm {
    /// Which node.
    pub node: usize,
    /// The coordinate to the right: 0 is the place, 2 the slope.
    pub first: usize,
    /// How much it moves the point.
    pub place: f64,
    /// How much it changes the slope there.
    pub slope: f64,
}

impl ContactPoint {
    /// All points of `elements` elements of length `h`, `count` of them for each.
    pub fn all(elements: usize, count: usize, h: f64) -> Vec<ContactPoint> {
        let count = count.max(1);
        let mut all = Vec::with_capacity(elements * count + 1);
        for node in 0..=elements {
            for index in 0..if node < elements { count } else { 1 } {
                let xi = index as f64 / count as f64;
                let (place, slope) = (element::shape(h, xi), element::slope(h, xi));
                let term = |k: usize| PointTerm {
                    node: node + k / 2,
                    first: 2 * (k % 2),
                    place: place[k],
                    slope: slope[k],
                };
                let share = 1.0 / count as f64;
                all.push(ContactPoint { node, index, share, terms: [0, 1, 2, 3].map(term) });
            }
        }
        all
    }

    /// Whether it is a node.
    pub fn is_node(&self) -> bool {
        self.index == 0
    }

    /// The coordinates that move it, or change its slope.
    #[inline]
    pub fn terms(&self) -> &[PointTerm] {
        if self.is_node() { &self.terms[..2] } else { &self.terms }
    }

    /// Place and slope there, of coordinates of all nodes; or their velocities.
    #[inline]
    pub fn of<S: Scalar>(&self, nodes: &[[S; 4]]) -> [S; 4] {
        if self.is_node() {
            return nodes[self.node];
        }
        let mut out = [S::zero(); 4];
        for term in &self.terms {
            let x = &nodes[term.node];
            for c in 0..2 {
                out[c] += x[term.first + c] * term.place;
                out[2 + c] += x[term.first + c] * term.slope;
            }
        }
        out
    }

    /// Adds a force at the point to the forces of the nodes.
    #[inline]
    pub fn push<S: Scalar>(&self, force: [S; 2], nodes: &mut [[S; 4]]) {
        for term in self.terms().iter().filter(|term| term.place != 0.0) {
            (0..2).for_each(|c| nodes[term.node][term.first + c] += force[c] * term.place);
        }
    }

    /// Adds the derivatives of a force at the point, by place and slope there, to the blocks of the nodes.
    #[inline]
    pub fn spread(&self, by: &[[f64; 4]], tri: &mut Tridiagonal<4>) {
        for row in self.terms().iter().filter(|term| term.place != 0.0) {
            for column in self.terms() {
                let block = match column.node.cmp(&row.node) {
                    Ordering::Less => &mut tri.lower[column.node],
                    Ordering::Equal => &mut tri.diag[row.node],
                    Ordering::Greater => &mut tri.upper[row.node],
                };
                for r in 0..2 {
                    for c in 0..2 {
                        let value = by[r][c] * column.place + by[r][2 + c] * column.slope;
                        block[row.first + r][column.first + c] += row.place * value;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod point_tests {
    use super::*;

    /// Points follow the cubic that their nodes describe, and what pushes at them does the same work at the nodes.
    #[test]
    fn points_lie_on_the_cubic_of_their_nodes() {
        let (h, cubic) = (0.4, |s: f64| [0.3 + s - 2.0 * s * s * s, 0.1 - s * s + s * s * s]);
        let slope = |s: f64| [1.0 - 6.0 * s * s, -2.0 * s + 3.0 * s * s];
        let nodes: Vec<[f64; 4]> = (0..4)
            .map(|i| {
                let s = h * f64::from(i);
                [cubic(s)[0], cubic(s)[1], slope(s)[0], slope(s)[1]]
            })
            .collect();
        let points = ContactPoint::all(3, 5, h);
        assert_eq!(points.len(), 16);
        for point in &points {
            let s = h * (point.node as f64 + point.index as f64 / 5.0);
            let found = point.of(&nodes);
            let wanted = [cubic(s)[0], cubic(s)[1], slope(s)[0], slope(s)[1]];
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{s}: {found:?}");
            let mut force = vec![[0.0; 4]; 4];
            point.push([2.0, -3.0], &mut force);
            let work: f64 = force.iter().flatten().zip(nodes.iter().flatten()).map(|(f, x)| f * x).sum();
            assert!((work - (2.0 * found[0] - 3.0 * found[1])).abs() < 1e-14);
        }
    }
}
