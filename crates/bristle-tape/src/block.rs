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

    /// The lanes that are evaluated together with this one.
    #[inline(always)]
    pub fn beside(lane: usize) -> std::ops::Range<usize> {
        let first = lane / GROUP * GROUP;
        first..first + GROUP
    }

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

    pub(crate) fn set_lane(&mut self, first: usize, lane: usize, values: &[f64]) {
        for (number, value) in self.numbers[first..first + values.len()].iter_mut().zip(values) {
            number.0[lane] = *value;
        }
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> &Lanes<N> {
        &self.numbers[place]
    }

    /// Carries out the instructions in all lanes with the widest vectors of the processor.
    pub(crate) fn run(&mut self, all: &[Instruction<u16>]) {
        pulp::Arch::new().dispatch(BlockWork::<N, true> { block: self, all, only: 0 });
    }

    /// Carries out the instructions for the group of a lane alone.
    pub(crate) fn run_beside(&mut self, all: &[Instruction<u16>], lane: usize) {
        pulp::Arch::new().dispatch(BlockWork::<N, false> { block: self, all, only: lane / GROUP });
    }

    #[inline(always)]
    fn at(&self, place: u16, k: usize) -> Lanes<GROUP> {
        Lanes(self.numbers[place.index()].0.as_chunks().0[k])
    }

    #[inline(always)]
    fn put(&mut self, place: u16, k: usize, value: Lanes<GROUP>) {
        self.numbers[place.index()].0.as_chunks_mut().0[k] = value.0;
    }
}

/// A block at work: in `ALL` groups, or in only one.
struct BlockWork<'a, const N: usize, const ALL: bool> {
    block: &'a mut LaneBlock<N>,
    all: &'a [Instruction<u16>],
    only: usize,
}

impl<const N: usize, const ALL: bool> BlockWork<'_, N, ALL> {
    /// The groups that take part.
    #[inline(always)]
    fn groups(&self) -> std::ops::Range<usize> {
        if ALL { 0..LaneBlock::<N>::GROUPS } else { self.only..self.only + 1 }
    }
}

impl<const N: usize, const ALL: bool> pulp::NullaryFnOnce for BlockWork<'_, N, ALL> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        execute_in_lanes(self.all, &mut self);
    }
}

/// Sets all groups of the result. No closure, which the compiler may leave outside of what it compiles for wide vectors.
macro_rules! put {
    ($work:ident, $i:ident, |$at:ident| $value:expr) => {
        for k in $work.groups() {
            macro_rules! $at {
                ($place:ident) => {
                    $work.block.at($i.$place, k)
                };
            }
            let value = $value;
            $work.block.put($i.out, k, value);
        }
    };
}

impl<const N: usize, const ALL: bool> Store for BlockWork<'_, N, ALL> {
    #[inline(always)]
    fn unary(&mut self, i: &Instruction<u16>, f: Unary) {
        put!(self, i, |at| f.of(at!(a)));
    }

    #[inline(always)]
    fn decay(&mut self, i: &Instruction<u16>) {
        put!(self, i, |at| Unary::Exp.of(-at!(a)));
    }

    #[inline(always)]
    fn binary(&mut self, i: &Instruction<u16>, f: Binary) {
        put!(self, i, |at| f.of(at!(a), at!(b)));
    }

    #[inline(always)]
    fn less(&mut self, i: &Instruction<u16>) {
        put!(self, i, |at| less(at!(a), at!(b)));
    }

    #[inline(always)]
    fn pair(&mut self, i: &Instruction<u16>, first: Binary, second: Second) {
        put!(self, i, |at| second.of(first.of(at!(a), at!(b)), at!(c)));
    }

    #[inline(always)]
    fn select(&mut self, i: &Instruction<u16>) {
        put!(self, i, |at| Lanes::select(at!(a).lt(at!(b)), at!(c), at!(d)));
    }

    #[inline(always)]
    fn is_less_anywhere(&self, i: &Instruction<u16>) -> bool {
        let mut is_any = false;
        for k in self.groups() {
            is_any |= self.block.at(i.a, k).lt(self.block.at(i.b, k)).any();
        }
        is_any
    }

    #[inline(always)]
    fn is_less_everywhere(&self, i: &Instruction<u16>) -> bool {
        let mut is_everywhere = true;
        for k in self.groups() {
            for lane in self.block.at(i.a, k).lt(self.block.at(i.b, k)).0 {
                is_everywhere &= lane != 0;
            }
        }
        is_everywhere
    }
}
