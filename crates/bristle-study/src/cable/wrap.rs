//! Where a cable touches a drum, and what it carries there.

use super::CableModel;
use bristle_cable::{CableState, NodeContact, carried, contacts};
use std::f64::consts::{PI, TAU};

/// The contacts of one drum, in the order of the cable.
#[derive(Clone, Debug, Default)]
pub struct Wrap {
    /// The touching nodes.
    pub contacts: Vec<NodeContact>,
    /// Angle gone round from the first of them, in the direction of the cable, rad.
    pub(crate) angle: Vec<f64>,
}

impl Wrap {
    /// The whole angle.
    pub(crate) fn total(&self) -> f64 {
        self.angle.last().copied().unwrap_or(0.0)
    }

    /// Angles on the drum, clockwise from the crown, in degrees, without jumps.
    pub fn degrees(&self, sense: f64) -> Vec<f64> {
        let first = self.contacts.first().map_or(0.0, |c| c.angle);
        self.angle.iter().map(|a| (first + sense * a).to_degrees()).collect()
    }

    pub(crate) fn sum(&self, of: impl Fn(&NodeContact) -> f64) -> f64 {
        self.contacts.iter().map(of).sum()
    }

    /// The largest slip speed, with its sign.
    pub(crate) fn slip(&self) -> f64 {
        self.contacts.iter().map(|c| c.slip).fold(0.0, |m: f64, s| if s.abs() > m.abs() { s } else { m })
    }
}

/// The contacts of all drums at a state.
pub fn wraps(model: &CableModel, state: &CableState) -> Vec<Wrap> {
    let mut wraps = vec![Wrap::default(); model.drums.len()];
    for contact in contacts(&model.system, state) {
        let wrap = &mut wraps[contact.drum];
        let sense = model.system.cable().drums[contact.drum].sense.sign();
        let angle = match wrap.contacts.last() {
            None => 0.0,
            Some(before) => {
                // Neighbours lie less than half a turn apart.
                let step = (sense * (contact.angle - before.angle) + PI).rem_euclid(TAU) - PI;
                wrap.total() + step
            }
        };
        wrap.contacts.push(contact);
        wrap.angle.push(angle);
    }
    wraps
}

/// Tension along the cable, and the most that friction can make of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tensions {
    /// Arc length at the middle of each element, m.
    pub(crate) s: Vec<f64>,
    /// Tension there, N.
    pub(crate) tension: Vec<f64>,
    /// For each drum with a known limit: arc lengths and the exponential from the weaker side.
    pub(crate) limits: Vec<(usize, Vec<f64>, Vec<f64>)>,
}

/// The tension along the cable against the exponential that friction could hold.
pub(crate) fn tensions(model: &CableModel, state: &CableState) -> Tensions {
    let tension = carried(&model.system, state);
    let h = model.system.cable().element_length();
    let s = (0..tension.len()).map(|i| h * (i as f64 + 0.5)).collect();
    let mut limits = Vec::new();
    let wraps = wraps(model, state);
    let nodes: Vec<usize> = wraps.iter().flat_map(|w| &w.contacts).map(|c| c.node).collect();
    for (drum, wrap) in wraps.iter().enumerate() {
        let (Some(mu), [first, .., last]) = (model.holds(drum), wrap.contacts.as_slice()) else { continue };
        // Half way along the free spans, where the edge of the drum is no longer felt.
        let previous = nodes.iter().copied().filter(|n| *n < first.node).max().unwrap_or(0);
        let next = nodes.iter().copied().filter(|n| *n > last.node).min().unwrap_or(tension.len());
        let before = tension[(previous + first.node) / 2];
        let after = tension[(last.node + next) / 2 - usize::from(last.node + next == 2 * tension.len())];
        let total = wrap.total();
        let grown = |a: &f64| {
            if after >= before { before * (mu * a).exp() } else { after * (mu * (total - a)).exp() }
        };
        let at = wrap.contacts.iter().map(|c| h * c.node as f64).collect();
        limits.push((drum, at, wrap.angle.iter().map(grown).collect()));
    }
    Tensions { s, tension, limits }
}
