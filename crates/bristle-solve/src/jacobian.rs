//! Exact Jacobians, dense or banded, and the linear systems a step solves with them.

use crate::Band;
use bristle_core::{Dual, partial};

/// `∂f/∂x` of the coupled states, the quadrature rows where they are known, and `∂f/∂t`.
#[derive(Clone, Debug)]
pub struct Jacobian {
    dim: usize,
    coupled: usize,
    band: Option<Band>,
    /// Dense: all rows, `coupled` columns each. Banded: `coupled` rows of `lower + 1 + upper` entries.
    values: Vec<f64>,
    /// `∂f/∂t`.
    pub time: Vec<f64>,
}

impl Jacobian {
    /// A zero Jacobian of `coupled` states followed by quadratures.
    pub fn new(dim: usize, coupled: usize, band: Option<Band>) -> Self {
        // A band as wide as the matrix saves nothing.
        let band = band.filter(|b| b.lower + b.upper + 1 < coupled);
        let size = match band {
            Some(b) => coupled * (b.lower + b.upper + 1),
            None => dim * coupled,
        };
        Jacobian { dim, coupled, band, values: vec![0.0; size], time: vec![0.0; dim] }
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// The band, if it is narrow.
    pub fn band(&self) -> Option<Band> {
        self.band
    }

    /// How many groups of columns must be seeded apart.
    pub fn colours(&self) -> usize {
        match self.band {
            Some(b) => b.lower + b.upper + 1,
            None => self.coupled,
        }
    }

    /// `∂f_row/∂x_column`; a quadrature row of a banded Jacobian is not known.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        match self.band {
            None => self.values[row * self.coupled + column],
            Some(b) => {
                let offset = (column + b.lower).wrapping_sub(row);
                if offset <= b.lower + b.upper {
                    self.values[row * (b.lower + b.upper + 1) + offset]
                } else {
                    0.0
                }
            }
        }
    }

    /// Are the quadrature rows stored?
    pub(crate) fn knows_quadratures(&self) -> bool {
        self.band.is_none()
    }

    /// Row `row` of a dense Jacobian.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.coupled..(row + 1) * self.coupled]
    }

    /// Takes the columns of colours `first..first + W` out of the rates.
    pub(crate) fn store<const W: usize>(&mut self, rates: &[Dual<W>], first: usize, colours: usize) {
        let end = colours.min(first + W);
        match self.band {
            None => {
                for (i, rate) in rates.iter().enumerate().take(self.dim) {
                    for colour in first..end {
                        self.values[i * self.coupled + colour] = partial(rate, colour - first);
                    }
                }
            }
            Some(b) => {
                for (i, rate) in rates.iter().enumerate().take(self.coupled) {
                    let row = &mut self.values[i * colours..(i + 1) * colours];
                    for (offset, slot) in row.iter_mut().enumerate() {
                        let column = i + offset;
                        if column < b.lower || column - b.lower >= self.coupled {
                            continue;
                        }
                        let colour = (column - b.lower) % colours;
                        if colour >= first && colour < end {
                            *slot = partial(rate, colour - first);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn keep_finite(&mut self) {
        for value in self.values.iter_mut().chain(&mut self.time) {
            if !value.is_finite() {
                *value = 0.0;
            }
        }
    }

    /// Writes `J v` for the coupled states.
    pub fn times(&self, v: &[f64], out: &mut [f64]) {
        match self.band {
            None => {
                for i in 0..self.coupled {
                    out[i] = self.row(i).iter().zip(v).map(|(a, b)| a * b).sum();
                }
            }
            Some(b) => {
                let width = b.lower + b.upper + 1;
                for i in 0..self.coupled {
                    let low = i.saturating_sub(b.lower);
                    let high = (i + b.upper + 1).min(self.coupled);
                    let row = &self.values[i * width + low + b.lower - i..];
                    out[i] = row.iter().zip(&v[low..high]).map(|(a, b)| a * b).sum();
                }
            }
        }
    }
}

/// The factors of `s·1 − J`.
#[derive(Clone, Debug)]
pub struct Factors {
    size: usize,
    band: Option<Band>,
    values: Vec<f64>,
    inverse: Vec<f64>,
    pivots: Vec<usize>,
}

impl Factors {
    /// Room for the factors of matrices shaped like `jacobian`.
    pub fn new(jacobian: &Jacobian) -> Self {
        let size = jacobian.coupled;
        let width = match jacobian.band {
            // Pivoting fills `lower` further diagonals above.
            Some(b) => 2 * b.lower + b.upper + 1,
            None => size,
        };
        Factors {
            size,
            band: jacobian.band,
            values: vec![0.0; size * width],
            inverse: vec![0.0; size],
            pivots: vec![0; size],
        }
    }

    /// Factorises `shift·1 − J` with partial pivoting; false if a pivot vanishes.
    pub fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        match self.band {
            None => {
                for i in 0..self.size {
                    let row = &mut self.values[i * self.size..(i + 1) * self.size];
                    for (slot, value) in row.iter_mut().zip(jacobian.row(i)) {
                        *slot = -value;
                    }
                    row[i] += shift;
                }
                self.factorise_dense()
            }
            Some(band) => {
                let (narrow, wide) = (band.lower + band.upper + 1, 2 * band.lower + band.upper + 1);
                for i in 0..self.size {
                    let row = &mut self.values[i * wide..(i + 1) * wide];
                    let source = &jacobian.values[i * narrow..(i + 1) * narrow];
                    for (slot, value) in row.iter_mut().zip(source) {
                        *slot = -value;
                    }
                    row[narrow..].fill(0.0);
                    row[band.lower] += shift;
                }
                self.factorise_banded(band)
            }
        }
    }

    fn factorise_dense(&mut self) -> bool {
        let n = self.size;
        let a = &mut self.values[..n * n];
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    a.swap(k * n + j, pivot * n + j);
                }
            }
            let diagonal = a[k * n + k];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return false;
            }
            self.inverse[k] = 1.0 / diagonal;
            let (top, bottom) = a.split_at_mut((k + 1) * n);
            let top = &top[k * n + k + 1..];
            for row in bottom.chunks_exact_mut(n) {
                let factor = row[k] * self.inverse[k];
                row[k] = factor;
                if factor != 0.0 {
                    for (slot, value) in row[k + 1..].iter_mut().zip(top) {
                        *slot -= factor * value;
                    }
                }
            }
        }
        true
    }

    /// Row `i` holds columns `i − lower … i + upper + lower`.
    fn factorise_banded(&mut self, band: Band) -> bool {
        let (n, lower) = (self.size, band.lower);
        let wide = 2 * lower + band.upper + 1;
        for k in 0..n {
            let last = (k + lower).min(n - 1);
            let mut pivot = k;
            for i in k + 1..=last {
                if self.values[i * wide + k + lower - i].abs()
                    > self.values[pivot * wide + k + lower - pivot].abs()
                {
                    pivot = i;
                }
            }
            self.pivots[k] = pivot;
            let count = (band.upper + lower + 1).min(n - k);
            if pivot != k {
                for j in 0..count {
                    self.values.swap(k * wide + lower + j, pivot * wide + k + lower - pivot + j);
                }
            }
            let diagonal = self.values[k * wide + lower];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return false;
            }
            self.inverse[k] = 1.0 / diagonal;
            let (top, bottom) = self.values.split_at_mut((k + 1) * wide);
            let top = &top[k * wide + lower + 1..k * wide + lower + count];
            for i in k + 1..=last {
                let row = &mut bottom[(i - k - 1) * wide + k + lower - i..];
                let factor = row[0] * self.inverse[k];
                row[0] = factor;
                if factor != 0.0 {
                    for (slot, value) in row[1..].iter_mut().zip(top) {
                        *slot -= factor * value;
                    }
                }
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        match self.band {
            None => self.solve_dense(&mut b[..self.size]),
            Some(band) => self.solve_banded(band, &mut b[..self.size]),
        }
    }

    fn solve_dense(&self, b: &mut [f64]) {
        let n = self.size;
        let a = &self.values[..n * n];
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for k in 1..n {
            let (done, rest) = b.split_at_mut(k);
            let sum: f64 = a[k * n..k * n + k].iter().zip(done.iter()).map(|(l, y)| l * y).sum();
            rest[0] -= sum;
        }
        for k in (0..n).rev() {
            let (head, tail) = b.split_at_mut(k + 1);
            let sum: f64 = a[k * n + k + 1..(k + 1) * n].iter().zip(tail.iter()).map(|(u, x)| u * x).sum();
            head[k] = (head[k] - sum) * self.inverse[k];
        }
    }

    fn solve_banded(&self, band: Band, b: &mut [f64]) {
        let (n, lower) = (self.size, band.lower);
        let wide = 2 * lower + band.upper + 1;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
            let value = b[k];
            for i in k + 1..=(k + lower).min(n - 1) {
                b[i] -= self.values[i * wide + k + lower - i] * value;
            }
        }
        for k in (0..n).rev() {
            let count = (band.upper + lower + 1).min(n - k);
            let row = &self.values[k * wide + lower + 1..k * wide + lower + count];
            let sum: f64 = row.iter().zip(&b[k + 1..]).map(|(u, x)| u * x).sum();
            b[k] = (b[k] - sum) * self.inverse[k];
        }
    }
}

#[cfg(test)]
mod jacobian_tests {
    use super::*;

    fn filled(n: usize, band: Option<Band>) -> Jacobian {
        let mut jacobian = Jacobian::new(n, n, band);
        let mut seed = 1u64;
        for value in &mut jacobian.values {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *value = (seed >> 40) as f64 / 1e7 - 0.8;
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
        for n in 1..12 {
            assert!(residual(n, None) < 1e-10, "{n}");
        }
    }

    #[test]
    fn banded_factors_solve_the_system() {
        for (lower, upper) in [(1, 1), (3, 2), (0, 4), (5, 1)] {
            assert!(residual(40, Some(Band { lower, upper })) < 1e-8, "{lower} {upper}");
        }
    }
}
