//! Stability of an equilibrium over a grid of two parameters.
//!
//! A cell needs no eigenvalues: Newton from the neighbouring cell, the characteristic polynomial, Routh's array.

use crate::AnalysisError;
use crate::linear::{self, is_hurwitz, polynomial, solve_in_place};
use crate::scope::{Row, Scope};
use crate::steady::{self, Newton};
use bristle_solve::Dynamics;
use rayon::prelude::*;
use smallvec::SmallVec;

/// Values of one parameter.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Index of the parameter.
    pub parameter: usize,
    /// Its values.
    pub values: Vec<f64>,
}

impl Axis {
    /// Evenly spaced values, both ends included.
    pub fn linear(parameter: usize, from: f64, to: f64, count: usize) -> Self {
        let step = (to - from) / (count.max(2) - 1) as f64;
        let values = (0..count).map(|i| if i + 1 == count { to } else { from + step * i as f64 }).collect();
        Self { parameter, values }
    }
}

/// Stability on a grid.
#[derive(Clone, Debug)]
pub struct StabilityMap {
    /// Rows.
    pub rows: Axis,
    /// Columns.
    pub columns: Axis,
    /// Row by row: is the equilibrium stable? `None` where it was not found.
    pub stable: Vec<Option<bool>>,
}

impl StabilityMap {
    /// Number of stable cells.
    pub fn stable_cells(&self) -> usize {
        self.stable.iter().filter(|s| **s == Some(true)).count()
    }
}

/// Decides the stability of the equilibrium near `guess` (at the first row and column) in every cell.
pub fn map<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    rows: Axis,
    columns: Axis,
) -> Result<StabilityMap, AnalysisError> {
    for axis in [&rows, &columns] {
        if axis.parameter >= p.len() {
            return Err(AnalysisError::NoSuchParameter { index: axis.parameter, count: p.len() });
        }
        if axis.values.is_empty() {
            return Err(AnalysisError::Length { expected: 1, found: 0 });
        }
    }
    let mut p = p.to_vec();
    p[rows.parameter] = rows.values[0];
    p[columns.parameter] = columns.values[0];
    let scope = Scope::new(dynamics, &p, guess)?;
    // The first column is followed cell by cell; the rows then start from it and are independent.
    let mut guess = steady::solve(&scope, &p, &scope.start(), Newton::default())?;
    let mut starts = Vec::with_capacity(rows.values.len());
    for &value in &rows.values {
        p[rows.parameter] = value;
        if let Ok(x) = steady::solve(&scope, &p, &guess, Newton::default()) {
            guess = x;
        }
        starts.push((p.clone(), guess.clone()));
    }
    let stable = starts
        .into_par_iter()
        .flat_map_iter(|(p, start)| row(&scope, p, &start, &columns))
        .collect::<Vec<_>>();
    Ok(StabilityMap { rows, columns, stable })
}

/// One row of the map, each cell starting from the line through its two predecessors.
fn row<D: Dynamics>(
    scope: &Scope<'_, D>,
    mut p: Vec<f64>,
    start: &[f64],
    columns: &Axis,
) -> Vec<Option<bool>> {
    let mut x: Row<f64> = start.iter().copied().collect();
    let mut before = x.clone();
    let mut cells = Vec::with_capacity(columns.values.len());
    for &value in &columns.values {
        p[columns.parameter] = value;
        let ahead: Row<f64> = x.iter().zip(&before).map(|(now, then)| 2.0 * now - then).collect();
        let cell = cell(scope, &p, ahead).or_else(|| {
            let x = steady::solve(scope, &p, &x, Newton::default()).ok()?;
            cell(scope, &p, x.into_iter().collect())
        });
        cells.push(cell.as_ref().map(|(_, stable)| *stable));
        if let Some((found, _)) = cell {
            before = std::mem::replace(&mut x, found);
        }
    }
    cells
}

/// Undamped Newton and Routh's test; `None` where a few steps do not suffice.
fn cell<D: Dynamics>(scope: &Scope<'_, D>, p: &[f64], mut x: Row<f64>) -> Option<(Row<f64>, bool)> {
    let n = scope.dim();
    let mut matrix: SmallVec<[f64; 64]> = std::iter::repeat_n(0.0, n * n).collect();
    let mut size = f64::INFINITY;
    for _ in 0..8 {
        let mut step =
            scope.linearise(p, &x, |i, k, value| matrix[i * n + k] = value * scope.scale[k] / scope.scale[i]);
        if size < 1e-7 {
            let coefficients = polynomial(&mut matrix, n);
            return Some((x, is_hurwitz(&coefficients)));
        }
        for k in 0..n {
            step[k] /= -scope.scale[k];
        }
        if !solve_in_place(&mut matrix, n, &mut step) {
            return None;
        }
        size = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
        let level = (0..n).map(|k| (x[k] / scope.scale[k]).abs()).fold(1.0, f64::max);
        size /= level;
        for k in 0..n {
            x[k] += step[k] * scope.scale[k];
        }
    }
    None
}

/// The largest real part of all eigenvalues in every cell, row by row; slower than [`map`] but says how stable.
pub fn abscissa<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    rows: &Axis,
    columns: &Axis,
) -> Result<Vec<Option<f64>>, AnalysisError> {
    let mut p = p.to_vec();
    p[rows.parameter] = *rows.values.first().ok_or(AnalysisError::Length { expected: 1, found: 0 })?;
    p[columns.parameter] = *columns.values.first().ok_or(AnalysisError::Length { expected: 1, found: 0 })?;
    let scope = Scope::new(dynamics, &p, guess)?;
    let mut first = steady::solve(&scope, &p, &scope.start(), Newton::default())?;
    let mut cells = Vec::with_capacity(rows.values.len() * columns.values.len());
    for &row in &rows.values {
        p[rows.parameter] = row;
        let mut x = first.clone();
        for (j, &column) in columns.values.iter().enumerate() {
            p[columns.parameter] = column;
            let found = steady::solve(&scope, &p, &x, Newton::default()).ok();
            if let Some(found) = &found {
                x.clone_from(found);
                if j == 0 {
                    first.clone_from(found);
                }
            }
            let values = found.map(|x| linear::eigenvalues(&scope.jacobian(&p, &x), &scope.scale));
            cells.push(values.and_then(|v| v.ok()).and_then(|v| v.first().map(|c| c.re)));
        }
    }
    Ok(cells)
}
