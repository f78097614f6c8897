//! Limit cycles over a grid of two parameters: period and swing after so many returns.
//!
//! Every cell starts afresh, so cells are independent: they run on all cores and, where the equations can be recorded, in lanes of
//! vector instructions. A cell has the same bits whatever the numbers of cores and lanes.
//!
//! ```
//! use bristle_analysis::cycle_map::cycle_map;
//! use bristle_analysis::map::MapAxis;
//! use bristle_analysis::section::PoincareSection;
//! use bristle_analysis::shooting::{ReturnMap, Shooting};
//! use bristle_solve::problems::{Belt, belt};
//!
//! let block = Belt::two_state();
//! let p = block.with(&[(belt::V_B, 0.3)]);
//! // One hit per cycle: the turning point of the displacement.
//! let returns =
//!     ReturnMap::new(&block, &p, &[0.2, 0.3, 0.0, 0.0], PoincareSection::falling(1, 0.0), Shooting::rough()).unwrap();
//! let rows = MapAxis::linear(belt::C1, 0.5, 3.5, 3);
//! let columns = MapAxis::linear(belt::V_B, 0.2, 0.6, 4);
//! // Every motion starts stuck to the belt.
//! let start = |p: &[f64]| vec![0.2, p[belt::V_B], 0.0, 0.0];
//! let map = cycle_map(&returns, &p, &start, rows, columns, 6, &|_| true).unwrap();
//! let cell = map.at(0, 3).unwrap();
//! assert!(cell.period > 0.6 && cell.swing(0) > 0.2);
//! ```

use crate::AnalysisError;
use crate::batch::{BatchMotion, Hits};
use crate::map::MapAxis;
use crate::shooting::{Hit, ReturnMap};
use bristle_solve::{Dynamics, State};

/// What a motion does after the returns that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleCell {
    /// The state at the last hit; its time is the time of all returns together.
    pub last: State,
    /// Time between the last two hits.
    pub period: f64,
    /// Smallest value of every state between them, at the integrator's steps.
    pub min: Vec<f64>,
    /// Largest value of every state between them, at the integrator's steps.
    pub max: Vec<f64>,
}

impl CycleCell {
    /// Distance between the extremes of a state.
    pub fn swing(&self, state: usize) -> f64 {
        self.max[state] - self.min[state]
    }

    fn new(mut hits: Vec<Hit>) -> Option<Self> {
        let last = hits.pop()?;
        let before = hits.last().map_or(0.0, |h| h.state.t);
        Some(Self { period: last.state.t - before, last: last.state, min: last.min, max: last.max })
    }
}

/// Limit cycles on a grid.
#[derive(Clone, Debug)]
pub struct CycleMap {
    /// Rows.
    pub rows: MapAxis,
    /// Columns.
    pub columns: MapAxis,
    /// Row by row; `None` where the motion does not return so often, or the map was stopped before.
    pub cells: Vec<Option<CycleCell>>,
}

impl CycleMap {
    fn new(rows: MapAxis, columns: MapAxis, found: Vec<Hits>) -> Self {
        let cells = found.into_iter().map(|hits| hits.ok().and_then(CycleCell::new)).collect();
        Self { rows, columns, cells }
    }

    /// The cell of a row and a column.
    pub fn at(&self, row: usize, column: usize) -> Option<&CycleCell> {
        self.cells.get(row * self.columns.values.len() + column)?.as_ref()
    }
}

/// Follows the motion of every cell from `start`, which sees the cell's parameters, over `returns` hits of the section.
///
/// `progress` sees the index of each finished cell, in any order, and says whether to go on.
pub fn cycle_map<D: Dynamics>(
    map: &ReturnMap<'_, D>,
    p: &[f64],
    start: &dyn Fn(&[f64]) -> Vec<f64>,
    rows: MapAxis,
    columns: MapAxis,
    returns: usize,
    progress: &(dyn Fn(usize) -> bool + Sync),
) -> Result<CycleMap, AnalysisError> {
    let motions = motions(map.dynamics, p, start, &rows, &columns)?;
    Ok(CycleMap::new(rows, columns, map.hits_in_lanes(&motions, returns, progress)))
}

/// The motions of all cells.
fn motions<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    start: &dyn Fn(&[f64]) -> Vec<f64>,
    rows: &MapAxis,
    columns: &MapAxis,
) -> Result<Vec<BatchMotion>, AnalysisError> {
    if let Some(axis) = [rows, columns].into_iter().find(|a| a.parameter >= p.len()) {
        return Err(AnalysisError::NoSuchParameter { index: axis.parameter, count: p.len() });
    }
    let n = dynamics.dim() - dynamics.quadratures();
    let mut motions = Vec::with_capacity(rows.values.len() * columns.values.len());
    for &row in &rows.values {
        for &column in &columns.values {
            let mut p = p.to_vec();
            (p[rows.parameter], p[columns.parameter]) = (row, column);
            let start = start(&p);
            if start.len() < n {
                return Err(AnalysisError::Length { expected: n, found: start.len() });
            }
            motions.push(BatchMotion { p, start });
        }
    }
    Ok(motions)
}
