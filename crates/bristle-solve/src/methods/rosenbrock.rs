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
use crate::jacobian::Jacobian;
use crate::methods::Here;
use crate::small::combine;
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
    pub factorisations: usize,
}

/// Rates and Jacobian at one point.
struct Linear {
    rates: Vec<f64>,
    jacobian: Jacobian,
    is_current: bool,
}

impl Rosenbrock {
    pub(crate) fn new(table: &'static Table, eval: &Evaluator) -> Self {
        let (dim, stages) = (eval.dim(), table.a.len());
        let jacobian = eval.new_jacobian();
        let linear = || Linear { rates: vec![0.0; dim], jacobian: jacobian.clone(), is_current: false };
        Rosenbrock {
            table,
            stages,
            dim,
            u: vec![0.0; stages * dim],
            stage: vec![0.0; dim],
            rates: vec![0.0; dim],
            slopes: vec![0.0; dim - eval.coupled()],
            factors: Factors::new(&jacobian),
            start: linear(),
            end: linear(),
            dense: vec![0.0; table.dense.len() * dim],
            has_dense: false,
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
        self.start.is_current = true;
        self.end.is_current = false;
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
        let (table, n, coupled) = (self.table, self.dim, eval.coupled());
        self.has_dense = false;
        self.end.is_current = false;
        self.factorisations += 1;
        let shift = 1.0 / (h * table.gamma);
        if !self.factors.factorise(&self.start.jacobian, shift) {
            return f64::INFINITY;
        }
        let inverse_h = 1.0 / h;
        for i in 0..self.stages {
            let (done, rest) = self.u.split_at_mut(i * n);
            let u = &mut rest[..n];
            if i == 0 {
                u.copy_from_slice(&self.start.rates);
            } else {
                combine(&mut self.stage, at.x, 1.0, table.a[i], done);
                eval.rates(at.t + table.alpha[i] * h, &self.stage, at.mode, &mut self.rates);
                combine(u, &self.rates, inverse_h, table.c[i], done);
            }
            let time = table.gammas[i] * h;
            if time != 0.0 {
                for (slot, slope) in u.iter_mut().zip(&self.start.jacobian.time) {
                    *slot += time * slope;
                }
            }
            self.factors.solve(u);
            if coupled < n {
                self.quadratures(eval, at, i, shift);
            }
        }
        let last = &self.u[(self.stages - 1) * n..];
        for k in 0..n {
            x1[k] = self.stage[k] + last[k];
            error[k] = last[k];
        }
        tolerance.norm(error, at.x, x1)
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
        self.end.is_current = true;
    }

    /// Rates at the end without a Jacobian, for a step that may be repeated.
    pub(crate) fn peek(&mut self, eval: &mut Evaluator, end: Here) {
        eval.rates(end.t, end.x, end.mode, &mut self.end.rates);
    }

    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.end.is_current = false;
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
        let n = self.dim;
        for (i, row) in self.table.dense.iter().enumerate() {
            let out = &mut self.dense[i * n..(i + 1) * n];
            out.fill(0.0);
            for (j, weight) in row.iter().enumerate() {
                for (slot, u) in out.iter_mut().zip(&self.u[j * n..(j + 1) * n]) {
                    *slot += weight * u;
                }
            }
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
