//! Banded factors with rows exchanged, for bands of any width.

use super::banded::{PIVOT_THRESHOLD, flush};
use crate::{Bandwidth, Jacobian};

/// The factors of a banded `s·1 − J` with partial pivoting. Rows above the diagonal are stored divided by it.
#[derive(Clone, Debug)]
pub(crate) struct PivotedBandLu {
    size: usize,
    band: Bandwidth,
    /// Row `i` holds the columns `i − lower … i + upper + lower`: exchanges fill `lower` further diagonals above.
    values: Vec<f64>,
    inverse: Vec<f64>,
    pivots: Vec<usize>,
    /// How far right of the diagonal each row reaches; an exchange can lengthen it.
    reach: Vec<usize>,
    /// The inverse of the size of each row.
    scales: Vec<f64>,
}

impl PivotedBandLu {
    pub(crate) fn new(size: usize, band: Bandwidth) -> Self {
        PivotedBandLu {
            size,
            band,
            values: vec![0.0; size * (2 * band.lower + band.upper + 1)],
            inverse: vec![0.0; size],
            pivots: vec![0; size],
            reach: vec![0; size],
            scales: vec![0.0; size],
        }
    }

    pub(crate) fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        let band = self.band;
        let (narrow, wide) = (band.lower + band.upper + 1, 2 * band.lower + band.upper + 1);
        for (i, row) in self.values.chunks_exact_mut(wide).enumerate() {
            for (slot, value) in row.iter_mut().zip(jacobian.banded_row(band, i)) {
                *slot = -value;
            }
            row[narrow..].fill(0.0);
            row[band.lower] += shift;
            self.scales[i] = 1.0 / row.iter().map(|value| value.abs()).sum::<f64>();
        }
        self.eliminate()
    }

    fn eliminate(&mut self) -> bool {
        let (n, lower) = (self.size, self.band.lower);
        let wide = 2 * lower + self.band.upper + 1;
        self.reach.fill(self.band.upper);
        for k in 0..n {
            let last = (k + lower).min(n - 1);
            self.choose_pivot(k, last);
            let a = &mut self.values;
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
        for (k, row) in self.values.chunks_exact_mut(wide).enumerate() {
            row[lower + 1..].iter_mut().for_each(|value| *value *= self.inverse[k]);
        }
        true
    }

    /// Brings the best of the rows `k..=last` to row `k`.
    fn choose_pivot(&mut self, k: usize, last: usize) {
        let (n, Bandwidth { lower, upper }) = (self.size, self.band);
        let wide = 2 * lower + upper + 1;
        let a = &mut self.values;
        let mut pivot = k;
        let mut most = PIVOT_THRESHOLD * a[k * wide + lower].abs() * self.scales[k];
        for i in k + 1..=last {
            let size = a[i * wide + k + lower - i].abs() * self.scales[i];
            if size > most {
                (pivot, most) = (i, size);
            }
        }
        self.pivots[k] = pivot;
        if pivot == k {
            return;
        }
        self.scales.swap(k, pivot);
        for j in 0..(upper + lower + 1).min(n - k) {
            a.swap(k * wide + lower + j, pivot * wide + k + lower - pivot + j);
        }
        (self.reach[k], self.reach[pivot]) =
            (self.reach[pivot] + pivot - k, self.reach[k].max(pivot - k) - (pivot - k));
    }

    pub(crate) fn solve(&self, b: &mut [f64]) {
        let (n, lower) = (self.size, self.band.lower);
        let wide = 2 * lower + self.band.upper + 1;
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
