//! The step that all Rosenbrock methods share; a method is a table of coefficients.
//!
//! ```text
//! (1/(hγ) − J) u_i = f(t + α_i h, x + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t
//! x' = x + Σ a_sj u_j + u_s,   error = u_s
//! x(θ) = (1 − θ) x + θ (x' + (1 − θ)(r₁ + θ (r₂ + θ r₃))),   r_i = Σ h_ij u_j
//! ```
//!
//! (Hairer & Wanner II, sect. IV.7, in the form that needs no product with the Jacobian.) Quadratures do not
//! enter the linear system: their `u` follows from that of the coupled states, unless the system solves for both in
//! its own way.

mod small_step;

use super::{Rodas4, Rodas5p};
use crate::evaluator::Evaluator;
use crate::jacobian::Jacobian;
use crate::linalg::Factors;
use crate::methods::{Attempt, Here};
use crate::small::{FIXED, by_length, combine, fma, sum};
use crate::step_end::StepEnd;
use small_step::SmallStep;

/// The coefficients of a stiffly accurate Rosenbrock method, for those who solve its linear systems in their own way.
#[derive(Debug)]
pub struct RosenbrockTable {
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

/// The methods of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Rodas4,
    Rodas5p,
}

impl Scheme {
    pub(crate) fn table(self) -> &'static RosenbrockTable {
        match self {
            Scheme::Rodas4 => &Rodas4::TABLE,
            Scheme::Rodas5p => &Rodas5p::TABLE,
        }
    }
}

/// Workspace of one method.
#[derive(Clone)]
pub(crate) struct RosenbrockWorkspace {
    scheme: Scheme,
    table: &'static RosenbrockTable,
    stages: usize,
    dim: usize,
    u: Vec<f64>,
    stage: Vec<f64>,
    rates: Vec<f64>,
    slopes: Vec<f64>,
    factors: Factors,
    start: Linearisation,
    end: Linearisation,
    dense: Vec<f64>,
    has_dense: bool,
    /// Few states before the quadratures, coupled by a full matrix.
    is_small: bool,
    small: SmallStep,
    pub factorisations: usize,
}

/// Rates and Jacobian at one point.
#[derive(Clone)]
struct Linearisation {
    rates: Vec<f64>,
    jacobian: Jacobian,
}

impl RosenbrockWorkspace {
    pub(crate) fn new(scheme: Scheme, eval: &Evaluator) -> Self {
        let table = scheme.table();
        let (dim, stages) = (eval.dim(), table.a.len());
        let start = Linearisation { rates: vec![0.0; dim], jacobian: eval.new_jacobian() };
        let end = start.clone();
        let is_structured = eval.is_structured();
        let is_small = (1..=FIXED).contains(&eval.coupled()) && start.jacobian.is_full();
        RosenbrockWorkspace {
            scheme,
            table,
            stages,
            dim,
            u: vec![0.0; stages * dim],
            stage: vec![0.0; dim],
            rates: vec![0.0; dim],
            slopes: vec![0.0; dim - eval.coupled()],
            factors: if is_small || is_structured { Factors::none() } else { Factors::new(&start.jacobian) },
            start,
            end,
            dense: vec![0.0; table.dense.len() * dim],
            has_dense: false,
            is_small,
            small: SmallStep::new(table, eval.coupled(), dim - eval.coupled()),
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

    pub(crate) fn scheme(&self) -> Scheme {
        self.scheme
    }

    pub(crate) fn jacobian(&self) -> &Jacobian {
        &self.start.jacobian
    }

    /// Evaluates where a step begins.
    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here, end: &mut StepEnd) {
        eval.linearise(at, &mut self.start.jacobian, &mut self.start.rates, end);
    }

    /// Steps by `h` and gives the norm of the error.
    pub(crate) fn attempt(&mut self, eval: &mut Evaluator, step: Attempt) -> f64 {
        self.has_dense = false;
        self.factorisations += 1;
        if self.is_small {
            return by_length!(eval.coupled(), small_step::attempt, never, (self, eval, step));
        }
        self.attempt_any(eval, step)
    }

    /// A step of any system.
    fn attempt_any(&mut self, eval: &mut Evaluator, step: Attempt) -> f64 {
        let Attempt { at, h, tolerance, x1, error } = step;
        let (table, n, coupled) = (self.table, self.dim, eval.coupled());
        let shift = 1.0 / (h * table.gamma);
        let is_regular = match self.start.jacobian.structure_mut() {
            Some((own, _)) => own.factorise(shift),
            None => self.factors.factorise(&self.start.jacobian, shift),
        };
        if !is_regular {
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
                for (slot, slope) in u.iter_mut().zip(self.start.jacobian.time()) {
                    *slot += time * slope;
                }
            }
            if let Some((own, _)) = self.start.jacobian.structure_mut() {
                own.solve(u);
                continue;
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
        if !self.start.jacobian.quadratures_times(head, &mut self.slopes) {
            eval.quadrature_slope(at, head, &mut self.slopes);
        }
        for (slot, slope) in tail.iter_mut().zip(&self.slopes) {
            *slot = (*slot + slope) / shift;
        }
    }

    /// Evaluates the end of the step, which is the start of the next.
    pub(crate) fn finish(&mut self, eval: &mut Evaluator, at: Here, end: &mut StepEnd) {
        eval.linearise(at, &mut self.end.jacobian, &mut self.end.rates, end);
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
        if self.is_small {
            self.small.unpack(self.stages, self.table.gamma, &mut self.u);
        }
        for (out, row) in self.dense.chunks_exact_mut(self.dim).zip(self.table.dense) {
            sum(out, 1.0, row, &self.u);
        }
    }

    pub(crate) fn interpolate(&self, theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
        by_length!(self.dim, interpolate_fixed, interpolate_free, (&self.dense, theta, x0, x1, out));
    }
}

/// More states than a small step has.
fn never(_workspace: &mut RosenbrockWorkspace, _eval: &mut Evaluator, _step: Attempt) -> f64 {
    f64::INFINITY
}

/// The states at the fraction `theta` of a step, from the rows `r_i`.
fn interpolate_free(dense: &[f64], theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
    let (n, rest) = (out.len(), 1.0 - theta);
    for k in 0..n {
        let inner = dense.chunks_exact(n).rev().fold(0.0, |inner, row| fma(theta, inner, row[k]));
        out[k] = fma(theta, fma(rest, inner, x1[k]), rest * x0[k]);
    }
}

fn interpolate_fixed<const N: usize>(dense: &[f64], theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
    let (Some(x0), Some(x1), Some(out)) =
        (x0.first_chunk::<N>(), x1.first_chunk::<N>(), out.first_chunk_mut::<N>())
    else {
        return;
    };
    let (rows, _) = dense.as_chunks::<N>();
    let (rest, mut inner) = (1.0 - theta, [0.0; N]);
    for row in rows.iter().rev() {
        for k in 0..N {
            inner[k] = fma(theta, inner[k], row[k]);
        }
    }
    for k in 0..N {
        out[k] = fma(theta, fma(rest, inner[k], x1[k]), rest * x0[k]);
    }
}
