//! Whether a break-away has one outcome or several.
//!
//! Dry friction with a static level above the kinetic one does not always say which of several contacts lets go: where two that
//! carry the same force reach their limits together, either may, and the other then holds. The run takes one; here the others are
//! found by letting the overloaded contacts go in every order.

use crate::stick;
use crate::system::{Coordinate, System};
use bristle_core::Mode;
use bristle_solve::{Point, State};

/// A force this close to its limit has reached it, as far as the location of a switch can tell.
const AT_LIMIT: f64 = 1.0 - 1e-6;

/// Accelerations that differ by less than this, of what the friction forces could give the lightest body, are the same.
const SAME: f64 = 1e-5;

/// So many orders are tried.
const ORDERS: usize = 256;

/// Which contact lets go where there is a choice: what was chosen so far, and out of how many.
#[derive(Default)]
struct Script {
    choices: Vec<[usize; 2]>,
    place: usize,
}

impl Script {
    fn choose(&mut self, count: usize) -> usize {
        if self.place == self.choices.len() {
            self.choices.push([0, count]);
        }
        self.place += 1;
        self.choices[self.place - 1][0]
    }

    /// Goes on to the next order; `false` after the last.
    fn next(&mut self) -> bool {
        self.place = 0;
        while let Some([choice, count]) = self.choices.pop() {
            if choice + 1 < count {
                self.choices.push([choice + 1, count]);
                return true;
            }
        }
        false
    }
}

impl System {
    /// The modes that a switch from `before` can lead to, where contacts at rest let go: first the one that a run takes, then
    /// others, each with accelerations of its own. One means that the answer is unique.
    pub fn outcomes(&self, p: &[f64], before: &State) -> Vec<Vec<Mode>> {
        let p = &*self.params_at(p, before.t);
        let most = SAME * self.strongest(p, before);
        let is_same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most);
        let mut found: Vec<(Vec<Mode>, Vec<f64>)> = Vec::new();
        let mut script = Script::default();
        for _ in 0..ORDERS {
            let mut state = before.clone();
            self.let_go(p, &mut state, &mut script);
            let moves = self.accelerations_in(p, &state);
            if self.is_consistent(p, &state) && !found.iter().any(|(_, other)| is_same(other, &moves)) {
                found.push((state.mode, moves));
            }
            if !script.next() {
                break;
            }
        }
        found.into_iter().map(|(mode, _)| mode).collect()
    }

    /// Lets go of contacts that have reached their limits, in the order of a script, until those that are left hold.
    fn let_go(&self, p: &[f64], state: &mut State, script: &mut Script) {
        for _ in &self.contacts {
            let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
            let at_limit = stick::overloaded(self, &at, &self.flow(&at, None), AT_LIMIT);
            if at_limit.is_empty() {
                return;
            }
            let (first, sticking) = (at_limit[script.choose(at_limit.len())], state.mode.clone());
            stick::settle_by(self, p, state, Some(first), &mut |count| script.choose(count));
            if state.mode == sticking {
                return;
            }
        }
    }

    /// The largest friction force over the smallest mass.
    fn strongest(&self, p: &[f64], state: &State) -> f64 {
        let flow = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
        let touches = self.contacts.iter().zip(&flow.touch);
        let forces = touches.map(|(contact, touch)| contact.at_radius(p, touch.force.abs()));
        let force = forces.fold(0.0, f64::max);
        let masses = (0..self.coordinates.len()).filter_map(|c| self.mass(c, p));
        force / masses.fold(f64::INFINITY, f64::min)
    }

    /// Whether no contact at rest carries more than it can.
    fn is_consistent(&self, p: &[f64], state: &State) -> bool {
        let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
        stick::overloaded(self, &at, &self.flow(&at, None), 1.0 + 1e-9).is_empty()
    }

    /// The accelerations of free coordinates, with the mass of ropes that are tied to them.
    fn accelerations_in(&self, p: &[f64], state: &State) -> Vec<f64> {
        let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
        let all = self.accelerations(&at, &self.flow(&at, None));
        let is_free = |coordinate: &Coordinate| matches!(coordinate, Coordinate::Free { .. });
        all.iter().zip(&self.coordinates).filter(|(_, c)| is_free(c)).map(|(a, _)| *a).collect()
    }
}

#[cfg(test)]
mod outcomes_tests {
    use super::*;
    use crate::{PartKind, Spec};
    use bristle_solve::Dynamics;

    /// A trolley that a heavy rope hangs on has to move part of it: outcomes are told apart by accelerations that
    /// know so.
    #[test]
    fn accelerations_are_those_of_the_motion_where_a_rope_is_tied() {
        let part = |kind: PartKind, numbers: &[(&str, f64)]| {
            let card = kind.card();
            numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
        };
        let end = PartKind::CableEnd.card();
        let at = |word: &str| Spec::of(&end).choosing(&end, "at", word);
        let rope = [("length", 1.0), ("elements", 4.0), ("ea", 1e4), ("density", 8.0)];
        let cable = part(PartKind::Cable, &rope).choosing(&PartKind::Cable.card(), "start", "laid");
        let parts = [
            ("gravity", part(PartKind::Gravity, &[])),
            ("cart", part(PartKind::Trolley, &[("mass", 2.0)])),
            ("load", part(PartKind::PlanarMass, &[("mass", 1.0), ("x", 0.6), ("y", -0.8)])),
            ("rope", cable),
            ("top", at("first").naming("on", &["cart"])),
            ("hook", at("last").naming("on", &["load"])),
        ];
        let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
        let p = system.params().to_vec();
        let mut state = system.initial(&p);
        // Stretched, so that it pulls.
        for x in state.x[system.rigid..system.core].iter_mut() {
            *x *= 1.01;
        }
        let mut rates = vec![0.0; system.dim()];
        system.rates(Point { t: 0.0, x: &state.x, p: &p, mode: &state.mode }, &mut rates);
        let free = system.coordinates.iter().filter_map(|c| match c {
            Coordinate::Free { v, .. } => Some(rates[*v]),
            _ => None,
        });
        let expected: Vec<f64> = free.collect();
        assert!(expected.iter().any(|a| a.abs() > 1.0), "{expected:?}");
        assert_eq!(system.accelerations_in(&p, &state), expected);
    }
}
