//! How far apart in the list of states those lie that act on one another.

use crate::contact::{Load, ResolvedContact};
use crate::coordinate::Coordinate;
use crate::element::Element;
use crate::joined::Joined;
use crate::system::System;
use bristle_solve::Bandwidth;
use std::collections::BTreeMap;

/// Fewer states than this are a full matrix.
pub(crate) const FEW: usize = 16;

/// The band of the Jacobian, where it is worth using.
pub(crate) fn find(system: &System) -> Option<Bandwidth> {
    if system.core <= FEW {
        return None;
    }
    let groups = groups(system);
    let mut band = Bandwidth { lower: 0, upper: 0 };
    let is_position = positions(system, &mut band);
    let moved = |group: &[usize]| group.iter().copied().filter(|s| !is_position[*s]).collect::<Vec<_>>();
    for group in &groups {
        widen(&mut band, &moved(group), group);
    }
    let mut with = vec![Vec::new(); system.core];
    for group in &groups {
        group.iter().for_each(|state| with[*state].push(group));
    }
    for cluster in clusters(system) {
        let touched = cluster.iter().flat_map(|state| &with[*state]);
        touched.for_each(|group| widen(&mut band, &moved(&cluster), group));
    }
    (2 * (band.lower + band.upper) < system.core).then_some(band)
}

/// Marks the positions of bodies, which change at their velocities and depend on nothing else; makes room for that.
fn positions(system: &System, band: &mut Bandwidth) -> Vec<bool> {
    let mut is_position = vec![false; system.core];
    for coordinate in &system.coordinates {
        if let Coordinate::Free { q, v, .. } = coordinate {
            is_position[*q] = true;
            widen(band, &[*q], &[*q, *v]);
        }
    }
    is_position
}

/// Makes room for rates `rows` that depend on states `columns`.
fn widen(band: &mut Bandwidth, rows: &[usize], columns: &[usize]) {
    let ends = |list: &[usize]| Some((*list.iter().min()?, *list.iter().max()?));
    if let (Some((top, bottom)), Some((left, right))) = (ends(rows), ends(columns)) {
        band.lower = band.lower.max(bottom.saturating_sub(left));
        band.upper = band.upper.max(right.saturating_sub(top));
    }
}

fn states_of(system: &System, coordinate: usize) -> Vec<usize> {
    match &system.coordinates[coordinate] {
        Coordinate::Free { q, v, .. } => vec![*q, *v],
        Coordinate::Driven { way: Some(way), .. } => vec![*way],
        Coordinate::Follower { sources, .. } => sources.iter().flat_map(|c| states_of(system, *c)).collect(),
        _ => Vec::new(),
    }
}

/// States that act on one another, directly or through what contacts at rest hold together.
pub(crate) fn neighbours(system: &System) -> Vec<Vec<usize>> {
    let all = groups(system);
    let mut with = vec![Vec::new(); system.core];
    for (i, group) in all.iter().enumerate() {
        group.iter().for_each(|state| with[*state].push(i));
    }
    let mut joined = Vec::new();
    for cluster in clusters(system) {
        let mut touched: Vec<usize> = cluster.iter().flat_map(|state| with[*state].iter().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        joined.extend(touched.into_iter().map(|i| [cluster.as_slice(), all[i].as_slice()].concat()));
    }
    [all, joined].concat()
}

/// States that act on one another through a body, a spring or a contact.
fn groups(system: &System) -> Vec<Vec<usize>> {
    let states_of = |c: usize| states_of(system, c);
    let bodies = (0..system.coordinates.len()).map(states_of);
    let elements = system.elements.iter().map(|e| {
        let ends = e.action.coordinates().into_iter().flat_map(states_of);
        ends.chain(e.z..e.z + e.states).collect()
    });
    let planar = system.planar.iter().map(|contact| {
        let ends = contact.coordinates().into_iter().flat_map(states_of);
        ends.chain(contact.z..contact.z + contact.states.len()).collect()
    });
    let contacts = system.contacts.iter().map(|contact| around(system, contact));
    bodies.chain(elements).chain(planar).chain(contacts).collect()
}

/// States on which the friction of a contact depends.
fn around(system: &System, contact: &ResolvedContact) -> Vec<usize> {
    let states_of = |c: usize| states_of(system, c);
    let mut group: Vec<usize> = contact.ends.into_iter().flat_map(states_of).collect();
    group.extend(contact.z..contact.z + contact.states);
    if let Load::Wrapped(capstan) = &contact.load {
        group.extend(capstan.coordinates().into_iter().flat_map(states_of));
    }
    if let Load::Carried { reactions, .. } = &contact.load
        && !reactions.is_empty()
    {
        // A reaction depends on whatever pulls at the guide.
        let pulls = system.elements.iter().map(|e| e.action.coordinates());
        let joined = pulls.filter(|list| list.iter().any(|c| reactions.contains(c)));
        group.extend(joined.flatten().flat_map(states_of));
    }
    group
}

/// States of bodies that contacts at rest may hold together, and of these contacts: the forces that hold them depend on
/// whatever acts on one of the bodies.
fn clusters(system: &System) -> Vec<Vec<usize>> {
    let held = || system.contacts.iter().filter(|c| c.set_valued || c.uses_hold);
    let is_movable = |c: &usize| !system.is_prescribed(*c);
    let pairs = held().map(|c| c.ends).filter(|ends| ends.iter().all(is_movable));
    // Who follows moves with those it follows.
    let coupled = || {
        let all = system.coordinates.iter().enumerate();
        all.flat_map(|(c, own)| own.sources().unwrap_or(&[]).iter().map(move |source| [c, *source]))
            .filter(|pair| is_movable(&pair[1]))
    };
    let joined = Joined::pairs(system.coordinates.len(), pairs.chain(coupled()));
    let mut clusters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for contact in held() {
        for end in contact.ends.into_iter().filter(is_movable) {
            let cluster = clusters.entry(joined.root(end)).or_default();
            cluster.extend(states_of(system, end));
            cluster.extend(contact.z..contact.z + contact.states);
        }
    }
    for [_, source] in coupled() {
        clusters.entry(joined.root(source)).or_default().extend(states_of(system, source));
    }
    clusters.into_values().collect()
}
