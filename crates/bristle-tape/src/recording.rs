//! Equations run once with symbols.

use crate::assumptions::Assumptions;
use crate::derivative::{self, Pattern};
use crate::graph::{Graph, Node};
use crate::program::{Program, ProgramError};
use crate::recorder::{Ending, Recorder};
use crate::symbol::Symbol;

/// Why equations cannot be recorded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The plain value of a term was asked for.
    #[error(
        "the equations ask for the value of `{term}`, which is a term: decide on a comparison or select instead"
    )]
    Value {
        /// The term.
        term: String,
    },
    /// A symbol was used that belongs to another recording, or was made where nothing records.
    #[error("the equations use a symbol of another recording: make every symbol from the inputs of this one")]
    Foreign,
    /// A recording was begun inside another one.
    #[error("this thread records already: end that recording before another begins")]
    Nested,
}

/// Equations as a graph, with inputs, outputs, and what was assumed on the way.
///
/// Terms can be added: derivatives of any order, and whatever is built from them.
#[derive(Clone, Debug)]
pub struct Recording {
    /// All terms.
    pub graph: Graph,
    variables: Vec<Node>,
    parameters: Vec<Node>,
    outputs: Vec<Node>,
    assumptions: Vec<(Node, bool)>,
}

/// Derivatives that are not zero for structural reasons: where they are in the matrix, and their terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivatives {
    /// Which outputs depend on which inputs.
    pub pattern: Pattern,
    /// One term for each entry of the pattern.
    pub terms: Vec<Node>,
}

/// Runs equations once with symbols in place of numbers.
///
/// `variables` (time, states, directions) change with every evaluation, `parameters` seldom. Their values matter only where
/// the equations decide between different terms; such decisions are the [assumptions](Recording::assumptions) of the
/// recording.
///
/// ```
/// use bristle_core::Scalar;
///
/// let recording = bristle_tape::record(&[0.3], &[2.0], |x, p| vec![(x[0] * p[0]).exp()]).unwrap();
/// let program = recording.program(recording.outputs()).unwrap();
/// let mut room = program.room(&[2.0]);
/// let mut y = [0.0];
/// program.run(&mut room, &[0.5], &mut y);
/// assert_eq!(y[0], 1.0_f64.exp());
/// ```
pub fn record(
    variables: &[f64],
    parameters: &[f64],
    equations: impl FnOnce(&[Symbol], &[Symbol]) -> Vec<Symbol>,
) -> Result<Recording, RecordingError> {
    let number = Recorder::begin(variables, parameters)?;
    let ending = Ending;
    let inputs = Recorder::with(|recorder| {
        let graph = &mut recorder.graph;
        let x: Vec<Node> = (0..variables.len()).map(|i| graph.variable(i)).collect();
        let p: Vec<Node> = (0..parameters.len()).map(|i| graph.parameter(i)).collect();
        (x, p)
    });
    let (x, p) = inputs.unwrap_or_default();
    let symbols =
        |nodes: &[Node]| -> Vec<Symbol> { nodes.iter().map(|node| Symbol::of(*node, number)).collect() };
    let results = equations(&symbols(&x), &symbols(&p));
    let outputs: Option<Vec<Node>> =
        Recorder::with(|recorder| results.iter().map(|symbol| symbol.node(recorder)).collect()).flatten();
    let recorder = Recorder::end();
    drop(ending);
    match (recorder, outputs) {
        (Some(Recorder { fault: Some(fault), .. }), _) => Err(fault),
        (Some(recorder), Some(outputs)) => Ok(Recording {
            graph: recorder.graph,
            variables: x,
            parameters: p,
            outputs,
            assumptions: recorder.assumptions,
        }),
        _ => Err(RecordingError::Foreign),
    }
}

impl Recording {
    /// The variables, in the order in which they were given.
    pub fn variables(&self) -> &[Node] {
        &self.variables
    }

    /// The parameters, in the order in which they were given.
    pub fn parameters(&self) -> &[Node] {
        &self.parameters
    }

    /// What the equations gave.
    pub fn outputs(&self) -> &[Node] {
        &self.outputs
    }

    /// Adds a variable behind the others: a direction, a multiplier.
    pub fn add_variable(&mut self) -> Node {
        let node = self.graph.variable(self.variables.len());
        self.variables.push(node);
        node
    }

    /// Conditions that were decided on the way, and how.
    pub fn decisions(&self) -> &[(Node, bool)] {
        &self.assumptions
    }

    /// What was decided on the way, as a small program.
    pub fn assumptions(&self) -> Result<Assumptions, ProgramError> {
        Assumptions::new(self, &self.assumptions)
    }

    /// Straight-line code for the values of these terms.
    pub fn program(&self, terms: &[Node]) -> Result<Program, ProgramError> {
        self.program_of(terms, self.variables.len())
    }

    /// The same of terms that depend on the first so many variables alone: the program takes no others.
    pub fn program_of(&self, terms: &[Node], variables: usize) -> Result<Program, ProgramError> {
        Program::new(&self.graph, terms, variables, self.parameters.len())
    }

    /// The derivatives of `terms` with respect to `inputs`, found in whichever direction takes fewer operations.
    ///
    /// Derivatives of these derivatives are those of second order, and so on.
    pub fn derivatives(&mut self, terms: &[Node], inputs: &[Node]) -> Derivatives {
        derivative::matrix(&mut self.graph, terms, inputs)
    }

    /// The derivatives of `terms` along a direction: the sum over the pairs (input, its part of the direction). Nothing where
    /// a term does not depend on these inputs.
    pub fn along(&mut self, terms: &[Node], direction: &[(Node, Node)]) -> Vec<Option<Node>> {
        derivative::tangent(&mut self.graph, terms, direction)
    }
}
