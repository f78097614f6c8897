//! The stepping loop: error control, breaks, events.

use crate::auto::{Chooser, STRIDE};
use crate::breaks;
use crate::control::Controller;
use crate::energy_control::EnergyControl;
use crate::evaluator::Evaluator;
use crate::guards::{Course, GuardVerdict, Guards, Look};
use crate::methods::{Attempt, Here, Stepper};
use crate::observer::{AcceptedStep, Observer};
use crate::saved::SavedRun;
use crate::stall::Stall;
use crate::step_memory::StepMemory;
use crate::switch::Switch;
use crate::tolerance::Tolerance;
use crate::{Cancel, Dynamics, Point, SolveError, Solver, State, Statistics, Violation};
use bristle_core::Mode;
use std::sync::Arc;

/// So many steps a smooth piece begins: growth by a few times in each leaves nothing unseen.
const BEGINNING: usize = 40;

/// Motion below this part of the tolerance over a step is none.
const STILL: f64 = 1e-3;

/// A step that fails by this much where a guard falls has met a kink.
const ROUGH: f64 = 5.0;

/// So much too long a step counts whose end contradicts its modes, and so often in a row it is made shorter.
const BROKEN: f64 = 100.0;
const PATIENCE: usize = 8;

/// How an [`Integrator::advance`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The end was reached.
    Reached,
    /// [`Observer::step`] asked to stop.
    Stopped,
}

/// Steps a [`Dynamics`] with one of our one-step methods; all buffers are made once and reused by every run.
///
/// A clone goes on exactly as the original does, bit by bit.
#[derive(Clone)]
pub struct Integrator<'a> {
    pub(crate) eval: Evaluator<'a>,
    solver: Solver,
    pub(crate) tolerance: Tolerance,
    pub(crate) stepper: Stepper,
    chooser: Option<Chooser>,
    pub(crate) guards: Guards,
    pub(crate) state: State,
    pub(crate) x1: Vec<f64>,
    pub(crate) error: Vec<f64>,
    /// The error of the last step that was made to end on a guard, in units of the tolerance.
    pub(crate) landing_error: f64,
    energy: EnergyControl,
    control: Controller,
    pub(crate) step_memory: StepMemory,
    is_started: bool,
    /// Modes may have to change before anything else happens.
    is_unsettled: bool,
    /// The next piece begins at a kink: the step kept from before may be far too long.
    is_cautious: bool,
    next_break: f64,
    /// Steps left of the beginning of a smooth piece.
    fresh: usize,
    /// How often in a row the end of a step contradicted its modes.
    broken: usize,
    /// The longest step in the present modes.
    longest: f64,
    stall: Stall,
    switch: Switch,
    pub(crate) statistics: Statistics,
    cancel: Cancel,
}

impl<'a> Integrator<'a> {
    /// Makes all buffers. `solver.method` must be one of ours; a library method counts as `auto`.
    pub fn new<D: Dynamics>(dynamics: &'a D, p: &[f64], solver: &Solver) -> Result<Self, SolveError> {
        check_length("parameters", dynamics.params().len(), p.len())?;
        Self::with(dynamics, Evaluator::new(dynamics, p), solver)
    }

    /// The same for dynamics that it keeps, so that it can outlive whoever made it and go to other threads.
    ///
    /// # Errors
    /// As [`Integrator::new`].
    pub fn owning<D: Dynamics + Send + 'static>(
        dynamics: &Arc<D>,
        p: &[f64],
        solver: &Solver,
    ) -> Result<Integrator<'static>, SolveError> {
        check_length("parameters", dynamics.params().len(), p.len())?;
        Integrator::with(&**dynamics, Evaluator::sharing(dynamics.clone(), p), solver)
    }

    fn with<D: Dynamics>(dynamics: &D, mut eval: Evaluator<'a>, solver: &Solver) -> Result<Self, SolveError> {
        solver.check()?;
        let (dim, modes) = (dynamics.dim(), dynamics.mode_count());
        let mut scales = vec![1.0; dim];
        dynamics.scales(eval.params(), &mut scales);
        if !solver.is_recorded {
            eval.without_programs();
        }
        let stepper = Stepper::new(solver.method, solver.rtol, &eval);
        let tolerance = Tolerance::new(solver.rtol, solver.atol, &scales);
        let is_auto = stepper.implicit.is_some() && stepper.explicit.is_some();
        let state = State { t: 0.0, x: vec![0.0; dim], mode: vec![Mode::Stick; modes] };
        Ok(Integrator {
            chooser: is_auto.then(|| Chooser::new(&eval)),
            eval,
            solver: *solver,
            tolerance,
            stepper,
            guards: Guards::new(dynamics.guard_count(), dim),
            switch: Switch::new(&state, dynamics.guard_count()),
            state,
            x1: vec![0.0; dim],
            error: scales,
            landing_error: 0.0,
            energy: EnergyControl::default(),
            control: Controller::new(0.0),
            step_memory: StepMemory::default(),
            is_started: false,
            is_unsettled: false,
            is_cautious: false,
            next_break: f64::INFINITY,
            fresh: 0,
            broken: 0,
            longest: f64::INFINITY,
            stall: Stall::new(),
            statistics: Statistics::default(),
            cancel: Cancel::current(),
        })
    }

    /// Replaces the parameters; call [`reset`](Self::reset) afterwards.
    pub fn set_params(&mut self, p: &[f64]) -> Result<(), SolveError> {
        check_length("parameters", self.eval.params().len(), p.len())?;
        self.eval.set_params(p);
        self.eval.dynamics().scales(p, &mut self.error);
        self.tolerance.set(self.solver.rtol, self.solver.atol, &self.error);
        Ok(())
    }

    /// Replaces the parameters where the run is: values that somebody sets from outside. States and step size are kept, modes
    /// are made consistent as at a break.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`].
    pub fn set_inputs(&mut self, p: &[f64]) -> Result<(), SolveError> {
        let motion = self.tolerance.norm(self.stepper.start_rates(), &self.state.x, &self.state.x);
        self.set_params(p)?;
        self.control.restart();
        self.is_started = false;
        self.is_unsettled = true;
        // A step kept from rest says nothing about the motion that follows it.
        self.is_cautious = self.control.h * motion < STILL;
        self.next_break = breaks::after(&self.eval, self.state.t);
        breaks::enclose(&mut self.eval, self.state.t, self.next_break);
        self.guards.clear();
        Ok(())
    }

    /// Makes the modes consistent here and now, where inputs have changed; otherwise the next step does so.
    pub fn settle(&mut self, observer: &mut dyn Observer) {
        if std::mem::take(&mut self.is_unsettled) {
            self.resettle(self.state.t, observer);
        }
    }

    /// All that the run goes on from. The run itself goes on from it as well, so that whoever [restores](Self::restore) it has the
    /// same motion, bit by bit.
    ///
    /// # Errors
    /// None that a run which got here can meet.
    pub fn save(&mut self) -> Result<SavedRun, SolveError> {
        let EnergyControl { gap, exchanged, refused } = self.energy;
        let saved = SavedRun {
            state: self.state.clone(),
            params: self.eval.params().to_vec(),
            step: self.control.h,
            energy: [gap, exchanged, refused as f64],
            is_unsettled: self.is_unsettled,
        };
        self.restore(&saved)?;
        Ok(saved)
    }

    /// Goes on from where a run was saved.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] for what another system has saved.
    pub fn restore(&mut self, saved: &SavedRun) -> Result<(), SolveError> {
        check_length("modes", self.state.mode.len(), saved.state.mode.len())?;
        self.set_params(&saved.params)?;
        self.resume(&saved.state)?;
        self.control = Controller::new(saved.step);
        let [gap, exchanged, refused] = saved.energy;
        self.energy = EnergyControl { gap, exchanged, refused: refused as usize };
        self.is_unsettled = saved.is_unsettled;
        self.is_cautious = false;
        self.fresh = 0;
        Ok(())
    }

    /// Starts again from `state`, with modes made consistent by [`Dynamics::start`].
    pub fn reset(&mut self, state: &State) -> Result<(), SolveError> {
        self.resume(state)?;
        self.eval.dynamics().start(self.eval.params(), &mut self.state);
        self.is_unsettled = false;
        Ok(())
    }

    /// Starts again from `state`, with its modes as they are.
    pub fn resume(&mut self, state: &State) -> Result<(), SolveError> {
        check_length("states", self.state.x.len(), state.x.len())?;
        self.state.t = state.t;
        self.state.x.copy_from_slice(&state.x);
        if state.mode.is_empty() {
            self.state.mode.fill(Mode::Stick);
        } else {
            check_length("modes", self.state.mode.len(), state.mode.len())?;
            self.state.mode.copy_from_slice(&state.mode);
        }
        self.control = Controller::new(self.solver.h_first.unwrap_or(0.0));
        self.energy = EnergyControl::default();
        self.step_memory = StepMemory::default();
        self.is_started = false;
        self.is_unsettled = true;
        // Nothing is left of the run before.
        (self.is_cautious, self.broken, self.fresh) = (false, 0, 0);
        self.next_break = breaks::after(&self.eval, state.t);
        breaks::enclose(&mut self.eval, f64::NEG_INFINITY, self.next_break);
        self.guards.clear();
        self.switch.reset();
        if let Some(chooser) = &mut self.chooser {
            chooser.reset();
            self.stepper.is_explicit = false;
            if !self.stepper.is_usual() {
                self.stepper.change_scheme(&self.eval);
            }
        }
        Ok(())
    }

    /// Where the run is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What all runs since the making have cost.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            evaluations: self.eval.evaluations,
            jacobians: self.eval.jacobians,
            factorisations: self.stepper.factorisations(),
            events: self.switch.total,
            bounds: self.guards.bound_evaluations(),
            ..self.statistics
        }
    }

    /// Integrates to `t_end`.
    pub fn advance(&mut self, t_end: f64, observer: &mut dyn Observer) -> Result<Flow, SolveError> {
        if t_end.is_nan() || t_end < self.state.t {
            return Err(SolveError::BadSpan { start: self.state.t, end: t_end });
        }
        self.cancel = Cancel::current();
        let span = t_end - self.state.t;
        let budget = self.attempts() + self.solver.max_steps;
        let h_max = self.solver.h_max.unwrap_or(f64::INFINITY);
        self.stall.begin(self.attempts(), self.state.t);
        while self.state.t < t_end {
            if self.cancel.is_cancelled() {
                return Err(SolveError::Cancelled { t: self.state.t });
            }
            // A guard may have fired at the very break.
            if self.state.t >= self.next_break {
                self.pass_break(self.state.t, observer);
            }
            if std::mem::take(&mut self.is_unsettled) {
                self.resettle(self.state.t, observer);
            }
            if !self.is_started {
                self.begin(span, observer)?;
            }
            if self.chooser.is_some() && self.stall.is_time_to_change(self.attempts(), self.state.t, t_end) {
                self.change_scheme();
            }
            if self.attempts() >= budget {
                let (t, steps) = (self.state.t, self.solver.max_steps);
                return Err(SolveError::TooManySteps { t, t_end, steps });
            }
            self.look_closely();
            let limit = self.next_break.min(t_end);
            let clearance = self.guards.clearance(self.control.h);
            // Growth from next to nothing decides which way a motion begins, not how it goes on.
            let begins = if self.fresh > 0 { self.stepper.longest() } else { f64::INFINITY };
            let h_max = h_max.min(self.longest).min(begins).min(self.reach());
            let (h, lands) = self.control.next(self.state.t, limit, h_max.min(clearance));
            let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
            let norm = self.stepper.attempt(
                &mut self.eval,
                Attempt { at, h, tolerance: &self.tolerance, x1: &mut self.x1, error: &mut self.error },
            );
            if norm.is_nan() || norm > 1.0 {
                self.reject(h, norm, span)?;
                continue;
            }
            let t1 = if lands { limit } else { self.state.t + h };
            match self.examine(t1, h, lands) {
                GuardVerdict::Pass => {
                    let gap = self.energy_gap().max(self.broken_promise(t1));
                    if gap > 1.0 {
                        self.reject(h, gap, span)?;
                        continue;
                    }
                    let power = self.stepper.error_power();
                    // A step that all but fails for its balance should not be followed by a longer one.
                    self.control.accept(h, norm.max(gap), power, self.stepper.is_explicit);
                    self.step_memory.learn(self.control.h);
                    let goes_on = self.accept(t1, h, observer)?;
                    if lands && t1 == self.next_break {
                        self.pass_break(t1, observer);
                    } else if self.is_started {
                        self.choose(h);
                    }
                    if !goes_on {
                        return Ok(Flow::Stopped);
                    }
                }
                GuardVerdict::AtStart(guard) => {
                    if self.shorten_if_undecided(guard, h, span) {
                        continue;
                    }
                    self.fire(guard, span, observer)?;
                }
                GuardVerdict::ClearUntil(theta) => {
                    self.statistics.rejected += 1;
                    self.control.h = theta * h;
                }
                GuardVerdict::Inside(guard, theta, part) => {
                    let (guard, s) = self.land(guard, theta, part, h);
                    if self.is_instant(s) && self.shorten_if_undecided(guard, h, span) {
                        continue;
                    }
                    // A step that ends on a guard sees more of what lies before it than the one that passed over it.
                    let error = self.landing_error;
                    if !self.is_instant(s) && (error.is_nan() || error > 1.0) {
                        self.reject(s, error, span)?;
                        continue;
                    }
                    let t1 = self.state.t + s;
                    let gap =
                        if self.is_instant(s) { 0.0 } else { self.energy_gap().max(self.broken_promise(t1)) };
                    if gap > 1.0 {
                        self.reject(s, gap, span)?;
                        continue;
                    }
                    let goes_on = self.is_instant(s) || self.accept(t1, s, observer)?;
                    self.fire(guard, span, observer)?;
                    if !goes_on {
                        return Ok(Flow::Stopped);
                    }
                }
            }
        }
        Ok(Flow::Reached)
    }

    /// How far the balance of energy is from closing over a step to `t1`; at most one where it may pass.
    fn energy_gap(&mut self) -> f64 {
        let (Some(from), Some(to)) = (self.guards.start.energies, self.guards.end.energies) else {
            return 0.0;
        };
        let least = self.tolerance.least_from(self.eval.coupled());
        self.energy.judge([&from, &to], self.solver.rtol, if least.is_finite() { least } else { 0.0 })
    }

    /// Asks which differences of states have to be followed more closely here.
    fn look_closely(&mut self) {
        let State { t, x, mode } = &self.state;
        let at = Point { t: self.eval.within(*t), x, p: self.eval.params(), mode };
        self.tolerance.fine.clear();
        self.eval.dynamics().fine_differences(at, self.solver.rtol, &mut self.tolerance.fine);
    }

    /// How far a step may go from here.
    fn reach(&self) -> f64 {
        let State { t, x, mode } = &self.state;
        let at = Point { t: self.eval.within(*t), x, p: self.eval.params(), mode };
        self.eval.dynamics().reach(at, self.stepper.start_rates())
    }

    /// Steps tried so far.
    fn attempts(&self) -> usize {
        self.statistics.steps + self.statistics.rejected
    }

    /// Goes on with the other implicit scheme, and without explicit steps while that is not the usual one.
    fn change_scheme(&mut self) {
        self.statistics.method_switches += 1;
        self.stepper.change_scheme(&self.eval);
        if let Some(chooser) = &mut self.chooser {
            chooser.reset();
        }
        self.start_stepper();
        self.control.restart();
    }

    /// Evaluates where the next step begins.
    fn start_stepper(&mut self) {
        let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
        self.stepper.start(&mut self.eval, at, &mut self.guards.start);
    }

    /// Evaluates the start of a smooth piece; guards that fall at once fire before any step.
    fn begin(&mut self, span: f64, observer: &mut dyn Observer) -> Result<(), SolveError> {
        loop {
            self.start_stepper();
            let rates = self.stepper.start_rates();
            if let Some(bad) = rates.iter().position(|r| !r.is_finite()) {
                return Err(self.not_finite(bad));
            }
            self.is_started = true;
            self.fresh = BEGINNING;
            let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
            if !self.guards.is_empty()
                && let Some(guard) = self.guards.begin(&mut self.eval, at)
            {
                self.fire(guard, span, observer)?;
                continue;
            }
            self.longest = self.eval.dynamics().longest_step(self.eval.params(), &self.state.mode);
            if self.control.h <= 0.0 {
                self.control.h = self.first_step(span);
            } else if std::mem::take(&mut self.is_cautious) {
                let h = self.first_step(span);
                self.control.h = self.control.h.min(h);
            }
            return Ok(());
        }
    }

    /// A first step from the time scales of the first two derivatives, without a unit of time of its own.
    ///
    /// With `d_k` the norm of the k-th derivative in units of the tolerance, motion of the size of the state takes the
    /// time `T₁ = 1/(rtol d₁)` or `T₂ = 1/√(rtol d₂)`; a step of order `p` may take the fraction `(rtol/100)^{1/(p+1)}`.
    fn first_step(&mut self, span: f64) -> f64 {
        let State { t, x, mode } = &self.state;
        let (rates, rtol) = (self.stepper.start_rates(), self.solver.rtol);
        let slow = 1.0 / (rtol * self.tolerance.norm(rates, x, x));
        let trial = (1e-3 * slow).min(1e-6 * span).min(0.5 * (self.next_break - t));
        for i in 0..x.len() {
            self.x1[i] = x[i] + trial * rates[i];
        }
        self.eval.rates(t + trial, &self.x1, mode, &mut self.error);
        for i in 0..x.len() {
            self.error[i] = (self.error[i] - rates[i]) / trial;
        }
        let fast = 1.0 / (rtol * self.tolerance.norm(&self.error, x, x)).sqrt();
        let fraction = (0.01 * rtol).powf(1.0 / (self.stepper.error_power() + 1.0));
        let h = fraction * if fast.is_nan() { slow } else { slow.min(fast) };
        if h.is_nan() { trial } else { h.min(0.01 * span) }
    }

    fn reject(&mut self, h: f64, norm: f64, span: f64) -> Result<(), SolveError> {
        self.statistics.rejected += 1;
        if !self.control.is_retry() && norm > ROUGH && !self.guards.is_empty() {
            let end = Here { t: self.state.t + h, x: &self.x1, mode: &self.state.mode };
            self.guards.blame(&mut self.eval, end);
        }
        self.control.reject(self.state.t, h, norm, self.stepper.error_power());
        let h_min = self.h_min(span);
        if self.control.h >= h_min {
            return Ok(());
        }
        if let Some(bad) = self.error.iter().position(|e| !e.is_finite()) {
            let bad = self.first_not_finite(h).unwrap_or(bad);
            return Err(self.not_finite(bad));
        }
        let worst = self.tolerance.worst(&self.error, &self.state.x);
        let state = self.eval.dynamics().state_name(worst);
        Err(SolveError::StepTooSmall { t: self.state.t, h: self.control.h, h_min, state })
    }

    /// Shortens the step if a guard goes back and forth at this instant: it was too long to tell which way the guard goes.
    fn shorten_if_undecided(&mut self, guard: usize, h: f64, span: f64) -> bool {
        let is_undecided = self.guards.has_fired(guard, self.state.t) && h > self.h_min(span);
        if is_undecided {
            self.statistics.rejected += 1;
            self.control.shorten(h);
        }
        is_undecided
    }

    /// Whether a time is too short to tell from none.
    pub(crate) fn is_instant(&self, time: f64) -> bool {
        time <= 8.0 * f64::EPSILON * self.state.t.abs()
    }

    /// The shortest step of a run of length `span`.
    fn h_min(&self, span: f64) -> f64 {
        8.0 * f64::EPSILON * self.state.t.abs() + 1e-20 * span
    }

    /// Looks ahead along the rates for the state whose own rate fails first: a step spreads it over all states.
    fn first_not_finite(&mut self, h: f64) -> Option<usize> {
        let mut ahead = h;
        for _ in 0..12 {
            for (slot, (x, rate)) in
                self.x1.iter_mut().zip(self.state.x.iter().zip(self.stepper.start_rates()))
            {
                *slot = x + ahead * rate;
            }
            self.eval.rates(self.state.t + ahead, &self.x1, &self.state.mode, &mut self.error);
            let bad = self.error.iter().position(|r| !r.is_finite());
            if bad.is_some() {
                return bad;
            }
            ahead *= 10.0;
        }
        None
    }

    fn not_finite(&self, index: usize) -> SolveError {
        SolveError::NotFinite { t: self.state.t, state: self.eval.dynamics().state_name(index) }
    }

    /// Evaluates the end of an acceptable step and asks the guards about it.
    fn examine(&mut self, t1: f64, h: f64, lands: bool) -> GuardVerdict {
        let end = Here { t: t1, x: &self.x1, mode: &self.state.mode };
        if lands && self.guards.is_empty() && !self.stepper.is_explicit {
            // Beyond a break rates are others, and beyond the end there may be no step.
            self.is_started = false;
            self.guards.end.energies = self.eval.energies(end);
            return GuardVerdict::Pass;
        }
        self.stepper.finish(&mut self.eval, end, &mut self.guards.end);
        if self.guards.is_empty() {
            return GuardVerdict::Pass;
        }
        let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
        let is_suspicious = self.guards.is_suspicious(h);
        let rates = [self.stepper.start_rates(), self.stepper.end_rates()];
        let course = Course { at, h, x1: &self.x1, rates };
        if self.guards.is_clear(&mut self.eval, &course) && !is_suspicious {
            return GuardVerdict::Pass;
        }
        self.stepper.prepare_dense(&mut self.eval, at, &self.x1);
        let (stepper, x1) = (&self.stepper, &self.x1);
        let inside = |theta: f64, out: &mut [f64]| stepper.interpolate(theta, at.x, x1, out);
        // The landing step refines what the interpolant says.
        let course = Course { at, h, x1, rates: [stepper.start_rates(), stepper.end_rates()] };
        self.guards.verdict(Look { eval: &mut self.eval, inside: &inside, course, precision: 1e-5 })
    }

    /// Hands the step on and moves to its end, where no mode may contradict the state.
    fn accept(&mut self, t1: f64, h: f64, observer: &mut dyn Observer) -> Result<bool, SolveError> {
        self.statistics.steps += 1;
        self.fresh = self.fresh.saturating_sub(1);
        let t1_seen = self.eval.within(t1);
        if !self.guards.is_empty()
            && self.eval.dynamics().project(self.eval.params(), t1_seen, &mut self.x1, &self.state.mode)
        {
            let end = Here { t: t1, x: &self.x1, mode: &self.state.mode };
            self.guards.end.energies = self.eval.energies(end);
        }
        let at = Here { t: self.state.t, x: &self.state.x, mode: &self.state.mode };
        if observer.looks_inside(at.t, t1) {
            self.stepper.prepare_dense(&mut self.eval, at, &self.x1);
        }
        let (t0, stepper, x1) = (at.t, &self.stepper, &self.x1);
        let inside = |t: f64, out: &mut [f64]| stepper.interpolate((t - t0) / h, at.x, x1, out);
        let goes_on =
            observer.step(&AcceptedStep { t0, t1, x0: at.x, x1, mode: at.mode, t1_seen, inside: &inside });
        self.stepper.advance();
        self.guards.advance(h);
        self.state.t = t1;
        std::mem::swap(&mut self.state.x, &mut self.x1);
        self.check_modes()?;
        Ok(goes_on)
    }

    /// How much too long a step to `t1` is at whose end a mode contradicts the state: it is tried again, shorter, a few times
    /// in a row before [`Integrator::check_modes`] ends the run.
    fn broken_promise(&mut self, t1: f64) -> f64 {
        let end = &self.guards.end.g;
        if end.iter().all(|g| *g >= 0.0) || self.violation(t1, &self.x1, end).is_none() {
            self.broken = 0;
            return 0.0;
        }
        self.broken += 1;
        if self.broken > PATIENCE { 0.0 } else { BROKEN }
    }

    /// No contact at rest carries more than it can, none that sticks slides, none slides against its direction.
    fn check_modes(&self) -> Result<(), SolveError> {
        let State { t, x, .. } = &self.state;
        match self.violation(*t, x, self.guards.values()) {
            Some(what) => Err(SolveError::Violated { t: *t, what }),
            None => Ok(()),
        }
    }

    /// What contradicts the modes of now in a state with guards `g`.
    fn violation(&self, t: f64, x: &[f64], g: &[f64]) -> Option<Violation> {
        if self.guards.is_empty() {
            return None;
        }
        let at = Point { t: self.eval.within(t), x, p: self.eval.params(), mode: &self.state.mode };
        let tolerance = self.solver.rtol.max(self.solver.atol);
        self.eval.dynamics().violation(at, g, tolerance)
    }

    /// Lets `auto` change its method after an accepted step of size `h`.
    fn choose(&mut self, h: f64) {
        let Some(chooser) = self.chooser.as_mut().filter(|_| self.stepper.is_usual()) else { return };
        let Some(first) = chooser.judge(&self.stepper, h) else { return };
        self.statistics.method_switches += 1;
        self.control.h = if self.stepper.is_explicit { first } else { (STRIDE * self.control.h).min(first) };
        self.control.restart();
        if self.stepper.is_explicit {
            self.stepper.is_explicit = false;
            self.start_stepper();
        } else if let (Some(e), Some(i)) = (&mut self.stepper.explicit, &self.stepper.implicit) {
            e.start_with(i.start_rates());
            self.stepper.is_explicit = true;
        }
    }

    /// Lets guard `guard` switch the modes here.
    fn fire(&mut self, guard: usize, span: f64, observer: &mut dyn Observer) -> Result<(), SolveError> {
        self.is_started = false;
        self.control.restart();
        let motion = self.tolerance.norm(self.stepper.start_rates(), &self.state.x, &self.state.x);
        self.is_cautious = self.guards.is_rough(guard);
        if let Some(chooser) = self.chooser.as_mut().filter(|_| self.is_cautious) {
            chooser.restart();
        }
        self.guards.fires(guard, self.state.t);
        self.switch.fire(guard, &self.eval, &mut self.guards, &mut self.state, span, observer)?;
        match self.step_memory.open(guard, &self.state.mode) {
            Some(h) => self.control.h = h,
            // A step kept from rest says nothing about the motion that follows it.
            None => self.is_cautious |= self.control.h * motion < STILL,
        }
        Ok(())
    }

    /// Rates may jump here: what comes after is evaluated from its own side.
    fn pass_break(&mut self, t: f64, observer: &mut dyn Observer) {
        let seen = self.eval.within(t);
        self.next_break = breaks::after(&self.eval, t);
        breaks::enclose(&mut self.eval, t, self.next_break);
        self.is_started = false;
        self.control.restart();
        self.resettle(seen, observer);
    }

    /// Makes the modes consistent where something has jumped; what lies before is seen from the time `seen`.
    fn resettle(&mut self, seen: f64, observer: &mut dyn Observer) {
        if !self.guards.is_empty() && self.switch.resettle(&self.eval, seen, &mut self.state, observer) {
            self.guards.clear();
            self.is_cautious = true;
        }
    }
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), SolveError> {
    if expected == found { Ok(()) } else { Err(SolveError::WrongLength { what, expected, found }) }
}
