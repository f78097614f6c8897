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
    /// The Cholesky factor of what is the rope's own; coordinates that are not are left alone.
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
            let mut column: Vec<f64> = (0..count).map(|i| mass.entry(i, places[e])).collect();
            mass.solve(&mut column);
            mass.follows[e] = column;
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

    /// `M_cc⁻¹` in place; zero where the rope does not own the coordinate.
    pub(crate) fn solve<S: Scalar>(&self, x: &mut [S]) {
        let n = x.len();
        for i in 0..n {
            if !self.is_own[i] {
                x[i] = S::zero();
                continue;
            }
            let mut sum = x[i];
            for d in 1..=BAND.min(i) {
                sum -= x[i - d] * self.factor[i][BAND - d];
            }
            x[i] = sum / self.factor[i][BAND];
        }
        for i in (0..n).rev() {
            if !self.is_own[i] {
                continue;
            }
            let mut sum = x[i];
            for d in 1..=BAND.min(n - 1 - i) {
                sum -= x[i + d] * self.factor[i + d][BAND - d];
            }
            x[i] = sum / self.factor[i][BAND];
        }
    }

    /// What an end feels of forces that would accelerate the rope by `own` if its ends stood still: `−M_ec own`.
    pub(crate) fn felt_of<S: Scalar>(&self, end: usize, own: &[S]) -> S {
        let place = if end == 0 { 0 } else { own.len() - 2 };
        let from = place.saturating_sub(BAND);
        (from..(place + BAND + 1).min(own.len()))
            .filter(|&i| self.is_own[i])
            .fold(S::zero(), |sum, i| sum - own[i] * self.entry(place, i))
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
            factor[i][BAND - d] = if d == 0 { sum.sqrt() } else { sum / factor[j][BAND] };
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
        let mut own = force.clone();
        mass.solve(&mut own);
        for i in (0..count).filter(|i| mass.is_own[*i]) {
            let sum: f64 = (0..count).map(|j| mass.entry(i, j) * own[j]).sum();
            assert!((sum - force[i]).abs() < 1e-12, "{i}");
        }
        let total: f64 = mass.felt.iter().flatten().sum();
        let less: f64 = h * n as f64 - total;
        assert!(less > 0.0 && total > 0.0, "the middle moves by itself");
        let moved: f64 = (0..count).map(|i| mass.entry(0, i) * if i == 0 { 1.0 } else { 0.0 }).sum();
        assert!((moved - mass.entry(0, 0)).abs() < 1e-15);
    }
}
