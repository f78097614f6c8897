//! What a step may not pass over: the error estimate of a method sees only what its stages touch.

use crate::invariant::velocity;
use crate::joined::Joined;
use crate::system::{Coordinate, System};
use bristle_core::Mode;
use bristle_solve::{FineDifference, Point};

/// A part of the slip rate within which a steep law turns round.
const OF_FINEST: f64 = 0.3;

/// So many roundings of a velocity the stages of a step may leave in a slip rate.
const ROUNDINGS: f64 = 64.0;

/// How closely slip rates under steep laws are followed: to the tolerance of the slip rate, not of the velocities whose difference
/// it is, and no worse than the law needs.
pub(crate) fn fine_differences(system: &System, at: &Point<f64>, rtol: f64, fine: &mut Vec<FineDifference>) {
    system.rope_differences(rtol, fine);
    for contact in system.contacts.iter().filter(|c| c.is_steep) {
        let Some(finest) = contact.law(at.p).finest_speed() else { continue };
        let [a, b] = contact.ends.map(|c| contact.at_radius(at.p, velocity(system, c, at)));
        let most = (OF_FINEST * finest)
            .max(rtol * (a - b).abs())
            .max(ROUNDINGS * f64::EPSILON * a.abs().max(b.abs()));
        let most = most / contact.at_radius(at.p, 1.0);
        if contact.ends.iter().any(|&end| system.coordinates[end].sources().is_some()) {
            fine.extend(behind(system, contact.ends, at, rtol, most));
            continue;
        }
        let [of, from] = contact.ends.map(|end| match system.coordinates[end] {
            Coordinate::Free { v, .. } => Some(v),
            _ => None,
        });
        if let Some(first) = of.or(from) {
            fine.push(FineDifference { of: first, from: of.and(from), most });
        }
    }
}

/// The same where an end follows others: for the velocities that the slip rate depends on. Of several none can be followed more
/// closely than to its own tolerance.
fn behind(
    system: &System,
    ends: [usize; 2],
    at: &Point<f64>,
    rtol: f64,
    most: f64,
) -> impl Iterator<Item = FineDifference> {
    let mut shares: Vec<(usize, f64)> = Vec::new();
    for (end, sign) in ends.into_iter().zip([1.0, -1.0]) {
        for (_, v, by) in system.states_behind(end, at.p) {
            match shares.iter_mut().find(|(state, _)| *state == v) {
                Some((_, share)) => *share += sign * by,
                None => shares.push((v, sign * by)),
            }
        }
    }
    shares.retain(|(_, share)| share.abs() > f64::EPSILON);
    let is_one = shares.len() == 1;
    let speeds: Vec<f64> = shares.iter().map(|(v, _)| at.x[*v].abs()).collect();
    shares.into_iter().zip(speeds).map(move |((of, share), speed)| {
        let most = most / share.abs();
        FineDifference { of, from: None, most: if is_one { most } else { most.max(rtol * speed) } }
    })
}

/// A step takes away no more than this part of a slip rate, and the width of the peak of friction around rest.
const OF_SLIP: f64 = 0.7;

/// The longest step that does not pass over the peak of a law's friction around rest.
pub(crate) fn reach(system: &System, at: &Point<f64>, rates: &[f64]) -> f64 {
    let longest = system.contacts.iter().filter(|c| c.has_peak && !c.sticks(at.mode)).map(|contact| {
        let width = contact.law(at.p).peak_width().unwrap_or(f64::INFINITY);
        let [a, b] = contact.ends.map(|c| contact.at_radius(at.p, velocity(system, c, at)));
        let slip = a - b;
        let [rate_a, rate_b] = contact.ends.map(|c| {
            let rate = match system.coordinates[c] {
                Coordinate::Free { v, .. } => rates[v],
                _ => system.states_behind(c, at.p).iter().map(|(_, v, by)| by * rates[*v]).sum(),
            };
            contact.at_radius(at.p, rate)
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
    let shortest = system.signals().map(|s| s.shortest_period(p)).fold(f64::INFINITY, f64::min);
    if shortest.is_infinite() || (all_stand_still(system, p, mode) && !system.has_ropes()) {
        f64::INFINITY
    } else {
        OF_PERIOD * shortest
    }
}

/// Whether every free coordinate sticks, through any number of contacts, to something that is not moved by a signal.
fn all_stand_still(system: &System, p: &[f64], mode: &[Mode]) -> bool {
    let is_free = |c: usize| matches!(system.coordinates[c], Coordinate::Free { .. });
    let stands = |c: usize| (system.is_prescribed(c) && !system.follows_signal(c)).then_some(0.0);
    let still = system.spread(&Joined::by(system, mode, |_| true), p, stands);
    (0..still.len()).all(|c| still[c].is_some() || !is_free(c))
}
