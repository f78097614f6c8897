//! A running integration does not touch the heap.

// A counting allocator is the only way to see allocations; the trait it implements is unsafe by nature.
#![allow(unsafe_code)]

use crate::common::*;
use bristle_cable::*;
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { Heap.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn steps_allocate_nothing() {
    let (system, start) = resting(pulley(2.0, 40, law(0.9)));
    let method = GeneralisedAlpha { step: 0.01, ..GeneralisedAlpha::default() };
    let mut run = GeneralisedAlphaRun::new(&system, method, start).unwrap();
    // Long enough to have met the largest number of contacts.
    run.advance_to(2.0).unwrap();
    let before = COUNT.with(Cell::get);
    run.advance_to(4.0).unwrap();
    assert_eq!(COUNT.with(Cell::get) - before, 0);
}
