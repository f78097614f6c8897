//! Which operations need not be carried out: those that only one side of a choice asks for.

use crate::graph::{Graph, Node};
use crate::instruction::Deed;
use crate::schedule::Operation;
use std::collections::BTreeSet;

/// A program before numbers have places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Do(Operation),
    /// Leaves out so many items if `a < b` is as said.
    Skip {
        a: Node,
        b: Node,
        if_less: bool,
        count: usize,
    },
}

impl Item {
    /// What it reads.
    pub fn operands(&self) -> [Option<Node>; 4] {
        match self {
            Item::Do(operation) => std::array::from_fn(|i| operation.operands().get(i).copied()),
            Item::Skip { a, b, .. } => [Some(*a), Some(*b), None, None],
        }
    }
}

/// A side of a choice that takes fewer cycles than this is evaluated whether it is needed or not.
const WORTH: u32 = 24;

/// One side of a choice, within others or at the top.
struct Side {
    within: usize,
    depth: usize,
    less: [Node; 2],
    truth: bool,
}

/// Operations in an order that keeps together what one side of a choice needs, with skips around it.
pub(crate) fn branched(graph: &Graph, roots: &[Node], operations: &[Operation]) -> Vec<Item> {
    if !operations.iter().any(|o| o.deed == Deed::Select) {
        return operations.iter().map(|o| Item::Do(*o)).collect();
    }
    let mut made: Vec<Option<usize>> = vec![None; graph.len()];
    operations.iter().enumerate().for_each(|(i, o)| made[o.out.index()] = Some(i));
    let (sides, side) = sides(&made, roots, operations);
    let mut emission = Emission::new(operations, &made, &sides, side);
    emission.emit(0);
    emission.items
}

/// All sides, the first of which is no side but the top, and which one each operation belongs to.
fn sides(made: &[Option<usize>], roots: &[Node], operations: &[Operation]) -> (Vec<Side>, Vec<usize>) {
    let mut sides = vec![Side { within: 0, depth: 0, less: [Node::default(); 2], truth: true }];
    let mut side: Vec<Option<usize>> = vec![None; operations.len()];
    for root in roots.iter().filter_map(|root| made[root.index()]) {
        side[root] = Some(0);
    }
    for (i, operation) in operations.iter().enumerate().rev() {
        let own = side[i].unwrap_or(0);
        for (k, operand) in operation.operands().iter().enumerate() {
            let Some(from) = made[operand.index()] else { continue };
            let asks = if operation.deed == Deed::Select && k > 1 {
                let less = [operation.operands()[0], operation.operands()[1]];
                inside(&mut sides, own, less, k == 2)
            } else {
                own
            };
            side[from] = Some(side[from].map_or(asks, |before| common(&sides, before, asks)));
        }
    }
    let mut side: Vec<usize> = side.into_iter().map(|side| side.unwrap_or(0)).collect();
    dissolve(&sides, &mut side, operations);
    (sides, side)
}

/// The side of a choice within another one.
fn inside(sides: &mut Vec<Side>, within: usize, less: [Node; 2], truth: bool) -> usize {
    let mut outer = within;
    while outer != 0 {
        if sides[outer].less == less {
            return within;
        }
        outer = sides[outer].within;
    }
    let is_same = |s: &Side| s.depth > 0 && s.within == within && s.less == less && s.truth == truth;
    sides.iter().position(is_same).unwrap_or_else(|| {
        sides.push(Side { within, depth: sides[within].depth + 1, less, truth });
        sides.len() - 1
    })
}

/// The innermost side that two have in common.
fn common(sides: &[Side], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if sides[a].depth >= sides[b].depth {
            a = sides[a].within;
        } else {
            b = sides[b].within;
        }
    }
    a
}

/// Moves operations out of sides that are not worth a skip.
fn dissolve(sides: &[Side], side: &mut [usize], operations: &[Operation]) {
    let mut cost = vec![0; sides.len()];
    side.iter().zip(operations).for_each(|(side, operation)| cost[*side] += operation.cost());
    let mut to: Vec<usize> = (0..sides.len()).collect();
    // A side lies within one made before it.
    for i in (1..sides.len()).rev() {
        let within = sides[i].within;
        cost[within] += cost[i];
        if cost[i] < WORTH {
            to[i] = within;
        }
    }
    for i in 1..sides.len() {
        to[i] = to[to[i]];
    }
    side.iter_mut().for_each(|side| *side = to[*side]);
}

/// Operations on their way into a program.
struct Emission<'a> {
    operations: &'a [Operation],
    sides: &'a [Side],
    side: Vec<usize>,
    readers: Vec<Vec<usize>>,
    missing: Vec<usize>,
    /// Operations of each side all of whose operands are known.
    ready: Vec<BTreeSet<usize>>,
    items: Vec<Item>,
}

impl<'a> Emission<'a> {
    fn new(operations: &'a [Operation], made: &[Option<usize>], sides: &'a [Side], side: Vec<usize>) -> Self {
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); operations.len()];
        let mut missing = vec![0; operations.len()];
        for (i, operation) in operations.iter().enumerate() {
            let mut needs = |node: &Node| {
                if let Some(from) = made[node.index()] {
                    readers[from].push(i);
                    missing[i] += 1;
                }
            };
            operation.operands().iter().for_each(&mut needs);
            // A skip compares before anything of its side is done.
            let mut around = side[i];
            while around != 0 {
                sides[around].less.iter().for_each(&mut needs);
                around = sides[around].within;
            }
        }
        let mut ready = vec![BTreeSet::new(); sides.len()];
        for i in (0..operations.len()).filter(|i| missing[*i] == 0) {
            ready[side[i]].insert(i);
        }
        Emission { operations, sides, side, readers, missing, ready, items: Vec::new() }
    }

    /// Whether anything of a side, or of one within it, is ready.
    fn is_ready(&self, side: usize) -> bool {
        let is_within = |i: &usize| {
            let mut at = *i;
            while self.sides[at].depth > self.sides[side].depth {
                at = self.sides[at].within;
            }
            at == side
        };
        (side..self.sides.len()).any(|i| !self.ready[i].is_empty() && is_within(&i))
    }

    /// All that is ready within a side, and what becomes ready by that.
    fn emit(&mut self, side: usize) {
        loop {
            while let Some(i) = self.ready[side].pop_first() {
                self.items.push(Item::Do(self.operations[i]));
                for reader in std::mem::take(&mut self.readers[i]) {
                    self.missing[reader] -= 1;
                    if self.missing[reader] == 0 {
                        self.ready[self.side[reader]].insert(reader);
                    }
                }
            }
            let mut inner = side + 1..self.sides.len();
            let Some(next) = inner.find(|i| self.sides[*i].within == side && self.is_ready(*i)) else {
                return;
            };
            self.choose(side, self.sides[next].less);
        }
    }

    /// Both sides of a choice, as far as they are ready, with a skip before each.
    fn choose(&mut self, within: usize, less: [Node; 2]) {
        let [yes, no] = [true, false].map(|truth| {
            let is_it = |s: &Side| s.depth > 0 && s.within == within && s.less == less && s.truth == truth;
            self.sides.iter().position(is_it).filter(|side| self.is_ready(*side))
        });
        let [a, b] = less;
        let mut first = None;
        if let Some(yes) = yes {
            first = Some(self.items.len());
            self.items.push(Item::Skip { a, b, if_less: false, count: 0 });
            self.emit(yes);
        }
        let middle = self.items.len();
        if let Some(no) = no {
            self.items.push(Item::Skip { a, b, if_less: true, count: 0 });
            self.emit(no);
            self.set_length(middle, self.items.len());
        }
        if let Some(first) = first {
            // Whoever leaves out one side need not be asked about the other.
            self.set_length(first, if no.is_some() { middle + 1 } else { middle });
        }
    }

    fn set_length(&mut self, skip: usize, to: usize) {
        if let Item::Skip { count, .. } = &mut self.items[skip] {
            *count = to - skip - 1;
        }
    }
}
