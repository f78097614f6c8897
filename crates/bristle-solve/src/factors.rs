//! The linear systems a step solves: `(s·1 − J) x = b`, dense or banded.

use crate::small::by_length;
use crate::{Band, Jacobian};

/// The factors of `s·1 − J`, by elimination with partial pivoting.
///
/// Rows above the diagonal are stored divided by it: in back substitution only a product and a difference then separate one
/// result from the next.
#[derive(Clone, Debug)]
pub struct Factors {
    size: usize,
    band: Option<Band>,
    /// Dense: rows of `size`. Banded: row `i` holds the columns `i − lower … i + upper + lower`.
    values: Vec<f64>,
    inverse: Vec<f64>,
    pivots: Vec<usize>,
    /// Banded: how far right of the diagonal each row reaches; pivoting can lengthen it.
    reach: Vec<usize>,
    /// Banded: the inverse of the size of each row.
    scales: Vec<f64>,
    /// Banded: the factors below and above the diagonal by columns, from the diagonal outwards; only while no row is exchanged.
    below: Vec<f64>,
    above: Vec<f64>,
    /// Banded: was any row exchanged?
    is_permuted: bool,
}

impl Factors {
    /// Room for the factors of matrices shaped like `jacobian`.
    pub fn new(jacobian: &Jacobian) -> Self {
        let size = jacobian.coupled();
        let width = match jacobian.band() {
            // Pivoting fills `lower` further diagonals above.
            Some(b) => 2 * b.lower + b.upper + 1,
            None => size,
        };
        Factors {
            size,
            band: jacobian.band(),
            values: vec![0.0; size * width],
            inverse: vec![0.0; size],
            pivots: vec![0; size],
            reach: vec![0; size],
            scales: vec![0.0; size],
            below: vec![0.0; size * jacobian.band().map_or(0, |b| b.lower)],
            above: vec![0.0; size * jacobian.band().map_or(0, |b| b.upper)],
            is_permuted: false,
        }
    }

    /// Factorises `shift·1 − J`; false if a pivot vanishes.
    pub fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        match self.band {
            None => {
                for (i, row) in self.values.chunks_exact_mut(self.size.max(1)).enumerate() {
                    for (slot, value) in row.iter_mut().zip(jacobian.row(i)) {
                        *slot = -value;
                    }
                    row[i] += shift;
                }
                let (a, inverse, pivots) =
                    (&mut self.values[..], &mut self.inverse[..], &mut self.pivots[..]);
                by_length!(self.size, factorise_fixed, factorise_free, (a, inverse, pivots))
            }
            Some(band) => {
                let (narrow, wide) = (band.lower + band.upper + 1, 2 * band.lower + band.upper + 1);
                for (i, row) in self.values.chunks_exact_mut(wide).enumerate() {
                    for (slot, value) in row.iter_mut().zip(jacobian.banded_row(band, i)) {
                        *slot = -value;
                    }
                    row[narrow..].fill(0.0);
                    row[band.lower] += shift;
                }
                self.factorise_banded(band)
            }
        }
    }

    fn factorise_banded(&mut self, band: Band) -> bool {
        let (n, lower) = (self.size, band.lower);
        let wide = 2 * lower + band.upper + 1;
        let a = &mut self.values;
        self.reach.fill(band.upper);
        self.is_permuted = false;
        for (scale, row) in self.scales.iter_mut().zip(a.chunks_exact(wide)) {
            *scale = 1.0 / size(row);
        }
        for k in 0..n {
            let last = (k + lower).min(n - 1);
            let mut pivot = k;
            let mut most = 10.0 * a[k * wide + lower].abs() * self.scales[k];
            for i in k + 1..=last {
                // Rows are compared by their own size, since rates have many units, and exchanged only where it
                // gains much: every exchange lengthens a row.
                let size = a[i * wide + k + lower - i].abs() * self.scales[i];
                if size > most {
                    (pivot, most) = (i, size);
                }
            }
            self.pivots[k] = pivot;
            if pivot != k {
                self.is_permuted = true;
                self.scales.swap(k, pivot);
                let count = (band.upper + lower + 1).min(n - k);
                for j in 0..count {
                    a.swap(k * wide + lower + j, pivot * wide + k + lower - pivot + j);
                }
                (self.reach[k], self.reach[pivot]) =
                    (self.reach[pivot] + pivot - k, self.reach[k].max(pivot - k) - (pivot - k));
            }
            let diagonal = a[k * wide + lower];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return false;
            }
            self.inverse[k] = 1.0 / diagonal;
            let reach = self.reach[k].min(n - 1 - k);
            let (top, bottom) = a.split_at_mut((k + 1) * wide);
            let top = &top[k * wide + lower + 1..k * wide + lower + 1 + reach];
            for i in k + 1..=last {
                let row = &mut bottom[(i - k - 1) * wide + k + lower - i..];
                let factor = row[0] * self.inverse[k];
                row[0] = factor;
                if factor != 0.0 {
                    self.reach[i] = self.reach[i].max((k + reach).saturating_sub(i));
                    for (slot, value) in row[1..].iter_mut().zip(top) {
                        *slot -= factor * value;
                    }
                }
            }
        }
        for (k, row) in a.chunks_exact_mut(wide).enumerate() {
            row[lower + 1..].iter_mut().for_each(|value| *value *= self.inverse[k]);
        }
        if !self.is_permuted {
            self.gather(band);
        }
        true
    }

    /// Stores the factors by columns.
    fn gather(&mut self, band: Band) {
        let (n, lower, upper) = (self.size, band.lower, band.upper);
        let wide = 2 * lower + upper + 1;
        for k in 0..n {
            for j in 0..lower {
                let row = k + 1 + j;
                self.below[k * lower + j] =
                    if row < n { self.values[row * wide + lower - 1 - j] } else { 0.0 };
            }
            for j in 0..upper {
                self.above[k * upper + j] =
                    if k > j { self.values[(k - 1 - j) * wide + lower + 1 + j] } else { 0.0 };
            }
        }
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let b = &mut b[..self.size];
        match self.band {
            None => {
                let (a, inverse, pivots) = (&self.values[..], &self.inverse[..], &self.pivots[..]);
                by_length!(self.size, solve_fixed, solve_free, (a, inverse, pivots, b));
            }
            Some(band) => self.solve_banded(band, b),
        }
    }

    fn solve_banded(&self, band: Band, b: &mut [f64]) {
        let (n, lower) = (self.size, band.lower);
        let wide = 2 * lower + band.upper + 1;
        if !self.is_permuted {
            by_length!(lower, forward_fixed, forward_free, (&self.below, b));
            by_length!(band.upper, backward_fixed, backward_free, (&self.above, &self.inverse, b));
            return;
        }
        for k in 0..n {
            b.swap(k, self.pivots[k]);
            let value = b[k];
            let last = (k + lower).min(n - 1);
            if last == k {
                continue;
            }
            // Column k of L runs down and left through the rows below.
            let column = self.values[(k + 1) * wide + lower - 1..].iter().step_by(wide - 1);
            for (slot, factor) in b[k + 1..=last].iter_mut().zip(column) {
                *slot -= factor * value;
            }
        }
        for k in (0..n).rev() {
            let reach = self.reach[k].min(n - 1 - k);
            let row = &self.values[k * wide + lower + 1..k * wide + lower + 1 + reach];
            let sum: f64 = row.iter().zip(&b[k + 1..]).map(|(u, x)| u * x).sum();
            b[k] = flush(b[k] * self.inverse[k] - sum);
        }
    }
}

/// The sum of the absolute values, in four lanes.
fn size(row: &[f64]) -> f64 {
    let (chunks, rest) = row.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for chunk in chunks {
        for j in 0..4 {
            lanes[j] += chunk[j].abs();
        }
    }
    lanes.iter().chain(rest).map(|value| value.abs()).sum()
}

/// Motion dies out along a chain until its numbers lose their leading digits, which makes processors slow: such
/// remnants are nothing. A branch, not a choice: the next row need not wait for it.
#[inline]
fn flush(value: f64) -> f64 {
    if value.abs() < 1e-150 { nothing() } else { value }
}

#[cold]
#[inline(never)]
fn nothing() -> f64 {
    0.0
}

/// Forward substitution with `L` diagonals below, no row exchanged.
///
/// As soon as a result is known it is taken out of the next `L` rows, which wait in registers: one product and one
/// difference separate a result from the next.
fn forward_fixed<const L: usize>(columns: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut waiting = [0.0; L];
    waiting[..L.min(n)].copy_from_slice(&b[..L.min(n)]);
    let (columns, _) = columns.as_chunks::<L>();
    for (k, column) in columns.iter().enumerate().take(n) {
        let value = flush(waiting[0]);
        let entering = if k + L < n { b[k + L] } else { 0.0 };
        b[k] = value;
        for j in 0..L - 1 {
            waiting[j] = waiting[j + 1] - column[j] * value;
        }
        waiting[L - 1] = entering - column[L - 1] * value;
    }
}

fn forward_free(columns: &[f64], b: &mut [f64]) {
    let lower = columns.len() / b.len().max(1);
    for k in 0..b.len() {
        let (done, rest) = b.split_at_mut(k + 1);
        let value = flush(done[k]);
        done[k] = value;
        for (slot, factor) in rest.iter_mut().zip(&columns[k * lower..(k + 1) * lower]) {
            *slot -= factor * value;
        }
    }
}

/// Back substitution with `U` diagonals above, in the same way from below.
fn backward_fixed<const U: usize>(columns: &[f64], inverse: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut waiting = [0.0; U];
    for j in 0..U.min(n) {
        waiting[j] = b[n - 1 - j] * inverse[n - 1 - j];
    }
    let (columns, _) = columns.as_chunks::<U>();
    for (k, column) in columns.iter().enumerate().take(n).rev() {
        let value = flush(waiting[0]);
        let entering = if k >= U { b[k - U] * inverse[k - U] } else { 0.0 };
        b[k] = value;
        for j in 0..U - 1 {
            waiting[j] = waiting[j + 1] - column[j] * value;
        }
        waiting[U - 1] = entering - column[U - 1] * value;
    }
}

fn backward_free(columns: &[f64], inverse: &[f64], b: &mut [f64]) {
    let upper = columns.len() / b.len().max(1);
    for (slot, inverse) in b.iter_mut().zip(inverse) {
        *slot *= inverse;
    }
    for k in (0..b.len()).rev() {
        let (rest, done) = b.split_at_mut(k);
        let value = flush(done[0]);
        done[0] = value;
        for (slot, factor) in rest.iter_mut().rev().zip(&columns[k * upper..(k + 1) * upper]) {
            *slot -= factor * value;
        }
    }
}

fn factorise_fixed<const N: usize>(a: &mut [f64], inverse: &mut [f64], pivots: &mut [usize]) -> bool {
    let (Some(inverse), Some(pivots)) = (inverse.first_chunk_mut::<N>(), pivots.first_chunk_mut::<N>())
    else {
        return false;
    };
    let (rows, _) = a.as_chunks_mut::<N>();
    let Some(rows) = rows.first_chunk_mut::<N>() else { return false };
    for k in 0..N {
        let mut pivot = k;
        for i in k + 1..N {
            if rows[i][k].abs() > rows[pivot][k].abs() {
                pivot = i;
            }
        }
        pivots[k] = pivot;
        rows.swap(k, pivot);
        let top = rows[k];
        if top[k] == 0.0 || !top[k].is_finite() {
            return false;
        }
        inverse[k] = 1.0 / top[k];
        for i in k + 1..N {
            let factor = rows[i][k] * inverse[k];
            rows[i][k] = factor;
            for j in k + 1..N {
                rows[i][j] -= factor * top[j];
            }
        }
        for j in k + 1..N {
            rows[k][j] *= inverse[k];
        }
    }
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

fn solve_fixed<const N: usize>(a: &[f64], inverse: &[f64], pivots: &[usize], b: &mut [f64]) {
    let (rows, _) = a.as_chunks::<N>();
    let (Some(rows), Some(inverse), Some(b)) =
        (rows.first_chunk::<N>(), inverse.first_chunk::<N>(), b.first_chunk_mut::<N>())
    else {
        return;
    };
    for (k, &pivot) in pivots.iter().enumerate() {
        b.swap(k, pivot);
    }
    let mut x = *b;
    for k in 1..N {
        for j in 0..k {
            x[k] -= rows[k][j] * x[j];
        }
    }
    for k in (0..N).rev() {
        x[k] *= inverse[k];
        for j in (k + 1..N).rev() {
            x[k] -= rows[k][j] * x[j];
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

#[cfg(test)]
mod factors_tests {
    use super::*;
    use bristle_core::{Dual, derivative};

    /// A Jacobian of arbitrary numbers; two entries below the diagonal are large, so that rows must be exchanged.
    fn filled(n: usize, band: Option<Band>) -> Jacobian {
        let mut jacobian = Jacobian::new(n, n, band);
        let colours = jacobian.colours();
        let number = |i: usize, j: usize| {
            let large = if i == j + 1 && j % 3 == 1 { 40.0 } else { 1.0 };
            large * ((i * 31 + j * 17) as f64 * 12.9898).sin()
        };
        for first in (0..colours).step_by(4) {
            let rates: Vec<Dual<4>> = (0..n)
                .map(|i| {
                    let column = |colour: usize| {
                        let b = band.unwrap_or(Band { lower: n, upper: n });
                        (i.saturating_sub(b.lower)..(i + b.upper + 1).min(n)).find(|j| j % colours == colour)
                    };
                    derivative(0.0, [0, 1, 2, 3].map(|s| column(first + s).map_or(0.0, |j| number(i, j))))
                })
                .collect();
            jacobian.store(&rates, first, colours);
        }
        jacobian
    }

    /// `(s·1 − J) x = b` is checked by putting the solution back.
    fn residual(n: usize, band: Option<Band>) -> f64 {
        let jacobian = filled(n, band);
        let mut factors = Factors::new(&jacobian);
        assert!(factors.factorise(&jacobian, 2.0));
        let right: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 0.3).collect();
        let mut x = right.clone();
        factors.solve(&mut x);
        let mut product = vec![0.0; n];
        jacobian.times(&x, &mut product);
        (0..n).map(|i| (2.0 * x[i] - product[i] - right[i]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn dense_factors_solve_the_system() {
        for n in 1..14 {
            assert!(residual(n, None) < 1e-10, "{n}");
        }
    }

    #[test]
    fn banded_factors_solve_the_system() {
        for (lower, upper) in [(1, 1), (3, 2), (5, 1), (4, 3), (1, 4)] {
            assert!(residual(40, Some(Band { lower, upper })) < 1e-9, "{lower} {upper}");
        }
    }
}
