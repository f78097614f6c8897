//! The sum of squares over all records, in coordinates.

use crate::error::FitError;
use crate::experiment::{FitRecord, Residuals};
use crate::unknown::Coordinates;
use nalgebra::{DMatrix, DVector};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is to be made small: the sum of squares of all residuals, and of the distance from what was known before.
pub struct Objective<'a> {
    /// The unknowns.
    pub coordinates: &'a Coordinates,
    /// The records.
    pub records: &'a [FitRecord<'a>],
    /// How far the records are compared.
    pub horizon: f64,
    /// How many simulations were made, and how many of them with derivatives.
    pub simulations: &'a AtomicUsize,
}

/// Residuals at a place, and their derivatives by the coordinates.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The residuals.
    pub residuals: DVector<f64>,
    /// The derivatives.
    pub jacobian: DMatrix<f64>,
}

impl Objective<'_> {
    /// The sum of squares at a place; infinite where no motion can be found.
    ///
    /// # Errors
    /// [`FitError::Stopped`].
    pub fn cost(&self, u: &[f64]) -> Result<f64, FitError> {
        match self.evaluate(u, false) {
            Ok((residuals, _)) => Ok(residuals.values.iter().map(|r| r * r).sum()),
            Err(FitError::Stopped) => Err(FitError::Stopped),
            Err(_) => Ok(f64::INFINITY),
        }
    }

    /// Residuals at a place.
    ///
    /// # Errors
    /// As [`crate::experiment::Experiment::respond`].
    pub fn residuals(&self, u: &[f64]) -> Result<DVector<f64>, FitError> {
        Ok(DVector::from_vec(self.evaluate(u, false)?.0.values))
    }

    /// Residuals and their derivatives at a place.
    ///
    /// # Errors
    /// As [`crate::experiment::Experiment::respond`].
    pub fn linearised(&self, u: &[f64]) -> Result<Linearised, FitError> {
        let (residuals, rows) = self.evaluate(u, true)?;
        let count = self.coordinates.len();
        let by_unknown = self.coordinates.slopes(u);
        let mut jacobian = DMatrix::zeros(rows, count);
        for k in 0..count {
            let mut column = jacobian.column_mut(k);
            for (i, slopes) in residuals.slopes.iter().enumerate() {
                let factor = by_unknown[(i, k)];
                if factor != 0.0 {
                    column.iter_mut().zip(slopes).for_each(|(c, s)| *c += factor * s);
                }
            }
        }
        if jacobian.iter().any(|x: &f64| !x.is_finite()) {
            return Err(FitError::Lost { time: f64::NAN });
        }
        Ok(Linearised { residuals: DVector::from_vec(residuals.values), jacobian })
    }

    fn evaluate(&self, u: &[f64], differentiates: bool) -> Result<(Residuals, usize), FitError> {
        let values = self.coordinates.values(u);
        let mut all = Residuals::default();
        for record in self.records {
            bristle_solve::Cancel::check().map_err(|_| FitError::Stopped)?;
            self.simulations.fetch_add(1, Ordering::Relaxed);
            record.compare(&values, self.horizon, &mut all, differentiates)?;
        }
        for (i, unknown) in self.coordinates.unknowns.iter().enumerate() {
            let Some([value, within]) = unknown.prior else { continue };
            all.values.push((values[i] - value) / within);
            for (j, column) in all.slopes.iter_mut().enumerate() {
                column.push(if i == j { 1.0 / within } else { 0.0 });
            }
        }
        let rows = all.values.len();
        Ok((all, rows))
    }
}
