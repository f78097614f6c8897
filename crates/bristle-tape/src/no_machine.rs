//! In place of code of the processor, where the feature `jit` is off: there is none.

use crate::instruction::Instruction;

/// Counts nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Runs(());

/// Never has any code.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Machine(());

/// Code that there cannot be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MachineCode {}

impl Machine {
    #[inline(always)]
    pub fn code(
        &self,
        _runs: &mut Runs,
        _make: impl FnOnce() -> Option<MachineCode>,
    ) -> Option<&MachineCode> {
        None
    }
}

impl MachineCode {
    pub fn new(
        _stages: &[Vec<Instruction<u16>>; 2],
        _inputs: usize,
        _outputs: &[u32],
    ) -> Option<MachineCode> {
        None
    }

    #[inline(always)]
    pub fn run(&self, _numbers: &mut [f64]) {
        match *self {}
    }
}
