//! Force elements in their places among the states, modes and outputs of a system.

use crate::element::{Element, Motion};
use crate::parts::AnyElement;
use crate::system::{System, SystemEval};
use bristle_core::Scalar;
use bristle_solve::{Point, State};
use std::ops::Range;

/// A force element with the name of its part, and where its own states and modes start.
#[derive(Clone, Debug)]
pub(crate) struct Acting {
    /// What the scenario calls it; nothing for what a part brings besides, which shows no outputs.
    pub(crate) name: String,
    pub(crate) action: AnyElement,
    /// Places of the numbers of its part.
    pub(crate) numbers: Range<usize>,
    /// Where its states start, and how many there are.
    pub(crate) z: usize,
    pub(crate) states: usize,
    /// Where its modes (and guards) start, and how many there are.
    slot: usize,
    guards: usize,
}

impl Acting {
    pub(crate) fn new(name: &str, numbers: Range<usize>, action: AnyElement) -> Self {
        let (states, guards) = (action.states().len(), action.guard_count());
        Acting { name: name.to_owned(), numbers, action, z: 0, states, slot: 0, guards }
    }

    /// Gives it places from `z` and `slot` on; says where the next ones are.
    pub(crate) fn lay_out(&mut self, z: usize, slot: usize) -> (usize, usize) {
        (self.z, self.slot) = (z, slot);
        (z + self.states, slot + self.guards)
    }

    /// Places of its modes and guards.
    pub(crate) fn slots(&self) -> Range<usize> {
        self.slot..self.slot + self.guards
    }

    /// What it sees at one instant.
    #[inline]
    pub(crate) fn motion<'a, S: Scalar>(&self, at: &Point<'a, S>, q: &'a [S], v: &'a [S]) -> Motion<'a, S> {
        let mode = at.mode.get(self.slots()).unwrap_or(&[]);
        Motion { t: at.t, q, v, p: at.p, z: &at.x[self.z..self.z + self.states], mode }
    }
}

impl System {
    /// Writes the guards of force elements.
    pub(crate) fn element_guards<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, g: &mut [S]) {
        for element in self.elements.iter().filter(|e| e.guards > 0) {
            element.action.guards(&element.motion(at, &flow.q, &flow.v), &mut g[element.slots()]);
        }
    }

    /// The modes of force elements as the state has them.
    pub(crate) fn settle_elements(&self, p: &[f64], state: &mut State) {
        for element in self.elements.iter().filter(|e| e.guards > 0) {
            let mut mode = state.mode[element.slots()].to_vec();
            self.see(element, p, state, |seen| element.action.settle(seen, &mut mode));
            state.mode[element.slots()].copy_from_slice(&mode);
        }
    }

    /// A guard of a force element has fallen to zero.
    pub(crate) fn switch_element(&self, fired: usize, p: &[f64], state: &mut State) {
        let Some(element) = self.elements.iter().find(|e| e.slots().contains(&fired)) else { return };
        let places = element.z..element.z + element.states;
        let (mut z, mut mode) = (state.x[places.clone()].to_vec(), state.mode[element.slots()].to_vec());
        let which = fired - element.slot;
        self.see(element, p, state, |seen| element.action.switch(which, seen, &mut z, &mut mode));
        state.x[places].copy_from_slice(&z);
        state.mode[element.slots()].copy_from_slice(&mode);
    }

    /// The states of force elements as they begin.
    pub(crate) fn begin_elements(&self, p: &[f64], state: &mut State) {
        for element in self.elements.iter().filter(|e| e.states > 0) {
            let places = element.z..element.z + element.states;
            let mut z = state.x[places.clone()].to_vec();
            self.see(element, p, state, |seen| element.action.initial(seen, &mut z));
            state.x[places].copy_from_slice(&z);
        }
    }

    /// Shows an element the motion in a state.
    fn see(&self, element: &Acting, p: &[f64], state: &State, show: impl FnOnce(&Motion<f64>)) {
        let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
        let mut flow = SystemEval::new();
        self.motion(&at, &mut flow);
        show(&element.motion(&at, &flow.q, &flow.v));
    }
}
