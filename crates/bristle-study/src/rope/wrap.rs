//! Where a cable touches a drum, and what it carries there.

use bristle_cable::{CableState, contacts};
use bristle_mech::{CableAlone, DrumContact, PointContact};
use std::f64::consts::{PI, TAU};

/// The contacts of a cable with one drum, in the order of the cable.
#[derive(Clone, Debug, Default)]
pub struct Wrap {
    /// The touching points.
    pub contacts: Vec<PointContact>,
    /// Angle gone round from the first of them, in the direction of the cable, rad.
    pub(crate) angle: Vec<f64>,
    /// Whether turning the drum carries the cable along (1) or against its direction (−1).
    pub sense: f64,
}

impl Wrap {
    fn new(sense: f64) -> Wrap {
        Wrap { contacts: Vec::new(), angle: Vec::new(), sense }
    }

    /// One more point.
    fn push(&mut self, contact: PointContact) {
        let angle = match self.contacts.last() {
            None => 0.0,
            // Neighbours lie less than half a turn apart.
            Some(before) => {
                self.total() + (self.sense * (contact.angle - before.angle) + PI).rem_euclid(TAU) - PI
            }
        };
        self.contacts.push(contact);
        self.angle.push(angle);
    }

    /// The first cable that touches a drum.
    pub(crate) fn of_drum(drum: &DrumContact) -> Wrap {
        let mut wrap = Wrap::new(drum.sense);
        let first = drum.points.first().map_or(0, |point| point.cable);
        drum.points.iter().filter(|point| point.cable == first).for_each(|point| wrap.push(*point));
        wrap
    }

    /// The contacts of all drums of a cable alone at a state.
    pub fn of_state(cable: &CableAlone, state: &CableState) -> Vec<Wrap> {
        let model = cable.system.cable();
        let mut wraps: Vec<Wrap> = model.drums.iter().map(|drum| Wrap::new(drum.sense.sign())).collect();
        let share = model.element_length();
        for c in contacts(&cable.system, state) {
            wraps[c.drum].push(PointContact {
                cable: 0,
                point: c.node,
                along: share * c.node as f64,
                angle: c.angle,
                normal: c.normal,
                friction: c.friction,
                slip: c.slip,
                share,
            });
        }
        wraps
    }

    /// The whole angle.
    pub(crate) fn total(&self) -> f64 {
        self.angle.last().copied().unwrap_or(0.0)
    }

    /// Angles on the drum, clockwise from the crown, in degrees, without jumps.
    pub fn degrees(&self) -> Vec<f64> {
        let first = self.contacts.first().map_or(0.0, |c| c.angle);
        self.angle.iter().map(|a| (first + self.sense * a).to_degrees()).collect()
    }

    pub(crate) fn sum(&self, of: impl Fn(&PointContact) -> f64) -> f64 {
        self.contacts.iter().map(of).sum()
    }

    /// The largest slip speed, with its sign.
    pub(crate) fn slip(&self) -> f64 {
        self.contacts.iter().map(|c| c.slip).fold(0.0, |m: f64, s| if s.abs() > m.abs() { s } else { m })
    }

    /// The largest share of its limit that any point carries, where a normal force times this coefficient is the limit.
    pub(crate) fn used(&self, mu: f64) -> f64 {
        let share = |c: &PointContact| if c.normal > 0.0 { c.friction.abs() / (mu * c.normal) } else { 0.0 };
        self.contacts.iter().map(share).fold(0.0, f64::max)
    }
}

/// Tension along a cable, and the most that friction can make of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tensions {
    /// Arc length at the middle of each element, m.
    pub(crate) s: Vec<f64>,
    /// Tension there, N.
    pub(crate) tension: Vec<f64>,
    /// For each drum with a known limit: arc lengths and the exponential from the weaker side.
    pub(crate) limits: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Tensions {
    /// Of a cable with elements of this length and this tension in each, on these drums, each with the largest ratio of friction to normal force that it holds.
    pub(crate) fn new(h: f64, tension: Vec<f64>, wraps: &[(Wrap, Option<f64>)]) -> Tensions {
        let s = (0..tension.len()).map(|i| h * (i as f64 + 0.5)).collect();
        let node = |c: &PointContact| (c.along / h).round() as usize;
        let touching: Vec<usize> = wraps.iter().flat_map(|(w, _)| &w.contacts).map(node).collect();
        let mut limits = Vec::new();
        for (wrap, mu) in wraps {
            let (Some(mu), [first, .., last]) = (mu, wrap.contacts.as_slice()) else { continue };
            let (first, last) = (node(first), node(last));
            // Half way along the free spans, where the edge of the drum is no longer felt.
            let previous = touching.iter().copied().filter(|n| *n < first).max().unwrap_or(0);
            let next = touching.iter().copied().filter(|n| *n > last).min().unwrap_or(tension.len());
            let at = |n: usize| tension[n.min(tension.len() - 1)];
            let (before, after) = (at((previous + first) / 2), at((last + next) / 2));
            let total = wrap.total();
            let grown = |a: &f64| {
                if after >= before { before * (mu * a).exp() } else { after * (mu * (total - a)).exp() }
            };
            let at = wrap.contacts.iter().map(|c| c.along).collect();
            limits.push((at, wrap.angle.iter().map(grown).collect()));
        }
        Tensions { s, tension, limits }
    }
}
