//! A fixed step allocates nothing.

use crate::bench::Contact;
use bristle_law::{At, LawKind, fixed_step};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

#[allow(unsafe_code)]
// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn fixed_steps_allocate_nothing() {
    for &kind in LawKind::ALL {
        let mut contact = Contact::new(kind, 10.0, 0.0);
        let Some(kernel) = fixed_step::kernel(&contact.law) else { continue };
        let before = COUNT.with(Cell::get);
        for i in 0..200 {
            let at = At { hold: 1.0, ..At::sliding(1e-4 * f64::from(i % 7 - 3), f64::from(i % 5)) };
            kernel.step(&at, &mut contact.z, &mut contact.mode, 1e-3);
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{}", kind.card().name);
    }
}
