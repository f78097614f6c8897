//! Coordinates that resting contacts join: they move as one.

use crate::system::{Coordinate, ResolvedContact, Short, System};
use bristle_core::Mode;

/// Which coordinates move as one.
pub(crate) struct Joined {
    /// The coordinate that stands for the group of each.
    root: Short<usize>,
}

impl Joined {
    /// Joins so many coordinates in pairs.
    pub(crate) fn pairs(count: usize, pairs: impl Iterator<Item = [usize; 2]>) -> Self {
        let mut joined = Joined { root: (0..count).collect() };
        pairs.for_each(|pair| joined.join(pair));
        joined.flatten()
    }

    fn join(&mut self, pair: [usize; 2]) {
        let [a, b] = pair.map(|c| self.find(c));
        self.root[a.max(b)] = a.min(b);
    }

    /// Everybody knows the root of its group. A root lies before all others of its group.
    fn flatten(mut self) -> Self {
        for c in 0..self.root.len() {
            self.root[c] = self.root[self.root[c]];
        }
        self
    }

    /// Joins the ends of those contacts that stick and are `chosen`, and all that is fixed.
    pub(crate) fn by(system: &System, mode: &[Mode], chosen: impl Fn(&ResolvedContact) -> bool) -> Self {
        let mut joined = Joined { root: (0..system.coordinates.len()).collect() };
        let mut fixed = None;
        for (c, coordinate) in system.coordinates.iter().enumerate() {
            if matches!(coordinate, Coordinate::Fixed { .. }) {
                joined.root[c] = *fixed.get_or_insert(c);
            }
        }
        for contact in system.contacts.iter().filter(|c| c.sticks(mode) && chosen(c)) {
            joined.join(contact.ends);
        }
        joined.flatten()
    }

    /// The root of a group, with the way there halved for the next who asks.
    fn find(&mut self, mut c: usize) -> usize {
        while self.root[c] != c {
            self.root[c] = self.root[self.root[c]];
            c = self.root[c];
        }
        c
    }

    /// The first of the coordinates that move with this one.
    pub(crate) fn root(&self, c: usize) -> usize {
        self.root[c]
    }

    /// Whether two coordinates move as one.
    pub(crate) fn are_one(&self, [a, b]: [usize; 2]) -> bool {
        self.root[a] == self.root[b]
    }

    /// What is known of some coordinates, for all that move with them.
    pub(crate) fn spread<T: Copy>(&self, known: impl Fn(usize) -> Option<T>) -> Short<Option<T>> {
        let mut of_group: Short<Option<T>> = Short::from_elem(None, self.root.len());
        for (c, &root) in self.root.iter().enumerate() {
            of_group[root] = of_group[root].or_else(|| known(c));
        }
        self.root.iter().map(|&root| of_group[root]).collect()
    }
}
