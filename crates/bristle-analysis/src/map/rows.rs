//! Several rows of a map at once, one in each lane: for dynamics that can be recorded.

use super::row::find;
use super::{Judge, MapAxis, RowStart, small};
use crate::active_states::{ActiveStates, Row};
use bristle_core::{LaneMask, Lanes, Scalar};
use bristle_solve::{Cancel, Dynamics, Recorded, RecordedJacobian};
use bristle_tape::LaneBlock;

/// Rows in lanes, and what is needed to linearise in them.
pub(super) struct Rows<'a, D, const N: usize> {
    scope: &'a ActiveStates<'a, D>,
    starts: &'a [RowStart],
    recorded: &'a Recorded,
    jacobian: &'a RecordedJacobian,
    numbers: LaneBlock<N>,
    checks: LaneBlock<N>,
    /// Result of the program, place in the matrix, and ratio of the scales of each entry of the Jacobian.
    entries: Vec<(usize, usize, f64)>,
    p: Vec<Lanes<N>>,
    /// Time and all states.
    variables: Vec<Lanes<N>>,
    /// The last three equilibria, the newest first.
    x: [Vec<Lanes<N>>; 3],
    matrix: Vec<Lanes<N>>,
    step: Vec<Lanes<N>>,
    scratch: Vec<Lanes<N>>,
}

/// Rows and their walk, compiled once more for wide vector instructions.
pub(super) struct RowWalk<'a, D, J: Judge, const N: usize> {
    pub rows: Rows<'a, D, N>,
    pub columns: &'a MapAxis,
    pub judge: &'a J,
}

impl<D: Dynamics, J: Judge, const N: usize> pulp::NullaryFnOnce for RowWalk<'_, D, J, N> {
    type Output = Vec<Vec<Option<J::Answer>>>;

    #[inline(always)]
    fn call(mut self) -> Self::Output {
        self.rows.walk(self.columns, self.judge)
    }
}

impl<'a, D: Dynamics, const N: usize> Rows<'a, D, N> {
    /// Up to `N` rows; lanes left over repeat the first.
    pub fn new(
        scope: &'a ActiveStates<'a, D>,
        starts: &'a [RowStart],
        recorded: &'a Recorded,
        jacobian: &'a RecordedJacobian,
    ) -> Self {
        let (n, zero) = (scope.dim(), Lanes::splat(0.0));
        let start = |lane: usize| starts.get(lane).unwrap_or(&starts[0]);
        let gather = |value: &dyn Fn(&RowStart) -> f64| Lanes(std::array::from_fn(|lane| value(start(lane))));
        let place = |state: usize| scope.active.iter().position(|i| *i == state);
        let entry = |(i, (row, column)): (usize, &(usize, usize))| {
            let (row, column) = (place(*row)?, place(*column)?);
            Some((scope.base.x.len() + i, row * n + column, scope.scale[column] / scope.scale[row]))
        };
        let x: Vec<Lanes<N>> = (0..n).map(|i| gather(&|s| s.x[i])).collect();
        let base = std::iter::once(scope.base.t).chain(scope.base.x.iter().copied());
        Self {
            scope,
            starts,
            recorded,
            jacobian,
            numbers: jacobian.program.block(),
            checks: recorded.assumptions.block(),
            entries: jacobian.pattern.entries.iter().enumerate().filter_map(entry).collect(),
            p: (0..starts[0].p.len()).map(|i| gather(&|s| s.p[i])).collect(),
            variables: base.map(Lanes::splat).collect(),
            x: [x.clone(), x.clone(), x],
            matrix: vec![zero; n * n],
            step: vec![zero; n],
            scratch: vec![zero; (n + 1) * (n + 1)],
        }
    }

    /// All cells of all rows.
    #[inline(always)]
    fn walk<J: Judge>(&mut self, columns: &MapAxis, judge: &J) -> Vec<Vec<Option<J::Answer>>> {
        let n = self.scope.dim();
        let mut cells = vec![Vec::with_capacity(columns.values.len()); self.starts.len()];
        let mut x = self.x[0].clone();
        for (count, &value) in columns.values.iter().enumerate() {
            if Cancel::check().is_err() {
                cells.iter_mut().for_each(|row| row.resize(columns.values.len(), None));
                break;
            }
            self.p[columns.parameter] = Lanes::splat(value);
            self.jacobian.program.set_block_parameters(&mut self.numbers, &self.p);
            self.ahead(count, &mut x);
            let found = self.newton(&mut x);
            let answers = judge.lanes(&mut self.matrix, n, &mut self.scratch);
            self.x.rotate_right(1);
            self.x[0].copy_from_slice(&x);
            for lane in 0..self.starts.len() {
                let answer = if found.holds(lane) {
                    Some(answers[lane])
                } else {
                    self.alone(lane, columns, value, judge)
                };
                cells[lane].push(answer);
            }
        }
        cells
    }

    /// Where the next equilibrium is expected: on the parabola, line or point through those before.
    #[inline(always)]
    fn ahead(&self, count: usize, x: &mut [Lanes<N>]) {
        let [a, b, c] = &self.x;
        for i in 0..x.len() {
            x[i] = match count {
                0 | 1 => a[i],
                2 => a[i] * 2.0 - b[i],
                _ => (a[i] - b[i]) * 3.0 + c[i],
            };
        }
    }

    /// Undamped Newton in all lanes; which have converged? Their Jacobians, in units of the scales, are in `matrix`. A lane that
    /// has converged stays where it is, whatever its neighbours still need.
    #[inline(always)]
    fn newton(&mut self, x: &mut [Lanes<N>]) -> LaneMask<N> {
        let (n, scale) = (self.scope.dim(), &self.scope.scale);
        let mut found = LaneMask([0; N]);
        for round in 0..=8 {
            self.linearise(x);
            if round == 8 || found.0.iter().all(|m| *m != 0) {
                break;
            }
            for k in 0..n {
                self.step[k] = self.step[k] * (-1.0 / scale[k]);
            }
            small::solve(&mut self.matrix, n, &mut self.step);
            let (mut size, mut level) = (Lanes::splat(0.0), Lanes::splat(1.0));
            for k in 0..n {
                // What is not a number must not pass for small.
                size += self.step[k].abs();
                level = level.larger(x[k].abs() * (1.0 / scale[k]));
                x[k] = Lanes::select(found, x[k], x[k] + self.step[k] * scale[k]);
            }
            // The next correction is about the square of this one.
            found = found.or(size.lt(level * 1e-6));
        }
        if self.recorded.assumptions.is_empty() {
            return found;
        }
        found.and(self.recorded.assumptions.hold_in_lanes(&mut self.checks, &self.variables, &self.p))
    }

    /// Rates into `step` and the scaled Jacobian into `matrix`.
    #[inline(always)]
    fn linearise(&mut self, x: &[Lanes<N>]) {
        for (i, x) in self.scope.active.iter().zip(x) {
            self.variables[1 + i] = *x;
        }
        let program = &self.jacobian.program;
        program.set_block(&mut self.numbers, 0, &self.variables);
        program.run_block(&mut self.numbers);
        for (step, i) in self.step.iter_mut().zip(&self.scope.active) {
            *step = *program.block_result(&self.numbers, *i);
        }
        self.matrix.fill(Lanes::splat(0.0));
        for &(result, place, ratio) in &self.entries {
            self.matrix[place] = *program.block_result(&self.numbers, result) * ratio;
        }
    }

    /// A cell that did not converge with the others.
    #[cold]
    fn alone<J: Judge>(
        &mut self,
        lane: usize,
        columns: &MapAxis,
        value: f64,
        judge: &J,
    ) -> Option<J::Answer> {
        let n = self.scope.dim();
        let mut p = self.starts[lane].p.clone();
        p[columns.parameter] = value;
        let before: Row<f64> = (0..n).map(|i| self.x[1][i].0[lane]).collect();
        let cell = find(self.scope, &p, before.clone(), &before);
        let x = cell.as_ref().map_or(&before, |(x, _)| x);
        for i in 0..n {
            self.x[0][i].0[lane] = x[i];
        }
        cell.and_then(|(_, matrix)| judge.single(&matrix, n))
    }
}
