//! One step of Rodas5P in lanes: what `auto` is there.
//!
//! Bristles are stiff while they stick and while they slide fast. An explicit method takes ten times as many steps there as
//! an implicit one, which costs a linear system of a few unknowns each.

use super::Context;
use super::bundle::{Bundle, States};
use crate::map::exchange;
use bristle_core::{LaneMask, Lanes, Scalar};
use bristle_solve::Dynamics;
use bristle_solve::methods::{Rodas5p, RosenbrockTable};
use bristle_tape::LaneBlock;

/// Stages of the method, and rows of its dense output.
const STAGES: usize = 8;
const ROWS: usize = 3;

/// So many steps a smooth piece begins: growth by a few times in each leaves nothing unseen.
pub(super) const BEGINNING: f64 = 40.0;

/// What an implicit step needs beside the states.
#[derive(Clone, Debug)]
pub(super) struct Implicit<const N: usize> {
    u: [States<N>; STAGES],
    stage: States<N>,
    right: States<N>,
    matrix: Vec<Lanes<N>>,
    /// The inverse of `1/(hγ) − J`, row by row.
    inverse: Vec<Lanes<N>>,
    /// Entries of the Jacobian that are not always zero, at the start and at the end of a step.
    slopes: [Vec<Lanes<N>>; 2],
    /// Lanes into which a motion has come since the start was linearised, if there are any.
    is_stale: [bool; N],
    is_any_stale: bool,
}

impl<const N: usize> Implicit<N> {
    pub fn new(size: usize) -> Self {
        let zero = Lanes::splat(0.0);
        let states = [zero; super::MOST_STATES];
        Implicit {
            u: [states; STAGES],
            stage: states,
            right: states,
            matrix: vec![zero; size * size],
            inverse: vec![zero; size * size],
            slopes: [Vec::new(), Vec::new()],
            is_stale: [true; N],
            is_any_stale: true,
        }
    }

    /// Other equations begin here.
    pub fn forget(&mut self) {
        (self.is_stale, self.is_any_stale) = ([true; N], true);
    }

    /// Another motion begins in this lane.
    pub fn forget_lane(&mut self, lane: usize) {
        (self.is_stale[lane], self.is_any_stale) = (true, true);
    }

    /// What was the end is the start in the lanes of `mask`.
    #[inline(always)]
    pub fn take(&mut self, mask: LaneMask<N>) {
        let [start, end] = &mut self.slopes;
        for (start, end) in start.iter_mut().zip(end) {
            *start = Lanes::select(mask, *end, *start);
        }
    }

    /// The rows `r_i` of the dense output for a state in a lane.
    pub fn dense(&self, lane: usize, state: usize) -> [f64; ROWS] {
        let rows = Rodas5p::TABLE.dense;
        let row = |r: usize| rows[r].iter().enumerate().map(|(j, h)| h * self.u[j][state].0[lane]).sum();
        std::array::from_fn(row)
    }

    /// Inverts `1/(hγ) − J` by Gauss and Jordan's elimination; each lane chooses its pivots by itself.
    #[inline(always)]
    fn invert(&mut self, n: usize, shift: Lanes<N>, entries: &[(usize, usize)]) {
        let (zero, one) = (Lanes::splat(0.0), Lanes::splat(1.0));
        let (matrix, inverse) = (&mut self.matrix[..n * n], &mut self.inverse[..n * n]);
        matrix.fill(zero);
        inverse.fill(zero);
        for k in 0..n {
            (matrix[k * n + k], inverse[k * n + k]) = (shift, one);
        }
        for (slope, (i, j)) in self.slopes[0].iter().zip(entries) {
            matrix[i * n + j] += -*slope;
        }
        for k in 0..n {
            for i in k + 1..n {
                let is_smaller = matrix[k * n + k].abs().lt(matrix[i * n + k].abs());
                if is_smaller.any() {
                    for j in 0..n {
                        exchange(matrix, k * n + j, i * n + j, is_smaller);
                        exchange(inverse, k * n + j, i * n + j, is_smaller);
                    }
                }
            }
            let pivot = one / matrix[k * n + k];
            for j in 0..n {
                matrix[k * n + j] = matrix[k * n + j] * pivot;
                inverse[k * n + j] = inverse[k * n + j] * pivot;
            }
            for i in (0..n).filter(|i| *i != k) {
                let factor = -matrix[i * n + k];
                for j in k + 1..n {
                    matrix[i * n + j] = factor.times_plus(matrix[k * n + j], matrix[i * n + j]);
                }
                for j in 0..n {
                    inverse[i * n + j] = factor.times_plus(inverse[k * n + j], inverse[i * n + j]);
                }
            }
        }
    }
}

impl<const N: usize> Bundle<N> {
    /// All stages; `x1` is where the step ends, `k[6]` the rates there and `difference` what the embedded method makes differently.
    #[inline(always)]
    pub fn implicit_stages<D: Dynamics>(&mut self, context: &Context<'_, D>) {
        const TABLE: &RosenbrockTable = &Rodas5p::TABLE;
        let n = context.size;
        let Self { implicit, shelf, current, x, x1, k, t, h, fresh, difference, .. } = self;
        let (Some(implicit), equations) = (implicit, &mut shelf[*current]) else { return };
        if implicit.is_any_stale {
            for slopes in &mut implicit.slopes {
                slopes.resize(equations.entries().len(), Lanes::splat(0.0));
            }
            // Lanes that were there before find the same bits again.
            for lane in 0..N {
                if implicit.is_stale[lane] {
                    let at = [&[*t][..], &x[..n]];
                    equations.linearise(Some(lane), at, &mut k[0][..n], &mut implicit.slopes[0]);
                    implicit.is_stale[LaneBlock::<N>::beside(lane)].fill(false);
                }
            }
            implicit.is_any_stale = false;
        }
        // An implicit step damps growth that it passes over, and its error estimate with it.
        let mut steepest = Lanes::splat(0.0);
        for (slope, (i, j)) in implicit.slopes[0].iter().zip(equations.entries()) {
            if i == j {
                steepest = steepest.larger(*slope);
            }
        }
        let longest = Lanes::splat(2.0) / steepest;
        let begins = Lanes::splat(0.0).lt(*fresh).and(longest.lt(*h));
        *h = Lanes::select(begins, longest, *h);
        let inverse_h = Lanes::splat(1.0) / *h;
        implicit.invert(n, inverse_h * (1.0 / TABLE.gamma), equations.entries());
        let Implicit { u, stage, right, inverse, slopes, .. } = &mut **implicit;
        right[..n].copy_from_slice(&k[0][..n]);
        for s in 0..STAGES {
            if s > 0 {
                for i in 0..n {
                    let mut sum = x[i];
                    for (a, u) in TABLE.a[s].iter().zip(u.iter()) {
                        sum = u[i].times_plus(Lanes::splat(*a), sum);
                    }
                    stage[i] = sum;
                }
                equations.rates(*t + *h * TABLE.alpha[s], &stage[..n], &mut right[..n]);
                for i in 0..n {
                    let mut sum = Lanes::splat(0.0);
                    for (c, u) in TABLE.c[s].iter().zip(u.iter()) {
                        sum = u[i].times_plus(Lanes::splat(*c), sum);
                    }
                    right[i] = inverse_h.times_plus(sum, right[i]);
                }
            }
            for i in 0..n {
                let mut sum = inverse[i * n] * right[0];
                for j in 1..n {
                    sum = inverse[i * n + j].times_plus(right[j], sum);
                }
                u[s][i] = sum;
            }
        }
        for i in 0..n {
            difference[i] = u[STAGES - 1][i];
            x1[i] = stage[i] + difference[i];
        }
        equations.linearise(None, [&[*t + *h], &x1[..n]], &mut k[6][..n], &mut slopes[1]);
    }
}
