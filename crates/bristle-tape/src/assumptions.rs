//! What a recording took for granted.

use crate::block::LaneBlock;
use crate::graph::Node;
use crate::program::{Program, ProgramError, Room};
use crate::recording::Recording;
use bristle_core::{LaneMask, Lanes};

/// Conditions that a recording decided, as a program that checks them again for other inputs.
///
/// A recording stands for its equations wherever its assumptions hold; elsewhere the equations have to be recorded anew.
#[derive(Clone, Debug)]
pub struct Assumptions {
    program: Program,
    expected: Vec<bool>,
    formulas: Vec<String>,
}

impl Assumptions {
    pub(crate) fn new(recording: &Recording, assumed: &[(Node, bool)]) -> Result<Self, ProgramError> {
        let conditions: Vec<Node> = assumed.iter().map(|(node, _)| *node).collect();
        let formula = |(node, truth): &(Node, bool)| {
            let formula = recording.graph.formula(*node);
            if *truth { formula } else { format!("not {formula}") }
        };
        Ok(Assumptions {
            program: recording.program(&conditions)?,
            expected: assumed.iter().map(|(_, truth)| *truth).collect(),
            formulas: assumed.iter().map(formula).collect(),
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.expected.len()
    }

    /// Whether the recording stands for its equations everywhere.
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty()
    }

    /// Whether any of them depends on variables, so that it must be checked more often than parameters change.
    pub fn depend_on_variables(&self) -> bool {
        self.program.uses_variables()
    }

    /// The assumptions as short formulas, for messages.
    pub fn formulas(&self) -> &[String] {
        &self.formulas
    }

    /// Whether all of them hold here.
    pub fn hold(&self, variables: &[f64], parameters: &[f64]) -> bool {
        self.first_broken(variables, parameters).is_none()
    }

    /// Room for checking them again and again with these parameters.
    pub fn room(&self, parameters: &[f64]) -> Room {
        self.program.room(parameters)
    }

    /// Whether all of them hold here, with the parameters of the room. Allocates nothing.
    pub fn hold_in(&self, room: &mut Room, variables: &[f64]) -> bool {
        let mut program = self.program.bind(room);
        program.set(0, variables);
        program.evaluate();
        self.expected.iter().enumerate().all(|(i, expected)| (program.result(i) != 0.0) == *expected)
    }

    /// Room for checking them in many lanes.
    pub fn block<const N: usize>(&self) -> LaneBlock<N> {
        self.program.block()
    }

    /// In which lanes all of them hold. Allocates nothing.
    pub fn hold_in_lanes<const N: usize>(
        &self,
        block: &mut LaneBlock<N>,
        variables: &[Lanes<N>],
        parameters: &[Lanes<N>],
    ) -> LaneMask<N> {
        self.program.set_block_parameters(block, parameters);
        self.program.set_block(block, 0, variables);
        self.program.run_block(block);
        let mut all = LaneMask([u64::MAX; N]);
        for (i, expected) in self.expected.iter().enumerate() {
            let truths = self.program.block_result(block, i);
            for lane in 0..N {
                all.0[lane] &= if (truths.0[lane] != 0.0) == *expected { u64::MAX } else { 0 };
            }
        }
        all
    }

    /// The first that does not hold here.
    pub fn first_broken(&self, variables: &[f64], parameters: &[f64]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        // Asked once for these parameters: a room of no more places than there are.
        let mut room = self.program.room_in::<f64>(parameters);
        let mut truths = vec![0.0; self.len()];
        self.program.run_in(&mut room, variables, &mut truths);
        truths.iter().zip(&self.expected).position(|(truth, expected)| (*truth != 0.0) != *expected)
    }
}
