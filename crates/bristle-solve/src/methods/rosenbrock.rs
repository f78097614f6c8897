//! The step that all Rosenbrock methods share; a method is a table of coefficients.
//!
//! ```text
//! (1/(hγ) − J) u_i = f(t + α_i h, x + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t
//! x' = x + Σ a_sj u_j + u_s,   error = u_s
//! x(θ) = (1 − θ) x + θ (x' + (1 − θ)(r₁ + θ (r₂ + θ r₃))),   r_i = Σ h_ij u_j
//! ```
//!
//! (Hairer & Wanner II, sect. IV.7, in the form that needs no product with the Jacobian.) Quadratures do not
//! enter the linear system: their `u` follows from that of the coupled states.

use crate::evaluator::Evaluator;
use crate::factors::Factors;
use crate::inverse::Inverse;
use crate::jacobian::Jacobian;
use crate::methods::Here;
use crate::small::{FIXED, by_length, combine, fma, sum};
use crate::tolerance::Tolerance;

/// The coefficients of a stiffly accurate Rosenbrock method, for those who solve its linear systems in their own way.
#[derive(Debug)]
pub struct Table {
    /// The diagonal coefficient `γ`.
    pub gamma: f64,
    /// `a_ij`, one row for each stage.
    pub a: &'static [&'static [f64]],
    /// `c_ij`, one row for each stage.
    pub c: &'static [&'static [f64]],
    /// Times `α_i` of the stages.
    pub alpha: &'static [f64],
    /// Weights `γ_i` of the time derivative.
    pub gammas: &'static [f64],
    /// `h_ij` of the dense output.
    pub dense: &'static [&'static [f64]],
    /// The power of the step in the error estimate.
    pub error_power: f64,
}

/// Workspace of one method.
pub(crate) struct Rosenbrock {
    table: &'static Table,
    stages: usize,
    dim: usize,
    u: Vec<f64>,
    stage: Vec<f64>,
    rates: Vec<f64>,
    slopes: Vec<f64>,
    factors: Factors,
    start: Linear,
    end: Linear,
    dense: Vec<f64>,
    has_dense: bool,
    /// Few states, dense and without quadratures.
    is_compact: bool,
    pub factorisations: usize,
}

/// Rates and Jacobian at one point.
struct Linear {
    rates: Vec<f64>,
    jacobian: Jacobian,
}

impl Rosenbrock {
    pub(crate) fn new(table: &'static Table, eval: &Evaluator) -> Self {
        let (dim, stages) = (eval.dim(), table.a.len());
        let linear = || Linear { rates: vec![0.0; dim], jacobian: eval.new_jacobian() };
        let (start, end) = (linear(), linear());
        let is_compact = dim <= FIXED && dim == eval.coupled() && start.jacobian.band().is_none();
        Rosenbrock {
            table,
            stages,
            dim,
            u: vec![0.0; stages * dim],
            stage: vec![0.0; dim],
            rates: vec![0.0; dim],
            slopes: vec![0.0; dim - eval.coupled()],
            factors: if is_compact { Factors::none() } else { Factors::new(&start.jacobian) },
            start,
            end,
            dense: vec![0.0; table.dense.len() * dim],
            has_dense: false,
            is_compact,
            factorisations: 0,
        }
    }

    pub(crate) fn error_power(&self) -> f64 {
        self.table.error_power
    }

    /// Evaluations per step, the Jacobian apart.
    pub(crate) fn cost(&self) -> f64 {
        (self.stages - 1) as f64
    }

    pub(crate) fn jacobian(&self) -> &Jacobian {
        &self.start.jacobian
    }

    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here) {
        eval.jacobian(at.t, at.x, at.mode, &mut self.start.jacobian, &mut self.start.rates);
    }

    /// Steps by `h` and gives the norm of the error.
    pub(crate) fn attempt(
        &mut self,
        eval: &mut Evaluator,
        at: Here,
        h: f64,
        tolerance: &Tolerance,
        x1: &mut [f64],
        error: &mut [f64],
    ) -> f64 {
        self.has_dense = false;
        self.factorisations += 1;
        let is_done = if self.is_compact {
            by_length!(self.dim, attempt_fixed, attempt_free, (self, eval, at, h, x1, error))
        } else {
            attempt_free(self, eval, at, h, x1, error)
        };
        if is_done { tolerance.norm(error, at.x, x1) } else { f64::INFINITY }
    }

    /// `u_q = hγ (right side + J_qx u_x)`.
    fn quadratures(&mut self, eval: &mut Evaluator, at: Here, i: usize, shift: f64) {
        let (n, coupled) = (self.dim, eval.coupled());
        let u = &mut self.u[i * n..(i + 1) * n];
        let (head, tail) = u.split_at_mut(coupled);
        if self.start.jacobian.knows_quadratures() {
            for (k, slot) in self.slopes.iter_mut().enumerate() {
                let row = self.start.jacobian.row(coupled + k);
                *slot = row.iter().zip(head.iter()).map(|(a, b)| a * b).sum();
            }
        } else {
            eval.quadrature_slope(at.t, at.x, head, at.mode, &mut self.slopes);
        }
        for (slot, slope) in tail.iter_mut().zip(&self.slopes) {
            *slot = (*slot + slope) / shift;
        }
    }

    /// Evaluates the end of the step, which is the start of the next.
    pub(crate) fn finish(&mut self, eval: &mut Evaluator, end: Here) {
        eval.jacobian(end.t, end.x, end.mode, &mut self.end.jacobian, &mut self.end.rates);
    }

    /// Rates at the end without a Jacobian, for a step that may be repeated.
    pub(crate) fn peek(&mut self, eval: &mut Evaluator, end: Here) {
        eval.rates(end.t, end.x, end.mode, &mut self.end.rates);
    }

    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
    }

    pub(crate) fn start_rates(&self) -> &[f64] {
        &self.start.rates
    }

    pub(crate) fn end_rates(&self) -> &[f64] {
        &self.end.rates
    }

    pub(crate) fn prepare_dense(&mut self) {
        if self.has_dense {
            return;
        }
        self.has_dense = true;
        for (out, row) in self.dense.chunks_exact_mut(self.dim).zip(self.table.dense) {
            sum(out, 1.0, row, &self.u);
        }
    }

    pub(crate) fn interpolate(&self, theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
        let (n, rest) = (self.dim, 1.0 - theta);
        for k in 0..n {
            let mut inner = 0.0;
            for i in (0..self.table.dense.len()).rev() {
                inner = self.dense[i * n + k] + theta * inner;
            }
            out[k] = rest * x0[k] + theta * (x1[k] + rest * inner);
        }
    }
}

/// A step of a few states, dense and without quadratures: all of it stays in registers.
fn attempt_fixed<const N: usize>(
    method: &mut Rosenbrock,
    eval: &mut Evaluator,
    at: Here,
    h: f64,
    x1: &mut [f64],
    error: &mut [f64],
) -> bool {
    let Rosenbrock { table, stages, u, start, .. } = method;
    let (matrix, _) = start.jacobian.rows().as_chunks::<N>();
    let (u, _) = u.as_chunks_mut::<N>();
    let (Some(x), Some(matrix), Some(slope), Some(first), Some(x1), Some(error)) = (
        at.x.first_chunk::<N>(),
        matrix.first_chunk::<N>(),
        start.jacobian.time.first_chunk::<N>(),
        start.rates.first_chunk::<N>(),
        x1.first_chunk_mut::<N>(),
        error.first_chunk_mut::<N>(),
    ) else {
        return false;
    };
    let mut matrix = matrix.map(|row| row.map(|value| -value));
    for (k, row) in matrix.iter_mut().enumerate() {
        row[k] += 1.0 / (h * table.gamma);
    }
    let Some(inverse) = Inverse::of(matrix) else { return false };
    let inverse_h = 1.0 / h;
    let (mut stage, mut rates) = (*x, *first);
    for i in 0..*stages {
        let (mut shift, mut pull) = ([0.0; N], [0.0; N]);
        for ((a, c), u) in table.a[i].iter().zip(table.c[i]).zip(u.iter()) {
            for k in 0..N {
                shift[k] = fma(*a, u[k], shift[k]);
                pull[k] = fma(*c, u[k], pull[k]);
            }
        }
        let time = table.gammas[i] * h;
        for k in 0..N {
            stage[k] = x[k] + shift[k];
            pull[k] = fma(inverse_h, pull[k], time * slope[k]);
        }
        // What does not wait for the rates goes first.
        let mut solution = [0.0; N];
        inverse.add_times(&pull, &mut solution);
        if i > 0 {
            eval.rates(at.t + table.alpha[i] * h, &stage, at.mode, &mut rates);
        }
        inverse.add_times(&rates, &mut solution);
        u[i] = solution;
    }
    *error = u[*stages - 1];
    for k in 0..N {
        x1[k] = stage[k] + error[k];
    }
    true
}

/// A step of any system.
fn attempt_free(
    method: &mut Rosenbrock,
    eval: &mut Evaluator,
    at: Here,
    h: f64,
    x1: &mut [f64],
    error: &mut [f64],
) -> bool {
    let (table, n, coupled) = (method.table, method.dim, eval.coupled());
    let shift = 1.0 / (h * table.gamma);
    if !method.factors.factorise(&method.start.jacobian, shift) {
        return false;
    }
    let inverse_h = 1.0 / h;
    for i in 0..method.stages {
        let (done, rest) = method.u.split_at_mut(i * n);
        let u = &mut rest[..n];
        if i == 0 {
            u.copy_from_slice(&method.start.rates);
        } else {
            combine(&mut method.stage, at.x, 1.0, table.a[i], done);
            eval.rates(at.t + table.alpha[i] * h, &method.stage, at.mode, &mut method.rates);
            combine(u, &method.rates, inverse_h, table.c[i], done);
        }
        let time = table.gammas[i] * h;
        if time != 0.0 {
            for (slot, slope) in u.iter_mut().zip(&method.start.jacobian.time) {
                *slot += time * slope;
            }
        }
        method.factors.solve(u);
        if coupled < n {
            method.quadratures(eval, at, i, shift);
        }
    }
    let last = &method.u[(method.stages - 1) * n..];
    for k in 0..n {
        x1[k] = method.stage[k] + last[k];
        error[k] = last[k];
    }
    true
}
