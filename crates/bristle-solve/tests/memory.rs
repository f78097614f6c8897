//! A step allocates nothing.

use bristle_solve::problems::{Belt, Chain, Harmonic, Load, TestBench};
use bristle_solve::{Dynamics, Integrator, Method, Solver, State};
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

fn allocations_while_stepping<D: Dynamics>(dynamics: &D, start: &State, t_end: f64, method: Method) -> usize {
    let solver = Solver { method, ..Solver::with_tolerance(1e-6) };
    let mut integrator = Integrator::new(dynamics, dynamics.params(), &solver).unwrap();
    integrator.reset(start).unwrap();
    let before = COUNT.with(Cell::get);
    integrator.advance(t_end, &mut ()).unwrap();
    COUNT.with(Cell::get) - before
}

/// All buffers are made with the integrator: steps, rejections, landings and switches of method and mode use them.
#[test]
fn steps_and_events_allocate_nothing() {
    for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853] {
        let d = Harmonic;
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 20.0, method), 0, "{method:?}");
        let d = Belt::at(0.1);
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 2.0, method), 0, "{method:?}");
        let d = TestBench::new(Load::Pulse { rise: 0.001 });
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 0.02, method), 0, "{method:?}");
        let d = Chain::new(30);
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 0.01, method), 0, "{method:?}");
    }
}
