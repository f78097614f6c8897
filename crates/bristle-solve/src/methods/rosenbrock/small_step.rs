//! A Rosenbrock step of a few states: sums over stages stay in registers, the inverse takes the place of factors.
//!
//! A stage waits for the rates, and the rates for the stage before: the step is latency-bound on this chain, so that nothing that
//! is known earlier may lie on it. Quadratures do not: no rate depends on them.

use super::RosenbrockWorkspace;
use crate::evaluator::Evaluator;
use crate::inverse::inverse_columns;
use crate::methods::Attempt;
use crate::small::fma;

/// No method has more stages.
const STAGES: usize = 8;

/// Makes the step and gives the norm of its error, infinite without an inverse. The first `N` states are coupled.
pub(super) fn attempt<const N: usize>(
    workspace: &mut RosenbrockWorkspace,
    eval: &mut Evaluator,
    step: Attempt,
) -> f64 {
    let Attempt { at, h, tolerance, x1, error } = step;
    let (table, dim) = (workspace.table, workspace.dim);
    let (shift, inverse_h) = (1.0 / (h * table.gamma), 1.0 / h);
    let (start, rates, all) = (&workspace.start, &mut workspace.rates[..], &mut workspace.u[..]);
    let (rows, slopes) = (start.jacobian.rows().as_chunks::<N>().0, start.jacobian.time());
    let (Some(x), Some(matrix)) = (at.x.first_chunk::<N>(), rows.first_chunk::<N>()) else {
        return f64::INFINITY;
    };
    let mut matrix = matrix.map(|row| row.map(|value| -value));
    for (k, row) in matrix.iter_mut().enumerate() {
        row[k] += shift;
    }
    let Some(inverse) = inverse_columns(matrix) else { return f64::INFINITY };
    let mut u = [[0.0; N]; STAGES];
    let mut stage = *x;
    rates.copy_from_slice(&start.rates);
    for i in 0..table.a.len() {
        let (a, c, time) = (table.a[i], table.c[i], table.gammas[i] * h);
        let mut pull = [0.0; N];
        stage = *x;
        for ((a, c), u) in a.iter().zip(c).zip(&u) {
            for k in 0..N {
                stage[k] = fma(*a, u[k], stage[k]);
                pull[k] = fma(*c, u[k], pull[k]);
            }
        }
        for k in 0..N {
            pull[k] = fma(inverse_h, pull[k], time * slopes[k]);
        }
        // What does not wait for the rates goes first.
        let known = product(&inverse, &pull, &[0.0; N]);
        if i > 0 {
            eval.rates(at.t + table.alpha[i] * h, &stage, at.mode, rates);
        }
        let Some(right) = rates.first_chunk::<N>() else { return f64::INFINITY };
        let now = product(&inverse, right, &known);
        u[i % STAGES] = now;
        all[i * dim..i * dim + N].copy_from_slice(&now);
        // `u_q = hγ (f + Σ c u/h + γ h ∂f/∂t + J_qx u_x)`.
        for q in N..dim {
            let mut sum = 0.0;
            for (c, u) in c.iter().zip(all[q..].iter().step_by(dim)) {
                sum = fma(*c, *u, sum);
            }
            sum = fma(inverse_h, sum, fma(time, slopes[q], rates[q]));
            for k in 0..N {
                sum = fma(rows[q][k], now[k], sum);
            }
            all[i * dim + q] = sum / shift;
        }
    }
    let last = (table.a.len() - 1) * dim;
    for k in 0..N {
        x1[k] = stage[k] + all[last + k];
    }
    for q in N..dim {
        let mut sum = at.x[q];
        for (a, u) in table.a[table.a.len() - 1].iter().zip(all[q..].iter().step_by(dim)) {
            sum = fma(*a, *u, sum);
        }
        x1[q] = sum + all[last + q];
    }
    error.copy_from_slice(&all[last..last + dim]);
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
    std::array::from_fn(|k| even[k] + odd[k])
}
