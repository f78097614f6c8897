//! Steps and Jacobians compiled together with the rates they ask for.
//!
//! Integrators see a [`Dynamics`] through a pointer. A system of few states whose rates take some ten nanoseconds feels that: the
//! compiler can neither keep its states in registers nor see which slopes are nothing. Systems that name their numbers of
//! states ([`Dynamics::SIZES`]) get the two functions that run most, once for each.

use crate::evaluator::{LiftedParams, width};
use crate::methods::Here;
use crate::methods::rosenbrock::compact::{Coefficients, Job, RateSource, attempt};
use crate::{Dynamics, Point};
use bristle_core::{Dual, Mode, Scalar, seed};
use std::marker::PhantomData;

/// Work that knows the number of states.
trait Work<D> {
    type Answer;
    fn run<const N: usize>(self, dynamics: &D, params: &LiftedParams) -> Self::Answer;
}

/// Does the work if the dynamics name this number of states.
fn run<D: Dynamics, W: Work<D>>(
    dynamics: &D,
    params: &LiftedParams,
    dim: usize,
    work: W,
) -> Option<W::Answer> {
    macro_rules! sizes {
        ($($n:literal)*) => { $(
            if const { names(D::SIZES, $n) } && dim == $n {
                return Some(work.run::<$n>(dynamics, params));
            }
        )* };
    }
    sizes!(1 2 3 4 5 6 7 8);
    None
}

/// Whether steps of so many states are compiled together with the rates.
pub(crate) fn is_compiled<D: Dynamics>(dim: usize) -> bool {
    names(D::SIZES, dim)
}

const fn names(sizes: &[usize], n: usize) -> bool {
    let mut i = 0;
    while i < sizes.len() {
        if sizes[i] == n {
            return true;
        }
        i += 1;
    }
    false
}

/// Tries a Rosenbrock step and gives the norm of its error; nothing if it is not compiled for this system.
pub(crate) fn step<D: Dynamics, T: Coefficients>(
    dynamics: &D,
    params: &LiftedParams,
    job: &mut Job,
) -> Option<f64> {
    run(dynamics, params, job.step.at.x.len(), Step::<T> { job, method: PhantomData })
}

struct Step<'a, 'b, T> {
    job: &'a mut Job<'b>,
    method: PhantomData<T>,
}

impl<D: Dynamics, T: Coefficients> Work<D> for Step<'_, '_, T> {
    type Answer = f64;
    fn run<const N: usize>(self, dynamics: &D, params: &LiftedParams) -> f64 {
        let mode = self.job.step.at.mode;
        attempt::<T, N>(self.job, Inlined { dynamics, params, mode })
    }
}

/// Rates the compiler can see.
struct Inlined<'a, D> {
    dynamics: &'a D,
    params: &'a LiftedParams,
    mode: &'a [Mode],
}

impl<D: Dynamics, const N: usize> RateSource<N> for Inlined<'_, D> {
    #[inline(always)]
    fn rates(&mut self, t: f64, x: &[f64; N], dx: &mut [f64; N]) {
        let (p, mode) = (self.params.plain.as_slice(), self.mode);
        self.dynamics.rates(Point { t: self.params.within(t), x, p, mode }, dx);
    }
}

/// A point, and where rates, slopes in time and the Jacobian, row after row, go.
pub(crate) struct Linearise<'a> {
    pub at: Here<'a>,
    pub jacobian: &'a mut [f64],
    pub slopes: &'a mut [f64],
    pub rates: &'a mut [f64],
}

/// Evaluates rates, Jacobian and slopes in time; false if that is not compiled for this system.
pub(crate) fn linearise<D: Dynamics>(dynamics: &D, params: &LiftedParams, job: Linearise) -> bool {
    run(dynamics, params, job.at.x.len(), job).unwrap_or(false)
}

impl<D: Dynamics> Work<D> for Linearise<'_> {
    type Answer = bool;
    #[inline(always)]
    fn run<const N: usize>(self, dynamics: &D, params: &LiftedParams) -> bool {
        let seeds = N + usize::from(!dynamics.is_autonomous());
        match width(seeds) {
            _ if seeds > 8 => false,
            1 => self.sweep::<D, N, 1>(dynamics, params, &params.one),
            2 => self.sweep::<D, N, 2>(dynamics, params, &params.two),
            4 => self.sweep::<D, N, 4>(dynamics, params, &params.four),
            _ => self.sweep::<D, N, 8>(dynamics, params, &params.eight),
        }
    }
}

impl Linearise<'_> {
    /// One sweep with a seed for each state, and one more for the time if the rates depend on it.
    #[inline(always)]
    fn sweep<D: Dynamics, const N: usize, const W: usize>(
        self,
        dynamics: &D,
        params: &LiftedParams,
        p: &[Dual<W>],
    ) -> bool {
        let (rows, _) = self.jacobian.as_chunks_mut::<N>();
        let (Some(x), Some(rows), Some(slopes), Some(rates)) = (
            self.at.x.first_chunk::<N>(),
            rows.first_chunk_mut::<N>(),
            self.slopes.first_chunk_mut::<N>(),
            self.rates.first_chunk_mut::<N>(),
        ) else {
            return false;
        };
        if W < N {
            return false;
        }
        let time = params.within(self.at.t);
        let t = if W > N && !dynamics.is_autonomous() { seed(time, N) } else { Dual::from(time) };
        let x: [Dual<W>; N] = std::array::from_fn(|i| seed(x[i], i));
        let mut dx = [Dual::<W>::from(0.0); N];
        dynamics.rates(Point { t, x: &x, p, mode: self.at.mode }, &mut dx);
        // Nothing times a number is nothing unless the number is not finite.
        let mut check = [0.0; W];
        for i in 0..N {
            let row = dx[i].eps;
            for j in 0..W {
                check[j] += 0.0 * row[j];
            }
            rows[i].copy_from_slice(&row[..N]);
            slopes[i] = if W > N { row[N] } else { 0.0 };
            rates[i] = dx[i].value();
        }
        if check.iter().sum::<f64>() != 0.0 {
            let all = rows.as_flattened_mut().iter_mut().chain(slopes);
            all.filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
        }
        true
    }
}
