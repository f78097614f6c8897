//! Forces of one element, the power it loses and their exact derivatives, for those who put a cable into equations of
//! their own.

use crate::elastic::CableNode;
use crate::system::CableSystem;

/// A matrix over the eight coordinates of an element: place and slope of its first node, then of its second.
pub type ElementMatrix = [[f64; 8]; 8];

/// What an element withstands.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementForces {
    /// `Q_elastic + Q_damping − Q_gravity` on its two nodes.
    pub force: [CableNode; 2],
    /// Power lost to damping.
    pub loss: f64,
}

/// Derivatives of [`ElementForces`] with the coordinates of the element, and with their velocities.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementSlopes {
    /// `∂Q/∂q`.
    pub by_place: ElementMatrix,
    /// `∂Q/∂v`.
    pub by_speed: ElementMatrix,
    /// `∂P/∂q` of the power lost, on the two nodes.
    pub loss_by_place: [CableNode; 2],
    /// `∂P/∂v`.
    pub loss_by_speed: [CableNode; 2],
}

impl CableSystem {
    /// What an element withstands, weight included, and the power that it loses.
    #[inline]
    pub fn element_forces(&self, q: [&CableNode; 2], v: [&CableNode; 2]) -> ElementForces {
        let mut force = self.damping_of_element(q, v);
        let mut loss = 0.0;
        for n in 0..2 {
            for c in 0..4 {
                loss += force[n][c] * v[n][c];
            }
        }
        let bending = self.elastic.linear();
        let places = shapes(q);
        for m in 0..4 {
            let mut sum = [0.0, self.gravity[m]];
            for n in 0..4 {
                for c in 0..2 {
                    sum[c] += bending[m][n] * places[n][c];
                }
            }
            force[m / 2][2 * (m % 2)] += sum[0];
            force[m / 2][2 * (m % 2) + 1] += sum[1];
        }
        self.elastic.add_force(q[0], q[1], &mut force);
        ElementForces { force, loss }
    }

    /// Forces of internal damping on an element.
    #[inline]
    fn damping_of_element(&self, q: [&CableNode; 2], v: [&CableNode; 2]) -> [CableNode; 2] {
        let mut force = [[0.0; 4]; 2];
        if let Some(damping) = &self.strain_damping {
            damping.add_force(q, v, &mut force);
        } else if self.cable.damping > 0.0 {
            let speeds = shapes(v);
            for m in 0..4 {
                for n in 0..4 {
                    for c in 0..2 {
                        force[m / 2][2 * (m % 2) + c] += self.slope_damping[m][n] * speeds[n][c];
                    }
                }
            }
        }
        force
    }

    /// Derivatives of what an element withstands and loses.
    pub fn element_slopes(&self, q: [&CableNode; 2], v: [&CableNode; 2]) -> ElementSlopes {
        let mut out = ElementSlopes::default();
        let mut blocks = [[[0.0; 4]; 4]; 3];
        self.elastic.add(q[0], q[1], &mut [[0.0; 4]; 2], 1.0, &mut blocks);
        for r in 0..4 {
            for c in 0..4 {
                out.by_place[r][c] = blocks[0][r][c];
                out.by_place[r][4 + c] = blocks[1][r][c];
                out.by_place[4 + c][r] = blocks[1][r][c];
                out.by_place[4 + r][4 + c] = blocks[2][r][c];
            }
        }
        if let Some(damping) = &self.strain_damping {
            damping.add_slopes(q, v, &mut out);
        }
        let bending = self.elastic.linear();
        for m in 0..4 {
            for n in 0..4 {
                for c in 0..2 {
                    let (row, column) = (2 * m + c, 2 * n + c);
                    out.by_place[row][column] += bending[m][n];
                    out.by_speed[row][column] += self.slope_damping[m][n];
                }
            }
        }
        // The power is quadratic in the velocities.
        let damping = self.damping_of_element(q, v);
        for n in 0..2 {
            for c in 0..4 {
                out.loss_by_speed[n][c] = 2.0 * damping[n][c];
            }
        }
        out
    }
}

/// The coordinates of an element over its shape functions.
#[inline]
fn shapes([a, b]: [&CableNode; 2]) -> [[f64; 2]; 4] {
    [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]], [b[2], b[3]]]
}

#[cfg(test)]
mod element_forces_tests {
    use super::*;
    use crate::{CableDamping, FlexibleCable, Strain};

    const Q: [CableNode; 2] = [[0.1, -0.2, 0.9, 0.3], [0.35, 0.05, 0.6, 0.8]];
    const V: [CableNode; 2] = [[1.0, 0.4, -2.0, 3.0], [0.7, -0.9, 1.5, 0.2]];

    fn moved(x: &[CableNode; 2], i: usize, by: f64) -> [CableNode; 2] {
        let mut x = *x;
        x[i / 4][i % 4] += by;
        x
    }

    /// Derivatives of force and loss against central differences, for both strains and both kinds of damping.
    #[test]
    fn slopes_are_those_of_forces_and_losses() {
        for strain in [Strain::Green, Strain::Engineering] {
            for damping_of in [CableDamping::Strain, CableDamping::Slope] {
                let cable = FlexibleCable {
                    length: 0.6,
                    elements: 2,
                    ea: 3.0,
                    ei: 0.02,
                    density: 0.4,
                    damping: 0.7,
                    strain,
                    damping_of,
                    ..FlexibleCable::default()
                };
                let system = CableSystem::new(cable).unwrap();
                let at = |q: &[CableNode; 2], v: &[CableNode; 2]| {
                    system.element_forces([&q[0], &q[1]], [&v[0], &v[1]])
                };
                let slopes = system.element_slopes([&Q[0], &Q[1]], [&V[0], &V[1]]);
                let h = 1e-5;
                for i in 0..8 {
                    let by_q = [at(&moved(&Q, i, h), &V), at(&moved(&Q, i, -h), &V)];
                    let by_v = [at(&Q, &moved(&V, i, h)), at(&Q, &moved(&V, i, -h))];
                    let check = |found: f64, [a, b]: [f64; 2]| {
                        let expected = (a - b) / (2.0 * h);
                        assert!(
                            (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                            "{found} {expected}"
                        );
                    };
                    check(slopes.loss_by_place[i / 4][i % 4], by_q.map(|x| x.loss));
                    check(slopes.loss_by_speed[i / 4][i % 4], by_v.map(|x| x.loss));
                    for m in 0..8 {
                        check(slopes.by_place[m][i], by_q.map(|x| x.force[m / 4][m % 4]));
                        check(slopes.by_speed[m][i], by_v.map(|x| x.force[m / 4][m % 4]));
                    }
                }
            }
        }
    }
}
