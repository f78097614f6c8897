//! A Rosenbrock step of a few states, without loops over coefficients: all of it stays in registers.
//!
//! A stage waits for the rates, and the rates for the stage before: what a step takes is this chain, so that nothing that is
//! known earlier may lie on it.

use super::RosenbrockTable;
use crate::inverse::inverse_columns;
use crate::methods::Attempt;
use crate::small::fma;

/// The coefficients of a method, known to the compiler.
pub(crate) trait Coefficients {
    const TABLE: RosenbrockTable;
}

/// Where the rates come from.
pub(crate) trait RateSource<const N: usize> {
    fn rates(&mut self, t: f64, x: &[f64; N], dx: &mut [f64; N]);
}

/// A step of a system without quadratures, and what is known where it begins.
pub(crate) struct Job<'a> {
    pub step: Attempt<'a>,
    pub rates: &'a [f64],
    /// The Jacobian, row after row.
    pub jacobian: &'a [f64],
    /// The slopes of the rates in time.
    pub slopes: &'a [f64],
    /// The stages, one after the other.
    pub u: &'a mut [f64],
}

/// No method has more stages.
const STAGES: usize = 8;

/// What the stages of a step share.
struct StageWork<'a, const N: usize> {
    t: f64,
    h: f64,
    inverse_h: f64,
    x: &'a [f64; N],
    slopes: &'a [f64; N],
    inverse: [[f64; N]; N],
    stage: [f64; N],
    rates: [f64; N],
    u: [[f64; N]; STAGES],
}

/// Makes the step and gives the norm of its error, infinite without an inverse.
#[inline(always)]
pub(crate) fn attempt<T: Coefficients, const N: usize>(job: &mut Job, mut field: impl RateSource<N>) -> f64 {
    let (rows, _) = job.jacobian.as_chunks::<N>();
    let (u, _) = job.u.as_chunks_mut::<N>();
    let (Some(x), Some(rows), Some(slopes), Some(first), Some(x1), Some(error)) = (
        job.step.at.x.first_chunk::<N>(),
        rows.first_chunk::<N>(),
        job.slopes.first_chunk::<N>(),
        job.rates.first_chunk::<N>(),
        job.step.x1.first_chunk_mut::<N>(),
        job.step.error.first_chunk_mut::<N>(),
    ) else {
        return f64::INFINITY;
    };
    let mut matrix = rows.map(|row| row.map(|value| -value));
    for (k, row) in matrix.iter_mut().enumerate() {
        row[k] += 1.0 / (job.step.h * T::TABLE.gamma);
    }
    let Some(inverse) = inverse_columns(matrix) else { return f64::INFINITY };
    let mut work = StageWork {
        t: job.step.at.t,
        h: job.step.h,
        inverse_h: 1.0 / job.step.h,
        x,
        slopes,
        inverse,
        stage: *x,
        rates: *first,
        u: [[0.0; N]; STAGES],
    };
    work.stage::<T, 0>(&mut field);
    work.stage::<T, 1>(&mut field);
    work.stage::<T, 2>(&mut field);
    work.stage::<T, 3>(&mut field);
    work.stage::<T, 4>(&mut field);
    work.stage::<T, 5>(&mut field);
    work.stage::<T, 6>(&mut field);
    work.stage::<T, 7>(&mut field);
    *error = work.u[const { T::TABLE.a.len() - 1 }];
    for k in 0..N {
        x1[k] = work.stage[k] + error[k];
    }
    for (slot, u) in u.iter_mut().zip(work.u) {
        *slot = u;
    }
    job.step.tolerance.norm_of(error, x, x1)
}

impl<const N: usize> StageWork<'_, N> {
    /// Stage `I`, if the method has so many.
    #[inline(always)]
    fn stage<T: Coefficients, const I: usize>(&mut self, field: &mut impl RateSource<N>) {
        if const { I >= T::TABLE.a.len() } {
            return;
        }
        let (mut stage, mut pull) = (*self.x, [0.0; N]);
        for j in 0..I {
            let (a, c) = (T::TABLE.a[I][j], T::TABLE.c[I][j]);
            for k in 0..N {
                stage[k] = fma(a, self.u[j][k], stage[k]);
                pull[k] = fma(c, self.u[j][k], pull[k]);
            }
        }
        let time = T::TABLE.gammas[I] * self.h;
        for k in 0..N {
            pull[k] = fma(self.inverse_h, pull[k], time * self.slopes[k]);
        }
        // What does not wait for the rates goes first.
        let known = self.solve(&pull, &[0.0; N]);
        self.stage = stage;
        if I > 0 {
            field.rates(self.t + T::TABLE.alpha[I] * self.h, &self.stage, &mut self.rates);
        }
        self.u[I] = self.solve(&self.rates, &known);
    }

    /// The inverse times `right`, and `more`. Two sums, so that neither waits for the other.
    #[inline(always)]
    fn solve(&self, right: &[f64; N], more: &[f64; N]) -> [f64; N] {
        let (mut even, mut odd) = (*more, [0.0; N]);
        for j in 0..N {
            let part = if j % 2 == 0 { &mut even } else { &mut odd };
            for k in 0..N {
                part[k] = fma(self.inverse[j][k], right[j], part[k]);
            }
        }
        std::array::from_fn(|k| even[k] + odd[k])
    }
}
