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
use crate::small::{FIXED, by_length, combine, fma, sum};
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
        self.h = h;
        self.has_dense = false;
        if self.dim <= FIXED {
            by_length!(eval.coupled(), stages_of_few, stages_of_any, (self, eval, at, h, x1));
        } else {
            stages_of_any(self, eval, at, h, x1);
        }
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
        let mut high = tolerance.squares_of_differences(error);
        let mut low = tolerance.squares_of_differences(&self.stage);
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

/// All stages of a step, which ends in `x1`. The new end is a stage of the error estimate, and the first stage of the next step.
fn stages_of_any(explicit: &mut Explicit, eval: &mut Evaluator, at: Here, h: f64, x1: &mut [f64]) {
    let (table, n) = (explicit.table, explicit.dim);
    let mut field = eval.rates_over(at);
    for i in 1..table.steps {
        explicit.stage(i, at.x, h);
        if i == table.twins.0 {
            explicit.twin.copy_from_slice(&explicit.stage);
        }
        field.at(at.t + table.c[i] * h, &explicit.stage, &mut explicit.k[i * n..(i + 1) * n]);
    }
    explicit.stage(table.steps, at.x, h);
    x1.copy_from_slice(&explicit.stage);
    let end = table.steps * n;
    field.at(at.t + h, x1, &mut explicit.k[end..end + n]);
}

/// No method has more of them; a power of two, which the compiler knows a masked place to be below.
const STAGES: usize = 16;

/// `x + h Σ a_j k_j`, in registers.
#[inline(always)]
fn ahead<const N: usize>(x: &[f64; N], h: f64, a: &[f64], k: &[[f64; N]; STAGES]) -> [f64; N] {
    let mut sum = [0.0; N];
    for j in 0..a.len().min(STAGES) {
        let (weight, rates) = (a[j], k[j]);
        for l in 0..N {
            sum[l] = fma(weight, rates[l], sum[l]);
        }
    }
    for l in 0..N {
        sum[l] = fma(h, sum[l], x[l]);
    }
    sum
}

/// The same for `N` states before the quadratures. On these no rate depends: they are summed only where somebody asks for them.
fn stages_of_few<const N: usize>(
    explicit: &mut Explicit,
    eval: &mut Evaluator,
    at: Here,
    h: f64,
    x1: &mut [f64],
) {
    let Explicit { table, dim, k, twin, .. } = explicit;
    let (n, last) = (*dim, table.steps);
    let (Some(x), Some(first)) = (at.x.first_chunk::<N>(), k.first_chunk::<N>()) else { return };
    let mut done = [[0.0; N]; STAGES];
    done[0] = *first;
    let mut field = eval.rates_over(at);
    for i in 1..=last {
        let row = table.a[i];
        let stage = ahead(x, h, row, &done);
        if i == last || i == table.twins.0 {
            let whole = if i == last { &mut x1[..n] } else { &mut twin[..n] };
            whole[..N].copy_from_slice(&stage);
            for q in N..n {
                let mut sum = 0.0;
                for j in 0..row.len() {
                    sum = fma(row[j], k[j * n + q], sum);
                }
                whole[q] = fma(h, sum, at.x[q]);
            }
        }
        let t = if i == last { at.t + h } else { at.t + table.c[i] * h };
        let (coupled, quadratures) = k[i * n..(i + 1) * n].split_at_mut(N);
        let rates = field.of::<N>(t, &stage, quadratures);
        if let Some(coupled) = coupled.first_chunk_mut() {
            *coupled = rates;
        }
        done[i % STAGES] = rates;
    }
}
