//! Motions in lanes: one step for all of them, each with its own length, by an implicit method or by Dormand and Prince's pair of
//! order 5(4).
//!
//! Source of the pair and its step control: Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I.

use super::cell::BatchCell;
use super::implicit::Implicit;
use super::programs::LanePrograms;
use super::{Context, MOST_STATES, control};
use crate::active_states::Row;
use bristle_core::{LaneMask, Lanes, Scalar};
use bristle_solve::{Dynamics, Point};

pub(super) type States<const N: usize> = [Lanes<N>; MOST_STATES];

/// Steps between two hits after which an explicit method is thought to be the wrong one.
pub(super) const MOST_STEPS: f64 = 20_000.0;

const C: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A2: [f64; 1] = [0.2];
const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const A5: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
const A6: [f64; 5] = [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
const B: [f64; 6] = [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The guards of a bundle at one end of a step.
#[derive(Clone, Debug)]
pub(super) struct GuardEnds<const N: usize> {
    pub value: Vec<Lanes<N>>,
    pub rate: Vec<Lanes<N>>,
}

/// `N` motions in the same modes.
#[derive(Clone, Debug)]
pub(super) struct Bundle<const N: usize> {
    pub cells: [Option<Box<BatchCell>>; N],
    /// The equations of all modes seen so far, and which are the present ones.
    pub shelf: Vec<LanePrograms<N>>,
    pub current: usize,
    pub is_active: LaneMask<N>,
    pub t: Lanes<N>,
    pub h: Lanes<N>,
    pub x: States<N>,
    pub x1: States<N>,
    /// Rates at the start of a step, at its stages and, last, at its end.
    pub k: [States<N>; 7],
    /// What the embedded method makes differently.
    pub difference: States<N>,
    pub implicit: Option<Box<Implicit<N>>>,
    /// Steps left of the beginning of a smooth piece.
    pub fresh: Lanes<N>,
    pub absolute: States<N>,
    pub min: States<N>,
    pub max: States<N>,
    pub last_error: Lanes<N>,
    pub error: Lanes<N>,
    pub growth: Lanes<N>,
    pub factor: Lanes<N>,
    pub deadline: Lanes<N>,
    pub steps: Lanes<N>,
    pub start: GuardEnds<N>,
    pub end: GuardEnds<N>,
    pub is_armed: Vec<LaneMask<N>>,
    pub is_mute: Vec<LaneMask<N>>,
    /// Lanes whose modes contradict their states.
    pub is_broken: LaneMask<N>,
}

/// `Σ a_j k_j` for state `i`.
#[inline(always)]
fn sum<const N: usize, const M: usize>(a: &[f64; M], k: &[States<N>; 7], i: usize) -> Lanes<N> {
    let mut total = k[0][i] * a[0];
    for j in 1..M {
        if a[j] != 0.0 {
            total = k[j][i].times_plus(Lanes::splat(a[j]), total);
        }
    }
    total
}

impl<const N: usize> Bundle<N> {
    /// Tries one step in every lane and takes it where nothing is to be decided; gives the lanes where something is.
    #[inline(always)]
    pub fn step<D: Dynamics>(&mut self, context: &Context<'_, D>) -> LaneMask<N> {
        if self.implicit.is_some() {
            self.implicit_stages(context);
        } else {
            self.stages(context);
        }
        let accepted = self.judge(context);
        self.guard(context);
        let attention = self.attention(context, accepted);
        let mut taken = accepted;
        for lane in 0..N {
            taken.0[lane] &= !attention.0[lane];
        }
        let shrunk = Lanes::select(accepted, self.h, self.h * self.factor);
        self.growth = Lanes::select(accepted, self.growth, Lanes::splat(1.0));
        self.h = shrunk;
        self.take(context, taken);
        if context.has_invariants {
            self.look_after_modes(context, taken);
        }
        attention.or(self.is_broken)
    }

    /// Marks the lanes in which a step has ended where the modes do not hold, as single runs look after every step.
    fn look_after_modes<D: Dynamics>(&mut self, context: &Context<'_, D>, taken: LaneMask<N>) {
        let tolerance = context.solver.rtol.max(context.solver.atol);
        let mut x: Row<f64> = std::iter::repeat_n(0.0, context.dynamics.dim()).collect();
        let mut g = [0.0; MOST_STATES];
        for lane in (0..N).filter(|lane| taken.holds(*lane) && self.is_active.holds(*lane)) {
            let Some(cell) = &self.cells[lane] else { continue };
            (0..context.size).for_each(|i| x[i] = self.x[i].0[lane]);
            (0..context.guards).for_each(|i| g[i] = self.start.value[i].0[lane]);
            let at = Point { t: self.t.0[lane], x: &x, p: &cell.p, mode: self.mode() };
            if context.dynamics.violation(at, &g[..context.guards], tolerance).is_some() {
                self.is_broken.0[lane] = u64::MAX;
            }
        }
    }

    /// The seven stages; `x1` is where the step ends and `k[6]` the rates there.
    #[inline(always)]
    fn stages<D: Dynamics>(&mut self, context: &Context<'_, D>) {
        let (n, h) = (context.size, self.h);
        let equations = &mut self.shelf[self.current];
        for stage in 1..7 {
            let (k, x) = (&self.k, &self.x);
            for i in 0..n {
                let slope = match stage {
                    1 => sum(&A2, k, i),
                    2 => sum(&A3, k, i),
                    3 => sum(&A4, k, i),
                    4 => sum(&A5, k, i),
                    5 => sum(&A6, k, i),
                    _ => sum(&B, k, i),
                };
                self.x1[i] = x[i] + h * slope;
            }
            equations.rates(self.t + h * C[stage - 1], &self.x1[..n], &mut self.k[stage][..n]);
        }
        for i in 0..n {
            self.difference[i] = h * sum(&E, &self.k, i);
        }
    }

    /// Estimates the errors and chooses the steps that follow; which lanes are accurate enough?
    #[inline(always)]
    fn judge<D: Dynamics>(&mut self, context: &Context<'_, D>) -> LaneMask<N> {
        let n = context.size;
        let mut total = Lanes::splat(0.0);
        for i in 0..n {
            let size = self.x[i].abs().larger(self.x1[i].abs());
            let weight = self.absolute[i] + size * context.solver.rtol + 1e-300;
            let ratio = self.difference[i] / weight;
            total += ratio * ratio;
        }
        let square = total * (1.0 / n as f64);
        let accepted = square.lt(Lanes::splat(1.0));
        // What is not a number counts as large.
        let bounded = square.map(|e| if e < 1e300 { e } else { 1e300 }).larger(Lanes::splat(1e-20));
        let log = control::log2(bounded) * 0.5;
        let exponent = Lanes::select(accepted, log * -0.17 + self.last_error * 0.04, log * -0.2);
        let most = Lanes::select(accepted, self.growth, Lanes::splat(1.0));
        let factor = (control::exp2(exponent) * 0.9).larger(Lanes::splat(0.2));
        self.factor = Lanes::select(most.lt(factor), most, factor);
        self.error = log.larger(Lanes::splat(-13.29));
        self.steps += Lanes::splat(1.0);
        accepted
    }

    /// Guards and section where the step ends.
    #[inline(always)]
    fn guard<D: Dynamics>(&mut self, context: &Context<'_, D>) {
        let (m, n) = (context.guards, context.size);
        let (x, dx) = (&self.x1[..n], &self.k[6][..n]);
        if m > 0 {
            let (value, rate) = (&mut self.end.value[..m], &mut self.end.rate[..m]);
            self.shelf[self.current].guards(self.t + self.h, [x, dx], value, rate);
        }
        (self.end.value[m], self.end.rate[m]) = (context.section.height(x), context.section.slope(|i| dx[i]));
    }

    /// Lanes in which a guard may have fired, or patience has ended.
    #[inline(always)]
    fn attention<D: Dynamics>(&self, context: &Context<'_, D>, accepted: LaneMask<N>) -> LaneMask<N> {
        let zero = Lanes::splat(0.0);
        let third = self.h * (1.0 / 3.0);
        let late = self.deadline.lt(self.t).or(Lanes::splat(MOST_STEPS).lt(self.steps));
        let mut fired = LaneMask([0; N]);
        for i in 0..=context.guards {
            let (g0, g1) = (self.start.value[i], self.end.value[i]);
            let (dg0, dg1) = (self.start.rate[i], self.end.rate[i]);
            // The control points of the cubic through both ends enclose it.
            let lowest = (g0 + third * dg0).min(g1 - third * dg1);
            let dips = dg0.lt(zero).and(zero.lt(dg1)).and(lowest.lt(zero));
            let is_below = g1.lt(Lanes::splat(f64::MIN_POSITIVE));
            for lane in 0..N {
                let armed = self.is_armed[i].0[lane];
                let waits = !armed & !self.is_mute[i].0[lane];
                let falls = if i == context.guards { 0 } else { g1.lt(g0).0[lane] | dg1.lt(zero).0[lane] };
                let fires = armed & (is_below.0[lane] | dips.0[lane]);
                fired.0[lane] |= fires | (waits & is_below.0[lane] & falls);
            }
        }
        fired.and(accepted).or(late).and(self.is_active)
    }

    /// Moves the lanes of `mask` to the ends of their steps.
    #[inline(always)]
    pub fn take<D: Dynamics>(&mut self, context: &Context<'_, D>, mask: LaneMask<N>) {
        for i in 0..context.size {
            self.x[i] = Lanes::select(mask, self.x1[i], self.x[i]);
            self.k[0][i] = Lanes::select(mask, self.k[6][i], self.k[0][i]);
            self.min[i] = self.min[i].min(self.x[i]);
            self.max[i] = self.max[i].larger(self.x[i]);
        }
        if let Some(implicit) = &mut self.implicit {
            implicit.take(mask);
        }
        self.fresh = Lanes::select(mask, self.fresh + Lanes::splat(-1.0), self.fresh);
        self.t = Lanes::select(mask, self.t + self.h, self.t);
        self.h = Lanes::select(mask, self.h * self.factor, self.h);
        self.last_error = Lanes::select(mask, self.error, self.last_error);
        self.growth = Lanes::select(mask, Lanes::splat(10.0), self.growth);
        for i in 0..=context.guards {
            self.start.value[i] = Lanes::select(mask, self.end.value[i], self.start.value[i]);
            self.start.rate[i] = Lanes::select(mask, self.end.rate[i], self.start.rate[i]);
            let rises = Lanes::splat(0.0).lt(self.end.value[i]).and(mask);
            self.is_armed[i] = self.is_armed[i].or(rises);
            for lane in 0..N {
                self.is_mute[i].0[lane] &= !rises.0[lane];
            }
        }
    }
}
