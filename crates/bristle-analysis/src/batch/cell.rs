//! One motion of a batch while it is not in a lane: starts, switches, hits.

use super::implicit::BEGINNING;
use super::{Context, MOST_STATES};
use crate::active_states::Row;
use crate::shooting::Hit;
use bristle_core::{Dual, Mode};
use bristle_solve::{Dynamics, Point, State};

/// A guard where the motion is; the section is the last of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Guard {
    pub value: f64,
    pub rate: f64,
    /// Has been positive, so that it can fire.
    pub is_armed: bool,
    /// Fired without effect; silent until positive again.
    pub is_mute: bool,
}

/// A motion and what is remembered of it.
#[derive(Clone, Debug)]
pub(super) struct BatchCell {
    pub job: usize,
    pub p: Vec<f64>,
    /// The parameters as constants of a differentiated equation.
    pub lifted: Vec<Dual<1>>,
    pub state: State,
    /// The state before the last switch.
    before: State,
    pub rates: Vec<f64>,
    /// Absolute tolerance of every state.
    pub absolute: Vec<f64>,
    pub h: f64,
    /// Logarithm of the error of the last step, and the most the next may grow.
    pub last_error: f64,
    pub growth: f64,
    pub guards: Vec<Guard>,
    pub min: Vec<f64>,
    pub max: Vec<f64>,
    /// Steps cut short because it was not clear which way a guard goes.
    pub cuts: usize,
    /// Time of the last hit, and steps since.
    pub since: f64,
    pub steps: f64,
    /// Steps left of the beginning of a smooth piece.
    pub fresh: f64,
    pub hits: Vec<Hit>,
}

impl BatchCell {
    /// A motion at its start; `None` where it cannot start.
    pub fn new<D: Dynamics>(context: &Context<'_, D>, job: usize, p: &[f64], start: &[f64]) -> Option<Self> {
        let (n, m) = (context.size, context.guards);
        let mut x = start[..n].to_vec();
        x.resize(context.dynamics.dim(), 0.0);
        let mut state = State { t: 0.0, x, mode: vec![Mode::Stick; context.dynamics.mode_count()] };
        context.dynamics.start(p, &mut state);
        let mut absolute = vec![1.0; context.dynamics.dim()];
        context.dynamics.scales(p, &mut absolute);
        absolute.iter_mut().for_each(|s| *s *= context.solver.atol);
        let mut cell = Self {
            job,
            p: p.to_vec(),
            lifted: p.iter().map(|v| (*v).into()).collect(),
            before: state.clone(),
            min: state.x[..n].to_vec(),
            max: state.x[..n].to_vec(),
            state,
            rates: vec![0.0; context.dynamics.dim()],
            absolute,
            h: 0.0,
            last_error: 0.0,
            growth: 10.0,
            guards: vec![Guard::default(); m + 1],
            cuts: 0,
            since: 0.0,
            steps: 0.0,
            fresh: BEGINNING,
            hits: Vec::with_capacity(context.count),
        };
        cell.settle(context, None).then_some(())?;
        cell.h = cell.first_step(context);
        Some(cell)
    }

    /// Rates and guards where the motion is. A guard that fires now is armed again once a step has shown it positive.
    fn evaluate<D: Dynamics>(&mut self, context: &Context<'_, D>, fired: Option<usize>) -> bool {
        let (dynamics, State { t, x, mode }) = (context.dynamics, &self.state);
        dynamics.rates(Point { t: *t, x, p: &self.p, mode }, &mut self.rates);
        let mut line: Row<Dual<1>> = std::iter::repeat_n(0.0.into(), x.len()).collect();
        for i in 0..context.size {
            line[i] = Dual { re: x[i], eps: [self.rates[i]] };
        }
        let mut guards = [Dual::<1>::from(0.0); MOST_STATES];
        let at = Point { t: Dual { re: *t, eps: [1.0] }, x: &line, p: &self.lifted, mode };
        dynamics.guards(at, &mut guards[..context.guards]);
        guards[context.guards] = context.section.height(&line);
        for (i, (slot, guard)) in self.guards.iter_mut().zip(guards).enumerate() {
            (slot.value, slot.rate) = (guard.re, guard.eps[0]);
            slot.is_armed = guard.re > 0.0 && fired != Some(i);
            slot.is_mute &= !slot.is_armed;
        }
        let values = guards.map(|guard| guard.re);
        let (at, tolerance) =
            (Point { t: *t, x, p: &self.p, mode }, context.solver.rtol.max(context.solver.atol));
        // A motion whose modes contradict its state is for the general method, which says so.
        dynamics.violation(at, &values[..context.guards], tolerance).is_none()
            && self.rates[..context.size].iter().all(|r| r.is_finite())
    }

    /// Evaluates the start of a smooth piece; guards that fall at once fire before any step.
    fn settle<D: Dynamics>(&mut self, context: &Context<'_, D>, mut fired: Option<usize>) -> bool {
        for _ in 0..20 {
            if !self.evaluate(context, fired) {
                return false;
            }
            let falls = |g: &Guard| !g.is_armed && !g.is_mute && g.rate < 0.0;
            let next = (0..context.guards).find(|&i| fired != Some(i) && falls(&self.guards[i]));
            let Some(next) = next else { return true };
            self.switch(context, next);
            fired = Some(next);
        }
        false
    }

    fn switch<D: Dynamics>(&mut self, context: &Context<'_, D>, guard: usize) {
        self.before.clone_from(&self.state);
        context.dynamics.switch(guard, &self.p, &mut self.state);
        if self.before == self.state {
            self.guards[guard].is_mute = true;
        } else {
            self.guards.iter_mut().for_each(|g| g.is_mute = false);
        }
    }

    /// The motion lies on a guard, which fires; can it go on?
    pub fn fire<D: Dynamics>(&mut self, context: &Context<'_, D>, guard: usize) -> bool {
        self.cuts = 0;
        self.fresh = BEGINNING;
        self.switch(context, guard);
        self.settle(context, Some(guard))
    }

    /// A first step from the time scales of the first two derivatives.
    fn first_step<D: Dynamics>(&self, context: &Context<'_, D>) -> f64 {
        let (n, rtol) = (context.size, context.solver.rtol);
        let State { t, x, mode } = &self.state;
        let weight = |i: usize| self.absolute[i] + rtol * x[i].abs() + 1e-300;
        let norm = |v: &dyn Fn(usize) -> f64| {
            ((0..n).map(|i| (v(i) / weight(i)).powi(2)).sum::<f64>() / n as f64).sqrt()
        };
        let slow = 1.0 / (rtol * norm(&|i| self.rates[i]));
        let trial = (1e-3 * slow).min(1e-6 * context.limit);
        let ahead: Vec<f64> = (0..x.len()).map(|i| x[i] + trial * self.rates[i]).collect();
        let mut rates = vec![0.0; x.len()];
        context.dynamics.rates(Point { t: t + trial, x: &ahead, p: &self.p, mode }, &mut rates);
        let fast = 1.0 / (rtol * norm(&|i| (rates[i] - self.rates[i]) / trial)).sqrt();
        let h = (0.01 * rtol).powf(1.0 / 6.0) * if fast.is_nan() { slow } else { slow.min(fast) };
        let longest = context.solver.h_max.unwrap_or(0.01 * context.limit);
        if h.is_nan() { trial } else { h.min(longest) }
    }
}
