//! Which place each number has, so that places are used again once a number is no longer needed.

use crate::branches::Item;
use crate::graph::{Graph, Node, Reach, Term};
use crate::instruction::{Code, Instruction, Latest};
use crate::program::{MOST, ProgramError, is_leaf};
use crate::schedule::Operation;

/// Places: constants, parameters, variables, then everything that is made on the way.
pub(crate) struct Places {
    /// By the number of the term.
    place: Vec<Option<usize>>,
    pub constants: Vec<f64>,
    pub first_parameter: usize,
    pub first_variable: usize,
    pub count: usize,
}

impl Places {
    pub fn assign(
        graph: &Graph,
        roots: &[Node],
        stages: &[Vec<Item>; 2],
        variables: usize,
        parameters: usize,
    ) -> Result<Places, ProgramError> {
        let mut constants = Vec::new();
        let mut place = vec![None; graph.len()];
        let read =
            || stages.iter().flatten().flat_map(|i| i.operands()).flatten().chain(roots.iter().copied());
        for node in read() {
            if let (Some(value), None) = (constant(graph, node), place[node.index()]) {
                place[node.index()] = Some(constants.len());
                constants.push(value);
            }
        }
        let first_parameter = constants.len();
        let first_variable = first_parameter + parameters;
        for node in read() {
            match graph.term(node) {
                Term::Parameter(i) => place[node.index()] = Some(first_parameter + i as usize),
                Term::Variable(i) => place[node.index()] = Some(first_variable + i as usize),
                _ => {}
            }
        }
        let mut places =
            Places { place, constants, first_parameter, first_variable, count: first_variable + variables };
        places.share(graph, roots, stages);
        if places.count > MOST {
            return Err(ProgramError::TooLarge { needed: places.count, most: MOST });
        }
        Ok(places)
    }

    /// Gives places to the results of the operations. What a skip leaves out keeps its place from others as if it were done.
    fn share(&mut self, graph: &Graph, roots: &[Node], stages: &[Vec<Item>; 2]) {
        // When each number is read for the last time; results never.
        let mut last = vec![usize::MAX; graph.len()];
        let all = || stages.iter().flatten();
        for (when, item) in all().enumerate() {
            item.operands().into_iter().flatten().for_each(|node| last[node.index()] = when);
        }
        roots.iter().for_each(|root| last[root.index()] = usize::MAX);
        let body = stages[0].len();
        // Inputs stay for whoever changes only some of them, and what does not depend on variables but is read in every run
        // stays for all runs.
        let dies = |node: Node, when: usize| {
            let is_made_anew = graph.reach(node) == Reach::Variables;
            last[node.index()] == when && !is_leaf(graph.term(node)) && (when < body || is_made_anew)
        };
        let mut free: Vec<usize> = Vec::new();
        for (when, item) in all().enumerate() {
            let dying = item.operands().into_iter().flatten().filter(|node| dies(*node, when));
            let mut dead: Vec<usize> = dying.filter_map(|node| self.place[node.index()]).collect();
            dead.sort_unstable();
            dead.dedup();
            free.extend(dead);
            let Item::Do(operation) = item else { continue };
            let place = free.pop().unwrap_or_else(|| {
                self.count += 1;
                self.count - 1
            });
            self.place[operation.out.index()] = Some(place);
        }
    }

    /// The place of a number.
    pub fn of(&self, node: Node) -> u16 {
        self.place[node.index()].map_or(0, |place| place as u16)
    }

    /// A stage with its places.
    pub fn instructions(&self, stage: &[Item]) -> Vec<Instruction<u16>> {
        // Whoever comes from a skip has not done what lies before.
        let mut is_target = vec![false; stage.len() + 1];
        for (i, item) in stage.iter().enumerate() {
            if let Item::Skip { count, .. } = item {
                is_target[i + 1 + count] = true;
            }
        }
        let mut last: Option<Node> = None;
        let mut instructions = Vec::with_capacity(stage.len());
        for (i, item) in stage.iter().enumerate() {
            if is_target[i] {
                last = None;
            }
            match item {
                Item::Do(operation) => {
                    instructions.extend(self.instruction(operation, last));
                    last = Some(operation.out);
                }
                Item::Skip { a, b, if_less, count } => {
                    let code = if *if_less { Code::SkipIf } else { Code::SkipUnless };
                    let (a, b) = (self.of(*a), self.of(*b));
                    instructions.push(Instruction { code, out: 0, a, b, c: *count as u16, d: 0 });
                }
            }
        }
        instructions
    }

    fn instruction(&self, operation: &Operation, last: Option<Node>) -> Option<Instruction<u16>> {
        let out = self.of(operation.out);
        let mut places = [out; 4];
        for (place, node) in places.iter_mut().zip(operation.operands()) {
            *place = self.of(*node);
        }
        let latest = operation.operands().iter().position(|node| Some(*node) == last);
        let latest = latest.map_or(Latest::None, |i| [Latest::A, Latest::B, Latest::C, Latest::D][i]);
        let [a, b, c, d] = places;
        Some(Instruction { code: Code::of(operation.deed, latest)?, out, a, b, c, d })
    }
}

/// The number of a constant; truth is one.
fn constant(graph: &Graph, node: Node) -> Option<f64> {
    match graph.term(node) {
        Term::Constant(bits) => Some(f64::from_bits(bits)),
        Term::Truth(truth) => Some(f64::from(truth)),
        _ => None,
    }
}
