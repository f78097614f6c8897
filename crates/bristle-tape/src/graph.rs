//! Equations as a graph in which no term exists twice.

use crate::operation::{Binary, Unary};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A term of a [`Graph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a term is made of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A number, by its bits: zeros with different signs are different.
    Constant(u64),
    /// A number that changes with every evaluation: time, a state, a direction.
    Variable(u32),
    /// A number that seldom changes.
    Parameter(u32),
    /// A truth value that is always the same.
    Truth(bool),
    /// A function of one term.
    Unary(Unary, Node),
    /// A function of two terms.
    Binary(Binary, Node, Node),
    /// Whether the first is below the second.
    Less(Node, Node),
    /// The second where the first holds, else the third.
    Select(Node, Node, Node),
    /// The same value without derivatives.
    Frozen(Node),
    /// The value of the first with the derivatives of the second.
    Sloped(Node, Node),
}

/// What the value of a term depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// On nothing.
    Constant,
    /// On parameters.
    Parameters,
    /// On variables as well.
    Variables,
}

/// What is known of a term without evaluating it.
#[derive(Clone, Copy, Debug)]
struct Known {
    reach: Reach,
    /// It is never −0, so that adding zero leaves it as it is.
    is_never_negative_zero: bool,
}

/// Terms in the order in which they can be evaluated, each of them once.
///
/// Terms are folded where they are made, but only where every number, infinite ones, those that are not numbers and both
/// zeros included, gives the same bits as before: `1 x` is `x`, while `0 x` and `x − x` stay.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    terms: Vec<Term>,
    known: Vec<Known>,
    nodes: HashMap<Term, Node, BuildHasherDefault<Mixer>>,
}

impl Graph {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether nothing has been recorded.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How a term is made.
    #[inline]
    pub fn term(&self, node: Node) -> Term {
        self.terms[node.index()]
    }

    /// How term number `index` is made.
    #[inline]
    pub(crate) fn term_at(&self, index: usize) -> Term {
        self.terms[index]
    }

    /// What a term depends on.
    #[inline]
    pub fn reach(&self, node: Node) -> Reach {
        self.known[node.index()].reach
    }

    /// Term number `index`.
    pub(crate) fn node_at(&self, index: usize) -> Node {
        Node(index as u32)
    }

    /// What term number `index` depends on.
    pub(crate) fn reach_at(&self, index: usize) -> Reach {
        self.known[index].reach
    }

    /// The number a term always is, if it is always the same.
    pub fn constant_value(&self, node: Node) -> Option<f64> {
        match self.term(node) {
            Term::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// What a condition always is, if it is always the same.
    pub fn truth_value(&self, node: Node) -> Option<bool> {
        match self.term(node) {
            Term::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> Node {
        self.push(Term::Constant(value.to_bits()))
    }

    /// Variable `index`.
    pub fn variable(&mut self, index: usize) -> Node {
        self.push(Term::Variable(index as u32))
    }

    /// Parameter `index`.
    pub fn parameter(&mut self, index: usize) -> Node {
        self.push(Term::Parameter(index as u32))
    }

    /// A function of one term.
    pub fn unary(&mut self, f: Unary, a: Node) -> Node {
        if let Some(value) = self.constant_value(a) {
            return self.constant(f.of(value));
        }
        match (f, self.term(a)) {
            (Unary::Neg, Term::Unary(Unary::Neg, inner)) => inner,
            (Unary::Abs, Term::Unary(Unary::Abs | Unary::Exp | Unary::SechSquared, _)) => a,
            (Unary::Sign, Term::Unary(Unary::Sign, _)) => a,
            // |−a| differs from |a| in the sign of zero, e^a never is one.
            _ => self.push(Term::Unary(f, a)),
        }
    }

    /// `−a`.
    pub fn neg(&mut self, a: Node) -> Node {
        self.unary(Unary::Neg, a)
    }

    /// A function of two terms.
    pub fn binary(&mut self, f: Binary, a: Node, b: Node) -> Node {
        if let (Some(a), Some(b)) = (self.constant_value(a), self.constant_value(b)) {
            return self.constant(f.of(a, b));
        }
        match f {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Div => self.div(a, b),
            Binary::Max | Binary::Min if a == b => a,
            Binary::Max | Binary::Min => self.push(Term::Binary(f, a, b)),
        }
    }

    fn add(&mut self, a: Node, b: Node) -> Node {
        match (self.negated(a), self.negated(b)) {
            (_, Some(b)) => return self.binary(Binary::Sub, a, b),
            (Some(a), None) => return self.binary(Binary::Sub, b, a),
            _ => {}
        }
        for (zero, other) in [(a, b), (b, a)] {
            match self.constant_value(zero) {
                Some(0.0) if self.is_minus_zero(zero) => return other,
                Some(0.0) if self.known[other.index()].is_never_negative_zero => return other,
                _ => {}
            }
        }
        self.push(Term::Binary(Binary::Add, a.min(b), a.max(b)))
    }

    fn sub(&mut self, a: Node, b: Node) -> Node {
        if let Some(b) = self.negated(b) {
            return self.binary(Binary::Add, a, b);
        }
        match self.constant_value(b) {
            Some(0.0) if !self.is_minus_zero(b) => a,
            _ if self.is_minus_zero(a) => self.neg(b),
            _ => self.push(Term::Binary(Binary::Sub, a, b)),
        }
    }

    fn mul(&mut self, a: Node, b: Node) -> Node {
        if let Some((a, b, is_negative)) = self.without_signs(a, b) {
            let product = self.binary(Binary::Mul, a, b);
            return if is_negative { self.neg(product) } else { product };
        }
        for (factor, other) in [(a, b), (b, a)] {
            match self.constant_value(factor) {
                Some(1.0) => return other,
                Some(-1.0) => return self.neg(other),
                _ => {}
            }
        }
        self.push(Term::Binary(Binary::Mul, a.min(b), a.max(b)))
    }

    fn div(&mut self, a: Node, b: Node) -> Node {
        if let Some((a, b, is_negative)) = self.without_signs(a, b) {
            let quotient = self.binary(Binary::Div, a, b);
            return if is_negative { self.neg(quotient) } else { quotient };
        }
        // The inverse of a power of two is exact.
        let inverse = self.constant_value(b).map(|b| 1.0 / b).filter(|inverse| {
            let has_no_digits = inverse.to_bits() & 0x000f_ffff_ffff_ffff == 0;
            has_no_digits && inverse.is_normal()
        });
        match inverse {
            Some(inverse) => {
                let inverse = self.constant(inverse);
                self.binary(Binary::Mul, a, inverse)
            }
            None => self.push(Term::Binary(Binary::Div, a, b)),
        }
    }

    /// Both terms without a change of sign, and whether the signs make one; nothing if neither has one.
    fn without_signs(&self, a: Node, b: Node) -> Option<(Node, Node, bool)> {
        match (self.negated(a), self.negated(b)) {
            (None, None) => None,
            (Some(a), None) => Some((a, b, true)),
            (None, Some(b)) => Some((a, b, true)),
            (Some(a), Some(b)) => Some((a, b, false)),
        }
    }

    fn negated(&self, a: Node) -> Option<Node> {
        match self.term(a) {
            Term::Unary(Unary::Neg, inner) => Some(inner),
            _ => None,
        }
    }

    fn is_minus_zero(&self, a: Node) -> bool {
        self.term(a) == Term::Constant((-0.0_f64).to_bits())
    }

    /// Whether `a < b`.
    pub fn less(&mut self, a: Node, b: Node) -> Node {
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(a), Some(b)) => self.truth(a < b),
            _ if a == b => self.truth(false),
            _ => self.push(Term::Less(a, b)),
        }
    }

    /// A truth value that is always the same.
    pub fn truth(&mut self, value: bool) -> Node {
        self.push(Term::Truth(value))
    }

    /// `yes` where the mask holds, else `no`.
    pub fn select(&mut self, mask: Node, yes: Node, no: Node) -> Node {
        match self.term(mask) {
            Term::Truth(true) => yes,
            Term::Truth(false) => no,
            _ if yes == no => yes,
            _ => self.push(Term::Select(mask, yes, no)),
        }
    }

    /// The same value without derivatives.
    pub fn frozen(&mut self, a: Node) -> Node {
        match self.term(a) {
            Term::Constant(_) | Term::Frozen(_) => a,
            Term::Sloped(value, _) => self.frozen(value),
            _ => self.push(Term::Frozen(a)),
        }
    }

    /// The value of the first with the derivatives of the second.
    pub fn sloped(&mut self, value: Node, smooth: Node) -> Node {
        if value == smooth { value } else { self.push(Term::Sloped(value, smooth)) }
    }

    fn push(&mut self, term: Term) -> Node {
        if let Some(node) = self.nodes.get(&term) {
            return *node;
        }
        let node = Node(self.terms.len() as u32);
        let known = self.known_of(term);
        self.terms.push(term);
        self.known.push(known);
        self.nodes.insert(term, node);
        node
    }

    fn known_of(&self, term: Term) -> Known {
        let reach = match term {
            Term::Constant(_) | Term::Truth(_) => Reach::Constant,
            Term::Parameter(_) => Reach::Parameters,
            Term::Variable(_) => Reach::Variables,
            _ => operands(term).map(|node| self.reach(node)).max().unwrap_or(Reach::Constant),
        };
        let of = |node: Node| self.known[node.index()].is_never_negative_zero;
        let is_never_negative_zero = match term {
            Term::Constant(bits) => bits != (-0.0_f64).to_bits(),
            Term::Unary(f, a) => match f {
                Unary::Sign | Unary::Exp | Unary::SechSquared | Unary::Ln | Unary::Cos => true,
                Unary::Abs | Unary::Sqrt | Unary::Atan => of(a),
                _ => false,
            },
            // Both zeros must be negative for a sum to be; what cancels gives +0.
            Term::Binary(Binary::Add, a, b) => of(a) || of(b),
            Term::Binary(Binary::Sub, a, _) => of(a),
            Term::Binary(Binary::Mul, a, b) => a == b,
            Term::Binary(Binary::Max | Binary::Min, a, b) => of(a) && of(b),
            Term::Select(_, yes, no) => of(yes) && of(no),
            Term::Frozen(a) | Term::Sloped(a, _) => of(a),
            _ => false,
        };
        Known { reach, is_never_negative_zero }
    }

    /// The value of a term whose operands have the given values; truth is one.
    pub(crate) fn evaluated(&self, term: Term, variables: &[f64], parameters: &[f64], of: &[f64]) -> f64 {
        let of = |node: Node| of[node.index()];
        match term {
            Term::Constant(bits) => f64::from_bits(bits),
            Term::Variable(i) => variables[i as usize],
            Term::Parameter(i) => parameters[i as usize],
            Term::Truth(truth) => f64::from(truth),
            Term::Unary(f, a) => f.of(of(a)),
            Term::Binary(f, a, b) => f.of(of(a), of(b)),
            Term::Less(a, b) => f64::from(of(a) < of(b)),
            Term::Select(mask, yes, no) => {
                if of(mask) != 0.0 {
                    of(yes)
                } else {
                    of(no)
                }
            }
            Term::Frozen(a) | Term::Sloped(a, _) => of(a),
        }
    }

    /// Marks the terms that the values of these depend on.
    pub(crate) fn reachable(&self, roots: &[Node]) -> Vec<bool> {
        let last = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        let mut is_reached = vec![false; last];
        roots.iter().for_each(|root| is_reached[root.index()] = true);
        for i in (0..last).rev().filter(|i| *i < last) {
            if is_reached[i] {
                for node in value_operands(self.terms[i]) {
                    is_reached[node.index()] = true;
                }
            }
        }
        is_reached
    }

    /// The same terms alone in a new graph, where what only matters to derivatives is gone.
    pub(crate) fn values_of(&self, roots: &[Node]) -> (Graph, Vec<Node>) {
        let is_reached = self.reachable(roots);
        let mut graph = Graph::default();
        let mut moved = vec![Node(0); is_reached.len()];
        for i in (0..is_reached.len()).filter(|i| is_reached[*i]) {
            let to = |node: Node| moved[node.index()];
            moved[i] = match self.terms[i] {
                Term::Unary(f, a) => graph.unary(f, to(a)),
                Term::Binary(f, a, b) => graph.binary(f, to(a), to(b)),
                Term::Less(a, b) => graph.less(to(a), to(b)),
                Term::Select(mask, yes, no) => graph.select(to(mask), to(yes), to(no)),
                Term::Frozen(a) | Term::Sloped(a, _) => to(a),
                leaf => graph.push(leaf),
            };
        }
        let roots = roots.iter().map(|root| moved[root.index()]).collect();
        (graph, roots)
    }

    /// How many operations the values of these terms take together.
    pub fn operations(&self, roots: &[Node]) -> usize {
        let (graph, roots) = self.values_of(roots);
        let is_reached = graph.reachable(&roots);
        let is_operation = |i: &usize| {
            is_reached[*i] && matches!(graph.terms[*i], Term::Unary(..) | Term::Binary(..) | Term::Select(..))
        };
        (0..is_reached.len()).filter(is_operation).count()
    }

    /// The term as a short formula, for messages: `x[0] * p[3]`, with dots where it goes deeper.
    pub fn formula(&self, node: Node) -> String {
        self.formula_to(node, 2)
    }

    fn formula_to(&self, node: Node, depth: usize) -> String {
        let of = |node: Node| if depth == 0 { "…".to_owned() } else { self.formula_to(node, depth - 1) };
        match self.term(node) {
            Term::Constant(bits) => format!("{:?}", f64::from_bits(bits)),
            Term::Variable(i) => format!("x[{i}]"),
            Term::Parameter(i) => format!("p[{i}]"),
            Term::Truth(truth) => truth.to_string(),
            Term::Unary(Unary::Neg, a) => format!("-{}", of(a)),
            Term::Unary(f, a) => format!("{}({})", format!("{f:?}").to_lowercase(), of(a)),
            Term::Binary(f, a, b) => {
                let (a, b) = (of(a), of(b));
                match f {
                    Binary::Add => format!("({a} + {b})"),
                    Binary::Sub => format!("({a} - {b})"),
                    Binary::Mul => format!("{a} * {b}"),
                    Binary::Div => format!("{a} / {b}"),
                    Binary::Max => format!("max({a}, {b})"),
                    Binary::Min => format!("min({a}, {b})"),
                }
            }
            Term::Less(a, b) => format!("{} < {}", of(a), of(b)),
            Term::Select(mask, yes, no) => format!("({} ? {} : {})", of(mask), of(yes), of(no)),
            Term::Frozen(a) | Term::Sloped(a, _) => of(a),
        }
    }
}

/// The terms a term is made of.
pub(crate) fn operands(term: Term) -> impl Iterator<Item = Node> {
    let all = match term {
        Term::Unary(_, a) | Term::Frozen(a) => [Some(a), None, None],
        Term::Binary(_, a, b) | Term::Less(a, b) | Term::Sloped(a, b) => [Some(a), Some(b), None],
        Term::Select(mask, yes, no) => [Some(mask), Some(yes), Some(no)],
        _ => [None; 3],
    };
    all.into_iter().flatten()
}

/// The terms the value of a term depends on.
fn value_operands(term: Term) -> impl Iterator<Item = Node> {
    let count = if matches!(term, Term::Sloped(..)) { 1 } else { 3 };
    operands(term).take(count)
}

/// A quick hash for small keys that nobody chooses to collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, x: u8) {
        self.write_u64(u64::from(x));
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(5) ^ x).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
}

#[cfg(test)]
mod graph_tests {
    use super::*;

    const ODD: [f64; 9] =
        [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX];

    /// The value of a term that may have been folded to one of its operands.
    fn value(graph: &Graph, node: Node, x: &[f64]) -> f64 {
        let mut values = Vec::new();
        for i in 0..graph.len() {
            values.push(graph.evaluated(graph.terms[i], x, &[], &values));
        }
        values[node.index()]
    }

    fn is_same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    /// Every operation with every constant on either side, folded or not, gives the bits it gives in plain numbers.
    #[test]
    fn folding_keeps_every_bit_of_zeros_infinities_and_what_is_not_a_number() {
        use Binary::{Add, Div, Max, Min, Mul, Sub};
        for f in [Add, Sub, Mul, Div, Max, Min] {
            for c in ODD.into_iter().chain([-1.0, 2.0, 0.25, 3.0]) {
                let mut graph = Graph::default();
                let (x, c_node) = (graph.variable(0), graph.constant(c));
                let negative = graph.neg(x);
                let square = graph.binary(Mul, x, x);
                let all = [
                    graph.binary(f, x, c_node),
                    graph.binary(f, c_node, x),
                    graph.binary(f, negative, c_node),
                    graph.binary(f, c_node, negative),
                    graph.binary(f, square, c_node),
                    graph.binary(f, negative, x),
                    graph.binary(f, x, negative),
                    graph.binary(f, negative, negative),
                    graph.binary(f, x, x),
                ];
                for v in ODD {
                    let s = v * v;
                    let plain = [
                        f.of(v, c),
                        f.of(c, v),
                        f.of(-v, c),
                        f.of(c, -v),
                        f.of(s, c),
                        f.of(-v, v),
                        f.of(v, -v),
                        f.of(-v, -v),
                        f.of(v, v),
                    ];
                    for (node, plain) in all.into_iter().zip(plain) {
                        let found = value(&graph, node, &[v]);
                        assert!(is_same(found, plain), "{} at {v}: {found} not {plain}", graph.formula(node));
                    }
                }
            }
        }
    }

    #[test]
    fn equal_terms_are_one_and_useless_ones_go() {
        let mut graph = Graph::default();
        let (x, y) = (graph.variable(0), graph.variable(1));
        let (a, b) = (graph.binary(Binary::Mul, x, y), graph.binary(Binary::Mul, y, x));
        assert_eq!(a, b);
        graph.unary(Unary::Exp, a);
        assert_eq!(graph.operations(&[a]), 1);
        let frozen = graph.frozen(a);
        let sum = graph.binary(Binary::Add, a, frozen);
        assert_eq!(graph.operations(&[sum, frozen]), 2);
        // 0 x may be not a number, and x − x as well.
        let zero = graph.constant(0.0);
        let (product, difference) = (graph.binary(Binary::Mul, zero, x), graph.binary(Binary::Sub, x, x));
        assert_eq!(graph.operations(&[product, difference]), 2);
    }
}
