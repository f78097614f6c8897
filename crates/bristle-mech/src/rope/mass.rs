//! The mass of a rope: a constant matrix, the same for both directions, eliminated once.
//!
//! With `c` the coordinates that are its own and `e` the places of ends that something else moves,
//!
//! ```text
//! M_cc a_c + M_ce a_e = f_c          Z = M_cc⁻¹ M_ce,   S = M_ee − M_ec Z
//! a_c = M_cc⁻¹ f_c − Z a_e           the ends feel   f_e − M_ec M_cc⁻¹ f_c − S a_e
//! ```

use bristle_cable::element::Mat4;
use bristle_core::Scalar;

/// Entries left of the diagonal: place and slope of one node meet those of the node before.
const BAND: usize = 3;

/// Places and slopes in turn, `2 (n + 1)` of them.
#[derive(Clone, Debug)]
pub(crate) struct RopeMass {
    /// Lower triangle of the whole matrix by diagonals: `rows[i][BAND − d]` couples `i` with `i − d`.
    rows: Vec<[f64; BAND + 1]>,
    /// The Cholesky factor of what is the rope's own, with one over each pivot; nothing in rows that are not.
    factor: Vec<[f64; BAND + 1]>,
    is_own: Vec<bool>,
    /// `Z`: what a unit acceleration of an end does to the rest.
    pub(crate) follows: [Vec<f64>; 2],
    /// `S`: the mass that the ends feel.
    pub(crate) felt: [[f64; 2]; 2],
}

impl RopeMass {
    /// Of `elements` equal elements, masses at the ends, and what is held: place and slope of each end.
    pub(crate) fn new(element: &Mat4, elements: usize, ends: [f64; 2], held: [[bool; 2]; 2]) -> Self {
        let count = 2 * (elements + 1);
        let mut rows = vec![[0.0; BAND + 1]; count];
        for i in 0..elements {
            for (m, entries) in element.iter().enumerate() {
                for (n, value) in entries.iter().enumerate().take(m + 1) {
                    rows[2 * i + m][BAND - (m - n)] += value;
                }
            }
        }
        rows[0][BAND] += ends[0];
        rows[count - 2][BAND] += ends[1];
        let mut is_own = vec![true; count];
        for k in 0..2 {
            is_own[k] = !held[0][k];
            is_own[count - 2 + k] = !held[1][k];
        }
        let factor = factorise(&rows, &is_own);
        let mut mass =
            RopeMass { rows, factor, is_own, follows: [Vec::new(), Vec::new()], felt: [[0.0; 2]; 2] };
        let places = [0, count - 2];
        for e in (0..2).filter(|&e| held[e][0]) {
            // Both directions and two spare ones: the first is what counts.
            let mut column: Vec<[f64; 4]> = (0..=elements)
                .map(|i| [mass.entry(2 * i, places[e]), 0.0, mass.entry(2 * i + 1, places[e]), 0.0])
                .collect();
            mass.solve(&mut column);
            mass.follows[e] = column.iter().flat_map(|x| [x[0], x[2]]).collect();
        }
        for e in (0..2).filter(|&e| held[e][0]) {
            for d in (0..2).filter(|&d| held[d][0]) {
                let through: f64 = (0..count)
                    .filter(|&i| mass.is_own[i])
                    .map(|i| mass.entry(places[d], i) * mass.follows[e][i])
                    .sum();
                mass.felt[d][e] = mass.entry(places[d], places[e]) - through;
            }
        }
        mass
    }

    /// An entry of the whole matrix.
    pub(crate) fn entry(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        if i - j > BAND { 0.0 } else { self.rows[i][BAND - (i - j)] }
    }

    /// `M_cc⁻¹` in place, both directions of all nodes; zero where the rope does not own the coordinate.
    pub(crate) fn solve<S: Scalar>(&self, x: &mut [[S; 4]]) {
        let n = x.len();
        for i in 0..n {
            let (done, rest) = x.split_at_mut(i);
            let [place, slope] = [&self.factor[2 * i], &self.factor[2 * i + 1]];
            for c in 0..2 {
                let (mut a, mut b) = (rest[0][c], rest[0][2 + c]);
                if let Some(before) = done.last() {
                    a -= before[2 + c] * place[BAND - 1] + before[c] * place[BAND - 2];
                    b -= before[2 + c] * slope[BAND - 2] + before[c] * slope[BAND - 3];
                }
                a = a * place[BAND];
                b = (b - a * slope[BAND - 1]) * slope[BAND];
                (rest[0][c], rest[0][2 + c]) = (a, b);
            }
        }
        for i in (0..n).rev() {
            let (head, after) = x.split_at_mut(i + 1);
            let own = &mut head[i];
            for c in 0..2 {
                let (mut a, mut b) = (own[c], own[2 + c]);
                if let Some(next) = after.first() {
                    let [place, slope] = [&self.factor[2 * i + 2], &self.factor[2 * i + 3]];
                    b -= next[c] * place[BAND - 1] + next[2 + c] * slope[BAND - 2];
                    a -= next[c] * place[BAND - 2] + next[2 + c] * slope[BAND - 3];
                }
                b = b * self.factor[2 * i + 1][BAND];
                a = (a - b * self.factor[2 * i + 1][BAND - 1]) * self.factor[2 * i][BAND];
                (own[c], own[2 + c]) = (a, b);
            }
        }
    }

    /// `M a` of one node, from the accelerations of all.
    #[inline]
    pub(crate) fn times(&self, i: usize, a: &[[f64; 4]]) -> [f64; 4] {
        let mut out = [0.0; 4];
        for j in i.saturating_sub(1)..(i + 2).min(a.len()) {
            let [pp, ps, sp, ss] = self.block(i, j);
            let x = &a[j];
            for c in 0..2 {
                out[c] += pp * x[c] + ps * x[2 + c];
                out[2 + c] += sp * x[c] + ss * x[2 + c];
            }
        }
        out
    }

    /// Entries that couple two neighbours: place with place and slope, slope with place and slope.
    #[inline]
    pub(crate) fn block(&self, i: usize, j: usize) -> [f64; 4] {
        let (rows, other) = (&self.rows[2 * i.max(j)], &self.rows[2 * i.max(j) + 1]);
        if i == j {
            [rows[BAND], other[BAND - 1], other[BAND - 1], other[BAND]]
        } else if i > j {
            [rows[BAND - 2], rows[BAND - 1], other[BAND - 3], other[BAND - 2]]
        } else {
            [rows[BAND - 2], other[BAND - 3], rows[BAND - 1], other[BAND - 2]]
        }
    }

    /// What an end feels of forces that would accelerate the rope by `own` if its ends stood still: `−M_ec own`.
    pub(crate) fn felt_of<S: Scalar>(&self, end: usize, own: &[[S; 4]]) -> [S; 2] {
        let last = own.len() - 1;
        let (node, next) = if end == 0 { (0, 1.min(last)) } else { (last, last.saturating_sub(1)) };
        let mut felt = [S::zero(); 2];
        for j in [node, next] {
            for k in (0..2).filter(|k| self.is_own[2 * j + k]) {
                let mass = self.entry(2 * node, 2 * j + k);
                (0..2).for_each(|c| felt[c] -= own[j][2 * k + c] * mass);
            }
        }
        felt
    }
}

/// Cholesky within the band, of the coordinates that are the rope's own.
fn factorise(rows: &[[f64; BAND + 1]], is_own: &[bool]) -> Vec<[f64; BAND + 1]> {
    let mut factor = vec![[0.0; BAND + 1]; rows.len()];
    for i in 0..rows.len() {
        if !is_own[i] {
            continue;
        }
        for d in (0..=BAND.min(i)).rev() {
            let j = i - d;
            if !is_own[j] {
                continue;
            }
            let mut sum = rows[i][BAND - d];
            for k in i.saturating_sub(BAND)..j {
                if j - k <= BAND {
                    sum -= factor[i][BAND - (i - k)] * factor[j][BAND - (j - k)];
                }
            }
            factor[i][BAND - d] = if d == 0 { 1.0 / sum.sqrt() } else { sum * factor[j][BAND] };
        }
    }
    factor
}

#[cfg(test)]
mod mass_tests {
    use super::*;
    use bristle_cable::element;

    /// `M_cc a_c + M_ce a_e = f_c` is checked by putting the solution back, and the ends feel the whole mass of a rope that
    /// moves as one.
    #[test]
    fn a_rope_with_tied_ends_feels_its_forces_and_its_ends() {
        let (h, n) = (0.25, 8);
        let mass = RopeMass::new(&element::mass(h), n, [0.0, 0.0], [[true, false], [true, false]]);
        let count = 2 * (n + 1);
        let force: Vec<f64> = (0..count).map(|i| (i as f64 * 1.7).sin()).collect();
        let mut nodes: Vec<[f64; 4]> =
            force.chunks(2).map(|f| [f[0], 2.0 * f[0], f[1], 2.0 * f[1]]).collect();
        mass.solve(&mut nodes);
        assert!(nodes.iter().all(|x| x[1] == 2.0 * x[0] && x[3] == 2.0 * x[2]), "both directions are alike");
        let own: Vec<f64> = nodes.iter().flat_map(|x| [x[0], x[2]]).collect();
        for i in (0..count).filter(|i| mass.is_own[*i]) {
            let sum: f64 = (0..count).map(|j| mass.entry(i, j) * own[j]).sum();
            assert!((sum - force[i]).abs() < 1e-12, "{i}");
        }
        for i in 0..=n {
            let all: Vec<f64> =
                (0..2).map(|k| (0..count).map(|j| mass.entry(2 * i + k, j) * own[j]).sum()).collect();
            let found = mass.times(i, &nodes);
            assert!((found[0] - all[0]).abs() < 1e-12 && (found[2] - all[1]).abs() < 1e-12, "{i}");
        }
        let total: f64 = mass.felt.iter().flatten().sum();
        let less: f64 = h * n as f64 - total;
        assert!(less > 0.0 && total > 0.0, "the middle moves by itself");
        let moved: f64 = (0..count).map(|i| mass.entry(0, i) * if i == 0 { 1.0 } else { 0.0 }).sum();
        assert!((moved - mass.entry(0, 0)).abs() < 1e-15);
    }
}
