//! Forces of one element and their exact derivatives, for those who put a cable into equations of their own.

use crate::elastic::Node;
use crate::system::CableSystem;

/// A matrix over the eight coordinates of an element: place and slope of its first node, then of its second.
pub type ElementMatrix = [[f64; 8]; 8];

impl CableSystem {
    /// The forces that an element withstands, weight included: `Q_elastic + Q_damping − Q_gravity`; adds their derivatives with
    /// places and with velocities where they are asked for.
    pub fn element_forces(
        &self,
        q: [&Node; 2],
        v: [&Node; 2],
        slopes: Option<[&mut ElementMatrix; 2]>,
    ) -> [Node; 2] {
        let bending = self.elastic.linear();
        let damping = &self.slope_damping;
        let pick = |x: [&Node; 2]| {
            let [a, b] = x;
            [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]], [b[2], b[3]]]
        };
        let (places, speeds) = (pick(q), pick(v));
        let mut f = [[0.0; 4]; 2];
        for m in 0..4 {
            let mut sum = [0.0, self.gravity[m]];
            for n in 0..4 {
                for c in 0..2 {
                    sum[c] += damping[m][n] * speeds[n][c] + bending[m][n] * places[n][c];
                }
            }
            f[m / 2][2 * (m % 2)] = sum[0];
            f[m / 2][2 * (m % 2) + 1] = sum[1];
        }
        if let Some(damping) = &self.strain_damping {
            damping.add_force(q, v, &mut f);
        }
        let mut blocks = [[[0.0; 4]; 4]; 3];
        let scale = if slopes.is_some() { 1.0 } else { 0.0 };
        self.elastic.add(q[0], q[1], &mut f, scale, &mut blocks);
        if let Some([by_place, by_speed]) = slopes {
            for r in 0..4 {
                for c in 0..4 {
                    by_place[r][c] += blocks[0][r][c];
                    by_place[r][4 + c] += blocks[1][r][c];
                    by_place[4 + c][r] += blocks[1][r][c];
                    by_place[4 + r][4 + c] += blocks[2][r][c];
                }
            }
            if let Some(damping) = &self.strain_damping {
                for (to, speed, place) in [(&mut *by_place, 0.0, 1.0), (&mut *by_speed, 1.0, 0.0)] {
                    let blocks = damping.tangent(q, v, speed, place);
                    for (r, row) in to.iter_mut().enumerate() {
                        for (c, slot) in row.iter_mut().enumerate() {
                            *slot += blocks[2 * (r / 4) + c / 4][r % 4][c % 4];
                        }
                    }
                }
            }
            for m in 0..4 {
                for n in 0..4 {
                    for c in 0..2 {
                        let (row, column) = (2 * m + c, 2 * n + c);
                        by_place[row][column] += bending[m][n];
                        by_speed[row][column] += damping[m][n];
                    }
                }
            }
        }
        f
    }
}
