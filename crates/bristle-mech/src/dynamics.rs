//! A mechanism as solvers see it: rates, guards, and what happens where one fires.

use crate::contact::Load;
use crate::element::Element;
use crate::rope::RopeStructure;
use crate::system::{Coordinate, Short, System, SystemEval};
use crate::{invariant, one_way, step_limits, stick};
use bristle_core::{Dual, Mode, Scalar};
use bristle_law::At;
use bristle_solve::{
    Bandwidth, Dynamics, FineDifference, Point, Recordings, State, Structure, Violation, rates_by_halves,
};

/// How far below its locking speed a sliding contact is caught, m/s. A law without a jump lets go with no
/// acceleration at all; without this margin rounding would catch the contact in the same instant.
const CATCH_SPEED: f64 = 1e-13;

impl System {
    /// Whether nothing but the states tells one instant from another: all bodies are free or fixed, and no force follows a clock.
    fn is_timeless(&self) -> bool {
        let is_free = |c: &Coordinate| matches!(c, Coordinate::Free { .. } | Coordinate::Fixed { .. });
        self.coordinates.iter().all(is_free)
            && self.elements.iter().all(|e| e.states == 0 && e.slots().is_empty())
            && self.contacts.iter().all(|c| c.gate.is_none())
            && self.signals().next().is_none()
            && self.followed.is_empty()
            && self.inputs.is_empty()
            && self.tilt.as_ref().is_none_or(|tilt| tilt.signal().is_none())
            && self.frame.is_none()
    }

    /// Writes the guards at an instant that has been evaluated.
    pub(crate) fn guards_of<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, g: &mut [S]) {
        self.element_guards(at, flow, g);
        self.gate_guards(at, g);
        self.rope_guards(at, flow, g);
        for (k, (contact, touch)) in self.contacts.iter().zip(&flow.touch).enumerate() {
            if contact.elements == 0 {
                continue;
            }
            let law = contact.law(at.p);
            let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(at.mode) };
            let z = &at.x[contact.z..contact.z + contact.states];
            let g = &mut g[contact.slot..contact.slot + contact.elements];
            law.guards(&here, z, g);
            if let Some(bears) = &contact.one_way {
                g[0] = if contact.sticks(at.mode) {
                    touch.margin.unwrap_or(touch.force) - one_way::least(flow)
                } else {
                    bears.gap(contact.ends, at.p, &flow.q).unwrap_or(-touch.v + CATCH_SPEED)
                };
            } else if let Some(disc) = &contact.disc {
                g[0] = self.guard_in_plane(k, disc, at, flow);
            } else if contact.set_valued {
                g[0] = if contact.sticks(at.mode) {
                    let [forth, back] = self.limits(k, at, touch);
                    touch.margin.unwrap_or_else(|| (forth - touch.force).min(back + touch.force))
                } else {
                    here.speed() - law.lock_speed(&here) + CATCH_SPEED
                };
                if let (Some(mesh), [direction, way]) = (&contact.mesh, contact.modes(at.mode)) {
                    let direction = S::from(direction.sign());
                    let flows = || {
                        mesh.flow(at.p, here.speed(), direction, touch.carried, *way)
                            + mesh.slack(at.p, here.speed(), touch.carried, flow.f[contact.ends[0]])
                    };
                    g[1] = if contact.sticks(at.mode) { S::one() } else { flows() };
                }
            } else if at.mode[contact.slot] == Mode::Stick && law.keeps_direction() {
                let [a, b] = contact.surfaces(at.p, &flow.v);
                g[0] = stick::open_below(a, b) - touch.v.abs();
            }
        }
    }
}

impl Dynamics for System {
    fn dim(&self) -> usize {
        self.core + self.quadratures()
    }

    fn quadratures(&self) -> usize {
        let works = self.contacts.len() + self.bending().count() + self.drums.len();
        works + 1 + usize::from(self.damping.is_some())
    }

    fn mode_count(&self) -> usize {
        self.slots
    }

    fn params(&self) -> &[f64] {
        &self.list.values
    }

    fn recordings(&self) -> Option<&Recordings> {
        Some(&self.recordings)
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let p = self.params_at(at.p, at.t);
        self.rates_with(Point { p: &p, ..at }, None, dx);
    }

    fn rates_in_eight(&self, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
        rates_by_halves(self, at, dx);
    }

    fn guard_count(&self) -> usize {
        self.slots
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        if self.slots > 0 {
            let p = self.params_at(at.p, at.t);
            let at = Point { p: &p, ..at };
            self.guards_of(&at, &self.flow(&at, None), g);
        }
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        let p = &*self.params_at(p, state.t);
        let Some((k, element)) = self.element_of(fired) else {
            if self.switch_gate(fired, p, state) {
                return stick::settle_slips(self, p, state);
            }
            if !self.switch_rope(fired, p, state) {
                self.switch_element(fired, p, state);
            }
            return stick::settle(self, p, state, None);
        };
        let contact = &self.contacts[k];
        if contact.set_valued && element == 0 {
            stick::switch(self, k, p, state);
        } else if contact.mesh.is_some() {
            self.switch_mesh(k, p, state);
            stick::settle(self, p, state, None);
        } else {
            let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
            let touch = self.flow(&point, None).touch[k];
            let mut mode = Short::<Mode>::from_slice(contact.modes(&state.mode));
            let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(&state.mode) };
            let z = &mut state.x[contact.z..contact.z + contact.states];
            let law = contact.law(p);
            if mode[element] == Mode::Stick && element == 0 && contact.may_stay_open(p) {
                law.start(&here, z, &mut mode);
            } else {
                law.switch(element, &here, z, &mut mode);
            }
            state.mode[contact.slot..contact.slot + contact.elements].copy_from_slice(&mode);
            // A law that jumps may have pulled a resting neighbour loose.
            stick::settle(self, p, state, None);
        }
    }

    fn undecide(&self, fired: usize, p: &[f64], state: &mut State) {
        let p = &self.params_at(p, state.t);
        if let Some((k, 0)) = self.element_of(fired) {
            stick::undecide(self, k, p, state);
        }
    }

    fn start(&self, p: &[f64], state: &mut State) {
        stick::start(self, &self.params_at(p, state.t), state);
    }

    fn watches(&self, _p: &[f64], mode: &[Mode], is_watched: &mut [bool]) {
        // The states of ropes move with whatever moves a contact, and their errors see it; bounds over a step would not be tight.
        if self.has_ropes() || self.is_timeless() {
            return is_watched.fill(false);
        }
        for contact in &self.contacts {
            let watch = contact.sticks(mode) || contact.ends.iter().any(|&c| self.follows_signal(c));
            // A law's own guards see the load; one that is set-valued watches its slip rate while it slides.
            let is_tilted = matches!(contact.load, Load::Carried { .. })
                && self.tilt.as_ref().is_some_and(|tilt| tilt.signal().is_some());
            let is_varied = contact.load.signal().is_some() || self.follows(contact.numbers());
            let watch = watch || !contact.set_valued && (is_tilted || is_varied);
            is_watched[contact.slot..contact.slot + contact.elements].fill(watch);
        }
        for gate in self.contacts.iter().filter_map(|c| c.gate) {
            is_watched[gate] = true;
        }
        for element in &self.elements {
            let is_varied = !element.action.signals().is_empty() || self.follows(element.numbers.clone());
            is_watched[element.slots()].fill(is_varied);
        }
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        stick::resettle(self, &self.params_at(p, state.t), state);
    }

    fn violation(&self, at: Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
        let p = self.params_at(at.p, at.t);
        invariant::violation(self, &Point { p: &p, ..at }, g, tolerance)
    }

    fn has_invariants(&self) -> bool {
        self.contacts.iter().any(|contact| contact.set_valued)
    }

    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) -> bool {
        invariant::project(self, &self.params_at(p, t), t, x, mode)
    }

    fn fine_differences(&self, at: Point<f64>, rtol: f64, fine: &mut Vec<FineDifference>) {
        let p = self.params_at(at.p, at.t);
        step_limits::fine_differences(self, &Point { p: &p, ..at }, rtol, fine);
    }

    fn energies<S: Scalar>(&self, at: Point<S>) -> Option<[S; 4]> {
        // A frame that moves does not see the work of what it moves with.
        self.frame.is_none().then(|| System::energies(self, &at))
    }

    fn longest_step(&self, p: &[f64], mode: &[Mode]) -> f64 {
        step_limits::longest_step(self, p, mode)
    }

    fn reach(&self, at: Point<f64>, rates: &[f64]) -> f64 {
        let p = self.params_at(at.p, at.t);
        step_limits::reach(self, &Point { p: &p, ..at }, rates)
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        crate::scales::scales(self, p, scale);
    }

    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        self.signals().filter_map(|s| s.next_break(p, t)).min_by(f64::total_cmp)
    }

    fn band(&self) -> Option<Bandwidth> {
        self.band
    }

    fn structure(&self) -> Option<Box<dyn Structure>> {
        if self.ropes.is_empty() { None } else { Some(Box::new(RopeStructure::new(self))) }
    }

    fn has_structure(&self) -> bool {
        self.has_ropes()
    }

    fn state_name(&self, index: usize) -> String {
        self.state_names().into_iter().nth(index).unwrap_or_default()
    }

    fn guard_name(&self, index: usize) -> String {
        let of_element = || self.elements.iter().find(|e| e.slots().contains(&index)).map(|e| e.name.clone());
        let of_gate = || self.contacts.iter().find(|c| c.gate == Some(index)).map(|c| c.name.clone());
        let of_contact = self.element_of(index).map(|(k, _)| self.contacts[k].name.clone());
        let of_rope = || {
            let rope = self.ropes.iter().find(|r| (r.slot..r.slot + r.nodes_slots()).contains(&index))?;
            Some(rope.name.clone())
        };
        of_contact.or_else(of_gate).or_else(of_element).or_else(of_rope).unwrap_or_default()
    }
}
