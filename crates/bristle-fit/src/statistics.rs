//! What residuals say of themselves and of the estimates.

use nalgebra::{DMatrix, DVector};

/// Residuals of one record as a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Autocorrelation at the lags 0, 1, 2 …
    pub autocorrelation: Vec<f64>,
    /// The lag from which on nothing is left of it.
    pub memory: usize,
    /// How many independent values the series is worth.
    pub effective: f64,
}

impl Series {
    /// Looks at a series.
    pub fn of(residuals: &[f64]) -> Series {
        let n = residuals.len();
        if n < 3 {
            return Series { autocorrelation: vec![1.0], memory: 0, effective: n as f64 };
        }
        let power: f64 = residuals.iter().map(|r| r * r).sum::<f64>().max(f64::MIN_POSITIVE);
        let most = (n / 4).min(4000);
        let noise = 2.0 / (n as f64).sqrt();
        let mut autocorrelation = vec![1.0];
        let (mut memory, mut sum, mut is_over) = (0, 0.0, false);
        for lag in 1..=most {
            let product: f64 = residuals[lag..].iter().zip(residuals).map(|(a, b)| a * b).sum();
            let rho = product / power;
            autocorrelation.push(rho);
            is_over |= rho < noise;
            if !is_over {
                memory = lag;
                sum += rho;
            }
            if is_over && lag > 3 * memory.max(20) {
                break;
            }
        }
        Series { autocorrelation, memory, effective: (n as f64 / (1.0 + 2.0 * sum)).max(1.0) }
    }

    /// How far the sums of a covariance reach that takes the correlation into account.
    pub fn lags(&self, rows: usize) -> usize {
        (4 * self.memory).clamp(4, (rows / 20).max(4)).min(rows.saturating_sub(1))
    }
}

/// The covariance of coordinates two ways, and how well the record determines them.
#[derive(Clone, Debug)]
pub struct Spread {
    /// From uncorrelated residuals.
    pub white: DMatrix<f64>,
    /// From residuals as correlated as these are (Newey and West 1987).
    pub correlated: DMatrix<f64>,
    /// Directions, worst determined first: standard error along each in natural units, and the direction.
    pub directions: Vec<(f64, Vec<f64>)>,
    /// Ratio of the best to the worst determined direction of scaled columns.
    pub condition: f64,
}

/// Standard errors above this, in natural units, are as good as none.
const WIDEST: f64 = 1e3;

/// The covariance where a descent has ended; `unit` is the natural unit of each coordinate, `blocks` the rows of each record.
pub fn spread(
    residuals: &DVector<f64>,
    jacobian: &DMatrix<f64>,
    unit: &[f64],
    blocks: &[(usize, usize, usize)],
) -> Spread {
    let (rows, count) = (jacobian.nrows(), jacobian.ncols());
    let mut scaled = jacobian.clone();
    for k in 0..count {
        scaled.column_mut(k).scale_mut(unit[k]);
    }
    let variance = residuals.norm_squared() / (rows.saturating_sub(count).max(1)) as f64;
    let eigen = scaled.tr_mul(&scaled).symmetric_eigen();
    let largest = eigen.eigenvalues.amax().max(f64::MIN_POSITIVE);
    let least = (1e-15 * largest).max(variance / (WIDEST * WIDEST));
    let inverse = {
        let mut inverse = DMatrix::zeros(count, count);
        for i in 0..count {
            let v = eigen.eigenvectors.column(i);
            inverse += v * v.transpose() / eigen.eigenvalues[i].max(least);
        }
        inverse
    };
    let mut meat = DMatrix::zeros(count, count);
    for &(first, length, lags) in blocks {
        let part = scaled.rows(first, length);
        let mut scores = part.clone_owned();
        for (i, mut row) in scores.row_iter_mut().enumerate() {
            row *= residuals[first + i];
        }
        meat += scores.tr_mul(&scores);
        for lag in 1..=lags.min(length.saturating_sub(1)) {
            let weight = 1.0 - lag as f64 / (lags as f64 + 1.0);
            let cross = scores.rows(lag, length - lag).tr_mul(&scores.rows(0, length - lag)) * weight;
            meat += &cross + cross.transpose();
        }
    }
    let back = |matrix: DMatrix<f64>| DMatrix::from_fn(count, count, |i, j| matrix[(i, j)] * unit[i] * unit[j]);
    let white = back(&inverse * variance);
    let correlated = back(&inverse * meat * &inverse);
    let mut directions: Vec<(f64, Vec<f64>)> = (0..count)
        .map(|i| {
            let sigma = (variance / eigen.eigenvalues[i].max(least)).sqrt();
            (sigma, eigen.eigenvectors.column(i).iter().copied().collect())
        })
        .collect();
    directions.sort_by(|a, b| b.0.total_cmp(&a.0));
    Spread { white, correlated, directions, condition: condition(&scaled) }
}

/// The ratio of the largest to the smallest eigenvalue of the correlation of the columns.
fn condition(jacobian: &DMatrix<f64>) -> f64 {
    let normal = jacobian.tr_mul(jacobian);
    let norm = |k: usize| normal[(k, k)].sqrt();
    let count = normal.nrows();
    if (0..count).any(|k| norm(k) == 0.0) {
        return f64::INFINITY;
    }
    let unit = DMatrix::from_fn(count, count, |i, j| normal[(i, j)] / (norm(i) * norm(j)));
    let values = unit.symmetric_eigen().eigenvalues;
    let (least, largest) = (values.min(), values.max());
    if least <= 0.0 { f64::INFINITY } else { largest / least }
}
