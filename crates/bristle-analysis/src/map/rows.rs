//! Several rows of a map at once, one in each lane.

use super::row::find;
use super::{Axis, Judge, MOST, RowStart, small};
use crate::scope::{CHUNK, Row, Scope};
use bristle_core::{Dual, LaneMask, Lanes, Scalar};
use bristle_solve::{Cancel, Dynamics, Point};

/// Rows walked together.
pub(super) const LANES: usize = 8;

type Number<const N: usize> = Dual<CHUNK, Lanes<N>>;

/// Rows in lanes, and what is needed to linearise in them.
pub(super) struct Rows<'a, D, const N: usize> {
    scope: &'a Scope<'a, D>,
    starts: &'a [RowStart],
    p: Vec<Number<N>>,
    full: [Number<N>; MOST],
    rates: [Number<N>; MOST],
    /// The last three equilibria, the newest first.
    x: [[Lanes<N>; MOST]; 3],
    matrix: [Lanes<N>; MOST * MOST],
    step: [Lanes<N>; MOST],
    scratch: [Lanes<N>; (MOST + 1) * (MOST + 1)],
}

/// Rows and their walk, compiled once more for wide vector instructions.
pub(super) struct RowWalk<'a, D, J: Judge> {
    pub rows: Box<Rows<'a, D, LANES>>,
    pub columns: &'a Axis,
    pub judge: &'a J,
}

impl<D: Dynamics, J: Judge> pulp::NullaryFnOnce for RowWalk<'_, D, J> {
    type Output = Vec<Vec<Option<J::Answer>>>;

    #[inline(always)]
    fn call(mut self) -> Self::Output {
        self.rows.walk(self.columns, self.judge)
    }
}

impl<'a, D: Dynamics, const N: usize> Rows<'a, D, N> {
    /// Up to `N` rows; lanes left over repeat the first.
    pub fn new(scope: &'a Scope<'a, D>, starts: &'a [RowStart]) -> Self {
        let (zero, number) = (Lanes::splat(0.0), Number::<N>::from(0.0));
        let start = |lane: usize| starts.get(lane).unwrap_or(&starts[0]);
        let gather = |value: &dyn Fn(&RowStart) -> f64| Lanes(std::array::from_fn(|lane| value(start(lane))));
        let lift = |lanes: Lanes<N>| Dual { re: lanes, eps: [zero; CHUNK] };
        let p = (0..starts[0].p.len()).map(|i| lift(gather(&|s| s.p[i]))).collect();
        let mut full = [number; MOST];
        for (slot, value) in full.iter_mut().zip(&scope.base.x) {
            *slot = (*value).into();
        }
        let mut x = [zero; MOST];
        for i in 0..scope.dim() {
            x[i] = gather(&|s| s.x[i]);
        }
        Self {
            scope,
            starts,
            p,
            full,
            rates: [number; MOST],
            x: [x; 3],
            matrix: [zero; MOST * MOST],
            step: [zero; MOST],
            scratch: [zero; (MOST + 1) * (MOST + 1)],
        }
    }

    /// All cells of all rows.
    #[inline(always)]
    fn walk<J: Judge>(&mut self, columns: &Axis, judge: &J) -> Vec<Vec<Option<J::Answer>>> {
        let n = self.scope.dim();
        let mut cells = vec![Vec::with_capacity(columns.values.len()); self.starts.len()];
        let mut x = self.x[0];
        for (count, &value) in columns.values.iter().enumerate() {
            if Cancel::check().is_err() {
                cells.iter_mut().for_each(|row| row.resize(columns.values.len(), None));
                break;
            }
            self.p[columns.parameter].re = Lanes::splat(value);
            self.ahead(count, &mut x);
            let found = self.newton(&mut x);
            let answers = judge.lanes(&mut self.matrix[..n * n], n, &mut self.scratch);
            for i in 0..n {
                (self.x[2][i], self.x[1][i], self.x[0][i]) = (self.x[1][i], self.x[0][i], x[i]);
            }
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
    fn ahead(&self, count: usize, x: &mut [Lanes<N>; MOST]) {
        let [a, b, c] = &self.x;
        for i in 0..self.scope.dim() {
            x[i] = match count {
                0 | 1 => a[i],
                2 => a[i] * 2.0 - b[i],
                _ => (a[i] - b[i]) * 3.0 + c[i],
            };
        }
    }

    /// Undamped Newton in all lanes; which have converged? Their Jacobians, in units of the scales, are in `matrix`.
    #[inline(always)]
    fn newton(&mut self, x: &mut [Lanes<N>; MOST]) -> LaneMask<N> {
        let (n, scale) = (self.scope.dim(), &self.scope.scale);
        let mut found = LaneMask([0; N]);
        for _ in 0..8 {
            self.linearise(x);
            if found.0.iter().all(|m| *m != 0) {
                return found;
            }
            for k in 0..n {
                self.step[k] = self.step[k] * (-1.0 / scale[k]);
            }
            small::solve(&mut self.matrix[..n * n], n, &mut self.step[..n]);
            let (mut size, mut level) = (Lanes::splat(0.0), Lanes::splat(1.0));
            for k in 0..n {
                // What is not a number must not pass for small.
                size += self.step[k].abs();
                level = level.larger(x[k].abs() * (1.0 / scale[k]));
                x[k] += self.step[k] * scale[k];
            }
            // The next correction is about the square of this one.
            found = size.lt(level * 1e-6);
        }
        found
    }

    /// Rates into `step` and the scaled Jacobian into `matrix`.
    #[inline(always)]
    fn linearise(&mut self, x: &[Lanes<N>; MOST]) {
        let Scope { dynamics, base, active, scale } = self.scope;
        let (n, dim) = (active.len(), base.x.len());
        for first in (0..n).step_by(CHUNK) {
            for k in 0..n {
                let mut number = Number::<N>::from(0.0);
                number.re = x[k];
                if k >= first && k < first + CHUNK {
                    number.eps[k - first] = Lanes::splat(1.0);
                }
                self.full[active[k]] = number;
            }
            let at = Point { t: base.t.into(), x: &self.full[..dim], p: &self.p, mode: &base.mode };
            dynamics.rates(at, &mut self.rates[..dim]);
            for i in 0..n {
                let rate = &self.rates[active[i]];
                self.step[i] = rate.re;
                for k in first..n.min(first + CHUNK) {
                    self.matrix[i * n + k] = rate.eps[k - first] * (scale[k] / scale[i]);
                }
            }
        }
    }

    /// A cell that did not converge with the others.
    #[cold]
    fn alone<J: Judge>(&mut self, lane: usize, columns: &Axis, value: f64, judge: &J) -> Option<J::Answer> {
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
