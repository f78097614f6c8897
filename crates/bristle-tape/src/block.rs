//! Numbers of a program that runs for many states at once.

use crate::instruction::{Instruction, Place, Second, Store, execute_in_lanes, less};
use crate::operation::{Binary, Unary};
use bristle_core::{Lanes, Scalar};

/// So many lanes go through an operation together, in vector registers; an instruction is carried out for all groups of a block
/// before the next begins.
const GROUP: usize = 8;

/// The numbers of a program in `N` lanes, a multiple of eight. No lane's result depends on its neighbours.
#[derive(Clone, Debug)]
pub struct LaneBlock<const N: usize> {
    numbers: Vec<Lanes<N>>,
}

impl<const N: usize> LaneBlock<N> {
    const GROUPS: usize = {
        assert!(N > 0 && N.is_multiple_of(GROUP), "a block has a multiple of eight lanes");
        N / GROUP
    };

    pub(crate) fn new(places: usize, constants: &[f64]) -> Self {
        let mut numbers = vec![Lanes::splat(0.0); places];
        for (number, constant) in numbers.iter_mut().zip(constants) {
            *number = Lanes::splat(*constant);
        }
        LaneBlock { numbers }
    }

    #[inline]
    pub(crate) fn set(&mut self, first: usize, values: &[Lanes<N>]) {
        self.numbers[first..first + values.len()].copy_from_slice(values);
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> &Lanes<N> {
        &self.numbers[place]
    }

    /// Carries out the instructions with the widest vectors of the processor.
    pub(crate) fn run(&mut self, all: &[Instruction<u16>]) {
        pulp::Arch::new().dispatch(BlockWork { block: self, all });
    }

    #[inline(always)]
    fn at(&self, place: u16, k: usize) -> Lanes<GROUP> {
        Lanes(self.numbers[place.index()].0.as_chunks().0[k])
    }

    /// Sets all groups of a place.
    #[inline(always)]
    fn put(&mut self, place: u16, value: impl Fn(&Self, usize) -> Lanes<GROUP>) {
        for k in 0..Self::GROUPS {
            let value = value(self, k);
            self.numbers[place.index()].0.as_chunks_mut().0[k] = value.0;
        }
    }
}

struct BlockWork<'a, const N: usize> {
    block: &'a mut LaneBlock<N>,
    all: &'a [Instruction<u16>],
}

impl<const N: usize> pulp::NullaryFnOnce for BlockWork<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        execute_in_lanes(self.all, self.block);
    }
}

impl<const N: usize> Store for LaneBlock<N> {
    #[inline(always)]
    fn unary(&mut self, i: &Instruction<u16>, f: Unary) {
        self.put(i.out, |all, k| f.of(all.at(i.a, k)));
    }

    #[inline(always)]
    fn decay(&mut self, i: &Instruction<u16>) {
        self.put(i.out, |all, k| Unary::Exp.of(-all.at(i.a, k)));
    }

    #[inline(always)]
    fn binary(&mut self, i: &Instruction<u16>, f: Binary) {
        self.put(i.out, |all, k| f.of(all.at(i.a, k), all.at(i.b, k)));
    }

    #[inline(always)]
    fn less(&mut self, i: &Instruction<u16>) {
        self.put(i.out, |all, k| less(all.at(i.a, k), all.at(i.b, k)));
    }

    #[inline(always)]
    fn pair(&mut self, i: &Instruction<u16>, first: Binary, second: Second) {
        self.put(i.out, |all, k| second.of(first.of(all.at(i.a, k), all.at(i.b, k)), all.at(i.c, k)));
    }

    #[inline(always)]
    fn select(&mut self, i: &Instruction<u16>) {
        self.put(i.out, |all, k| {
            Lanes::select(all.at(i.a, k).lt(all.at(i.b, k)), all.at(i.c, k), all.at(i.d, k))
        });
    }

    #[inline(always)]
    fn is_less_anywhere(&self, i: &Instruction<u16>) -> bool {
        (0..Self::GROUPS).any(|k| self.at(i.a, k).lt(self.at(i.b, k)).any())
    }

    #[inline(always)]
    fn is_less_everywhere(&self, i: &Instruction<u16>) -> bool {
        (0..Self::GROUPS).all(|k| self.at(i.a, k).lt(self.at(i.b, k)).0.iter().all(|lane| *lane != 0))
    }
}
