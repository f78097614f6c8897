//! Numbers of a program that runs for one state.

use crate::instruction::{Instruction, Place, Second, Store, less};
use crate::operation::{Binary, Unary};

/// As many numbers as a byte can name.
#[derive(Clone, Debug)]
pub(crate) struct One(pub [f64; 256]);

/// As many numbers as two bytes can name.
#[derive(Clone, Debug)]
pub(crate) struct Many(pub Box<[f64; MOST]>);

/// The most numbers a program can hold at a time.
pub(crate) const MOST: usize = 1 << 16;

impl Many {
    pub fn new() -> Self {
        let numbers: Result<Box<[f64; MOST]>, _> = vec![0.0; MOST].into_boxed_slice().try_into();
        Many(numbers.unwrap_or_else(|_| Box::new([0.0; MOST])))
    }
}

macro_rules! store {
    ($store:ty, $place:ty) => {
        impl $store {
            #[inline(always)]
            fn at(&self, place: $place) -> f64 {
                self.0[place.index()]
            }
        }

        impl Store<$place> for $store {
            #[inline(always)]
            fn unary(&mut self, i: &Instruction<$place>, f: Unary) {
                self.0[i.out.index()] = f.of(self.at(i.a));
            }

            #[inline(always)]
            fn decay(&mut self, i: &Instruction<$place>) {
                self.0[i.out.index()] = Unary::Exp.of(-self.at(i.a));
            }

            #[inline(always)]
            fn binary(&mut self, i: &Instruction<$place>, f: Binary) {
                self.0[i.out.index()] = f.of(self.at(i.a), self.at(i.b));
            }

            #[inline(always)]
            fn less(&mut self, i: &Instruction<$place>) {
                self.0[i.out.index()] = less(self.at(i.a), self.at(i.b));
            }

            #[inline(always)]
            fn pair(&mut self, i: &Instruction<$place>, first: Binary, second: Second) {
                self.0[i.out.index()] = second.of(first.of(self.at(i.a), self.at(i.b)), self.at(i.c));
            }

            #[inline(always)]
            fn select(&mut self, i: &Instruction<$place>) {
                // Both are read before one is chosen: no branch that a processor could guess wrongly.
                let (yes, no) = (self.at(i.c), self.at(i.d));
                self.0[i.out.index()] = if self.at(i.a) < self.at(i.b) { yes } else { no };
            }
        }
    };
}
store!(One, u8);
store!(Many, u16);
