//! The order of states in large systems: those that act on one another close together, however the scenario lists its parts.
//!
//! A chain of hundreds of bodies then has a Jacobian of a few diagonals, with closed ends of twice as many, and a step costs as much
//! as the chain is long. The order is that of Cuthill and McKee (1969): breadth first from an end, those with few neighbours first.

use crate::band::{self, FEW};
use crate::coordinate::Coordinate;
use crate::system::System;
use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

/// Groups of more states act on one another as a whole: no order makes their band narrow.
const CROWD: usize = 96;

/// States that stay together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OrderedBlock {
    Coordinate(usize),
    Contact(usize),
    Planar(usize),
    Element(usize),
}

/// Puts the states of a large system in an order with a narrower band, if there is one.
pub(crate) fn arrange(system: &mut System) {
    if system.core <= FEW || !system.ropes.is_empty() {
        return;
    }
    let width = |system: &System| band::find(system).map_or(usize::MAX, |b| b.lower + b.upper);
    let before = width(system);
    let blocks = blocks(system);
    let Some(order) = order(system, &blocks) else { return };
    place(system, &blocks, order.iter().copied());
    if width(system) >= before {
        place(system, &blocks, 0..blocks.len());
    }
}

/// The blocks with their places, in the order of these.
fn blocks(system: &System) -> Vec<(OrderedBlock, usize, usize)> {
    let coordinates = system.coordinates.iter().enumerate().filter_map(|(i, c)| match c {
        Coordinate::Free { q, .. } | Coordinate::Servo { q, .. } => {
            Some((OrderedBlock::Coordinate(i), *q, 2))
        }
        _ => None,
    });
    let contacts = system.contacts.iter().enumerate().map(|(i, c)| (OrderedBlock::Contact(i), c.z, c.states));
    let planar = system.planar.iter().enumerate().filter(|(_, c)| c.bends());
    let planar = planar.map(|(i, c)| (OrderedBlock::Planar(i), c.z, c.states.len()));
    let elements = system.elements.iter().enumerate().map(|(i, e)| (OrderedBlock::Element(i), e.z, e.states));
    let all = coordinates.chain(contacts).chain(planar).chain(elements);
    let mut blocks: Vec<_> = all.filter(|(_, _, count)| *count > 0).collect();
    blocks.sort_by_key(|(_, place, _)| *place);
    blocks
}

/// The numbers of the blocks in their new order; nothing if crowds keep it from being any good.
fn order(system: &System, blocks: &[(OrderedBlock, usize, usize)]) -> Option<Vec<usize>> {
    let mut block_of = vec![0; system.core];
    for (b, (_, place, count)) in blocks.iter().enumerate() {
        block_of.get_mut(*place..*place + *count)?.fill(b);
    }
    let mut near = vec![BTreeSet::new(); blocks.len()];
    for group in band::neighbours(system) {
        let members: BTreeSet<usize> = group.iter().map(|state| block_of[*state]).collect();
        if members.len() > CROWD {
            return None;
        }
        for &a in &members {
            near[a].extend(members.iter().copied().filter(|b| *b != a));
        }
    }
    let mut is_done = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    while let Some(first) = (0..blocks.len()).filter(|b| !is_done[*b]).min_by_key(|b| near[*b].len()) {
        // The last to be reached from anywhere lies at an end.
        let end = reached(&near, first).last().copied().unwrap_or(first);
        for block in reached(&near, end) {
            is_done[block] = true;
            order.push(block);
        }
    }
    Some(order)
}

/// All that hangs together with a block, breadth first.
fn reached(near: &[BTreeSet<usize>], from: usize) -> Vec<usize> {
    let mut is_seen = vec![false; near.len()];
    is_seen[from] = true;
    let (mut found, mut queue) = (Vec::new(), VecDeque::from([from]));
    while let Some(block) = queue.pop_front() {
        found.push(block);
        let mut next: Vec<usize> = near[block].iter().copied().filter(|b| !is_seen[*b]).collect();
        next.sort_by_key(|b| (near[*b].len(), Reverse(*b)));
        for block in next {
            is_seen[block] = true;
            queue.push_back(block);
        }
    }
    found
}

/// Gives the blocks their places in this order.
fn place(system: &mut System, blocks: &[(OrderedBlock, usize, usize)], order: impl Iterator<Item = usize>) {
    let mut next = 0;
    for (block, _, count) in order.map(|b| blocks[b]) {
        match block {
            OrderedBlock::Coordinate(i) => {
                if let Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } =
                    &mut system.coordinates[i]
                {
                    (*q, *v) = (next, next + 1);
                }
            }
            OrderedBlock::Contact(i) => system.contacts[i].z = next,
            OrderedBlock::Planar(i) => system.planar[i].z = next,
            OrderedBlock::Element(i) => system.elements[i].z = next,
        }
        next += count;
    }
}
