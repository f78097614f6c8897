//! Rows of a map, cell by cell: for any dynamics.

use super::{Judge, MapAxis, RowStart};
use crate::active_states::{ActiveStates, Row};
use crate::linear::solve_in_place;
use crate::steady::{self, Newton};
use bristle_solve::{Cancel, Dynamics};
use smallvec::SmallVec;

/// A row-major matrix that stays on the stack up to eight states.
pub(super) type Matrix = SmallVec<[f64; 64]>;

/// One row of the map, each cell starting from the line through its two predecessors.
pub(super) fn row<D: Dynamics, J: Judge>(
    scope: &ActiveStates<'_, D>,
    start: &RowStart,
    columns: &MapAxis,
    judge: &J,
) -> Vec<Option<J::Answer>> {
    let mut p = start.p.clone();
    let mut x: Row<f64> = start.x.iter().copied().collect();
    let mut before = x.clone();
    let mut cells = Vec::with_capacity(columns.values.len());
    for &value in &columns.values {
        if Cancel::check().is_err() {
            cells.resize(columns.values.len(), None);
            break;
        }
        p[columns.parameter] = value;
        let ahead: Row<f64> = x.iter().zip(&before).map(|(now, then)| 2.0 * now - then).collect();
        let cell = find(scope, &p, ahead, &x);
        cells.push(cell.as_ref().and_then(|(_, matrix)| judge.single(matrix, scope.dim())));
        if let Some((found, _)) = cell {
            before = std::mem::replace(&mut x, found);
        }
    }
    cells
}

/// The equilibrium near `ahead`, or else near `x`, with its Jacobian in units of the scales.
pub(super) fn find<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    p: &[f64],
    ahead: Row<f64>,
    x: &[f64],
) -> Option<(Row<f64>, Matrix)> {
    newton(scope, p, ahead).or_else(|| {
        let x = steady::solve(scope, p, x, Newton::default()).ok()?;
        newton(scope, p, x.into_iter().collect())
    })
}

/// Undamped Newton; `None` where a few steps do not suffice.
fn newton<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    p: &[f64],
    mut x: Row<f64>,
) -> Option<(Row<f64>, Matrix)> {
    let n = scope.dim();
    let mut matrix: Matrix = std::iter::repeat_n(0.0, n * n).collect();
    let mut size = f64::INFINITY;
    for _ in 0..8 {
        let mut step =
            scope.linearise(p, &x, |i, k, value| matrix[i * n + k] = value * scope.scale[k] / scope.scale[i]);
        if size < 1e-7 {
            return Some((x, matrix));
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
