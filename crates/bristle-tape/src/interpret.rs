//! Numbers of a program that runs for one state.

use crate::instruction::{Instruction, Place, Store};

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
        impl Store<$place> for $store {
            type Number = f64;

            #[inline(always)]
            fn unary(&mut self, i: &Instruction<$place>, f: impl Fn(f64) -> f64) {
                self.0[i.out.index()] = f(self.0[i.a.index()]);
            }

            #[inline(always)]
            fn binary(&mut self, i: &Instruction<$place>, f: impl Fn(f64, f64) -> f64) {
                self.0[i.out.index()] = f(self.0[i.a.index()], self.0[i.b.index()]);
            }

            #[inline(always)]
            fn ternary(&mut self, i: &Instruction<$place>, f: impl Fn(f64, f64, f64) -> f64) {
                self.0[i.out.index()] = f(self.0[i.a.index()], self.0[i.b.index()], self.0[i.c.index()]);
            }

            #[inline(always)]
            fn quaternary(&mut self, i: &Instruction<$place>, f: impl Fn(f64, f64, f64, f64) -> f64) {
                let numbers = &mut self.0;
                numbers[i.out.index()] =
                    f(numbers[i.a.index()], numbers[i.b.index()], numbers[i.c.index()], numbers[i.d.index()]);
            }
        }
    };
}
store!(One, u8);
store!(Many, u16);
