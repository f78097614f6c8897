//! The energy balance: what is stored, put in and lost.
//!
//! ```text
//! E(t) − E(0) = ∫ (loads + moved ends + turned drums + motors) dt − ∫ (damping + contact + friction + bearings) dt
//! ```
//!
//! The integrals are taken along with the steps, to the order of the method. What does not add up is the error of the
//! integration, numerical damping included.

use crate::contact;
use crate::model::{FlexibleCable, Support};
use crate::observe::energy;
use crate::state::CableState;
use crate::system::CableSystem;

/// Powers put in and lost at one state, in W; their integrals in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CablePower {
    /// Of the forces applied at the ends.
    pub loads: f64,
    /// Of whatever moves an end.
    pub ends: f64,
    /// Of drums that are turned without feeling the cable, through friction.
    pub drums: f64,
    /// Of motors.
    pub motors: f64,
    /// Lost to internal damping.
    pub damping: f64,
    /// Lost to the damping of normal contact.
    pub contact: f64,
    /// Lost to friction between cable and drums.
    pub friction: f64,
    /// Lost in bearings.
    pub bearings: f64,
}

impl CablePower {
    /// All that is put in.
    pub fn input(&self) -> f64 {
        self.loads + self.ends + self.drums + self.motors
    }

    /// All that is lost.
    pub fn loss(&self) -> f64 {
        self.damping + self.contact + self.friction + self.bearings
    }

    fn add(&mut self, weight: f64, other: &CablePower) {
        let pairs = [
            (&mut self.loads, other.loads),
            (&mut self.ends, other.ends),
            (&mut self.drums, other.drums),
            (&mut self.motors, other.motors),
            (&mut self.damping, other.damping),
            (&mut self.contact, other.contact),
            (&mut self.friction, other.friction),
            (&mut self.bearings, other.bearings),
        ];
        for (to, from) in pairs {
            *to += weight * from;
        }
    }
}

/// Work and losses along a run.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    /// Their integrals since the start, J.
    pub work: CablePower,
    /// Energy stored at the start, J.
    pub stored: f64,
    now: CablePower,
}

impl Ledger {
    /// Starts an account at a state.
    pub fn new(system: &CableSystem, state: &CableState) -> Ledger {
        Ledger {
            work: CablePower::default(),
            stored: energy(system, state).total(),
            now: power(system, state),
        }
    }

    /// A step of a second-order method.
    pub(crate) fn trapezoid(&mut self, dt: f64, end: &CablePower) {
        self.work.add(0.5 * dt, &self.now.clone());
        self.work.add(0.5 * dt, end);
        self.now = *end;
    }

    /// A step of a fourth-order method.
    pub(crate) fn simpson(&mut self, dt: f64, middle: &CablePower, end: &CablePower) {
        self.work.add(dt / 6.0, &self.now.clone());
        self.work.add(4.0 * dt / 6.0, middle);
        self.work.add(dt / 6.0, end);
        self.now = *end;
    }

    /// What does not add up: change of the stored energy − work put in + losses, J.
    pub fn gap(&self, system: &CableSystem, state: &CableState) -> f64 {
        energy(system, state).total() - self.stored - self.work.input() + self.work.loss()
    }
}

/// The powers at a state whose holding forces satisfy the equations.
pub fn power(system: &CableSystem, state: &CableState) -> CablePower {
    let cable = system.cable();
    let mut out = CablePower { damping: system.damping_loss(state), ..CablePower::default() };
    for (drum, spin) in cable.drums.iter().zip(&state.spin) {
        out.motors += drum.drive.driving(state.t, spin[0], spin[1]) * spin[1];
        out.bearings += drum.drive.bearing() * spin[1] * spin[1];
    }
    for node in 0..state.q.len() {
        add_contact(cable, state, node, &mut out);
    }
    for (end, node) in [(0, 0), (1, cable.elements)] {
        let (force, v) = (&cable.ends[end].force, state.v[node]);
        let load = [force[0].value(state.t), force[1].value(state.t)];
        out.loads += load[0] * v[0] + load[1] * v[1];
        if matches!(cable.ends[end].support, Support::Moving(_)) {
            let held = reaction(system, state, end, load);
            out.ends += held[0] * v[0] + held[1] * v[1];
        }
    }
    out
}

/// Normal force on a node beyond the elastic one, friction along the cable, and its direction.
fn add_contact(cable: &FlexibleCable, state: &CableState, node: usize, out: &mut CablePower) {
    let (q, v) = (state.q[node], state.v[node]);
    for (d, drum) in cable.drums.iter().enumerate() {
        let Some((elastic, sinking)) = contact::elastic(drum, [q[0], q[1]], [v[0], v[1]]) else { continue };
        let normal = contact::normal(drum, [q[0], q[1]], [v[0], v[1]]);
        let force = normal.map_or(0.0, |n| n.force);
        out.contact += (force - elastic) * sinking;
        if force <= 0.0 {
            continue;
        }
        let size = q[2].hypot(q[3]);
        let surface = drum.sense.sign() * drum.radius * state.spin[d][1];
        let slip = (q[2] * v[0] + q[3] * v[1]) / size - surface;
        let pull = drum.friction.force_with(
            [slip, force, state.hold[node]],
            Some(state.stuck[node]),
            &state.z[node],
        );
        out.friction -= pull * slip;
        if drum.drive.inertia().is_none() {
            out.drums += pull * surface;
        }
    }
}

/// The force that moves an end.
fn reaction(system: &CableSystem, state: &CableState, end: usize, load: [f64; 2]) -> [f64; 2] {
    let cable = system.cable();
    let (node, element) = if end == 0 { (0, 0) } else { (cable.elements, cable.elements - 1) };
    let forces = system.element_force(element, state, 0.0, &mut [[[0.0; 4]; 4]; 3]);
    let body = &cable.ends[end];
    let own = forces[end];
    let gravity = [0.0, body.mass * cable.gravity];
    let mut out = [0, 1].map(|c| own[c] + body.mass * state.a[node][c] + gravity[c] - load[c]);
    let (q, v) = (state.q[node], state.v[node]);
    for (d, drum) in cable.drums.iter().enumerate() {
        let Some(normal) = contact::normal(drum, [q[0], q[1]], [v[0], v[1]]) else { continue };
        let size = q[2].hypot(q[3]);
        let t = [q[2] / size, q[3] / size];
        let slip = t[0] * v[0] + t[1] * v[1] - drum.sense.sign() * drum.radius * state.spin[d][1];
        let at = [slip, normal.force, state.hold[node]];
        let pull = drum.friction.force_with(at, Some(state.stuck[node]), &state.z[node]);
        for c in 0..2 {
            out[c] -= normal.force * normal.u[c] + pull * t[c];
        }
    }
    out
}
