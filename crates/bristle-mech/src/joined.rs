//! Coordinates that resting contacts join: they move as one.

use crate::system::{Contact, Coordinate, Short, System};
use bristle_core::Mode;

/// Which coordinates move as one.
pub(crate) struct Joined {
    /// The coordinate that stands for the group of each.
    root: Short<usize>,
}

impl Joined {
    /// Joins the ends of those contacts that stick and are `chosen`.
    pub(crate) fn by(system: &System, mode: &[Mode], chosen: impl Fn(&Contact) -> bool) -> Self {
        let is_fixed = |c: &usize| matches!(system.coordinates[*c], Coordinate::Fixed { .. });
        let all = 0..system.coordinates.len();
        let ground = all.clone().find(is_fixed);
        let mut joined = Joined { root: all.map(|c| ground.filter(|_| is_fixed(&c)).unwrap_or(c)).collect() };
        for contact in system.contacts.iter().filter(|c| c.sticks(mode) && chosen(c)) {
            let [a, b] = contact.ends.map(|c| joined.find(c));
            joined.root[b] = a;
        }
        for c in 0..joined.root.len() {
            joined.root[c] = joined.find(c);
        }
        joined
    }

    /// The root of a group, with the way there halved for the next who asks.
    fn find(&mut self, mut c: usize) -> usize {
        while self.root[c] != c {
            self.root[c] = self.root[self.root[c]];
            c = self.root[c];
        }
        c
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
