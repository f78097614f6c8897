//! The order in which terms are evaluated, and which operations become one instruction.

use crate::graph::{Graph, Node, Reach, Term};
use crate::instruction::{Code, Second};
use crate::operation::{Binary, Unary};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An instruction before its operands have places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub code: Code,
    pub out: Node,
    pub count: usize,
    pub operands: [Node; 4],
}

impl Operation {
    fn new<const N: usize>(code: Code, out: Node, of: [Node; N]) -> Self {
        let mut operands = [out; 4];
        operands[..N].copy_from_slice(&of);
        Operation { code, out, count: N, operands }
    }

    pub fn operands(&self) -> &[Node] {
        &self.operands[..self.count]
    }
}

/// The operations that give `roots`: first those that depend on parameters alone, then the others.
pub(crate) fn schedule(graph: &Graph, roots: &[Node]) -> [Vec<Operation>; 2] {
    let uses = uses(graph, roots);
    let mut done = vec![false; graph.len()];
    let mut order: [Vec<Operation>; 2] = [Vec::new(), Vec::new()];
    // A term waits on the stack until its operands are done: deep graphs need no deep recursion.
    let mut waiting: Vec<(Operation, bool)> = Vec::new();
    for root in roots {
        waiting.extend(operation(graph, *root, &uses).filter(|_| !done[root.index()]).map(|o| (o, false)));
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
            for operand in now.operands().iter().rev().filter(|operand| !done[operand.index()]) {
                waiting.extend(operation(graph, *operand, &uses).map(|o| (o, false)));
            }
        }
    }
    order.map(|stage| grouped(graph, &stage))
}

/// The same operations in an order in which equal ones follow each other: the interpreter decides once what to do for all of
/// them, and they do not wait for each other's results.
fn grouped(graph: &Graph, operations: &[Operation]) -> Vec<Operation> {
    let mut made: Vec<Option<usize>> = vec![None; graph.len()];
    operations.iter().enumerate().for_each(|(i, operation)| made[operation.out.index()] = Some(i));
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); operations.len()];
    let mut missing = vec![0; operations.len()];
    for (i, operation) in operations.iter().enumerate() {
        for from in operation.operands().iter().filter_map(|node| made[node.index()]) {
            readers[from].push(i);
            missing[i] += 1;
        }
    }
    let mut ready: BTreeMap<Code, Vec<usize>> = BTreeMap::new();
    for i in (0..operations.len()).filter(|i| missing[*i] == 0) {
        ready.entry(operations[i].code).or_default().push(i);
    }
    let mut order = Vec::with_capacity(operations.len());
    // Those of which most are ready; of equals those that were asked for first.
    let next = |ready: &BTreeMap<Code, Vec<usize>>| {
        let all = ready.iter().filter(|(_, waiting)| !waiting.is_empty());
        all.max_by_key(|(_, waiting)| (waiting.len(), Reverse(waiting[0]))).map(|(code, _)| *code)
    };
    while let Some(code) = next(&ready) {
        for i in ready.remove(&code).unwrap_or_default() {
            order.push(operations[i]);
            for reader in &readers[i] {
                missing[*reader] -= 1;
                if missing[*reader] == 0 {
                    ready.entry(operations[*reader].code).or_default().push(*reader);
                }
            }
        }
    }
    order
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
                Some(Operation::new(Code::Decay, node, [inner]))
            }
            _ => Some(Operation::new(Code::Exp, node, [a])),
        },
        Term::Unary(f, a) => Some(Operation::new(f.into(), node, [a])),
        Term::Binary(f, a, b) => {
            Some(pair(graph, node, f, [a, b], uses).unwrap_or(Operation::new(f.into(), node, [a, b])))
        }
        Term::Less(a, b) => Some(Operation::new(Code::Less, node, [a, b])),
        Term::Select(mask, yes, no) => match graph.term(mask) {
            Term::Less(a, b) => Some(Operation::new(Code::Select, node, [a, b, yes, no])),
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
            && let Some(code) = Code::pair(first, second)
        {
            return Some(Operation::new(code, node, [x, y, other]));
        }
    }
    None
}
