//! A step allocates nothing.

use allocation_counter::measure;
use bristle_solve::problems::{Belt, BenchLoad, Chain, Harmonic, TestBench};
use bristle_solve::{Dynamics, Integrator, Method, Solver, State};

fn allocations_while_stepping<D: Dynamics>(dynamics: &D, start: &State, t_end: f64, method: Method) -> u64 {
    let solver = Solver { method, ..Solver::with_tolerance(1e-6) };
    let mut integrator = Integrator::new(dynamics, dynamics.params(), &solver).unwrap();
    integrator.reset(start).unwrap();
    measure(|| {
        integrator.advance(t_end, &mut ()).unwrap();
    })
    .count_total
}

/// All buffers are made with the integrator: steps, rejections, landings and switches of method and mode use them.
#[test]
fn steps_and_events_allocate_nothing() {
    for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853] {
        let d = Harmonic;
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 20.0, method), 0, "{method:?}");
        let d = Belt::at(0.1);
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 2.0, method), 0, "{method:?}");
        let d = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 0.02, method), 0, "{method:?}");
        let d = Chain::new(30);
        assert_eq!(allocations_while_stepping(&d, &d.initial(), 0.01, method), 0, "{method:?}");
    }
}
