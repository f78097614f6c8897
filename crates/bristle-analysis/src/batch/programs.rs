//! The recorded equations of one set of modes, in lanes.

use super::Context;
use bristle_core::{Lanes, Mode};
use bristle_solve::{Dynamics, Point, Recorded, State};
use bristle_tape::LaneBlock;
use std::sync::Arc;

/// Rates and guards of one set of modes as programs, if motions in these modes can run in lanes.
#[derive(Clone, Debug)]
pub(super) struct LaneEquations {
    pub mode: Vec<Mode>,
    recorded: Option<Arc<Recorded>>,
}

impl LaneEquations {
    /// The equations in the modes of a state. Nothing may happen at given times: what depends on time is for the general method.
    pub fn of<D: Dynamics>(context: &Context<'_, D>, p: &[f64], state: &State) -> Self {
        let State { t, x, mode } = state;
        let at = Point { t: *t, x, p, mode };
        let recorded = context.recordings().recorded(context.dynamics, at);
        let is_fit = |all: &Arc<Recorded>| {
            let longest = context.dynamics.longest_step(p, mode);
            all.is_autonomous()
                && all.motion().is_ok()
                && all.motion_jacobian().is_ok()
                && all.guards_along().is_ok()
                && longest.is_infinite()
        };
        Self { mode: mode.clone(), recorded: recorded.filter(is_fit) }
    }

    /// Whether they stand for the equations of this motion.
    pub fn fit(&self, p: &[f64], state: &State) -> bool {
        self.recorded.as_ref().is_some_and(|all| {
            let variables =
                || -> Vec<f64> { std::iter::once(state.t).chain(state.x.iter().copied()).collect() };
            all.assumptions.is_empty() || all.assumptions.hold(&variables(), p)
        })
    }
}

/// The numbers of these equations in lanes.
#[derive(Clone, Debug)]
pub(super) struct LanePrograms<const N: usize> {
    pub mode: Vec<Mode>,
    recorded: Arc<Recorded>,
    motion: LaneBlock<N>,
    /// Rates and slopes, for implicit steps.
    jacobian: Option<LaneBlock<N>>,
    guards: LaneBlock<N>,
    /// Lanes whose parameters have changed since the last evaluation, if there are any.
    is_stale: [bool; N],
    is_any_stale: bool,
}

impl<const N: usize> LanePrograms<N> {
    pub fn new(equations: &LaneEquations, is_implicit: bool) -> Option<Self> {
        let recorded = equations.recorded.clone()?;
        let jacobian =
            if is_implicit { Some(recorded.motion_jacobian().ok()?.program.block()) } else { None };
        Some(Self {
            mode: equations.mode.clone(),
            motion: recorded.motion().ok()?.block(),
            jacobian,
            guards: recorded.guards_along().ok()?.block(),
            recorded,
            is_stale: [true; N],
            is_any_stale: true,
        })
    }

    /// Sets the parameters of a lane.
    pub fn set(&mut self, lane: usize, p: &[f64]) {
        let Self { recorded, motion, jacobian, guards, .. } = self;
        if let (Ok(rates), Ok(along)) = (recorded.motion(), recorded.guards_along()) {
            rates.set_lane_parameters(motion, lane, p);
            along.set_lane_parameters(guards, lane, p);
        }
        if let (Some(block), Ok(all)) = (jacobian, recorded.motion_jacobian()) {
            all.program.set_lane_parameters(block, lane, p);
        }
        (self.is_stale[lane], self.is_any_stale) = (true, true);
    }

    /// Evaluates what depends on parameters alone, in the lanes where they have changed and those beside them.
    #[cold]
    fn refresh(&mut self) {
        let Self { recorded, motion, jacobian, guards, is_stale, .. } = self;
        for lane in 0..N {
            if !is_stale[lane] {
                continue;
            }
            if let (Ok(rates), Ok(along)) = (recorded.motion(), recorded.guards_along()) {
                rates.refresh_block_beside(motion, lane);
                along.refresh_block_beside(guards, lane);
            }
            if let (Some(block), Ok(all)) = (&mut *jacobian, recorded.motion_jacobian()) {
                all.program.refresh_block_beside(block, lane);
            }
            is_stale[LaneBlock::<N>::beside(lane)].fill(false);
        }
        self.is_any_stale = false;
    }

    /// Writes the rates of the states before the quadratures.
    #[inline(always)]
    pub fn rates(&mut self, t: Lanes<N>, x: &[Lanes<N>], dx: &mut [Lanes<N>]) {
        if self.is_any_stale {
            self.refresh();
        }
        let Ok(program) = self.recorded.motion() else { return };
        program.set_block(&mut self.motion, 0, &[t]);
        program.set_block(&mut self.motion, 1, x);
        program.run_block(&mut self.motion);
        for (i, slot) in dx.iter_mut().enumerate() {
            *slot = *program.block_result(&self.motion, i);
        }
    }

    /// Which entries of the Jacobian are not always zero.
    #[inline(always)]
    pub fn entries(&self) -> &[(usize, usize)] {
        self.recorded.motion_jacobian().map_or(&[], |all| &all.pattern.entries)
    }

    /// Writes the rates of the states before the quadratures, and the entries of their Jacobian: in all lanes, or in one and those
    /// beside it.
    #[inline(always)]
    pub fn linearise(
        &mut self,
        only: Option<usize>,
        [t, x]: [&[Lanes<N>]; 2],
        dx: &mut [Lanes<N>],
        slopes: &mut [Lanes<N>],
    ) {
        if self.is_any_stale {
            self.refresh();
        }
        let (Ok(all), Some(block)) = (self.recorded.motion_jacobian(), &mut self.jacobian) else { return };
        all.program.set_block(block, 0, t);
        all.program.set_block(block, 1, x);
        let lanes = match only {
            Some(lane) => {
                all.program.run_block_beside(block, lane);
                LaneBlock::<N>::beside(lane)
            }
            None => {
                all.program.run_block(block);
                0..N
            }
        };
        let n = dx.len();
        for (i, slot) in dx.iter_mut().enumerate() {
            slot.0[lanes.clone()].copy_from_slice(&all.program.block_result(block, i).0[lanes.clone()]);
        }
        for (i, slot) in slopes.iter_mut().enumerate() {
            // A slope that is not finite counts as zero, as in single runs.
            let slope = all.program.block_result(block, n + i);
            for lane in lanes.clone() {
                let value = slope.0[lane];
                slot.0[lane] = if value.abs() < f64::INFINITY { value } else { 0.0 };
            }
        }
    }

    /// Writes the guards and their rates along the motion.
    #[inline(always)]
    pub fn guards(
        &mut self,
        t: Lanes<N>,
        [x, dx]: [&[Lanes<N>]; 2],
        value: &mut [Lanes<N>],
        rate: &mut [Lanes<N>],
    ) {
        let Ok(program) = self.recorded.guards_along() else { return };
        let dim = (program.variables() - 1) / 2;
        program.set_block(&mut self.guards, 0, &[t]);
        program.set_block(&mut self.guards, 1, x);
        program.set_block(&mut self.guards, 1 + dim, dx);
        program.run_block(&mut self.guards);
        for i in 0..value.len() {
            value[i] = *program.block_result(&self.guards, i);
            rate[i] = *program.block_result(&self.guards, value.len() + i);
        }
    }
}
