//! Where an importer that integrates stands, and how inputs vary there.
//!
//! What sticks to a drive accelerates with it, but importers tell only how fast it is. And many tell it at the ends of their steps
//! alone: CVode as FMPy drives it asks for rates under the inputs of the step before. Between events inputs are continuous, so each
//! is taken to go on as it went from one telling to the next, until it is told anew; one that varies along straight lines has no error.

use bristle_mech::LiveInput;
use bristle_solve::State;

/// A forecast that is off by so many units of rounding is right.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Values told within this part of a second, or of the time, say nothing of a rate.
const CLOSE: f64 = 1e-9;

/// Time, states, modes and parameters of an importer that integrates.
#[derive(Clone, Default)]
pub(crate) struct Exchanged {
    /// Time and states as the importer has set them, and the modes.
    pub state: State,
    /// The parameters; of each input what was told last, how it changes, and when it was told.
    pub params: Vec<f64>,
    /// When the last step was completed.
    pub completed: f64,
    /// Whether the importer deals with an event: inputs may jump.
    pub is_in_event: bool,
    /// Whether an input has jumped since the last event: what stuck to a drive does not follow that.
    pub has_jumped: bool,
}

impl Exchanged {
    /// Whether a value is the one that was forecast.
    fn is_expected(&self, input: &LiveInput, value: f64) -> bool {
        let (t, forecast) = (self.state.t, input.value(&self.params, self.state.t));
        let turned = (self.params[input.places()[1]] * t).abs();
        (value - forecast).abs() <= ROUNDING * (value.abs().max(forecast.abs()) + turned)
    }

    /// Whether a value is a jump: told at an event, or where a step was completed with another one.
    pub fn is_jump(&self, input: &LiveInput, value: f64) -> bool {
        (self.is_in_event || self.state.t == self.completed) && !self.is_expected(input, value)
    }

    /// Takes up the value of an input at the present time. A jump says nothing of how it goes on.
    pub fn tell(&mut self, input: &LiveInput, value: f64) {
        let ([place, slope, since], t) = (input.places(), self.state.t);
        let passed = t - self.params[since];
        if self.is_jump(input, value) {
            self.params[slope] = 0.0;
        } else if !self.is_expected(input, value) && passed.abs() > CLOSE * t.abs().max(1.0) {
            self.params[slope] = (value - self.params[place]) / passed;
        }
        (self.params[place], self.params[since]) = (value, t);
    }

    /// All its numbers, always in the same order.
    pub fn numbers(&mut self, each: impl FnMut(&mut f64)) {
        let Exchanged { state, params, completed, .. } = self;
        [&mut state.t, completed].into_iter().chain(&mut state.x).chain(params).for_each(each);
    }
}
