//! Exact derivatives of terms, as terms.

use crate::graph::{Graph, Node, Term};
use crate::operation::{Binary, Unary};
use crate::recording::Derivatives;
use std::collections::HashMap;

/// Which outputs depend on which inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Number of outputs.
    pub rows: usize,
    /// Number of inputs.
    pub columns: usize,
    /// Row and column of each derivative that is not always zero, row by row.
    pub entries: Vec<(usize, usize)>,
}

impl Pattern {
    /// The number of the entry, if output `row` depends on input `column`.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        self.entries.binary_search(&(row, column)).ok()
    }

    /// Whether output `row` depends on input `column`.
    pub fn has(&self, row: usize, column: usize) -> bool {
        self.place(row, column).is_some()
    }

    /// The diagonals below and above the main one that hold all entries.
    pub fn band(&self) -> (usize, usize) {
        let lower = self.entries.iter().map(|(row, column)| row.saturating_sub(*column)).max();
        let upper = self.entries.iter().map(|(row, column)| column.saturating_sub(*row)).max();
        (lower.unwrap_or(0), upper.unwrap_or(0))
    }
}

/// The derivatives of `terms` with respect to `inputs`, column by column or row by row, whichever is cheaper.
pub(crate) fn matrix(graph: &mut Graph, terms: &[Node], inputs: &[Node]) -> Derivatives {
    let forwards = by_columns(graph, terms, inputs);
    // One row costs about as much as a few columns.
    if 2 * terms.len() > inputs.len() {
        return forwards;
    }
    let by_rows: Vec<Vec<Option<Node>>> = terms.iter().map(|term| gradient(graph, *term, inputs)).collect();
    let backwards = gathered(terms, inputs, &by_rows);
    let cost = |graph: &Graph, found: &Derivatives| graph.operations(&[terms, &found.terms].concat());
    if cost(graph, &backwards) < cost(graph, &forwards) { backwards } else { forwards }
}

/// The derivatives column by column; each looks only at the terms that depend on its input.
fn by_columns(graph: &mut Graph, terms: &[Node], inputs: &[Node]) -> Derivatives {
    let last = terms.iter().map(|term| term.index() + 1).max().unwrap_or(0);
    let is_needed = smooth_reach(graph, terms, last);
    let dependents = dependents(graph, inputs, &is_needed);
    let mut rows_of: HashMap<usize, Vec<usize>> = HashMap::new();
    terms.iter().enumerate().for_each(|(i, term)| rows_of.entry(term.index()).or_default().push(i));
    let mut slopes: Vec<Option<Node>> = vec![None; last];
    let mut found: Vec<((usize, usize), Node)> = Vec::new();
    for (j, input) in inputs.iter().enumerate() {
        let one = graph.constant(1.0);
        for &i in &dependents[j] {
            let slope = if i == input.index() { Some(one) } else { slope(graph, i, &slopes) };
            slopes[i] = slope.filter(|slope| !is_zero(graph, *slope));
        }
        for i in &dependents[j] {
            if let Some(slope) = slopes[*i].take() {
                found.extend(rows_of.get(i).into_iter().flatten().map(|row| ((*row, j), slope)));
            }
        }
    }
    found.sort_unstable_by_key(|(place, _)| *place);
    let (entries, nodes) = found.into_iter().unzip();
    Derivatives { pattern: Pattern { rows: terms.len(), columns: inputs.len(), entries }, terms: nodes }
}

/// For each input, in their order, the needed terms whose derivatives by it may not be zero.
fn dependents(graph: &Graph, inputs: &[Node], is_needed: &[bool]) -> Vec<Vec<usize>> {
    let mut column = vec![None; is_needed.len()];
    for (j, input) in inputs.iter().enumerate().filter(|(_, input)| input.index() < is_needed.len()) {
        column[input.index()] = Some(j as u32);
    }
    let mut on: Vec<Vec<u32>> = vec![Vec::new(); is_needed.len()];
    let mut dependents = vec![Vec::new(); inputs.len()];
    for i in (0..is_needed.len()).filter(|i| is_needed[*i]) {
        let mut own: Vec<u32> = match graph.term_at(i) {
            _ if column[i].is_some() => column[i].into_iter().collect(),
            Term::Unary(Unary::Sign | Unary::Floor, _) => Vec::new(),
            Term::Unary(_, a) | Term::Sloped(_, a) => on[a.index()].clone(),
            Term::Binary(_, a, b) | Term::Select(_, a, b) => {
                [on[a.index()].as_slice(), on[b.index()].as_slice()].concat()
            }
            _ => Vec::new(),
        };
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|j| dependents[*j as usize].push(i));
        on[i] = own;
    }
    dependents
}

fn gathered(terms: &[Node], inputs: &[Node], slopes: &[Vec<Option<Node>>]) -> Derivatives {
    let all = slopes
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, slope)| (i, j, slope)));
    let (entries, nodes) = all.filter_map(|(i, j, slope)| slope.map(|slope| ((i, j), slope))).unzip();
    Derivatives { pattern: Pattern { rows: terms.len(), columns: inputs.len(), entries }, terms: nodes }
}

/// The derivatives of `terms` along the direction that `seeds` give for some inputs.
pub(crate) fn tangent(graph: &mut Graph, terms: &[Node], seeds: &[(Node, Node)]) -> Vec<Option<Node>> {
    let last = terms.iter().map(|term| term.index() + 1).max().unwrap_or(0);
    let is_needed = smooth_reach(graph, terms, last);
    let mut slopes: Vec<Option<Node>> = vec![None; last];
    for (input, part) in seeds {
        if input.index() < last {
            slopes[input.index()] = Some(*part);
        }
    }
    for i in (0..last).filter(|i| is_needed[*i]) {
        if slopes[i].is_none() {
            let slope = slope(graph, i, &slopes);
            slopes[i] = slope.filter(|slope| !is_zero(graph, *slope));
        }
    }
    terms.iter().map(|term| slopes[term.index()]).collect()
}

/// Marks the terms that derivatives of these depend on.
fn smooth_reach(graph: &Graph, terms: &[Node], last: usize) -> Vec<bool> {
    let mut is_needed = vec![false; last];
    terms.iter().for_each(|term| is_needed[term.index()] = true);
    for i in (0..last).rev() {
        if is_needed[i] {
            let mut need = |node: Node| is_needed[node.index()] = true;
            match graph.term_at(i) {
                Term::Unary(Unary::Sign | Unary::Floor, _) => {}
                Term::Unary(_, a) => need(a),
                Term::Binary(_, a, b) | Term::Select(_, a, b) => {
                    need(a);
                    need(b);
                }
                Term::Sloped(_, smooth) => need(smooth),
                _ => {}
            }
        }
    }
    is_needed
}

fn is_zero(graph: &Graph, node: Node) -> bool {
    graph.constant_value(node) == Some(0.0)
}

/// The derivative of term `i`, given those of the terms before it.
fn slope(graph: &mut Graph, i: usize, slopes: &[Option<Node>]) -> Option<Node> {
    let of = |node: Node| slopes[node.index()];
    let term = graph.term_at(i);
    match term {
        Term::Sloped(_, smooth) => of(smooth),
        Term::Unary(f, a) => {
            let da = of(a)?;
            let steepness = steepness(graph, f, a)?;
            Some(graph.binary(Binary::Mul, da, steepness))
        }
        Term::Binary(Binary::Add, a, b) => sum(graph, of(a), of(b)),
        Term::Binary(Binary::Sub, a, b) => {
            let minus = of(b).map(|db| graph.neg(db));
            sum(graph, of(a), minus)
        }
        Term::Binary(Binary::Mul, a, b) => {
            let left = of(a).map(|da| graph.binary(Binary::Mul, da, b));
            let right = of(b).map(|db| graph.binary(Binary::Mul, a, db));
            sum(graph, left, right)
        }
        Term::Binary(Binary::Div, a, b) => {
            // (a′ − q b′)/b with the quotient q itself; one division serves all inputs.
            let minus = of(b).map(|db| {
                let quotient = graph.binary(Binary::Div, a, b);
                let product = graph.binary(Binary::Mul, quotient, db);
                graph.neg(product)
            });
            let above = sum(graph, of(a), minus)?;
            let inverse = inverse(graph, b);
            Some(graph.binary(Binary::Mul, above, inverse))
        }
        Term::Binary(Binary::Max, a, b) => {
            let mask = graph.less(a, b);
            chosen(graph, mask, of(b), of(a))
        }
        Term::Binary(Binary::Min, a, b) => {
            let mask = graph.less(b, a);
            chosen(graph, mask, of(b), of(a))
        }
        Term::Select(mask, yes, no) => chosen(graph, mask, of(yes), of(no)),
        _ => None,
    }
}

/// The slope of `f` at `a`; nothing where it is always zero. The same for every input, so that it is found once.
fn steepness(graph: &mut Graph, f: Unary, a: Node) -> Option<Node> {
    use Binary::{Add, Div, Mul};
    let one = graph.constant(1.0);
    Some(match f {
        Unary::Neg => graph.constant(-1.0),
        Unary::Sign | Unary::Floor => return None,
        Unary::Abs => graph.unary(Unary::Sign, a),
        Unary::Sqrt => {
            let (root, half) = (graph.unary(Unary::Sqrt, a), graph.constant(0.5));
            graph.binary(Div, half, root)
        }
        Unary::Exp => graph.unary(Unary::Exp, a),
        Unary::Ln => graph.binary(Div, one, a),
        Unary::Sin => graph.unary(Unary::Cos, a),
        Unary::Cos => {
            let sine = graph.unary(Unary::Sin, a);
            graph.neg(sine)
        }
        Unary::Tanh => graph.unary(Unary::SechSquared, a),
        Unary::SechSquared => {
            let (tangent, slope) = (graph.unary(Unary::Tanh, a), graph.unary(Unary::SechSquared, a));
            let (product, minus_two) = (graph.binary(Mul, tangent, slope), graph.constant(-2.0));
            graph.binary(Mul, product, minus_two)
        }
        Unary::Atan | Unary::Asinh => {
            let square = graph.binary(Mul, a, a);
            let below = graph.binary(Add, square, one);
            let below = if f == Unary::Asinh { graph.unary(Unary::Sqrt, below) } else { below };
            graph.binary(Div, one, below)
        }
    })
}

fn inverse(graph: &mut Graph, b: Node) -> Node {
    let one = graph.constant(1.0);
    graph.binary(Binary::Div, one, b)
}

fn sum(graph: &mut Graph, a: Option<Node>, b: Option<Node>) -> Option<Node> {
    match (a, b) {
        (Some(a), Some(b)) => Some(graph.binary(Binary::Add, a, b)),
        (one, other) => one.or(other),
    }
}

fn chosen(graph: &mut Graph, mask: Node, yes: Option<Node>, no: Option<Node>) -> Option<Node> {
    if yes.is_none() && no.is_none() {
        return None;
    }
    let zero = graph.constant(0.0);
    Some(graph.select(mask, yes.unwrap_or(zero), no.unwrap_or(zero)))
}

/// The derivatives of one term with respect to all `inputs`, found from the term backwards.
fn gradient(graph: &mut Graph, term: Node, inputs: &[Node]) -> Vec<Option<Node>> {
    let last = term.index() + 1;
    let is_needed = smooth_reach(graph, &[term], last);
    // What does not depend on the inputs passes nothing on.
    let mut depends = vec![false; last];
    inputs.iter().filter(|input| input.index() < last).for_each(|input| depends[input.index()] = true);
    for i in (0..last).filter(|i| is_needed[*i]) {
        depends[i] |= match graph.term_at(i) {
            Term::Unary(Unary::Sign | Unary::Floor, _) => false,
            Term::Unary(_, a) | Term::Sloped(_, a) => depends[a.index()],
            Term::Binary(_, a, b) | Term::Select(_, a, b) => depends[a.index()] || depends[b.index()],
            _ => false,
        };
    }
    let mut gates = Gates::default();
    let mut weights: Vec<Option<Node>> = vec![None; last];
    weights[last - 1] = Some(graph.constant(1.0));
    for i in (0..last).rev() {
        let Some(weight) = weights[i].filter(|_| depends[i]) else { continue };
        for (to, part) in passed_on(graph, &mut gates, i, weight, &depends).into_iter().flatten() {
            if !is_zero(graph, part) {
                weights[to.index()] = sum(graph, weights[to.index()], Some(part));
            }
        }
    }
    let weight = |input: &Node| weights.get(input.index()).copied().flatten();
    inputs.iter().map(weight).collect()
}

/// What term `i` of this weight passes on to its operands.
fn passed_on(
    graph: &mut Graph,
    gates: &mut Gates,
    i: usize,
    weight: Node,
    depends: &[bool],
) -> [Option<(Node, Node)>; 2] {
    let zero = graph.constant(0.0);
    let parts = match graph.term_at(i) {
        Term::Sloped(_, smooth) => [Some((smooth, weight)), None],
        Term::Unary(f, a) if depends[a.index()] => {
            let part = steepness(graph, f, a).map(|steepness| scaled(graph, gates, weight, steepness));
            [part.map(|part| (a, part)), None]
        }
        Term::Binary(Binary::Add, a, b) => [Some((a, weight)), Some((b, weight))],
        Term::Binary(Binary::Sub, a, b) => [Some((a, weight)), Some((b, graph.neg(weight)))],
        Term::Binary(Binary::Mul, a, b) => {
            let left = depends[a.index()].then(|| (a, scaled(graph, gates, weight, b)));
            [left, depends[b.index()].then(|| (b, scaled(graph, gates, weight, a)))]
        }
        Term::Binary(Binary::Div, a, b) => {
            let (inverse, quotient) = (inverse(graph, b), graph.binary(Binary::Div, a, b));
            let share = scaled(graph, gates, weight, inverse);
            let minus = depends[b.index()].then(|| {
                let product = scaled(graph, gates, share, quotient);
                (b, graph.neg(product))
            });
            [Some((a, share)), minus]
        }
        Term::Binary(f, a, b) => {
            let mask = if f == Binary::Max { graph.less(a, b) } else { graph.less(b, a) };
            [Some((a, graph.select(mask, zero, weight))), Some((b, graph.select(mask, weight, zero)))]
        }
        Term::Select(mask, yes, no) => {
            [Some((yes, graph.select(mask, weight, zero))), Some((no, graph.select(mask, zero, weight)))]
        }
        _ => [None, None],
    };
    parts.map(|part| part.filter(|(to, _)| depends[to.index()]))
}

/// Which weights are zero where a branch is not taken, in part or altogether, as far as somebody has asked.
#[derive(Default)]
struct Gates(Vec<bool>);

impl Gates {
    fn has(&mut self, graph: &Graph, weight: Node) -> bool {
        for i in self.0.len()..=weight.index() {
            let is_gated = match graph.term_at(i) {
                Term::Select(_, yes, no) => is_zero(graph, yes) || is_zero(graph, no),
                Term::Binary(Binary::Add | Binary::Sub, a, b) => self.0[a.index()] || self.0[b.index()],
                Term::Unary(Unary::Neg, a) => self.0[a.index()],
                _ => false,
            };
            self.0.push(is_gated);
        }
        self.0[weight.index()]
    }
}

/// Weights times one factor. Where a weight is zero because a branch is not taken, so is the product, even if the factor has no
/// finite value there: the choice stays outside.
struct Scaling<'a> {
    gates: &'a mut Gates,
    factor: Node,
    /// A part of several weights is multiplied once.
    done: HashMap<Node, Node>,
}

impl Scaling<'_> {
    fn of(&mut self, graph: &mut Graph, weight: Node) -> Node {
        if !self.gates.has(graph, weight) {
            return graph.binary(Binary::Mul, weight, self.factor);
        }
        if let Some(done) = self.done.get(&weight) {
            return *done;
        }
        let product = match graph.term(weight) {
            Term::Select(mask, yes, no) => {
                let [yes, no] =
                    [yes, no].map(|side| if is_zero(graph, side) { side } else { self.of(graph, side) });
                graph.select(mask, yes, no)
            }
            Term::Binary(f, a, b) => {
                let (a, b) = (self.of(graph, a), self.of(graph, b));
                graph.binary(f, a, b)
            }
            Term::Unary(f, a) => {
                let a = self.of(graph, a);
                graph.unary(f, a)
            }
            _ => graph.binary(Binary::Mul, weight, self.factor),
        };
        self.done.insert(weight, product);
        product
    }
}

fn scaled(graph: &mut Graph, gates: &mut Gates, weight: Node, factor: Node) -> Node {
    Scaling { gates, factor, done: HashMap::new() }.of(graph, weight)
}
