//! What records tell of numbers, without the records.

use nalgebra::DMatrix;

/// Errors above this share of the number itself are no knowledge of it.
pub const VAGUE_SHARE: f64 = 1.0;

/// Directions this much worse determined than the best are not determined at all: what is left of them is rounding.
const ROUNDING: f64 = 1e-13;

/// Triangular factor of the slopes of all values by all numbers, over the noise: `RᵀR` is the matrix of information.
#[derive(Clone, Debug, PartialEq)]
pub struct Information {
    factor: DMatrix<f64>,
    count: usize,
}

impl Information {
    /// Nothing is known of so many numbers.
    pub fn nothing(count: usize) -> Information {
        Information { factor: DMatrix::zeros(0, count), count }
    }

    /// From the slopes by each number, a column each.
    pub fn of(columns: &[Vec<f64>]) -> Information {
        let (rows, count) = (columns.first().map_or(0, Vec::len), columns.len());
        let slopes = DMatrix::from_fn(rows, count, |i, k| columns[k][i]);
        Information { factor: triangular(slopes), count }
    }

    /// Both together.
    pub fn and(&self, other: &Information) -> Information {
        let (above, below) = (self.factor.nrows(), other.factor.nrows());
        let mut stacked = DMatrix::zeros(above + below, self.count);
        stacked.rows_mut(0, above).copy_from(&self.factor);
        stacked.rows_mut(above, below).copy_from(&other.factor);
        Information { factor: triangular(stacked), count: self.count }
    }

    /// The standard error of each number in its own scale; infinite where nothing is told.
    pub fn errors(&self) -> Vec<f64> {
        let count = self.count;
        let mut square = DMatrix::zeros(count.max(self.factor.nrows()), count);
        square.rows_mut(0, self.factor.nrows()).copy_from(&self.factor);
        // Numbers that little is told of must not drown in those that much is told of.
        let norms: Vec<f64> = (0..count).map(|k| square.column(k).norm()).collect();
        let largest = norms.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let is_told = |k: usize| norms[k] > ROUNDING * largest;
        for k in 0..count {
            let scale = if is_told(k) { norms[k] } else { f64::INFINITY };
            square.column_mut(k).unscale_mut(scale);
        }
        let told = (0..count).filter(|&k| is_told(k)).count();
        let svd = square.svd(false, true);
        let Some(directions) = svd.v_t else { return vec![f64::INFINITY; count] };
        let strongest = svd.singular_values.amax();
        // Numbers that nothing is told of bring empty directions of their own.
        let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
        order.sort_by(|a, b| svd.singular_values[*b].total_cmp(&svd.singular_values[*a]));
        let variance = |k: usize| -> f64 {
            if !is_told(k) {
                return f64::INFINITY;
            }
            let sum: f64 = order
                .iter()
                .take(told)
                .map(|&i| {
                    let (s, part) = (svd.singular_values[i], directions[(i, k)]);
                    if s > ROUNDING * strongest {
                        (part / s).powi(2)
                    } else if part.abs() > 1e-6 {
                        f64::INFINITY
                    } else {
                        0.0
                    }
                })
                .sum();
            sum / norms[k].powi(2)
        };
        (0..count).map(|k| variance(k).sqrt()).collect()
    }
}

fn triangular(slopes: DMatrix<f64>) -> DMatrix<f64> {
    if slopes.nrows() <= slopes.ncols() { slopes } else { slopes.qr().r() }
}
