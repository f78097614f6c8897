//! Numbers of a program that runs for many states at once.

use crate::instruction::{Instruction, Place, Second, Store, execute_in_lanes, less};
use crate::operation::{Binary, Unary};
use bristle_core::{Lanes, Scalar};

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
            for k in 0..K {
                number[k].0 = value[k];
            }
        }
    }

    pub(crate) fn copy_to(&self, place: usize, out: &mut [[f64; 8]; K]) {
        for k in 0..K {
            out[k] = self.numbers[place][k].0;
        }
    }

    /// Carries out the instructions with the widest vectors of the processor.
    pub(crate) fn run(&mut self, all: &[Instruction<u16>]) {
        pulp::Arch::new().dispatch(Work { block: self, all });
    }
}

struct Work<'a, const K: usize> {
    block: &'a mut Block<K>,
    all: &'a [Instruction<u16>],
}

impl<const K: usize> pulp::NullaryFnOnce for Work<'_, K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        execute_in_lanes(self.all, self.block);
    }
}

impl<const K: usize> Block<K> {
    #[inline(always)]
    fn at(&self, place: u16, k: usize) -> Lanes<8> {
        self.numbers[place.index()][k]
    }
}

impl<const K: usize> Store for Block<K> {
    #[inline(always)]
    fn unary(&mut self, i: &Instruction<u16>, f: Unary) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = f.of(self.at(i.a, k));
        }
    }

    #[inline(always)]
    fn decay(&mut self, i: &Instruction<u16>) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = Unary::Exp.of(-self.at(i.a, k));
        }
    }

    #[inline(always)]
    fn binary(&mut self, i: &Instruction<u16>, f: Binary) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = f.of(self.at(i.a, k), self.at(i.b, k));
        }
    }

    #[inline(always)]
    fn less(&mut self, i: &Instruction<u16>) {
        for k in 0..K {
            self.numbers[i.out.index()][k] = less(self.at(i.a, k), self.at(i.b, k));
        }
    }

    #[inline(always)]
    fn pair(&mut self, i: &Instruction<u16>, first: Binary, second: Second) {
        for k in 0..K {
            self.numbers[i.out.index()][k] =
                second.of(first.of(self.at(i.a, k), self.at(i.b, k)), self.at(i.c, k));
        }
    }

    #[inline(always)]
    fn select(&mut self, i: &Instruction<u16>) {
        for k in 0..K {
            let mask = self.at(i.a, k).lt(self.at(i.b, k));
            self.numbers[i.out.index()][k] = Lanes::select(mask, self.at(i.c, k), self.at(i.d, k));
        }
    }

    #[inline(always)]
    fn is_less_anywhere(&self, i: &Instruction<u16>) -> bool {
        (0..K).any(|k| self.at(i.a, k).lt(self.at(i.b, k)).any())
    }

    #[inline(always)]
    fn is_less_everywhere(&self, i: &Instruction<u16>) -> bool {
        (0..K).all(|k| self.at(i.a, k).lt(self.at(i.b, k)).0.iter().all(|lane| *lane != 0))
    }
}
