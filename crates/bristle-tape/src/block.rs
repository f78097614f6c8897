//! Numbers of a program that runs for many states at once.

use crate::instruction::{Instruction, Place, Store, execute};
use bristle_core::Lanes;

/// The numbers of a program in `8 K` lanes. No lane's result depends on its neighbours.
#[derive(Clone, Debug)]
pub struct Block<const K: usize> {
    numbers: Vec<[Lanes<8>; K]>,
}

impl<const K: usize> Block<K> {
    pub(crate) fn new(places: usize, constants: &[f64]) -> Self {
        let mut numbers = vec![[Lanes::splat(0.0); K]; places];
        for (number, constant) in numbers.iter_mut().zip(constants) {
            *number = [Lanes::splat(*constant); K];
        }
        Block { numbers }
    }

    pub(crate) fn set(&mut self, first: usize, values: &[[[f64; 8]; K]]) {
        for (number, value) in self.numbers[first..].iter_mut().zip(values) {
            *number = value.map(Lanes);
        }
    }

    pub(crate) fn number(&self, place: usize) -> [[f64; 8]; K] {
        self.numbers[place].map(|lanes| lanes.0)
    }

    /// Carries out the instructions with the widest vectors of the processor.
    pub(crate) fn run(&mut self, instructions: &[Instruction<u16>]) {
        pulp::Arch::new().dispatch(Work { block: self, instructions });
    }
}

struct Work<'a, const K: usize> {
    block: &'a mut Block<K>,
    instructions: &'a [Instruction<u16>],
}

impl<const K: usize> pulp::NullaryFnOnce for Work<'_, K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for instruction in self.instructions {
            execute(self.block, instruction);
        }
    }
}

impl<const K: usize> Store<u16> for Block<K> {
    type Number = Lanes<8>;

    #[inline(always)]
    fn unary(&mut self, i: &Instruction<u16>, f: impl Fn(Lanes<8>) -> Lanes<8>) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = f(self.numbers[i.a.index()][k]);
        }
    }

    #[inline(always)]
    fn binary(&mut self, i: &Instruction<u16>, f: impl Fn(Lanes<8>, Lanes<8>) -> Lanes<8>) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = f(self.numbers[i.a.index()][k], self.numbers[i.b.index()][k]);
        }
    }

    #[inline(always)]
    fn ternary(&mut self, i: &Instruction<u16>, f: impl Fn(Lanes<8>, Lanes<8>, Lanes<8>) -> Lanes<8>) {
        for k in 0..K {
            let [a, b, c] = [i.a, i.b, i.c].map(|place| self.numbers[place.index()][k]);
            self.numbers[i.out.index()][k] = f(a, b, c);
        }
    }

    #[inline(always)]
    fn quaternary(
        &mut self,
        i: &Instruction<u16>,
        f: impl Fn(Lanes<8>, Lanes<8>, Lanes<8>, Lanes<8>) -> Lanes<8>,
    ) {
        for k in 0..K {
            let [a, b, c, d] = [i.a, i.b, i.c, i.d].map(|place| self.numbers[place.index()][k]);
            self.numbers[i.out.index()][k] = f(a, b, c, d);
        }
    }
}
