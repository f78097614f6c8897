//! Which place each number has, so that places are used again once a number is no longer needed.

use crate::graph::{Graph, Node, Reach, Term};
use crate::instruction::{Instruction, Listing, Run};
use crate::interpret::MOST;
use crate::program::ProgramError;
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
        stages: &[Vec<Operation>; 2],
        variables: usize,
        parameters: usize,
    ) -> Result<Places, ProgramError> {
        let mut constants = Vec::new();
        let mut place = vec![None; graph.len()];
        let read = || {
            stages.iter().flatten().flat_map(|o| o.operands().iter().copied()).chain(roots.iter().copied())
        };
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

    /// Gives places to the results of the operations.
    fn share(&mut self, graph: &Graph, roots: &[Node], stages: &[Vec<Operation>; 2]) {
        // When each number is read for the last time; results never.
        let mut last = vec![usize::MAX; graph.len()];
        let all = || stages.iter().flatten();
        for (when, operation) in all().enumerate() {
            operation.operands().iter().for_each(|node| last[node.index()] = when);
        }
        roots.iter().for_each(|root| last[root.index()] = usize::MAX);
        let body = stages[0].len();
        // What does not depend on variables but is read in every run stays for all runs.
        let dies = |node: Node, when: usize| {
            let is_made_anew = graph.reach(node) == Reach::Variables;
            last[node.index()] == when && constant(graph, node).is_none() && (when < body || is_made_anew)
        };
        let mut free: Vec<usize> = Vec::new();
        for (when, operation) in all().enumerate() {
            let dying = operation.operands().iter().filter(|node| dies(**node, when));
            let mut dead: Vec<usize> = dying.filter_map(|node| self.place[node.index()]).collect();
            dead.sort_unstable();
            dead.dedup();
            // The places of inputs that die early serve later numbers of the same stage: inputs are written before it.
            free.extend(dead);
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

    /// Operations with their places.
    pub fn listing(&self, operations: &[Operation]) -> Listing<u16> {
        let mut runs: Vec<Run> = Vec::new();
        for operation in operations {
            match runs.last_mut() {
                Some(run) if run.code == operation.code => run.count += 1,
                _ => runs.push(Run { code: operation.code, count: 1 }),
            }
        }
        Listing {
            runs,
            instructions: operations.iter().map(|operation| self.instruction(operation)).collect(),
        }
    }

    fn instruction(&self, operation: &Operation) -> Instruction<u16> {
        let out = self.of(operation.out);
        let mut places = [out; 4];
        for (place, node) in places.iter_mut().zip(operation.operands()) {
            *place = self.of(*node);
        }
        let [a, b, c, d] = places;
        Instruction { out, a, b, c, d }
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
