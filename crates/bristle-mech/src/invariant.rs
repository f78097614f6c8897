//! What holds at every accepted state, whatever the method.
//!
//! A contact at rest carries no more than its limit, a contact that sticks does not slide, and a contact that slides does so in
//! the direction its friction is computed for. A run that breaks one of these is wrong from there on, and says so.

use crate::holding::impulses;
use crate::joined::Joined;
use crate::mobility::Mobility;
use crate::stick::{is_idle, overload};
use crate::system::{Coordinate, Short, System, SystemEval};
use bristle_core::Mode;
use bristle_solve::{Point, Violation};

/// By how much, relative to its limit, rounding and the location of a break-away may let a contact be overloaded.
const OVERLOAD: f64 = 1e-6;

/// Slip of a sticking contact, m/s, and relative to the speeds of both bodies, that rounding can leave.
pub(crate) const SLIP: f64 = 1e-9;

/// So many tolerances a body may lag behind the drive that carries it.
const CARRIED: f64 = 1e4;

/// What is wrong with the contacts, if anything is. `g` holds the guards, which are positive nearly always: only where one is
/// not are forces computed again.
pub(crate) fn violation(system: &System, at: &Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
    for (k, contact) in system.contacts.iter().enumerate().filter(|(_, c)| c.set_valued) {
        let sticks = contact.sticks(at.mode);
        let [a, b] = contact.ends;
        let [a, b] = [velocity(system, a, at), velocity(system, b, at)];
        let [a, b] = [contact.at_radius(at.p, a), contact.at_radius(at.p, b)];
        let slip = a - b;
        let slack = slack(a, b);
        if contact.one_way.is_some() {
            // What it lets pass, and what it bears, is not bounded on one side.
            let (lag, slip) = (CARRIED * tolerance * (1e-2 + a.abs().max(b.abs())), slip.abs());
            if sticks && slip > slack + lag {
                return Some(Violation::Slides { contact: contact.name.clone(), slip });
            }
            continue;
        }
        let name = || contact.name.clone();
        // A body carried by a drive is integrated within the tolerance by methods that cannot be corrected from outside.
        let is_carried = || contact.ends.iter().any(|&c| system.follows_signal(c));
        let lag = || if is_carried() { CARRIED * tolerance * (1e-2 + a.abs().max(b.abs())) } else { 0.0 };
        if sticks && slip.abs() > slack && slip.abs() > slack + lag() && !contact.coasts {
            return Some(Violation::Slides { contact: name(), slip });
        }
        if !sticks && slip.abs() <= slack && rubs_at_rest(system, k, at) {
            return Some(Violation::RubsAtRest { contact: name() });
        }
        if !sticks && contact.disc.is_none() && slip * at.mode[contact.slot].sign() < -(slack + tolerance) {
            return Some(Violation::WrongWay { contact: name(), slip });
        }
        if let Some(disc) = contact.disc.as_ref().filter(|disc| !sticks && disc.parts[0] == k) {
            let ahead = system.ahead_in_plane(disc, at);
            if ahead < -(slack + tolerance) {
                return Some(Violation::WrongWay { contact: name(), slip: ahead });
            }
        }
        if sticks && g[contact.slot] < 0.0 {
            let flow = system.flow(at, None);
            if overload(system, k, at, &flow) > 1.0 + OVERLOAD {
                let (force, limit) = load(system, k, at, &flow);
                return Some(Violation::Overloaded { contact: name(), force, limit });
            }
        }
    }
    None
}

/// Whether contact `k` slides by its mode, between bodies that resting contacts hold together.
fn rubs_at_rest(system: &System, k: usize, at: &Point<f64>) -> bool {
    let mut flow = SystemEval::new();
    system.motion(at, &mut flow);
    let coasts = system.contacts.iter().any(|c| c.coasts && c.sticks(at.mode));
    !coasts && is_idle(system, k, at.p, &flow.v, at.mode)
}

/// The slip rate up to which a contact between bodies of these velocities counts as sticking.
pub(crate) fn slack(a: f64, b: f64) -> f64 {
    SLIP * (1.0 + a.abs().max(b.abs()))
}

/// What contact `k` carries, and what it can carry.
fn load(system: &System, k: usize, at: &Point<f64>, flow: &SystemEval<f64>) -> (f64, f64) {
    let touch = flow.touch[k];
    if let Some(disc) = &system.contacts[k].disc {
        let [ratio, force] = system.overload_in_plane(disc, at, flow);
        return (force, force / ratio.max(1e-300));
    }
    let [forth, back] = system.limits(k, at, &touch);
    (touch.force, if touch.force < 0.0 { back } else { forth })
}

pub(crate) fn velocity(system: &System, coordinate: usize, at: &Point<f64>) -> f64 {
    match &system.coordinates[coordinate] {
        Coordinate::Free { v, .. } | Coordinate::Servo { v, .. } if system.frame.is_none() => at.x[*v],
        Coordinate::OnRope { v, .. } => at.x[*v],
        Coordinate::Free { .. } | Coordinate::Servo { .. } | Coordinate::Follower { .. } => {
            let mut flow = SystemEval::new();
            system.motion(at, &mut flow);
            flow.v[coordinate]
        }
        _ => system.prescribed_velocity(coordinate, at.p, at.t).unwrap_or(0.0),
    }
}

/// What a step may leave of slip between bodies that stick together, m/s and relative to their speed; more than this is no matter
/// of rounding, and stays to be seen.
const DRIFT: f64 = 1e-7;

/// Gives coordinates that stick together exactly one velocity: integrated, they would drift apart by what rounding leaves beside
/// a stiff contact, or lag within the tolerance behind a drive that follows a signal.
///
/// Says whether anything has moved.
pub(crate) fn project(system: &System, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) -> bool {
    if are_together(system, p, t, x, mode) {
        return false;
    }
    let Some(frame) = &system.frame else { return project_velocities(system, p, t, x, mode) };
    // Sticking together is told by velocities as they are, not as they are in a frame that moves.
    let before = x.to_vec();
    frame.shift(system, p, x, 1.0);
    let has_moved = project_velocities(system, p, t, x, mode);
    if has_moved {
        frame.shift(system, p, x, -1.0);
    } else {
        x.copy_from_slice(&before);
    }
    has_moved
}

/// Whether all that sticks together has one velocity already, to the last digit; `false` where that is not told by states alone.
fn are_together(system: &System, p: &[f64], t: f64, x: &[f64], mode: &[Mode]) -> bool {
    let velocity = |c: usize| match &system.coordinates[c] {
        Coordinate::Free { v, .. } => Some(x[*v]),
        _ => system.prescribed_velocity(c, p, t),
    };
    let is_plain = system.frame.is_none() && system.couplings.is_empty();
    system.contacts.iter().filter(|c| c.sticks(mode) && !c.coasts).all(|c| {
        let [a, b] = c.ends;
        is_plain && velocity(a).is_some_and(|v| velocity(b) == Some(v))
    })
}

fn project_velocities(system: &System, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) -> bool {
    let joined = Joined::by(system, mode, |c| !c.coasts);
    if !system.couplings.is_empty() {
        return project_coupled(system, p, t, x, mode, &joined);
    }
    let is_driven = (0..system.coordinates.len()).any(|c| system.follows_signal(c));
    let carried = is_driven.then(|| joined.spread(|c| system.follows_signal(c).then_some(())));
    let prescribed = joined.spread(|c| system.prescribed_velocity(c, p, t));
    let mut has_moved = false;
    let mut momentum: Short<(f64, f64)> = Short::from_elem((0.0, 0.0), system.coordinates.len());
    for (c, coordinate) in system.coordinates.iter().enumerate() {
        if let Coordinate::Free { v, mass, .. } = coordinate {
            let group = &mut momentum[joined.root(c)];
            *group = (group.0 + p[*mass], group.1 + p[*mass] * x[*v]);
        }
    }
    for (c, coordinate) in system.coordinates.iter().enumerate() {
        if let Coordinate::Free { v, .. } = coordinate {
            let (mass, total) = momentum[joined.root(c)];
            let velocity = prescribed[c].unwrap_or(total / mass);
            let drift = DRIFT * (1.0 + velocity.abs());
            let is_carried = || carried.as_ref().is_some_and(|carried| carried[c].is_some());
            if x[*v] != velocity && ((x[*v] - velocity).abs() <= drift || is_carried()) {
                x[*v] = velocity;
                has_moved = true;
            }
        }
    }
    has_moved
}

/// The same where coordinates are coupled: impulses in the contacts take away what is left of slip, and what hangs on prescribed
/// motion moves as that says.
fn project_coupled(
    system: &System,
    p: &[f64],
    t: f64,
    x: &mut [f64],
    mode: &[Mode],
    joined: &Joined,
) -> bool {
    let mut has_moved = false;
    let mut flow = SystemEval::new();
    system.motion_from(&Point { t, x, p, mode }, None, &mut flow);
    let sticking = |k: &usize| system.contacts[*k].sticks(mode) && !system.contacts[*k].coasts;
    let resting: Vec<usize> = (0..system.contacts.len()).filter(sticking).collect();
    let slip = |k: &usize| {
        let [a, b] = system.contacts[*k].surfaces(p, &flow.v);
        a - b
    };
    let change: Vec<f64> = resting.iter().map(slip).collect();
    let mut mobility = Mobility::new(system, p, flow.transmission.as_ref());
    mobility.invert();
    let mut pushes = vec![0.0; system.coordinates.len()];
    for (&k, impulse) in resting.iter().zip(impulses(system, &resting, p, Some(&mobility), &change)) {
        let [a, b] = system.contacts[k].ends;
        let kick = system.contacts[k].at_radius(p, impulse);
        pushes[a] -= kick;
        pushes[b] += kick;
    }
    let known = system.spread(joined, p, |c| match system.coordinates[c] {
        Coordinate::Servo { v, .. } => Some(x[v]),
        _ => system.prescribed_velocity(c, p, t),
    });
    let is_driven = (0..system.coordinates.len()).any(|c| system.follows_signal(c));
    for (c, coordinate) in system.coordinates.iter().enumerate() {
        if let Coordinate::Free { v, mass, .. } = coordinate {
            let own = || if mobility.has(c) { mobility.response(c, &pushes) } else { pushes[c] / p[*mass] };
            let velocity = known[c].unwrap_or_else(|| x[*v] + own());
            let drift = DRIFT * (1.0 + velocity.abs());
            let is_due = known[c].is_some() && is_driven || (x[*v] - velocity).abs() <= drift;
            if x[*v] != velocity && is_due {
                x[*v] = velocity;
                has_moved = true;
            }
        }
    }
    has_moved
}
