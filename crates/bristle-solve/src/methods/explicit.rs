//! The step that the explicit Runge–Kutta methods share; a method is a table of coefficients.
//!
//! ```text
//! k_i = f(t + c_i h, x + h Σ a_ij k_j)
//! x' = x + h Σ b_j k_j
//! x(θ) = x + θ (r₁ + (1 − θ)(r₂ + θ (r₃ + (1 − θ)(r₄ + …))))
//! ```
//!
//! `r₁ … r₃` make a cubic through both ends and their rates, the rest are combinations of the stages
//! (Hairer, Nørsett & Wanner I, sect. II.6). The last row of the table is `b`: the last stage is the first of the
//! next step.

use crate::evaluator::Evaluator;
use crate::methods::{Attempt, Here};
use crate::small::{combine, sum};
use crate::tolerance::Tolerance;

/// The coefficients of an explicit method whose last row gives the new state.
pub(crate) struct ExplicitTable {
    /// Rows `a_ij`; the row `steps` is `b`, rows after it serve the dense output alone.
    pub a: &'static [&'static [f64]],
    pub c: &'static [f64],
    /// Number of the row that is `b`.
    pub steps: usize,
    /// Weights of the error estimate; with two rows the second tempers the first.
    pub error: &'static [&'static [f64]],
    pub dense: &'static [&'static [f64]],
    /// Two stages at the same time: the difference of their rates tells the stiffness.
    pub twins: (usize, usize),
    /// The largest `h ρ` at which the method is stable.
    pub stable: f64,
    pub error_power: f64,
}

/// Workspace of one method.
#[derive(Clone)]
pub(crate) struct Explicit {
    table: &'static ExplicitTable,
    dim: usize,
    k: Vec<f64>,
    stage: Vec<f64>,
    twin: Vec<f64>,
    dense: Vec<f64>,
    has_dense: bool,
    has_end: bool,
    h: f64,
    /// Estimate of `h ρ`, the step times the fastest rate, at the last attempt.
    pub stiffness: f64,
}

impl Explicit {
    pub(crate) fn new(table: &'static ExplicitTable, eval: &Evaluator) -> Self {
        let dim = eval.dim();
        Explicit {
            table,
            dim,
            k: vec![0.0; table.a.len() * dim],
            stage: vec![0.0; dim],
            twin: vec![0.0; dim],
            dense: vec![0.0; (3 + table.dense.len()) * dim],
            has_dense: false,
            has_end: false,
            h: 0.0,
            stiffness: 0.0,
        }
    }

    pub(crate) fn error_power(&self) -> f64 {
        self.table.error_power
    }

    /// Evaluations per step.
    pub(crate) fn cost(&self) -> f64 {
        self.table.steps as f64
    }

    /// The largest `h ρ` at which the method is stable.
    pub(crate) fn stable(&self) -> f64 {
        self.table.stable
    }

    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here) {
        eval.rates(at.t, at.x, at.mode, &mut self.k[..self.dim]);
    }

    /// Takes the rates at the start from another method.
    pub(crate) fn start_with(&mut self, rates: &[f64]) {
        self.k[..self.dim].copy_from_slice(rates);
    }

    pub(crate) fn attempt(&mut self, eval: &mut Evaluator, step: Attempt) -> f64 {
        let Attempt { at, h, tolerance, x1, error } = step;
        let (table, n) = (self.table, self.dim);
        self.h = h;
        self.has_dense = false;
        self.has_end = false;
        let mut field = eval.rates_over(at);
        for i in 1..table.steps {
            self.stage(i, at.x, h);
            if i == table.twins.0 {
                self.twin.copy_from_slice(&self.stage);
            }
            field.at(at.t + table.c[i] * h, &self.stage, &mut self.k[i * n..(i + 1) * n]);
        }
        self.stage(table.steps, at.x, h);
        x1.copy_from_slice(&self.stage);
        // The new end is a stage of the error estimate of both methods, and the first stage of the next step.
        let end = table.steps * n;
        field.at(at.t + h, x1, &mut self.k[end..end + n]);
        self.has_end = true;
        self.measure_stiffness(x1, tolerance);
        self.error(h, at.x, x1, tolerance, error)
    }

    /// `stage = x + h Σ a_ij k_j`.
    #[inline]
    fn stage(&mut self, i: usize, x: &[f64], h: f64) {
        combine(&mut self.stage, x, h, self.table.a[i], &self.k);
    }

    fn error(&mut self, h: f64, x0: &[f64], x1: &[f64], tolerance: &Tolerance, error: &mut [f64]) -> f64 {
        sum(error, h, self.table.error[0], &self.k);
        let Some(second) = self.table.error.get(1) else {
            return tolerance.norm(error, x0, x1);
        };
        // Hairer, Nørsett & Wanner I, sect. II.10: e = e₅²/√(e₅² + e₃²/100).
        sum(&mut self.stage, h, second, &self.k);
        let [mut high, mut low] = [&*error, &self.stage].map(|e| tolerance.squares_of_differences(e));
        for k in 0..self.dim {
            let weight = tolerance.weight(k, x0[k], x1[k]);
            high += (error[k] / weight).powi(2);
            low += (self.stage[k] / weight).powi(2);
        }
        let bottom = high + 0.01 * low;
        if bottom > 0.0 { high / (bottom * self.dim as f64).sqrt() } else { bottom }
    }

    /// Hairer & Wanner II, sect. IV.2: two stages at the same time give `ρ ≈ ‖Δk‖/‖Δx‖`.
    fn measure_stiffness(&mut self, x1: &[f64], tolerance: &Tolerance) {
        let (one, two) = self.table.twins;
        let (mut above, mut below) = (0.0, 0.0);
        for k in 0..self.dim {
            let weight = tolerance.weight(k, x1[k], x1[k]);
            above += ((self.k[two * self.dim + k] - self.k[one * self.dim + k]) / weight).powi(2);
            below += ((x1[k] - self.twin[k]) / weight).powi(2);
        }
        self.stiffness = if below > 0.0 { self.h * (above / below).sqrt() } else { 0.0 };
    }

    pub(crate) fn advance(&mut self) {
        let (n, end) = (self.dim, self.table.steps * self.dim);
        self.k.copy_within(end..end + n, 0);
    }

    pub(crate) fn start_rates(&self) -> &[f64] {
        &self.k[..self.dim]
    }

    pub(crate) fn end_rates(&self) -> &[f64] {
        let end = self.table.steps * self.dim;
        &self.k[end..end + self.dim]
    }

    pub(crate) fn prepare_dense(&mut self, eval: &mut Evaluator, at: Here, x1: &[f64]) {
        if self.has_dense {
            return;
        }
        self.has_dense = true;
        let (table, n, h) = (self.table, self.dim, self.h);
        for i in table.steps + 1..table.a.len() {
            self.stage(i, at.x, h);
            eval.rates(at.t + table.c[i] * h, &self.stage, at.mode, &mut self.k[i * n..(i + 1) * n]);
        }
        let end = table.steps * n;
        for k in 0..n {
            let step = x1[k] - at.x[k];
            let slope = h * self.k[k] - step;
            self.dense[k] = step;
            self.dense[n + k] = slope;
            self.dense[2 * n + k] = step - h * self.k[end + k] - slope;
        }
        for (out, row) in self.dense[3 * n..].chunks_exact_mut(n).zip(table.dense) {
            sum(out, h, row, &self.k);
        }
    }

    pub(crate) fn interpolate(&self, theta: f64, x0: &[f64], out: &mut [f64]) {
        let (n, rows, rest) = (self.dim, 3 + self.table.dense.len(), 1.0 - theta);
        for k in 0..n {
            let mut inner = 0.0;
            for i in (0..rows).rev() {
                inner = (self.dense[i * n + k] + inner) * if i % 2 == 0 { theta } else { rest };
            }
            out[k] = x0[k] + inner;
        }
    }
}
