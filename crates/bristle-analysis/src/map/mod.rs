//! Stability of an equilibrium over a grid of two parameters.
//!
//! A cell needs no eigenvalues: Newton from the neighbouring cells, the characteristic polynomial, Routh's array. Rows go through the
//! recorded equations in lanes of vector instructions, and on all cores; a cell's answer has the same bits whatever their numbers.

mod row;
mod rows;
mod small;

use crate::AnalysisError;
use crate::active_states::ActiveStates;
use crate::linear::{is_hurwitz, largest_real_part, polynomial};
use crate::steady::{self, Newton};
use bristle_core::Lanes;
use bristle_solve::{Cancel, Dynamics, Point, Recorded};
use rayon::prelude::*;
use rows::{RowWalk, Rows};
pub(crate) use small::exchange;
use std::sync::Arc;

/// Most states that take part in lanes.
const MOST: usize = 16;

/// Rows walked together, where there are many rows for every core, and where there are few.
const MANY: usize = 32;
const FEW: usize = 8;

/// Values of one parameter.
#[derive(Clone, Debug)]
pub struct MapAxis {
    /// Index of the parameter.
    pub parameter: usize,
    /// Its values.
    pub values: Vec<f64>,
}

impl MapAxis {
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
    pub rows: MapAxis,
    /// Columns.
    pub columns: MapAxis,
    /// Row by row: is the equilibrium stable? `None` where it was not found.
    pub stable: Vec<Option<bool>>,
}

impl StabilityMap {
    /// Number of stable cells.
    pub fn stable_cells(&self) -> usize {
        self.stable.iter().filter(|s| **s == Some(true)).count()
    }
}

/// Where a row starts.
struct RowStart {
    p: Vec<f64>,
    x: Vec<f64>,
}

/// What is asked about the Jacobian of a cell, which is row-major and in units of the scales.
trait Judge: Sync {
    /// The answer.
    type Answer: Copy + Send;
    /// The answer in every lane; may destroy the matrices. There is scratch space of `(n + 1)²`.
    fn lanes<const N: usize>(
        &self,
        matrix: &mut [Lanes<N>],
        n: usize,
        scratch: &mut [Lanes<N>],
    ) -> [Self::Answer; N];
    /// The answer for one cell, if there is one.
    fn single(&self, matrix: &[f64], n: usize) -> Option<Self::Answer>;
}

/// Is the equilibrium stable?
struct Routh;

impl Judge for Routh {
    type Answer = bool;

    #[inline(always)]
    fn lanes<const N: usize>(
        &self,
        matrix: &mut [Lanes<N>],
        n: usize,
        scratch: &mut [Lanes<N>],
    ) -> [bool; N] {
        small::polynomial(matrix, n, scratch);
        let width = n + 1;
        small::is_hurwitz(&scratch[n * width..n * width + n]).0.map(|m| m != 0)
    }

    fn single(&self, matrix: &[f64], n: usize) -> Option<bool> {
        let mut matrix: row::Matrix = matrix.into();
        Some(is_hurwitz(&polynomial(&mut matrix, n)))
    }
}

/// How fast does the slowest disturbance grow?
struct GrowthRate;

impl Judge for GrowthRate {
    type Answer = f64;

    #[inline(always)]
    fn lanes<const N: usize>(&self, matrix: &mut [Lanes<N>], n: usize, _: &mut [Lanes<N>]) -> [f64; N] {
        let mut answers = [f64::NAN; N];
        let mut single: row::Matrix = std::iter::repeat_n(0.0, n * n).collect();
        for lane in 0..N {
            for (slot, lanes) in single.iter_mut().zip(matrix.iter()) {
                *slot = lanes.0[lane];
            }
            answers[lane] = largest_real_part(&mut single, n).unwrap_or(f64::NAN);
        }
        answers
    }

    fn single(&self, matrix: &[f64], n: usize) -> Option<f64> {
        let mut matrix: row::Matrix = matrix.into();
        largest_real_part(&mut matrix, n)
    }
}

/// Decides the stability of the equilibrium near `guess` (at the first row and column) in every cell.
pub fn map<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    rows: MapAxis,
    columns: MapAxis,
) -> Result<StabilityMap, AnalysisError> {
    let (scope, starts) = begin(dynamics, p, guess, &rows, &columns)?;
    Ok(StabilityMap { stable: cells(&scope, &starts, &columns, &Routh), rows, columns })
}

/// The largest real part of all eigenvalues in every cell, row by row; slower than [`map`] but says how stable.
pub fn abscissa<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    rows: &MapAxis,
    columns: &MapAxis,
) -> Result<Vec<Option<f64>>, AnalysisError> {
    let (scope, starts) = begin(dynamics, p, guess, rows, columns)?;
    let found = cells(&scope, &starts, columns, &GrowthRate);
    Ok(found.into_iter().map(|a| a.filter(|a| !a.is_nan())).collect())
}

fn begin<'a, D: Dynamics>(
    dynamics: &'a D,
    p: &[f64],
    guess: &[f64],
    rows: &MapAxis,
    columns: &MapAxis,
) -> Result<(ActiveStates<'a, D>, Vec<RowStart>), AnalysisError> {
    for axis in [rows, columns] {
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
    let scope = ActiveStates::new(dynamics, &p, guess)?;
    let starts = starts(&scope, p, rows)?;
    Ok((scope, starts))
}

fn cell_by_cell<D: Dynamics, J: Judge>(
    scope: &ActiveStates<'_, D>,
    starts: &[RowStart],
    columns: &MapAxis,
    judge: &J,
) -> Vec<Option<J::Answer>> {
    let cancel = Cancel::current();
    starts.par_iter().flat_map_iter(|start| cancel.scope(|| row::row(scope, start, columns, judge))).collect()
}

/// All cells: in lanes where the equations can be recorded.
fn cells<D: Dynamics, J: Judge>(
    scope: &ActiveStates<'_, D>,
    starts: &[RowStart],
    columns: &MapAxis,
    judge: &J,
) -> Vec<Option<J::Answer>> {
    let recorded = recorded(scope, &starts[0]).filter(|all| scope.dim() <= MOST && all.jacobian().is_ok());
    match recorded {
        Some(all) if starts.len() >= MANY * rayon::current_num_threads() => {
            in_lanes::<D, J, MANY>(scope, starts, columns, judge, &all)
        }
        Some(all) => in_lanes::<D, J, FEW>(scope, starts, columns, judge, &all),
        None => cell_by_cell(scope, starts, columns, judge),
    }
}

/// What is recorded of the equations at the start of a row.
fn recorded<D: Dynamics>(scope: &ActiveStates<'_, D>, start: &RowStart) -> Option<Arc<Recorded>> {
    let (dynamics, x) = (scope.dynamics, scope.expand(&start.x));
    let at = Point { t: scope.base.t, x: &x, p: &start.p, mode: &scope.base.mode };
    match dynamics.recordings() {
        Some(all) => all.recorded(dynamics, at),
        None => Recorded::new(dynamics, at).ok().map(Arc::new),
    }
}

fn in_lanes<D: Dynamics, J: Judge, const N: usize>(
    scope: &ActiveStates<'_, D>,
    starts: &[RowStart],
    columns: &MapAxis,
    judge: &J,
    recorded: &Recorded,
) -> Vec<Option<J::Answer>> {
    let Ok(jacobian) = recorded.jacobian() else { return cell_by_cell(scope, starts, columns, judge) };
    let cancel = Cancel::current();
    let bundles = starts.par_chunks(N).flat_map_iter(|starts| {
        let rows = Rows::<D, N>::new(scope, starts, recorded, jacobian);
        let walk = || pulp::Arch::new().dispatch(RowWalk { rows, columns, judge });
        cancel.scope(walk).into_iter().flatten()
    });
    bundles.collect()
}

/// The first column is followed cell by cell; the rows then start from it and are independent.
fn starts<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    mut p: Vec<f64>,
    rows: &MapAxis,
) -> Result<Vec<RowStart>, AnalysisError> {
    let mut guess = steady::solve(scope, &p, &scope.start(), Newton::default())?;
    let mut starts = Vec::with_capacity(rows.values.len());
    for &value in &rows.values {
        p[rows.parameter] = value;
        if let Some((x, _)) = row::find(scope, &p, guess.iter().copied().collect(), &guess) {
            guess = x.to_vec();
        }
        starts.push(RowStart { p: p.clone(), x: guess.clone() });
    }
    Ok(starts)
}
