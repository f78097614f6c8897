//! Contacts whose load, or the factor on whose coefficients, follows a signal: they open where it is gone and close where it comes back.
//!
//! A bristle that is loaded again bends at once, however light the load: no step may pass over that moment. Each such contact
//! therefore has a guard and a mode of its own, forward while it is closed and backward while it is open.

use crate::contact::ResolvedContact;
use crate::system::System;
use bristle_core::{Mode, Scalar};
use bristle_law::{At, OPEN};
use bristle_solve::{Point, State};

impl ResolvedContact {
    /// The load in the mode of the gate: none while it is open, enough to be felt while it is closed.
    #[inline]
    pub(crate) fn gated<S: Scalar>(&self, n: S, mode: &[Mode]) -> S {
        match self.gate.and_then(|gate| mode.get(gate)) {
            Some(Mode::Forward) => n.max(S::from(OPEN)),
            Some(Mode::Backward) => S::zero(),
            _ => n,
        }
    }

    /// Whether nothing presses on it, where its load follows a signal.
    pub(crate) fn is_open(&self, mode: &[Mode]) -> bool {
        self.gate.is_some_and(|gate| mode.get(gate) == Some(&Mode::Backward))
    }

    /// By how much the load that is given, or the factor on coefficients, exceeds what is felt, if one of them follows a signal.
    fn excess<S: Scalar>(&self, p: &[S], t: S) -> Option<(usize, S)> {
        let given = self.load.signal().map_or_else(S::one, |signal| signal.jet(p, t).value);
        Some((self.gate?, self.scale.map_or(given, |scale| given.min(p[scale])) - OPEN))
    }
}

impl System {
    /// Writes the guards of contacts that open and close.
    pub(crate) fn gate_guards<S: Scalar>(&self, at: &Point<S>, g: &mut [S]) {
        for (gate, excess) in self.contacts.iter().filter_map(|c| c.excess(at.p, at.t)) {
            g[gate] = if at.mode[gate] == Mode::Backward { -excess } else { excess };
        }
    }

    /// The modes of contacts that open and close as the time has them.
    pub(crate) fn settle_gates(&self, p: &[f64], state: &mut State) {
        for (gate, excess) in self.contacts.iter().filter_map(|c| c.excess(p, state.t)) {
            state.mode[gate] = Mode::of(if excess > 0.0 { 1.0 } else { -1.0 });
        }
    }

    /// Opens or closes a contact whose guard has fallen to zero; `false` if the guard is none of these.
    pub(crate) fn switch_gate(&self, fired: usize, p: &[f64], state: &mut State) -> bool {
        let Some(k) = self.contacts.iter().position(|c| c.gate == Some(fired)) else { return false };
        state.mode[fired] = Mode::of(-state.mode[fired].sign());
        if state.mode[fired] == Mode::Forward {
            let contact = &self.contacts[k];
            let touch = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None).touch[k];
            let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(&state.mode) };
            contact.law(p).closes(&here, &mut state.x[contact.z..contact.z + contact.states]);
        }
        true
    }
}
