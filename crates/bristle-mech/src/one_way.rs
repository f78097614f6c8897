//! What bears in one direction only: freewheels, and stops that bodies strike.
//!
//! Such a contact is apart (mode backward), or it bears (mode stick) as long as what it bears is positive. Where bodies run
//! against each other they strike: an impulse leaves them with a part of their speed, or with none.

use crate::holding::impulses;
use crate::invariant;
use crate::stick::push;
use crate::system::{System, SystemEval};
use bristle_core::{Mode, Scalar};
use bristle_solve::{Point, State};

/// How many numbers the law has that stands for no friction.
pub(crate) const ONE_WAY_NUMBERS: usize = 2;

/// What it bears has no limit.
pub(crate) const UNBOUNDED: f64 = f64::INFINITY;

/// What would bounce off with less than this, m/s or rad/s, stays: a body that bounces lower and lower comes to rest.
pub(crate) const AT_REST: f64 = 1e-7;

/// Nearer than this, m or rad, bodies touch.
const TOUCH: f64 = 1e-12;

/// What is borne counts as nothing below this part of all forces in contacts, N or N m: rounding leaves so much.
const NOTHING: f64 = 1e-13;

/// The force below which nothing is borne: bodies then lie side by side and are let go.
pub(crate) fn least<S: Scalar>(flow: &SystemEval<S>) -> S {
    flow.touch.iter().fold(S::one(), |sum, touch| sum + touch.force.frozen().abs()) * NOTHING
}

/// A contact that bears in one direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OneWay {
    /// Place of the distance `q_a − q_b` at which they meet; without, they bear wherever their velocities would cross.
    pub(crate) at: Option<usize>,
    /// Place of the coefficient of restitution.
    pub(crate) restitution: Option<usize>,
    /// Whether torques are borne.
    pub(crate) turns: bool,
}

impl OneWay {
    /// The way that is left until they meet, where they do so at a place.
    pub(crate) fn gap<S: Scalar>(&self, [a, b]: [usize; 2], p: &[S], q: &[S]) -> Option<S> {
        self.at.map(|at| p[at] - (q[a] - q[b]))
    }

    /// The part of the speed that is left after a blow.
    pub(crate) fn bounce(&self, p: &[f64]) -> f64 {
        self.restitution.map_or(0.0, |place| p[place])
    }

    /// Whether the bodies are apart.
    pub(crate) fn is_apart(&self, ends: [usize; 2], p: &[f64], q: &[f64]) -> bool {
        self.gap(ends, p, q).is_some_and(|gap| gap > TOUCH)
    }

    /// The mode of bodies that touch, at a speed of approach: forward is against what bears, and cannot last.
    pub(crate) fn mode(speed: f64, slack: f64) -> Mode {
        if speed < -slack {
            Mode::Backward
        } else if speed > slack {
            Mode::Forward
        } else {
            Mode::Stick
        }
    }
}

/// Lets everything strike that runs against what bears it, and what has just been met.
pub(crate) fn strike_all(system: &System, met: Option<usize>, p: &[f64], state: &mut State) {
    if system.contacts.iter().all(|c| c.one_way.is_none()) {
        return;
    }
    let mut met = met;
    for _ in 0..=2 * system.contacts.len() {
        mark_strikes(system, p, state);
        if let Some(k) = met.take() {
            state.mode[system.contacts[k].slot] = Mode::Forward;
        }
        let strikes = |k: &usize| {
            let contact = &system.contacts[*k];
            contact.one_way.is_some() && state.mode[contact.slot] == Mode::Forward
        };
        let striking: Vec<usize> = (0..system.contacts.len()).filter(strikes).collect();
        if striking.is_empty() {
            return;
        }
        strike(system, &striking, p, state);
    }
}

/// Marks what runs against what bears it, by the mode that it cannot keep, and lets go of what leaves it.
fn mark_strikes(system: &System, p: &[f64], state: &mut State) {
    let mut flow = SystemEval::new();
    system.motion(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut flow);
    for contact in &system.contacts {
        if let Some(one_way) = &contact.one_way {
            let [a, b] = contact.surfaces(p, &flow.v);
            // What bears already is not apart, whatever the location of its blow has left.
            let is_apart = !contact.sticks(&state.mode) && one_way.is_apart(contact.ends, p, &flow.q);
            let mode = OneWay::mode(a - b, invariant::slack(a, b));
            state.mode[contact.slot] = if is_apart { Mode::Backward } else { mode };
        }
    }
}

/// What runs against these contacts bounces off them, or stays, all at once: impulses between bodies that bear one another, nothing in
/// friction. What a blow would pull at is left behind.
fn strike(system: &System, striking: &[usize], p: &[f64], state: &mut State) {
    let mut flow = system.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
    // By how much the approach of each changes, and whether it stays.
    let mut changes = vec![(0.0, true); system.contacts.len()];
    for &k in striking {
        let contact = &system.contacts[k];
        let bounce = contact.one_way.as_ref().map_or(0.0, |one_way| one_way.bounce(p));
        let [a, b] = contact.surfaces(p, &flow.v);
        let stays = bounce * (a - b) < AT_REST;
        flow.touch[k].v = a - b;
        changes[k] = (if stays { a - b } else { (a - b) * (1.0 + bounce) }, stays);
    }
    let bears = |i: &usize| {
        let other = &system.contacts[*i];
        striking.contains(i) || other.one_way.is_some() && other.sticks(&state.mode)
    };
    let mut bearing: Vec<usize> = (0..system.contacts.len()).filter(bears).collect();
    let change = |bearing: &[usize]| -> Vec<f64> { bearing.iter().map(|&i| changes[i].0).collect() };
    // The one that would be pulled hardest is left first; each time one fewer bears.
    loop {
        let blow = impulses(system, &bearing, p, flow.mobility.as_ref(), &change(&bearing));
        let least = NOTHING * blow.iter().fold(0.0_f64, |most, impulse| most.max(impulse.abs()));
        let pulled = blow.iter().copied().enumerate().filter(|(_, impulse)| *impulse < -least);
        let Some((place, _)) = pulled.min_by(|x, y| x.1.total_cmp(&y.1)) else { break };
        state.mode[system.contacts[bearing.remove(place)].slot] = Mode::Backward;
    }
    push(system, p, state, &flow, &bearing, &change(&bearing));
    for k in bearing {
        let mode = if changes[k].1 { Mode::Stick } else { Mode::Backward };
        state.mode[system.contacts[k].slot] = mode;
    }
}
