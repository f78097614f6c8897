//! Parameters that depend on one another: normal dependence under any marginals.

use crate::error::VaryError;
use crate::marginal::standard;
use statrs::distribution::ContinuousCDF;

/// Correlations of the normal scores of some parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// Places of the parameters.
    places: Vec<usize>,
    /// Lower triangle, row by row, of the root of the correlation matrix.
    root: Vec<Vec<f64>>,
}

impl Correlation {
    /// From a covariance matrix of the parameters at these places; standard deviations are divided out.
    ///
    /// # Errors
    /// [`VaryError::Covariance`] for a matrix that is not symmetric and positive definite.
    pub fn from_covariance(places: Vec<usize>, covariance: &[Vec<f64>]) -> Result<Correlation, VaryError> {
        let n = places.len();
        if covariance.len() != n || covariance.iter().any(|row| row.len() != n) {
            return Err(VaryError::Covariance);
        }
        let scale: Vec<f64> = (0..n).map(|i| covariance[i][i].sqrt()).collect();
        let entry = |i: usize, j: usize| covariance[i][j] / (scale[i] * scale[j]);
        let mut root = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                if (entry(i, j) - entry(j, i)).abs() > 1e-9 {
                    return Err(VaryError::Covariance);
                }
                let sum: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
                let rest = entry(i, j) - sum;
                root[i][j] = if i == j { rest.sqrt() } else { rest / root[j][j] };
                // Not a number where the matrix is not positive definite.
                if !root[i][j].is_finite() || i == j && root[i][j] <= 0.0 {
                    return Err(VaryError::Covariance);
                }
            }
        }
        Ok(Correlation { places, root })
    }

    /// Makes independent coordinates of the unit cube dependent.
    pub(crate) fn apply(&self, units: &mut [f64]) {
        let normal = standard();
        let scores: Vec<f64> = self.places.iter().map(|&i| normal.inverse_cdf(units[i])).collect();
        for (row, &place) in self.root.iter().zip(&self.places) {
            let score: f64 = row.iter().zip(&scores).map(|(l, z)| l * z).sum();
            units[place] = normal.cdf(score).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
        }
    }
}

#[cfg(test)]
mod correlation_tests {
    use super::*;
    use crate::{Design, DesignKind, Marginal};

    #[test]
    fn a_sample_has_the_covariance_that_was_given() {
        let covariance = vec![vec![4.0, 3.0], vec![3.0, 9.0]];
        let correlation = Correlation::from_covariance(vec![0, 1], &covariance).unwrap();
        let marginals = vec![
            Marginal::Normal { mean: 1.0, deviation: 2.0 },
            Marginal::Normal { mean: -1.0, deviation: 3.0 },
        ];
        let n = 4096;
        let design = Design::new(DesignKind::Sobol, marginals, Some(correlation), n, 7).unwrap();
        let mut sums = [0.0; 3];
        let mut point = [0.0; 2];
        for i in 0..n {
            design.point(i, &mut point);
            let [x, y] = [point[0] - 1.0, point[1] + 1.0];
            for (sum, term) in sums.iter_mut().zip([x * x, x * y, y * y]) {
                *sum += term / n as f64;
            }
        }
        // A sequence of 4096 points knows second moments to some tenths of a per cent.
        for (found, expected) in sums.iter().zip([4.0, 3.0, 9.0]) {
            assert!((found / expected - 1.0).abs() < 0.01, "{sums:?}");
        }
        let wrong = [vec![1.0, 2.0], vec![2.0, 1.0]];
        assert_eq!(Correlation::from_covariance(vec![0, 1], &wrong), Err(VaryError::Covariance));
    }
}
