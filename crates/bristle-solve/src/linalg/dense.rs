//! Full matrices and their factors; of a small system the inverse.

use crate::small::{FIXED, by_length, fma};
use crate::{Jacobian, inverse_columns};

/// A full matrix, eliminated with rows exchanged.
///
/// Rows above the diagonal are stored divided by it: in back substitution only a product and a difference then separate one
/// result from the next. Small systems keep the inverse instead.
#[derive(Clone, Debug)]
pub struct Dense {
    size: usize,
    /// Rows of `size`; of a small system the columns of the inverse.
    values: Vec<f64>,
    /// One over each pivot, and where it stood; a small system has neither.
    inverse: Vec<f64>,
    pivots: Vec<usize>,
}

impl Dense {
    /// Room for a matrix of `size` rows.
    pub fn new(size: usize) -> Self {
        let factored = if size > FIXED { size } else { 0 };
        Dense {
            size,
            values: vec![0.0; size * size],
            inverse: vec![0.0; factored],
            pivots: vec![0; factored],
        }
    }

    /// Factorises `shift·1 − J`; false if it is singular.
    pub(crate) fn factorise_shifted(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        for (i, row) in self.values.chunks_exact_mut(self.size.max(1)).enumerate() {
            for (slot, value) in row.iter_mut().zip(jacobian.row(i)) {
                *slot = -value;
            }
            row[i] += shift;
        }
        self.factorise()
    }

    /// The matrix, row after row: to be written in full before each [`factorise`](Self::factorise), which overwrites
    /// it.
    pub fn rows_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factorises the matrix that was written; false if it is singular.
    pub fn factorise(&mut self) -> bool {
        let (a, inverse, pivots) = (&mut self.values[..], &mut self.inverse[..], &mut self.pivots[..]);
        by_length!(self.size, factorise_fixed, factorise_free, (a, inverse, pivots))
    }

    /// Solves in place with the factors found last.
    #[inline]
    pub fn solve(&self, b: &mut [f64]) {
        let b = &mut b[..self.size];
        let (a, inverse, pivots) = (&self.values[..], &self.inverse[..], &self.pivots[..]);
        by_length!(self.size, solve_fixed, solve_free, (a, inverse, pivots, b));
    }
}

/// Few rows: the columns of the inverse take the place of the matrix.
fn factorise_fixed<const N: usize>(a: &mut [f64], _inverse: &mut [f64], _pivots: &mut [usize]) -> bool {
    let (rows, _) = a.as_chunks_mut::<N>();
    let Some(rows) = rows.first_chunk_mut::<N>() else { return false };
    let Some(columns) = inverse_columns(*rows) else { return false };
    *rows = columns;
    true
}

fn factorise_free(a: &mut [f64], inverse: &mut [f64], pivots: &mut [usize]) -> bool {
    let n = inverse.len();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        pivots[k] = pivot;
        if pivot != k {
            for j in 0..n {
                a.swap(k * n + j, pivot * n + j);
            }
        }
        let diagonal = a[k * n + k];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return false;
        }
        inverse[k] = 1.0 / diagonal;
        let (top, bottom) = a.split_at_mut((k + 1) * n);
        let top = &top[k * n + k + 1..];
        for row in bottom.chunks_exact_mut(n) {
            let factor = row[k] * inverse[k];
            row[k] = factor;
            if factor != 0.0 {
                for (slot, value) in row[k + 1..].iter_mut().zip(top) {
                    *slot -= factor * value;
                }
            }
        }
    }
    for (k, row) in a.chunks_exact_mut(n.max(1)).enumerate() {
        row[k + 1..].iter_mut().for_each(|value| *value *= inverse[k]);
    }
    true
}

fn solve_fixed<const N: usize>(a: &[f64], _inverse: &[f64], _pivots: &[usize], b: &mut [f64]) {
    let (columns, _) = a.as_chunks::<N>();
    let Some(b) = b.first_chunk_mut::<N>() else { return };
    let mut x = [0.0; N];
    for (column, right) in columns.iter().zip(*b) {
        for k in 0..N {
            x[k] = fma(column[k], right, x[k]);
        }
    }
    *b = x;
}

fn solve_free(a: &[f64], inverse: &[f64], pivots: &[usize], b: &mut [f64]) {
    let n = b.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        b.swap(k, pivot);
    }
    for k in 1..n {
        let (done, rest) = b.split_at_mut(k);
        let sum: f64 = a[k * n..k * n + k].iter().zip(done.iter()).map(|(l, y)| l * y).sum();
        rest[0] -= sum;
    }
    for k in (0..n).rev() {
        let (head, tail) = b.split_at_mut(k + 1);
        let sum: f64 = a[k * n + k + 1..(k + 1) * n].iter().zip(tail.iter()).map(|(u, x)| u * x).sum();
        head[k] = head[k] * inverse[k] - sum;
    }
}
