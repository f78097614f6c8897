//! When gears that are stuck, and other contacts at rest beside them, let go together.
//!
//! What a stuck gear resists depends on what it carries. At the verge of a motion everything else that slips with the gear, other gears
//! too, is at its limit; the balance then says what the gear carries and what it has to hold, and what is left until it lets go.

use crate::cuts::blocked;
use crate::holding::{eliminate, largest_from};
use crate::mesh::Mesh;
use crate::system::{System, SystemEval};
use bristle_core::{Mode, Scalar};

/// What is left of a number that should be zero.
const NOTHING: f64 = 1e-9;

/// Rounds in which the ways of power through gears are made to agree with what they carry.
const ROUNDS: usize = 8;

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
    /// What is left until the motion with these slip rates goes, as a force in one of the gears that turn in it, and whether it goes
    /// forth or back; nothing can make it go where something bears it both ways.
    pub(crate) fn margin(&self, gears: &[usize], slips: &[(usize, S)]) -> Option<(S, f64)> {
        let ways = [1.0, -1.0].into_iter().zip(blocked(self.limits, slips));
        let open = ways.filter(|(_, is_blocked)| !is_blocked);
        // A way in which the gears jam is no way out.
        let margins = open.filter_map(|(way, _)| Some((self.margin_one_way(gears, slips, way)?, way)));
        margins.reduce(|a, b| (a.0.min(b.0), if b.0.value() < a.0.value() { b.1 } else { a.1 }))
    }

    /// The same, one way: in the first gear for which all that slips beside it can be at its limit.
    fn margin_one_way(&self, gears: &[usize], slips: &[(usize, S)], way: f64) -> Option<S> {
        let around: Vec<Vec<S>> = self
            .loops
            .iter()
            .map(|n| self.system.carried_around(self.resting, n, self.p, self.flow))
            .collect();
        gears.iter().find_map(|&gear| {
            let amounts = self.amounts(gear, slips, way, &around)?;
            let mesh = self.mesh(gear)?;
            let turned = self.loops.iter().zip(&amounts);
            let force = turned.fold(self.forces[gear], |sum, (n, &amount)| sum + amount * n[gear]);
            let own = slips.iter().find(|(i, _)| *i == gear).map_or(0.0, |(_, slip)| slip.value());
            let [forth, back] = mesh.limits(self.p, self.carried(gear, mesh, &amounts, &around));
            Some(if way * own > 0.0 { forth - force } else { back + force })
        })
    }

    fn mesh(&self, i: usize) -> Option<&Mesh> {
        self.system.contacts[self.resting[i]].mesh.as_ref()
    }

    /// What a gear carries with these amounts of the circulations.
    fn carried(&self, gear: usize, mesh: &Mesh, amounts: &[S], around: &[Vec<S>]) -> S {
        let own = self.flow.touch[self.resting[gear]].carried;
        amounts.iter().zip(around).fold(own, |sum, (&amount, around)| sum + amount * around[mesh.coupling])
    }

    /// The circulations that bring all that slips, but one gear, to its limit; what bears in one direction lets go. None where they
    /// cannot.
    ///
    /// What another gear resists lies on a straight line in what it carries, as long as power flows the same way; a few rounds find
    /// which.
    fn amounts(&self, gear: usize, slips: &[(usize, S)], way: f64, around: &[Vec<S>]) -> Option<Vec<S>> {
        let others: Vec<(usize, f64)> = slips
            .iter()
            .filter(|(i, slip)| *i != gear && slip.value() != 0.0)
            .map(|(i, slip)| (*i, way * slip.value().signum()))
            .collect();
        let count = self.loops.len();
        let mut amounts = vec![S::zero(); count];
        let mut before: Option<Vec<Mode>> = None;
        for _ in 0..ROUNDS {
            let flows = |(i, direction): &(usize, f64)| {
                let mesh = self.mesh(*i)?;
                let carried = self.carried(*i, mesh, &amounts, around).value();
                Some(mesh.way_at_rest(self.p, *direction, carried))
            };
            let ways: Vec<Mode> = others.iter().map(|other| flows(other).unwrap_or_default()).collect();
            if before.as_ref() == Some(&ways) {
                break;
            }
            let rows = others.iter().zip(&ways).map(|(other, flow)| self.row(*other, *flow, around));
            let mut rows: Vec<Vec<S>> = rows.collect();
            let pivots = eliminate(&mut rows, 0..count, largest_from(NOTHING));
            if pivots.len() < rows.len().min(count) {
                return None;
            }
            amounts = vec![S::zero(); count];
            for (row, (column, _)) in rows.iter().zip(pivots) {
                amounts[column] = row[count] / row[column];
            }
            before = Some(ways);
        }
        Some(amounts)
    }

    /// The equation that brings a contact to its limit in a direction: factors of the circulations, and what they come to.
    fn row(&self, (i, direction): (usize, f64), flow: Mode, around: &[Vec<S>]) -> Vec<S> {
        let mut row: Vec<S> = self.loops.iter().map(|n| n[i]).collect();
        let reached = if let Some(mesh) = self.mesh(i) {
            let [slope, least] = mesh.line(self.p, direction, flow);
            row.iter_mut().zip(around).for_each(|(n, around)| *n -= slope * around[mesh.coupling]);
            slope * self.flow.touch[self.resting[i]].carried + least
        } else {
            let [forth, back] = self.limits[i];
            let limit = if direction < 0.0 { back } else { forth };
            if limit.value().is_finite() { limit * direction } else { S::zero() }
        };
        row.push(reached - self.forces[i]);
        row
    }
}
