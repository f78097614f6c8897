//! The order in which terms are evaluated, and which operations become one instruction.

use crate::graph::{Graph, Node, Reach, Term, operands};
use crate::instruction::{Code, Deed, Latest, Second};
use crate::operation::{Binary, Unary};
use std::cmp::Reverse;

/// An instruction before its operands have places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub deed: Deed,
    pub out: Node,
    count: usize,
    operands: [Node; 4],
}

impl Operation {
    fn new<const N: usize>(deed: Deed, out: Node, of: [Node; N]) -> Self {
        let mut operands = [out; 4];
        operands[..N].copy_from_slice(&of);
        Operation { deed, out, count: N, operands }
    }

    pub fn operands(&self) -> &[Node] {
        &self.operands[..self.count]
    }

    /// About how many cycles it takes.
    pub fn cost(&self) -> u32 {
        match self.deed {
            Deed::Unary(f) => 4 + latency(Term::Unary(f, self.out)),
            Deed::Decay => 44,
            _ => 6,
        }
    }
}

/// The operations that give `roots`, first those that depend on parameters alone, then the others: each behind what it needs,
/// directly behind the operand that is known last, which is then still at hand.
pub(crate) fn chains(graph: &Graph, roots: &[Node]) -> [Vec<Operation>; 2] {
    let uses = uses(graph, roots);
    let depth = depths(graph);
    let mut roots = roots.to_vec();
    roots.sort_by_key(|root| Reverse(depth[root.index()]));
    let mut done = vec![false; graph.len()];
    let mut order: [Vec<Operation>; 2] = [Vec::new(), Vec::new()];
    // A term waits on the stack until its operands are done: deep graphs need no deep recursion.
    let mut waiting: Vec<(Operation, bool)> = Vec::new();
    for root in roots {
        waiting.extend(operation(graph, root, &uses).map(|o| (o, false)));
        while let Some((now, is_ready)) = waiting.pop() {
            if done[now.out.index()] {
                continue;
            }
            if is_ready {
                done[now.out.index()] = true;
                order[usize::from(graph.reach(now.out) == Reach::Variables)].push(now);
                continue;
            }
            waiting.push((now, true));
            let mut missing = now;
            let missing = &mut missing.operands[..now.count];
            missing.sort_unstable_by_key(|operand| Reverse(depth[operand.index()]));
            for operand in missing.iter().filter(|operand| !done[operand.index()]) {
                waiting.extend(operation(graph, *operand, &uses).map(|o| (o, false)));
            }
        }
    }
    order
}

/// How many cycles pass until each term is known.
fn depths(graph: &Graph) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let term = graph.term_at(i);
        let before = operands(term).map(|node| depths[node.index()]).max().unwrap_or(0);
        depths.push(before + latency(term));
    }
    depths
}

/// About how many cycles the result of an operation is waited for.
fn latency(term: Term) -> u32 {
    match term {
        Term::Unary(Unary::Neg | Unary::Abs | Unary::Sign, _) => 2,
        Term::Unary(Unary::Sqrt, _) => 20,
        Term::Unary(..) => 40,
        Term::Binary(Binary::Div, ..) => 13,
        Term::Binary(..) | Term::Select(..) | Term::Less(..) => 4,
        _ => 0,
    }
}

/// How often each term is read.
fn uses(graph: &Graph, roots: &[Node]) -> Vec<u32> {
    let mut uses = vec![0; graph.len()];
    let is_reached = graph.reachable(roots);
    roots.iter().for_each(|root| uses[root.index()] += 1);
    for i in (0..is_reached.len()).filter(|i| is_reached[*i]) {
        let mut add = |node: Node| uses[node.index()] += 1;
        match graph.term_at(i) {
            Term::Unary(_, a) => add(a),
            Term::Binary(_, a, b) => [a, b].into_iter().for_each(add),
            // A comparison is part of each choice that asks for it, or a result of its own.
            Term::Select(mask, yes, no) => {
                if let Term::Less(a, b) = graph.term(mask) {
                    [a, b].into_iter().for_each(&mut add);
                }
                [yes, no].into_iter().for_each(add);
            }
            Term::Less(a, b) if roots.iter().any(|root| root.index() == i) => {
                [a, b].into_iter().for_each(add)
            }
            _ => {}
        }
    }
    uses
}

/// The instruction that makes a term; nothing for a constant or an input.
fn operation(graph: &Graph, node: Node, uses: &[u32]) -> Option<Operation> {
    match graph.term(node) {
        Term::Unary(Unary::Exp, a) => match graph.term(a) {
            Term::Unary(Unary::Neg, inner) if is_absorbed(graph, a, node, uses) => {
                Some(Operation::new(Deed::Decay, node, [inner]))
            }
            _ => Some(Operation::new(Deed::Unary(Unary::Exp), node, [a])),
        },
        Term::Unary(f, a) => Some(Operation::new(Deed::Unary(f), node, [a])),
        Term::Binary(f, a, b) => {
            let single = Operation::new(Deed::Binary(f), node, [a, b]);
            Some(pair(graph, node, f, [a, b], uses).unwrap_or(single))
        }
        Term::Less(a, b) => Some(Operation::new(Deed::Less, node, [a, b])),
        Term::Select(mask, yes, no) => match graph.term(mask) {
            Term::Less(a, b) => Some(Operation::new(Deed::Select, node, [a, b, yes, no])),
            _ => None,
        },
        _ => None,
    }
}

/// Whether nobody but `by` reads a term, at the same times.
fn is_absorbed(graph: &Graph, node: Node, by: Node, uses: &[u32]) -> bool {
    uses[node.index()] == 1 && graph.reach(node) == graph.reach(by)
}

/// Two operations in one, if an operand is an arithmetic one that nobody else needs.
fn pair(graph: &Graph, node: Node, f: Binary, [a, b]: [Node; 2], uses: &[u32]) -> Option<Operation> {
    let (left, right) = match f {
        Binary::Add => (Second::Plus, Second::Plus),
        Binary::Sub => (Second::Minus, Second::From),
        Binary::Mul => (Second::Times, Second::Times),
        Binary::Div => (Second::Over, Second::Under),
        _ => return None,
    };
    for (inner, second, other) in [(a, left, b), (b, right, a)] {
        if let Term::Binary(first, x, y) = graph.term(inner)
            && is_absorbed(graph, inner, node, uses)
            && Code::of(Deed::Pair(first, second), Latest::None).is_some()
        {
            return Some(Operation::new(Deed::Pair(first, second), node, [x, y, other]));
        }
    }
    None
}
