//! Programs of large systems: the same operation on many numbers at a time.
//!
//! A chain of two hundred bodies repeats every term two hundred times. Terms of the same kind that do not wait for one another make
//! a group, whose results lie side by side: what to do is looked up once for all of them, and vectors of the processor take several
//! at a time. Every number is made by the same operations in the same order as elsewhere, so that results keep their bits.

use crate::graph::{Graph, Node, Reach, Term};
use crate::instruction::{chosen, less};
use crate::operation::{Binary, Unary};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

/// Fewer operations are carried out one by one.
const LEAST: usize = 256;

/// A group must have so many terms on average for the lookups to be worth their while.
const WORTH: usize = 6;

/// Groups of fewer terms of one kind share a group with others, whose operands are listed.
const SMALL: usize = 4;

/// Sums of so many terms in a row are one operation.
const LONG: usize = 6;

/// So many numbers of a group are worked on at a time.
const CHUNK: usize = 64;

/// Marks a term of a sum that is subtracted.
const MINUS: u32 = 1 << 31;

/// What a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Action {
    Unary(Unary),
    Binary(Binary),
    Less,
    Select,
    /// A sum of many terms, from left to right.
    Sum,
}

/// Where the operands of a group lie.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// One number for all.
    Same(u32),
    /// Side by side.
    Run(u32),
    /// As the list says from here on.
    List(u32),
}

/// Terms of one kind, side by side.
#[derive(Clone, Copy, Debug)]
struct LaneGroup {
    action: Action,
    out: u32,
    count: u32,
    of: [Access; 4],
}

/// A program in groups.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub constants: Vec<f64>,
    pub first_parameter: usize,
    pub first_variable: usize,
    pub places: usize,
    pub outputs: Vec<u32>,
    /// What a change of parameters takes, and what a run does.
    stages: [Vec<LaneGroup>; 2],
    lists: Vec<u32>,
}

impl Batch {
    /// The values of `roots` in groups; nothing where these would be few and small.
    pub fn new(graph: &Graph, roots: &[Node], variables: usize, parameters: usize) -> Option<Batch> {
        if graph.len() < LEAST {
            return None;
        }
        let sums = Sums::find(graph, roots);
        let operations = operations(graph, &sums)?;
        let groups = grouped(&operations);
        let count = |stage: usize| groups[stage].iter().map(Vec::len).sum::<usize>();
        if count(1) < LEAST || count(1) < WORTH * groups[1].len() {
            return None;
        }
        Some(LaneLayout::new(graph, variables, parameters).batch(&operations, &groups, &sums, roots))
    }

    /// Carries out a stage with the widest vectors of the processor.
    pub fn run(&self, stage: usize, numbers: &mut [f64]) {
        pulp::Arch::new().dispatch(BatchWork { groups: &self.stages[stage], lists: &self.lists, numbers });
    }
}

/// Long sums, whose parts are no numbers of their own.
struct Sums {
    /// Whether a term is a part of a longer sum.
    is_inside: Vec<bool>,
    /// The terms of each sum, first to last, and whether they are subtracted.
    terms: HashMap<usize, Vec<(Node, bool)>>,
}

impl Sums {
    fn find(graph: &Graph, roots: &[Node]) -> Sums {
        let mut uses = vec![0_u32; graph.len()];
        for i in 0..graph.len() {
            crate::graph::operands(graph.term_at(i)).for_each(|node| uses[node.index()] += 1);
        }
        roots.iter().for_each(|root| uses[root.index()] += 2);
        let mut length = vec![0_usize; graph.len()];
        let mut before: Vec<Option<Node>> = vec![None; graph.len()];
        for i in 0..graph.len() {
            let (a, b) = match graph.term_at(i) {
                Term::Binary(Binary::Add, a, b) => (a, Some(b)),
                Term::Binary(Binary::Sub, a, _) => (a, None),
                _ => continue,
            };
            let goes_on = |node: &Node| {
                length[node.index()] > 0 && uses[node.index()] == 1 && graph.reach(*node) == graph.reach_at(i)
            };
            let inner = [Some(a), b].into_iter().flatten().filter(goes_on).max_by_key(|n| length[n.index()]);
            before[i] = inner;
            length[i] = 1 + inner.map_or(0, |inner| length[inner.index()]);
        }
        let mut sums = Sums { is_inside: vec![false; graph.len()], terms: HashMap::new() };
        for i in (0..graph.len()).rev() {
            if length[i] < LONG || sums.is_inside[i] {
                continue;
            }
            let (mut terms, mut at) = (Vec::new(), Some(i));
            while let Some(here) = at {
                let inner = before[here];
                let (a, b, is_minus) = match graph.term_at(here) {
                    Term::Binary(Binary::Sub, a, b) => (a, b, true),
                    Term::Binary(_, a, b) => (a, b, false),
                    _ => break,
                };
                match inner {
                    Some(inner) => {
                        terms.push((if inner == a { b } else { a }, is_minus));
                        sums.is_inside[inner.index()] = true;
                    }
                    None => terms.extend([(b, is_minus), (a, false)]),
                }
                at = inner.map(Node::index);
            }
            terms.reverse();
            sums.terms.insert(i, terms);
        }
        sums
    }
}

/// A term that takes an operation.
struct LaneOperation {
    action: Action,
    out: Node,
    of: [Option<Node>; 4],
    level: u32,
    /// The same for terms that are made in the same way of inputs of the same kind.
    kind: u64,
    stage: usize,
}

/// All operations in an order in which they can be carried out; nothing if there is one that groups do not know.
fn operations(graph: &Graph, sums: &Sums) -> Option<Vec<LaneOperation>> {
    let hasher = BuildHasherDefault::<std::hash::DefaultHasher>::default();
    let (mut levels, mut kinds) = (vec![0_u32; graph.len()], vec![0_u64; graph.len()]);
    let mut all = Vec::new();
    for i in 0..graph.len() {
        let term = graph.term_at(i);
        let out = graph.node_at(i);
        let (action, of) = match term {
            Term::Constant(bits) => {
                kinds[i] = hasher.hash_one((0_u8, bits));
                continue;
            }
            Term::Truth(truth) => {
                kinds[i] = hasher.hash_one((1_u8, truth));
                continue;
            }
            Term::Variable(_) | Term::Parameter(_) => {
                kinds[i] = hasher.hash_one((2_u8, matches!(term, Term::Variable(_))));
                continue;
            }
            _ if sums.is_inside[i] => continue,
            _ if sums.terms.contains_key(&i) => (Action::Sum, [None; 4]),
            Term::Unary(f, a) => (Action::Unary(f), [Some(a), None, None, None]),
            Term::Binary(f, a, b) => (Action::Binary(f), [Some(a), Some(b), None, None]),
            Term::Less(a, b) => (Action::Less, [Some(a), Some(b), None, None]),
            Term::Select(mask, yes, no) => match graph.term(mask) {
                Term::Less(a, b) => (Action::Select, [Some(a), Some(b), Some(yes), Some(no)]),
                _ => return None,
            },
            Term::Frozen(_) | Term::Sloped(..) => return None,
        };
        let operands: Vec<Node> = match sums.terms.get(&i) {
            Some(terms) => terms.iter().map(|(node, _)| *node).collect(),
            None => of.iter().flatten().copied().collect(),
        };
        let level = 1 + operands.iter().map(|node| levels[node.index()]).max().unwrap_or(0);
        let made: Vec<u64> = operands.iter().map(|node| kinds[node.index()]).collect();
        levels[i] = level;
        kinds[i] = hasher.hash_one((3_u8, action, made));
        let stage = usize::from(graph.reach(out) == Reach::Variables);
        all.push(LaneOperation { action, out, of, level, kind: kinds[i], stage });
    }
    Some(all)
}

/// The operations of both stages in groups, by their numbers.
fn grouped(operations: &[LaneOperation]) -> [Vec<Vec<usize>>; 2] {
    let mut order: Vec<usize> = (0..operations.len()).collect();
    let key = |i: &usize| {
        let o = &operations[*i];
        (o.stage, o.level, rank(o.action), o.kind, o.out)
    };
    order.sort_by_key(key);
    let mut stages: [Vec<Vec<usize>>; 2] = [Vec::new(), Vec::new()];
    let mut mixed: Vec<usize> = Vec::new();
    for (stage, groups) in stages.iter_mut().enumerate() {
        let own: Vec<usize> = order.iter().copied().filter(|i| operations[*i].stage == stage).collect();
        for alike in own.chunk_by(|a, b| {
            let (a, b) = (&operations[*a], &operations[*b]);
            (a.level, a.action) == (b.level, b.action)
        }) {
            for same in alike.chunk_by(|a, b| operations[*a].kind == operations[*b].kind) {
                let is_alone = operations[same[0]].action == Action::Sum;
                match same {
                    _ if is_alone => groups.extend(same.iter().map(|i| vec![*i])),
                    _ if same.len() < SMALL => mixed.extend(same),
                    _ => groups.push(same.to_vec()),
                }
            }
            if !mixed.is_empty() {
                groups.push(std::mem::take(&mut mixed));
            }
        }
    }
    stages
}

/// A number for each action, to sort by.
fn rank(action: Action) -> u32 {
    match action {
        Action::Unary(f) => f as u32,
        Action::Binary(f) => 100 + f as u32,
        Action::Less => 200,
        Action::Select => 201,
        Action::Sum => 202,
    }
}

/// Numbers on their way to their places.
struct LaneLayout {
    place: Vec<u32>,
    constants: Vec<f64>,
    first_parameter: usize,
    first_variable: usize,
    next: u32,
    lists: Vec<u32>,
}

impl LaneLayout {
    /// Constants, parameters and variables in their places.
    fn new(graph: &Graph, variables: usize, parameters: usize) -> Self {
        let mut place = vec![0; graph.len()];
        let mut constants = Vec::new();
        for (i, place) in place.iter_mut().enumerate() {
            let value = match graph.term_at(i) {
                Term::Constant(bits) => f64::from_bits(bits),
                Term::Truth(truth) => f64::from(truth),
                _ => continue,
            };
            *place = constants.len() as u32;
            constants.push(value);
        }
        let first_parameter = constants.len();
        let first_variable = first_parameter + parameters;
        for (i, place) in place.iter_mut().enumerate() {
            match graph.term_at(i) {
                Term::Parameter(k) => *place = first_parameter as u32 + k,
                Term::Variable(k) => *place = first_variable as u32 + k,
                _ => {}
            }
        }
        let next = (first_variable + variables) as u32;
        LaneLayout { place, constants, first_parameter, first_variable, next, lists: Vec::new() }
    }

    fn batch(
        mut self,
        operations: &[LaneOperation],
        groups: &[Vec<Vec<usize>>; 2],
        sums: &Sums,
        roots: &[Node],
    ) -> Batch {
        let stages = [0, 1].map(|stage| {
            let all = groups[stage].iter();
            all.map(|group| self.group(operations, group, sums)).collect()
        });
        Batch {
            constants: self.constants,
            first_parameter: self.first_parameter,
            first_variable: self.first_variable,
            places: self.next as usize,
            outputs: roots.iter().map(|root| self.place[root.index()]).collect(),
            stages,
            lists: self.lists,
        }
    }

    /// Gives the results of a group their places and finds those of its operands.
    fn group(&mut self, operations: &[LaneOperation], group: &[usize], sums: &Sums) -> LaneGroup {
        let out = self.next;
        for (k, i) in group.iter().enumerate() {
            self.place[operations[*i].out.index()] = out + k as u32;
        }
        self.next += group.len() as u32;
        let first = &operations[group[0]];
        if first.action == Action::Sum {
            let start = self.lists.len() as u32;
            let terms = sums.terms.get(&first.out.index()).into_iter().flatten();
            let places =
                terms.map(|(node, is_minus)| self.place[node.index()] | if *is_minus { MINUS } else { 0 });
            self.lists.extend(places);
            let end = self.lists.len() as u32;
            let of = [Access::List(start), Access::List(end), Access::Same(0), Access::Same(0)];
            return LaneGroup { action: Action::Sum, out, count: 1, of };
        }
        let of = std::array::from_fn(|k| {
            let places: Vec<u32> =
                group.iter().filter_map(|i| operations[*i].of[k]).map(|n| self.place[n.index()]).collect();
            self.access(&places)
        });
        LaneGroup { action: first.action, out, count: group.len() as u32, of }
    }

    fn access(&mut self, places: &[u32]) -> Access {
        let Some(first) = places.first().copied() else { return Access::Same(0) };
        if places.len() > 1 && places.iter().all(|place| *place == first) {
            return Access::Same(first);
        }
        if places.windows(2).all(|pair| pair[1] == pair[0] + 1) {
            return Access::Run(first);
        }
        self.lists.extend(places);
        Access::List((self.lists.len() - places.len()) as u32)
    }
}

struct BatchWork<'a> {
    groups: &'a [LaneGroup],
    lists: &'a [u32],
    numbers: &'a mut [f64],
}

impl pulp::NullaryFnOnce for BatchWork<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for group in self.groups {
            // Operands lie before results.
            let (before, rest) = self.numbers.split_at_mut(group.out as usize);
            group.run(before, self.lists, &mut rest[..group.count as usize]);
        }
    }
}

/// Room for operands that do not lie side by side.
type Buffer = [f64; CHUNK];

impl LaneGroup {
    #[inline(always)]
    fn run(&self, before: &[f64], lists: &[u32], out: &mut [f64]) {
        macro_rules! unary {
            ($($f:ident)*) => {
                match self.action {
                    $(Action::Unary(Unary::$f) => self.each(before, lists, out, |[a, ..]| Unary::$f.of(a), 1),)*
                    Action::Binary(Binary::Add) => self.each(before, lists, out, |[a, b, ..]| a + b, 2),
                    Action::Binary(Binary::Sub) => self.each(before, lists, out, |[a, b, ..]| a - b, 2),
                    Action::Binary(Binary::Mul) => self.each(before, lists, out, |[a, b, ..]| a * b, 2),
                    Action::Binary(Binary::Div) => self.each(before, lists, out, |[a, b, ..]| a / b, 2),
                    Action::Binary(Binary::Max) => {
                        self.each(before, lists, out, |[a, b, ..]| Binary::Max.of(a, b), 2)
                    }
                    Action::Binary(Binary::Min) => {
                        self.each(before, lists, out, |[a, b, ..]| Binary::Min.of(a, b), 2)
                    }
                    Action::Less => self.each(before, lists, out, |[a, b, ..]| less(a, b), 2),
                    Action::Select => self.each(before, lists, out, |[a, b, c, d]| chosen(a, b, c, d), 4),
                    Action::Sum => self.sum(before, lists, out),
                }
            };
        }
        unary!(Neg Abs Sign Sqrt Exp Ln Sin Cos Tanh SechSquared Atan Asinh Floor);
    }

    #[inline(always)]
    fn each(
        &self,
        before: &[f64],
        lists: &[u32],
        out: &mut [f64],
        f: impl Fn([f64; 4]) -> f64,
        operands: usize,
    ) {
        let mut buffers = [[0.0; CHUNK]; 4];
        for (k, out) in out.chunks_mut(CHUNK).enumerate() {
            let (first, n) = (k * CHUNK, out.len());
            let [a, b, c, d] = &mut buffers;
            let a = self.of[0].slice(before, lists, first, n, a);
            let b = if operands > 1 { self.of[1].slice(before, lists, first, n, b) } else { a };
            let c = if operands > 2 { self.of[2].slice(before, lists, first, n, c) } else { a };
            let d = if operands > 3 { self.of[3].slice(before, lists, first, n, d) } else { a };
            for i in 0..n {
                out[i] = f([a[i], b[i], c[i], d[i]]);
            }
        }
    }

    #[inline(always)]
    fn sum(&self, before: &[f64], lists: &[u32], out: &mut [f64]) {
        let (Access::List(start), Access::List(end)) = (self.of[0], self.of[1]) else { return };
        let Some((first, rest)) = lists[start as usize..end as usize].split_first() else { return };
        let mut sum = before[*first as usize];
        for place in rest {
            let term = before[(place & !MINUS) as usize];
            sum = if place & MINUS == 0 { sum + term } else { sum - term };
        }
        out[0] = sum;
    }
}

impl Access {
    /// The operands `first..first + n` side by side.
    #[inline(always)]
    fn slice<'b>(
        self,
        before: &'b [f64],
        lists: &[u32],
        first: usize,
        n: usize,
        buffer: &'b mut Buffer,
    ) -> &'b [f64] {
        match self {
            Access::Run(start) => &before[start as usize + first..start as usize + first + n],
            Access::Same(place) => {
                buffer[..n].fill(before[place as usize]);
                &buffer[..n]
            }
            Access::List(start) => {
                let list = &lists[start as usize + first..start as usize + first + n];
                for (slot, place) in buffer.iter_mut().zip(list) {
                    *slot = before[*place as usize];
                }
                &buffer[..n]
            }
        }
    }
}
