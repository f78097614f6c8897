//! The states that take part in an analysis, and the exact derivatives of their rates.
//!
//! Quadratures never take part. Nor do cyclic states, on which no rate and no guard depends (the position of a
//! belt, the angle of a free rotor): they may grow for ever while everything else is steady or periodic.

use crate::AnalysisError;
use bristle_core::{Dual, Mode, Scalar, derivative};
use bristle_solve::{Dynamics, Point, State};
use nalgebra::{DMatrix, DVector};
use smallvec::SmallVec;

/// Scratch space that stays on the stack for mechanisms of the usual size.
pub(crate) type Row<S> = SmallVec<[S; 16]>;

/// Number of derivatives carried in one evaluation.
pub(crate) const CHUNK: usize = 4;

/// A direction in the space of active states and parameters.
#[derive(Clone, Debug, Default)]
pub struct StateDirection {
    /// Components along the active states.
    pub x: Vec<f64>,
    /// Components along parameters: index and value.
    pub p: Vec<(usize, f64)>,
}

impl StateDirection {
    /// A direction along states alone.
    pub fn of(x: impl IntoIterator<Item = f64>) -> Self {
        Self { x: x.into_iter().collect(), p: Vec::new() }
    }

    fn param(&self, index: usize) -> f64 {
        self.p.iter().filter(|(i, _)| *i == index).map(|(_, v)| v).sum()
    }
}

/// The active states of some dynamics in fixed modes.
#[derive(Clone, Debug)]
pub struct ActiveStates<'a, D> {
    /// The dynamics.
    pub dynamics: &'a D,
    /// Full state: supplies the modes and the values of states that do not take part.
    pub base: State,
    /// Indices of the states that take part.
    pub active: Vec<usize>,
    /// Typical magnitudes of the active states.
    pub scale: Vec<f64>,
}

impl<'a, D: Dynamics> ActiveStates<'a, D> {
    /// The scope for equilibria near `x`: modes are those of a start there; states that are cyclic, or whose rate
    /// vanishes identically, stay as they are.
    pub fn new(dynamics: &'a D, p: &[f64], x: &[f64]) -> Result<Self, AnalysisError> {
        let mut scope = Self::every(dynamics, p, x)?;
        let (columns, rows) = scope.pattern(p);
        scope.keep(|i| columns[i] && rows[i]);
        if scope.active.is_empty() { Err(AnalysisError::Still) } else { Ok(scope) }
    }

    /// The scope for motions that pass through the given states: only states that are cyclic at all of them are
    /// left out.
    pub fn along(dynamics: &'a D, p: &[f64], states: &[State]) -> Result<Self, AnalysisError> {
        let first = states.first().ok_or(AnalysisError::Length { expected: 1, found: 0 })?;
        let mut scope = Self::every(dynamics, p, &first.x)?;
        let mut matters = vec![false; scope.active.len()];
        for state in states {
            scope.base = state.clone();
            for (total, column) in matters.iter_mut().zip(scope.pattern(p).0) {
                *total |= column;
            }
        }
        scope.base = first.clone();
        scope.keep(|i| matters[i]);
        Ok(scope)
    }

    /// Refuses rates and a Jacobian over the active states that have overflowed.
    pub(crate) fn finite(&self, rates: &[f64], jacobian: &DMatrix<f64>) -> Result<(), AnalysisError> {
        let bad = |k: &usize| {
            rates.get(*k).is_some_and(|r| !r.is_finite()) || jacobian.row(*k).iter().any(|v| !v.is_finite())
        };
        match (0..self.dim()).find(bad) {
            Some(k) => Err(AnalysisError::NotFinite { state: self.dynamics.state_name(self.active[k]) }),
            None => Ok(()),
        }
    }

    fn every(dynamics: &'a D, p: &[f64], x: &[f64]) -> Result<Self, AnalysisError> {
        let (n, count) = (dynamics.dim(), dynamics.params().len());
        if x.len() != n {
            return Err(AnalysisError::Length { expected: n, found: x.len() });
        }
        if p.len() != count {
            return Err(AnalysisError::Length { expected: count, found: p.len() });
        }
        let mut base = State { t: 0.0, x: x.to_vec(), mode: vec![Mode::Stick; dynamics.mode_count()] };
        dynamics.start(p, &mut base);
        let mut scale = vec![1.0; n];
        dynamics.scales(p, &mut scale);
        let active: Vec<usize> = (0..n - dynamics.quadratures()).collect();
        scale.truncate(active.len());
        Ok(Self { dynamics, base, active, scale })
    }

    fn keep(&mut self, wanted: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.active.len()).filter(|&k| wanted(k)).collect();
        self.scale = kept.iter().map(|&k| self.scale[k]).collect();
        self.active = kept.iter().map(|&k| self.active[k]).collect();
    }

    /// Which columns (rates and guards) and which rows (rates) of the Jacobian are not identically zero, tried at
    /// the base state and at a second point so that a chance zero does not count.
    fn pattern(&self, p: &[f64]) -> (Vec<bool>, Vec<bool>) {
        let n = self.active.len();
        let (mut columns, mut rows) = (vec![false; n], vec![false; n]);
        for shift in [0.0, 0.37] {
            let x: Vec<f64> = (0..n).map(|k| self.base.x[self.active[k]] + shift * self.scale[k]).collect();
            let jacobian = self.jacobian(p, &x);
            let guards = self.guard_jacobian(p, &x);
            let mut rates = vec![0.0; n];
            self.rates(p, &x, &mut rates);
            for k in 0..n {
                columns[k] |= jacobian.column(k).iter().chain(guards.column(k).iter()).any(|v| *v != 0.0);
                rows[k] |= rates[k] != 0.0 || jacobian.row(k).iter().any(|v| *v != 0.0);
            }
        }
        (columns, rows)
    }

    /// Number of active states.
    pub fn dim(&self) -> usize {
        self.active.len()
    }

    /// The active part of the base state.
    pub fn start(&self) -> Vec<f64> {
        self.active.iter().map(|&i| self.base.x[i]).collect()
    }

    /// The full state with the given active part.
    pub fn expand(&self, x: &[f64]) -> Vec<f64> {
        let mut full = self.base.x.clone();
        for (k, &i) in self.active.iter().enumerate() {
            full[i] = x[k];
        }
        full
    }

    /// The full state in another number type.
    fn lift<S: Scalar>(&self, x: impl Fn(usize) -> S) -> Row<S> {
        let mut full: Row<S> = self.base.x.iter().map(|&v| S::from(v)).collect();
        for (k, &i) in self.active.iter().enumerate() {
            full[i] = x(k);
        }
        full
    }

    /// All rates, in any number type.
    fn eval<S: Scalar>(&self, p: &[S], x: &[S]) -> Row<S> {
        let mut dx: Row<S> = std::iter::repeat_n(S::zero(), x.len()).collect();
        self.dynamics.rates(Point { t: S::from(self.base.t), x, p, mode: &self.base.mode }, &mut dx);
        dx
    }

    /// Writes the rates of the active states.
    pub fn rates(&self, p: &[f64], x: &[f64], dx: &mut [f64]) {
        let rates = self.eval(p, &self.lift(|k| x[k]));
        for (out, &i) in dx.iter_mut().zip(&self.active) {
            *out = rates[i];
        }
    }

    /// `∂f/∂x` over the active states, exact.
    pub fn jacobian(&self, p: &[f64], x: &[f64]) -> DMatrix<f64> {
        let n = self.dim();
        let mut jacobian = DMatrix::zeros(n, n);
        self.linearise(p, x, |i, k, value| jacobian[(i, k)] = value);
        jacobian
    }

    /// Hands out the entries of `∂f/∂x`, row and column first; returns the active rates.
    pub(crate) fn linearise(&self, p: &[f64], x: &[f64], mut put: impl FnMut(usize, usize, f64)) -> Row<f64> {
        let n = self.dim();
        if let Some(rates) = self.linearise_recorded(p, x, &mut put) {
            return rates;
        }
        let lifted: Row<Dual<CHUNK>> = p.iter().map(|&v| v.into()).collect();
        let mut rates: Row<f64> = std::iter::repeat_n(0.0, n).collect();
        for first in (0..n).step_by(CHUNK) {
            let dx = self.eval(&lifted, &self.lift(|k| seeded(x[k], k, first)));
            for (row, &i) in self.active.iter().enumerate() {
                rates[row] = dx[i].re;
                for k in first..n.min(first + CHUNK) {
                    put(row, k, dx[i].eps[k - first]);
                }
            }
        }
        rates
    }

    /// The same by what was recorded of the equations; nothing where they are not.
    fn linearise_recorded(
        &self,
        p: &[f64],
        x: &[f64],
        put: &mut impl FnMut(usize, usize, f64),
    ) -> Option<Row<f64>> {
        let n = self.dim();
        let full = self.lift(|k| x[k]);
        let at = Point { t: self.base.t, x: &full, p, mode: &self.base.mode };
        let recorded = self.dynamics.recordings()?.recorded(self.dynamics, at)?;
        let jacobian = recorded.jacobian().ok()?;
        let variables: Row<f64> = std::iter::once(self.base.t).chain(full.iter().copied()).collect();
        let mut out: SmallVec<[f64; 64]> = std::iter::repeat_n(0.0, jacobian.program.outputs()).collect();
        jacobian.run(&variables, p, &mut out);
        let place = |state: usize| self.active.iter().position(|i| *i == state);
        (0..n * n).for_each(|i| put(i / n, i % n, 0.0));
        for ((row, column), value) in jacobian.pattern.entries.iter().zip(&out[full.len()..]) {
            if let (Some(row), Some(column)) = (place(*row), place(*column)) {
                put(row, column, *value);
            }
        }
        Some(self.active.iter().map(|&i| out[i]).collect())
    }

    fn guard_jacobian(&self, p: &[f64], x: &[f64]) -> DMatrix<f64> {
        let (n, m) = (self.dim(), self.dynamics.guard_count());
        let mut jacobian = DMatrix::zeros(m, n);
        let lifted: Row<Dual<CHUNK>> = p.iter().map(|&v| v.into()).collect();
        let mut guards: Row<Dual<CHUNK>> = std::iter::repeat_n(0.0.into(), m).collect();
        for first in (0..n).step_by(CHUNK) {
            let full = self.lift(|k| seeded(x[k], k, first));
            let at = Point { t: self.base.t.into(), x: &full, p: &lifted, mode: &self.base.mode };
            self.dynamics.guards(at, &mut guards);
            for k in first..n.min(first + CHUNK) {
                for row in 0..m {
                    jacobian[(row, k)] = guards[row].eps[k - first];
                }
            }
        }
        jacobian
    }

    /// `∂f/∂p` with respect to one parameter, exact.
    pub fn slope(&self, p: &[f64], x: &[f64], index: usize) -> DVector<f64> {
        let lifted: Row<Dual<1>> = (0..p.len()).map(|j| seeded(p[j], j, index)).collect();
        let dx = self.eval(&lifted, &self.lift(|k| x[k].into()));
        DVector::from_iterator(self.dim(), self.active.iter().map(|&i| dx[i].eps[0]))
    }

    /// The second derivative of the rates in two directions, exact.
    pub fn second(&self, p: &[f64], x: &[f64], a: &StateDirection, b: &StateDirection) -> DVector<f64> {
        let number = |v, a, b| Dual::<1, Dual<1>> { re: derivative(v, [a]), eps: [f64::into(b)] };
        let state = self.lift(|k| number(x[k], a.x[k], b.x[k]));
        let params: Row<_> = (0..p.len()).map(|j| number(p[j], a.param(j), b.param(j))).collect();
        let dx = self.eval(&params, &state);
        DVector::from_iterator(self.dim(), self.active.iter().map(|&i| dx[i].eps[0].eps[0]))
    }

    /// The third derivative of the rates in three directions of the state space, exact.
    pub fn third(
        &self,
        p: &[f64],
        x: &[f64],
        a: &StateDirection,
        b: &StateDirection,
        c: &StateDirection,
    ) -> DVector<f64> {
        let number = |v, a, b, c| {
            let re = Dual::<1, Dual<1>> { re: derivative(v, [a]), eps: [f64::into(b)] };
            Dual::<1, Dual<1, Dual<1>>> { re, eps: [f64::into(c)] }
        };
        let state = self.lift(|k| number(x[k], a.x[k], b.x[k], c.x[k]));
        let params: Row<_> = (0..p.len()).map(|j| number(p[j], a.param(j), b.param(j), c.param(j))).collect();
        let dx = self.eval(&params, &state);
        DVector::from_iterator(self.dim(), self.active.iter().map(|&i| dx[i].eps[0].eps[0].eps[0]))
    }
}

/// Variable `k` of a chunk that begins at `first`.
#[inline]
fn seeded<const N: usize>(value: f64, k: usize, first: usize) -> Dual<N> {
    let mut number = Dual::from(value);
    if k >= first && k < first + N {
        number.eps[k - first] = 1.0;
    }
    number
}
