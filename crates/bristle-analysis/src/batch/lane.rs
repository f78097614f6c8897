//! Into a lane, out of it, and what to do where a guard has fired within a step.

use super::bundle::{Bundle, GuardEnds, MOST_STEPS};
use super::cell::BatchCell;
use super::crossing::{Inside, LaneCrossing};
use super::implicit::Implicit;
use super::programs::{LaneEquations, LanePrograms};
use super::{Context, MOST_STATES};
use crate::shooting::Hit;
use bristle_core::{LaneMask, Lanes, Mode};
use bristle_solve::{Dynamics, State};

/// Steps cut short in a row before the general method takes over.
const MOST_CUTS: usize = 30;

/// What a look into a step tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LaneVerdict {
    /// The lane goes on.
    GoesOn,
    /// The lane lies on this guard.
    Fires(usize),
    /// It has made all its returns.
    Done,
    /// It has not returned for too long.
    Late,
    /// This is for the general method.
    Hard,
}

impl<const N: usize> Bundle<N> {
    pub fn new<D: Dynamics>(context: &Context<'_, D>) -> Self {
        let zero = Lanes::splat(0.0);
        let (none, states, m) = (LaneMask([0; N]), [zero; MOST_STATES], context.guards + 1);
        let ends = GuardEnds { value: vec![zero; m], rate: vec![zero; m] };
        Self {
            cells: std::array::from_fn(|_| None),
            shelf: Vec::new(),
            current: 0,
            is_active: none,
            t: zero,
            h: zero,
            x: states,
            x1: states,
            k: [states; 7],
            difference: states,
            implicit: context.is_implicit.then(|| Box::new(Implicit::new(context.size))),
            fresh: zero,
            absolute: states,
            min: states,
            max: states,
            last_error: zero,
            error: zero,
            growth: zero,
            factor: zero,
            deadline: zero,
            steps: zero,
            start: ends.clone(),
            end: ends,
            is_armed: vec![none; m],
            is_mute: vec![none; m],
            is_broken: none,
        }
    }

    /// The present modes.
    pub fn mode(&self) -> &[Mode] {
        self.shelf.get(self.current).map_or(&[], |equations| &equations.mode)
    }

    /// Makes these equations the present ones.
    pub fn enter(&mut self, equations: &LaneEquations) -> bool {
        self.current = match self.shelf.iter().position(|known| known.mode == equations.mode) {
            Some(place) => place,
            None => {
                let is_implicit = self.implicit.is_some();
                let Some(new) = LanePrograms::new(equations, is_implicit) else { return false };
                self.shelf.push(new);
                self.shelf.len() - 1
            }
        };
        if let Some(implicit) = &mut self.implicit {
            implicit.forget();
        }
        true
    }

    /// Number of lanes at work.
    pub fn active(&self) -> usize {
        self.cells.iter().filter(|c| c.is_some()).count()
    }

    /// Puts a motion into a lane.
    pub fn load<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize, cell: Box<BatchCell>) {
        for i in 0..context.size {
            self.x[i].0[lane] = cell.state.x[i];
            self.k[0][i].0[lane] = cell.rates[i];
            self.absolute[i].0[lane] = cell.absolute[i];
            self.min[i].0[lane] = cell.min[i];
            self.max[i].0[lane] = cell.max[i];
        }
        self.shelf[self.current].set(lane, &cell.p);
        for (i, guard) in cell.guards.iter().enumerate() {
            self.start.value[i].0[lane] = guard.value;
            self.start.rate[i].0[lane] = guard.rate;
            self.is_armed[i].0[lane] = mask(guard.is_armed);
            self.is_mute[i].0[lane] = mask(guard.is_mute);
        }
        (self.t.0[lane], self.h.0[lane]) = (cell.state.t, cell.h);
        (self.last_error.0[lane], self.growth.0[lane]) = (cell.last_error, cell.growth);
        (self.deadline.0[lane], self.steps.0[lane]) = (cell.since + context.limit, cell.steps);
        self.fresh.0[lane] = cell.fresh;
        if let Some(implicit) = &mut self.implicit {
            implicit.forget_lane(lane);
        }
        self.is_active.0[lane] = u64::MAX;
        self.cells[lane] = Some(cell);
    }

    /// Takes a motion out of its lane, which idles from then on.
    pub fn unload<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) -> Option<Box<BatchCell>> {
        let mut cell = self.cells[lane].take()?;
        for i in 0..context.size {
            cell.state.x[i] = self.x[i].0[lane];
            cell.rates[i] = self.k[0][i].0[lane];
            cell.min[i] = self.min[i].0[lane];
            cell.max[i] = self.max[i].0[lane];
        }
        for (i, guard) in cell.guards.iter_mut().enumerate() {
            guard.value = self.start.value[i].0[lane];
            guard.rate = self.start.rate[i].0[lane];
            guard.is_armed = self.is_armed[i].holds(lane);
            guard.is_mute = self.is_mute[i].holds(lane);
        }
        (cell.state.t, cell.h) = (self.t.0[lane], self.h.0[lane]);
        (cell.last_error, cell.growth) = (self.last_error.0[lane], self.growth.0[lane]);
        (cell.steps, cell.fresh) = (self.steps.0[lane], self.fresh.0[lane]);
        // An idle lane stands still.
        self.h.0[lane] = 0.0;
        self.is_active.0[lane] = 0;
        Some(cell)
    }

    /// A lane without a motion of its own stands still where that of the first lane is.
    pub fn idle<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) {
        for i in 0..context.size {
            for states in [&mut self.x, &mut self.k[0], &mut self.absolute] {
                states[i].0[lane] = states[i].0[0];
            }
        }
        if let Some(first) = &self.cells[0] {
            self.shelf[self.current].set(lane, &first.p);
        }
        (self.t.0[lane], self.h.0[lane]) = (self.t.0[0], 0.0);
    }

    fn take_one<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) {
        let mut only = LaneMask([0; N]);
        only.0[lane] = u64::MAX;
        self.take(context, only);
    }

    /// Looks into the step just tried in a lane that asked for attention.
    pub fn decide<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) -> LaneVerdict {
        // The general method says what is wrong.
        if self.is_broken.holds(lane) {
            self.is_broken.0[lane] = 0;
            return LaneVerdict::Hard;
        }
        if self.deadline.0[lane] < self.t.0[lane] {
            return LaneVerdict::Late;
        }
        if self.steps.0[lane] > MOST_STEPS {
            return LaneVerdict::Hard;
        }
        let inside = self.inside(context, lane);
        loop {
            match self.first(context, lane, &inside) {
                LaneCrossing::Nothing => {
                    self.take_one(context, lane);
                    return LaneVerdict::GoesOn;
                }
                LaneCrossing::Undecided => return self.cut(lane),
                LaneCrossing::At(guard, theta) if guard < context.guards => {
                    self.stop(context, lane, &inside, theta);
                    return LaneVerdict::Fires(guard);
                }
                LaneCrossing::At(_, theta) => {
                    if self.hit(context, lane, &inside, theta) {
                        return LaneVerdict::Done;
                    }
                }
            }
        }
    }

    /// Repeats the step, shorter.
    fn cut(&mut self, lane: usize) -> LaneVerdict {
        self.h.0[lane] *= 0.25;
        self.growth.0[lane] = 1.0;
        let Some(cell) = &mut self.cells[lane] else { return LaneVerdict::Hard };
        cell.cuts += 1;
        if cell.cuts > MOST_CUTS { LaneVerdict::Hard } else { LaneVerdict::GoesOn }
    }

    /// Ends the step where a guard fires.
    fn stop<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize, inside: &Inside, theta: f64) {
        for i in 0..context.size {
            let x = inside.at(i, theta);
            self.x[i].0[lane] = x;
            self.min[i].0[lane] = self.min[i].0[lane].min(x);
            self.max[i].0[lane] = self.max[i].0[lane].max(x);
        }
        self.t.0[lane] += theta * self.h.0[lane];
        self.last_error.0[lane] = self.error.0[lane];
        self.growth.0[lane] = 10.0;
        self.h.0[lane] *= self.factor.0[lane].min(1.0);
    }

    /// The section is hit within the step, which changes nothing; was it the last hit?
    fn hit<D: Dynamics>(
        &mut self,
        context: &Context<'_, D>,
        lane: usize,
        inside: &Inside,
        theta: f64,
    ) -> bool {
        self.is_armed[context.guards].0[lane] = 0;
        let t = self.t.0[lane] + theta * self.h.0[lane];
        self.deadline.0[lane] = t + context.limit;
        self.steps.0[lane] = 0.0;
        let mode = self.mode().to_vec();
        let Some(cell) = &mut self.cells[lane] else { return true };
        let mut state = State { t, x: vec![0.0; context.dynamics.dim()], mode };
        let (mut min, mut max) = (Vec::with_capacity(context.size), Vec::with_capacity(context.size));
        for i in 0..context.size {
            let x = inside.at(i, theta);
            state.x[i] = x;
            min.push(self.min[i].0[lane].min(x));
            max.push(self.max[i].0[lane].max(x));
            (self.min[i].0[lane], self.max[i].0[lane]) = (x, x);
        }
        cell.hits.push(Hit { state, min, max });
        cell.since = t;
        cell.hits.len() >= context.count
    }
}

fn mask(holds: bool) -> u64 {
    if holds { u64::MAX } else { 0 }
}
