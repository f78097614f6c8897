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
        for pair in pairs {
            let [a, b] = pair.map(|c| joined.find(c));
            joined.root[a.max(b)] = a.min(b);
        }
        for c in 0..count {
            joined.root[c] = joined.find(c);
        }
        joined
    }

    /// Joins the ends of those contacts that stick and are `chosen`, and all that is fixed.
    pub(crate) fn by(system: &System, mode: &[Mode], chosen: impl Fn(&ResolvedContact) -> bool) -> Self {
        let is_fixed = |c: &usize| matches!(system.coordinates[*c], Coordinate::Fixed { .. });
        let fixed = || (0..system.coordinates.len()).filter(is_fixed);
        let ground = fixed().zip(fixed().skip(1)).map(|(a, b)| [a, b]);
        let resting = system.contacts.iter().filter(|c| c.sticks(mode) && chosen(c)).map(|c| c.ends);
        Joined::pairs(system.coordinates.len(), ground.chain(resting))
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
