//! What holds at every accepted state, whatever the method.
//!
//! A contact at rest carries no more than its limit, a contact that sticks does not slide, and a contact that slides does so in
//! the direction its friction is computed for. A run that breaks one of these is wrong from there on, and says so.

use crate::joined::Joined;
use crate::parts::Element;
use crate::system::{Coordinate, System};
use bristle_core::Mode;
use bristle_solve::{Point, Violation};

/// By how much, relative to its limit, rounding and the location of a break-away may let a contact be overloaded.
const OVERLOAD: f64 = 1e-6;

/// Slip of a sticking contact, m/s, and relative to the speeds of both bodies, that rounding can leave.
const SLIP: f64 = 1e-9;

/// So many tolerances a body may lag behind the drive that carries it.
const CARRIED: f64 = 1e4;

/// What is wrong with the contacts, if anything is. `g` holds the guards, which are positive nearly always: only where one is
/// not are forces computed again.
pub(crate) fn violation(system: &System, at: &Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
    for (k, contact) in system.contacts.iter().enumerate().filter(|(_, c)| c.set_valued) {
        let sticks = contact.sticks(at.mode);
        let [a, b] = contact.ends.map(|c| velocity(system, c, at));
        let slip = a - b;
        let slack = slack(a, b);
        let name = || contact.name.clone();
        // A body carried by a drive is integrated within the tolerance by methods that cannot be corrected from outside.
        let is_carried = contact.ends.iter().any(|&c| system.follows_signal(c));
        let lag = if is_carried { CARRIED * tolerance * (1e-2 + a.abs().max(b.abs())) } else { 0.0 };
        if sticks && slip.abs() > slack + lag && !contact.law(at.p).coasts() {
            return Some(Violation::Slides { contact: name(), slip });
        }
        if !sticks && slip * at.mode[contact.slot].sign() < -(slack + tolerance) {
            return Some(Violation::WrongWay { contact: name(), slip });
        }
        if sticks && g[contact.slot] < 0.0 {
            let (force, limit) = load(system, k, at);
            if force.abs() > (1.0 + OVERLOAD) * limit + f64::MIN_POSITIVE {
                return Some(Violation::Overloaded { contact: name(), force, limit });
            }
        }
    }
    None
}

/// The slip rate up to which a contact between bodies of these velocities counts as sticking.
pub(crate) fn slack(a: f64, b: f64) -> f64 {
    SLIP * (1.0 + a.abs().max(b.abs()))
}

/// What contact `k` carries, and what it can carry.
fn load(system: &System, k: usize, at: &Point<f64>) -> (f64, f64) {
    let touch = system.flow(at, None).touch[k];
    (touch.force, system.limit(k, at, &touch))
}

fn velocity(system: &System, coordinate: usize, at: &Point<f64>) -> f64 {
    match system.coordinates[coordinate] {
        Coordinate::Free { v, .. } => at.x[v],
        _ => system.prescribed_velocity(coordinate, at.p, at.t).unwrap_or(0.0),
    }
}

/// Gives coordinates that rest on something moved by a signal exactly its velocity: integrated, they would lag behind within
/// the tolerance.
pub(crate) fn project(system: &System, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) {
    let moves = |c: usize| system.follows_signal(c);
    let resting = || system.contacts.iter().filter(|c| c.sticks(mode) && !c.law(p).coasts());
    if !resting().any(|c| c.ends.iter().any(|&end| moves(end))) {
        return;
    }
    let joined = Joined::by(system, mode, |c| !c.law(p).coasts());
    let known = joined.spread(|c| if moves(c) { system.prescribed_velocity(c, p, t) } else { None });
    for (coordinate, velocity) in system.coordinates.iter().zip(known) {
        if let (Coordinate::Free { v, .. }, Some(velocity)) = (coordinate, velocity) {
            x[*v] = velocity;
        }
    }
}

/// A part of the slip rate within which a steep law turns round.
const OF_FINEST: f64 = 0.1;

/// How closely the velocities of bodies under steep laws are followed: to the tolerance of their slip rate, not of their own
/// velocity, and no worse than the law needs.
pub(crate) fn caps(system: &System, at: &Point<f64>, rtol: f64, cap: &mut [f64]) {
    for contact in &system.contacts {
        let Some(finest) = contact.law(at.p).finest_speed() else { continue };
        let [a, b] = contact.ends.map(|c| velocity(system, c, at));
        let least =
            (OF_FINEST * finest).max(rtol * (a - b).abs()).max(4.0 * f64::EPSILON * a.abs().max(b.abs()));
        for end in contact.ends {
            if let Coordinate::Free { v, .. } = system.coordinates[end] {
                cap[v] = cap[v].min(least);
            }
        }
    }
}

/// A step takes away no more than this part of a slip rate, and the width of the peak of friction around rest.
const OF_SLIP: f64 = 0.7;

/// The longest step that does not pass over the peak of a law's friction around rest.
pub(crate) fn reach(system: &System, at: &Point<f64>, rates: &[f64]) -> f64 {
    let longest = system.contacts.iter().filter(|c| c.has_peak && !c.sticks(at.mode)).map(|contact| {
        let width = contact.law(at.p).peak_width().unwrap_or(f64::INFINITY);
        let [a, b] = contact.ends;
        let slip = velocity(system, a, at) - velocity(system, b, at);
        let [rate_a, rate_b] = contact.ends.map(|c| match system.coordinates[c] {
            Coordinate::Free { v, .. } => rates[v],
            _ => 0.0,
        });
        let towards = -(rate_a - rate_b) * slip.signum();
        if towards > 0.0 { (OF_SLIP * slip.abs() + width) / towards } else { f64::INFINITY }
    });
    longest.fold(f64::INFINITY, f64::min)
}

/// A step of a moving mechanism passes over no more than this part of the shortest period of a signal: an error estimate that
/// samples a sine once a period sees a constant.
const OF_PERIOD: f64 = 0.25;

/// The longest step that sees every signal; infinite while all bodies stick to what does not move.
pub(crate) fn longest_step(system: &System, p: &[f64], mode: &[Mode]) -> f64 {
    let drives = system.coordinates.iter().filter_map(|c| match c {
        Coordinate::Driven { signal: Some((signal, _)), .. } => Some(signal),
        _ => None,
    });
    let forces = system.elements.iter().filter_map(|e| e.signal());
    let shortest = drives.chain(forces).map(|s| s.shortest_period(p)).fold(f64::INFINITY, f64::min);
    if shortest.is_infinite() || all_stand_still(system, mode) { f64::INFINITY } else { OF_PERIOD * shortest }
}

/// Whether every free coordinate sticks, through any number of contacts, to something that is not moved by a signal.
fn all_stand_still(system: &System, mode: &[Mode]) -> bool {
    let is_free = |c: usize| matches!(system.coordinates[c], Coordinate::Free { .. });
    let stands = |c: usize| (!is_free(c) && !system.follows_signal(c)).then_some(());
    let still = Joined::by(system, mode, |_| true).spread(stands);
    (0..still.len()).all(|c| still[c].is_some() || !is_free(c))
}
