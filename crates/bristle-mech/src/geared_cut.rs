//! When a gear that is stuck, and other contacts at rest beside it, let go together.
//!
//! What a stuck gear resists depends on what it carries. At the verge of a motion everything else that slips with the gear is at its
//! limit; the balance then says what the gear carries and what it has to hold, and what is left until it lets go.

use crate::cuts::blocked;
use crate::holding::{eliminate, largest_from};
use crate::system::{System, SystemEval};
use bristle_core::Scalar;

/// What is left of a number that should be zero.
const NOTHING: f64 = 1e-9;

/// Contacts at rest with forces that hold them, which circulations may change, and their limits.
pub(crate) struct Held<'a, S: Scalar> {
    pub(crate) system: &'a System,
    pub(crate) resting: &'a [usize],
    pub(crate) p: &'a [S],
    pub(crate) loops: &'a [Vec<S>],
    pub(crate) limits: &'a [[S; 2]],
    pub(crate) forces: &'a [S],
    pub(crate) flow: &'a SystemEval<S>,
}

/// The gears with friction that turn in a motion with these slip rates: places among the resting contacts.
pub(crate) fn gears<'a, S: Scalar>(
    system: &'a System,
    resting: &'a [usize],
    slips: &'a [(usize, S)],
) -> impl Iterator<Item = usize> + 'a {
    let turns = |(i, slip): &&(usize, S)| slip.value() != 0.0 && system.contacts[resting[*i]].mesh.is_some();
    slips.iter().filter(turns).map(|(i, _)| *i)
}

impl<S: Scalar> Held<'_, S> {
    /// What is left until a gear lets the motion with these slip rates go, forth or back, as a force; nothing can make it go where
    /// something bears it both ways.
    pub(crate) fn margin(&self, gear: usize, slips: &[(usize, S)]) -> Option<S> {
        let ways = [1.0, -1.0].into_iter().zip(blocked(self.limits, slips));
        let open = ways.filter(|(_, is_blocked)| !is_blocked);
        open.map(|(way, _)| self.margin_one_way(gear, slips, way)).reduce(|a, b| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            _ => None,
        })?
    }

    /// The same, one way.
    fn margin_one_way(&self, gear: usize, slips: &[(usize, S)], way: f64) -> Option<S> {
        let contact = self.resting[gear];
        let mesh = self.system.contacts[contact].mesh.as_ref()?;
        let amounts = self.amounts(gear, slips, way);
        let mut carried = self.flow.touch[contact].carried;
        let mut force = self.forces[gear];
        for (circulation, &amount) in self.loops.iter().zip(&amounts) {
            let around = self.system.carried_around(self.resting, circulation, self.p, self.flow);
            carried += amount * around[mesh.coupling];
            force += amount * circulation[gear];
        }
        let own = slips.iter().find(|(i, _)| *i == gear).map_or(0.0, |(_, slip)| slip.value());
        let [forth, back] = mesh.limits(self.p, carried);
        Some(if way * own > 0.0 { forth - force } else { back + force })
    }

    /// The circulations that bring all that slips, but the gear, to its limit; what bears in one direction lets go.
    fn amounts(&self, gear: usize, slips: &[(usize, S)], way: f64) -> Vec<S> {
        let slipping = slips.iter().filter(|(i, slip)| *i != gear && slip.value() != 0.0);
        let mut rows: Vec<Vec<S>> = slipping
            .map(|(i, slip)| {
                let direction = way * slip.value().signum();
                let [forth, back] = self.limits[*i];
                let limit = if direction < 0.0 { back } else { forth };
                let reached = if limit.value().is_finite() { limit * direction } else { S::zero() };
                let mut row: Vec<S> = self.loops.iter().map(|n| n[*i]).collect();
                row.push(reached - self.forces[*i]);
                row
            })
            .collect();
        let count = self.loops.len();
        let pivots = eliminate(&mut rows, 0..count, largest_from(NOTHING));
        let mut amounts = vec![S::zero(); count];
        for (row, (column, _)) in rows.iter().zip(pivots) {
            amounts[column] = row[count] / row[column];
        }
        amounts
    }
}
