//! What happens when a guard fires.

use crate::evaluator::Evaluator;
use crate::guards::Guards;
use crate::observer::Observer;
use crate::{SolveError, State};

/// Lets guards switch modes, and notices when they do so without time passing.
#[derive(Clone)]
pub(crate) struct Switch {
    before: State,
    since: f64,
    count: usize,
    /// All switches so far.
    pub total: usize,
}

/// More switches than this within almost no time are chatter.
const CHATTER: usize = 100;

/// So many switches within almost no time leave open which way a guard goes.
const UNDECIDED: usize = 50;

impl Switch {
    /// With room for a state, if anything can switch.
    pub(crate) fn new(state: &State, guards: usize) -> Self {
        let before = if guards > 0 { state.clone() } else { State::default() };
        Switch { before, since: f64::NEG_INFINITY, count: 0, total: 0 }
    }

    pub(crate) fn reset(&mut self) {
        (self.since, self.count) = (f64::NEG_INFINITY, 0);
    }

    /// Guard `guard` fires at `state`, within a run of length `span`.
    pub(crate) fn fire(
        &mut self,
        guard: usize,
        eval: &Evaluator,
        guards: &mut Guards,
        state: &mut State,
        span: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), SolveError> {
        self.before.t = state.t;
        self.before.x.copy_from_slice(&state.x);
        self.before.mode.copy_from_slice(&state.mode);
        // At a break the switch sees the side on which the motion goes on.
        state.t = eval.within(state.t);
        eval.dynamics().switch(guard, eval.params(), state);
        if self.count >= UNDECIDED {
            eval.dynamics().undecide(guard, eval.params(), state);
        }
        state.t = self.before.t;
        self.total += 1;
        guards.clear_unless(self.before != *state, guard);
        observer.event(guard, self.before.t, &self.before, state);
        let t = state.t;
        if t - self.since > 1e-9 * span + 1e3 * f64::EPSILON * t.abs() {
            (self.since, self.count) = (t, 0);
        }
        self.count += 1;
        if self.count > CHATTER {
            let contact = eval.dynamics().guard_name(guard);
            return Err(SolveError::Chatter { t, span: t - self.since, count: self.count, contact });
        }
        Ok(())
    }

    /// Makes the modes consistent after a jump; `seen` is the time just before it. Says whether anything changed.
    pub(crate) fn resettle(
        &mut self,
        eval: &Evaluator,
        seen: f64,
        state: &mut State,
        observer: &mut dyn Observer,
    ) -> bool {
        self.before.t = state.t;
        self.before.x.copy_from_slice(&state.x);
        self.before.mode.copy_from_slice(&state.mode);
        state.t = eval.within(state.t);
        eval.dynamics().resettle(eval.params(), state);
        state.t = self.before.t;
        let changed = (0..state.mode.len()).find(|&i| state.mode[i] != self.before.mode[i]);
        if let Some(slot) = changed {
            self.total += 1;
            observer.event(slot, seen, &self.before, state);
        }
        changed.is_some()
    }
}
