//! A Rosenbrock step of a few states: sums over stages stay in registers, the inverse takes the place of factors.
//!
//! A stage waits for the rates, and the rates for the stage before: the step is latency-bound on this chain, so that nothing that
//! is known earlier may lie on it. Quadratures do not: no rate depends on them.

use super::{RosenbrockTable, RosenbrockWorkspace};
use crate::evaluator::Evaluator;
use crate::linalg::inverse_columns;
use crate::methods::Attempt;
use crate::small::fma;

/// No method has more stages.
const STAGES: usize = 8;

/// What a small step needs beside the workspace, and leaves to its dense output.
#[derive(Clone)]
pub(super) struct SmallStep {
    /// The table, filled up with zeros.
    a: [[f64; STAGES]; STAGES],
    c: [[f64; STAGES]; STAGES],
    alpha: [f64; STAGES],
    gammas: [f64; STAGES],
    /// What the right sides of a quadrature are weighted with to give its step and its error, in units of `hγ`.
    weights: [[f64; 2]; STAGES],
    /// `u` of the coupled states and the right sides of the quadratures, stage by stage.
    coupled: Vec<f64>,
    quadratures: Vec<f64>,
    scale: f64,
}

/// A row of a table, filled up with zeros.
fn filled(row: &[f64]) -> [f64; STAGES] {
    std::array::from_fn(|i| row.get(i).copied().unwrap_or(0.0))
}

impl SmallStep {
    pub fn new(table: &RosenbrockTable, coupled: usize, quadratures: usize) -> Self {
        let rows =
            |of: &[&[f64]]| std::array::from_fn(|i| of.get(i).map_or([0.0; STAGES], |row| filled(row)));
        let (a, c): ([[f64; STAGES]; STAGES], [[f64; STAGES]; STAGES]) = (rows(table.a), rows(table.c));
        SmallStep {
            weights: weights(table.a.len(), table.gamma, &a, &c),
            a,
            c,
            alpha: filled(table.alpha),
            gammas: filled(table.gammas),
            coupled: vec![0.0; STAGES * coupled],
            quadratures: vec![0.0; STAGES * quadratures],
            scale: 0.0,
        }
    }

    /// Writes `u` of all states, stage by stage.
    pub fn unpack(&self, stages: usize, gamma: f64, u: &mut [f64]) {
        let (coupled, quadratures) = (self.coupled.len() / STAGES, self.quadratures.len() / STAGES);
        let dim = coupled + quadratures;
        for i in 0..stages {
            u[i * dim..i * dim + coupled].copy_from_slice(&self.coupled[i * coupled..(i + 1) * coupled]);
            for q in 0..quadratures {
                let pulled: f64 = (0..i).map(|j| self.c[i][j] * u[j * dim + coupled + q]).sum();
                u[i * dim + coupled + q] =
                    self.scale * self.quadratures[i * quadratures + q] + gamma * pulled;
            }
        }
    }
}

/// A quadrature is solved by `(1 − γC) u = hγ r`, `r` the right sides of all stages: its step `Σ a u + u_s` and its error `u_s`
/// are sums of `r` with fixed weights.
fn weights(
    stages: usize,
    gamma: f64,
    a: &[[f64; STAGES]; STAGES],
    c: &[[f64; STAGES]; STAGES],
) -> [[f64; 2]; STAGES] {
    let last = stages - 1;
    let mut weights = [[0.0; 2]; STAGES];
    for i in (0..stages).rev() {
        let own = if i == last { [1.0, 1.0] } else { [a[last][i], 0.0] };
        weights[i] = std::array::from_fn(|k| {
            own[k] + (i + 1..stages).map(|later| gamma * c[later][i] * weights[later][k]).sum::<f64>()
        });
    }
    weights
}

/// Makes the step and gives the norm of its error, infinite without an inverse. The first `N` states are coupled.
pub(super) fn attempt<const N: usize>(
    workspace: &mut RosenbrockWorkspace,
    eval: &mut Evaluator,
    step: Attempt,
) -> f64 {
    let Attempt { at, h, tolerance, x1, error } = step;
    let (start, small) = (&workspace.start, &mut workspace.small);
    let (rows, slopes) = (start.jacobian.rows().as_chunks::<N>().0, start.jacobian.time());
    let (Some(x), Some(matrix), Some((rates, own_rates)), Some((slope, own_slopes)), Some(u)) = (
        at.x.first_chunk::<N>(),
        rows.first_chunk::<N>(),
        start.rates.split_first_chunk::<N>(),
        slopes.split_first_chunk::<N>(),
        small.coupled.as_chunks_mut::<N>().0.first_chunk_mut::<STAGES>(),
    ) else {
        return f64::INFINITY;
    };
    let (stages, inverse_h) = (workspace.stages.min(STAGES), 1.0 / h);
    let scale = h * workspace.table.gamma;
    let mut matrix = *matrix;
    for (k, row) in matrix.iter_mut().enumerate() {
        row.iter_mut().for_each(|value| *value = -*value);
        row[k] += 1.0 / scale;
    }
    let Some(inverse) = inverse_columns(matrix) else { return f64::INFINITY };
    let mut field = eval.rates_over(at);
    let (mut stage, mut pull, mut rates) = (*x, [0.0; N], *rates);
    let mut rights = small.quadratures.chunks_exact_mut(own_rates.len().max(1));
    for i in 0..stages {
        // What does not wait for the rates goes first: what earlier stages pull this one by, and the next one but for this one.
        let time = small.gammas[i] * h;
        for k in 0..N {
            pull[k] = fma(inverse_h, pull[k], time * slope[k]);
        }
        let known = product(&inverse, &pull, &[0.0; N]);
        let (a, c) = (&small.a[(i + 1) % STAGES], &small.c[(i + 1) % STAGES]);
        let (mut ahead, mut pulled) = (*x, [0.0; N]);
        for j in 0..i {
            for k in 0..N {
                ahead[k] = fma(a[j], u[j][k], ahead[k]);
                pulled[k] = fma(c[j], u[j][k], pulled[k]);
            }
        }
        let right = rights.next().unwrap_or_default();
        if i > 0 {
            rates = field.of(at.t + small.alpha[i] * h, &stage, right);
        } else {
            right.iter_mut().zip(own_rates).for_each(|(slot, rate)| *slot = *rate);
        }
        let now = product(&inverse, &rates, &known);
        u[i] = now;
        if i + 1 < stages {
            for k in 0..N {
                stage[k] = fma(a[i], now[k], ahead[k]);
                pull[k] = fma(c[i], now[k], pulled[k]);
            }
        }
    }
    for k in 0..N {
        x1[k] = stage[k] + u[stages - 1][k];
        error[k] = u[stages - 1][k];
    }
    small.scale = scale;
    for q in 0..own_rates.len() {
        let (row, mut sums) = (&rows[N + q], [0.0; 2]);
        for i in 0..stages {
            let right = &mut small.quadratures[i * own_rates.len() + q];
            *right = fma(small.gammas[i] * h, own_slopes[q], *right);
            for k in 0..N {
                *right = fma(row[k], u[i][k], *right);
            }
            let weights = small.weights[i];
            sums = [fma(weights[0], *right, sums[0]), fma(weights[1], *right, sums[1])];
        }
        x1[N + q] = fma(scale, sums[0], at.x[N + q]);
        error[N + q] = scale * sums[1];
    }
    tolerance.norm(error, at.x, x1)
}

/// The inverse times `right`, and `more`. Two sums, so that neither waits for the other.
#[inline(always)]
fn product<const N: usize>(inverse: &[[f64; N]; N], right: &[f64; N], more: &[f64; N]) -> [f64; N] {
    let (mut even, mut odd) = (*more, [0.0; N]);
    for j in 0..N {
        let part = if j % 2 == 0 { &mut even } else { &mut odd };
        for k in 0..N {
            part[k] = fma(inverse[j][k], right[j], part[k]);
        }
    }
    for k in 0..N {
        even[k] += odd[k];
    }
    even
}
