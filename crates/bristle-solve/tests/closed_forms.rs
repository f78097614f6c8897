//! Runs whose answer is known: closed forms and published numbers.

use bristle_solve::problems::{Belt, BenchLoad, Chain, CoulombBelt, Rabinowicz, TestBench};
use bristle_solve::{Dynamics, Method, Output, Solver};

/// A block on a moving belt sticks, breaks away and slides. The closed form gives the switches and, between them, the motion;
/// `x(50 s)` and the extremes follow.
#[test]
fn stick_slip_on_a_belt_follows_the_closed_form() {
    let d = CoulombBelt;
    for method in [Method::Auto, Method::Rodas5p, Method::Dopri5, Method::Dop853] {
        let solver = Solver { method, ..Solver::with_tolerance(1e-12) };
        let run = solver.run(&d, d.params(), d.initial(), 50.0, &Output::Ends, &mut ()).unwrap();
        // Break-away, stop, break-away, stop; the fifth switch comes at 50.08 s.
        assert_eq!(run.events.len(), 4, "{method:?}");
        for (event, exact) in run.events.iter().zip(d.switch_times(4)) {
            assert!((event.t - exact).abs() < 1e-9, "{method:?}: {} instead of {exact}", event.t);
        }
        assert!((run.end.x[0] - 11.730734316882768).abs() < 1e-9, "{method:?}");
    }
}

/// Published values of the test bench: rest after 300 s, and after a pulse.
#[test]
fn the_test_bench_comes_to_its_published_rest() {
    let solver = Solver::with_tolerance(1e-9);
    let d = TestBench::new(BenchLoad::Hold);
    let end = solver.run(&d, d.params(), d.initial(), 300.0, &Output::Ends, &mut ()).unwrap().end;
    assert!(
        (end.x[0] - 1.1654252e-6).abs() < 1e-13 && (end.x[2] - 1.1654280e-6).abs() < 1e-13,
        "{:?}",
        end.x
    );
    for (rise, rest) in
        [(0.1, 1.1177341e-6), (0.01, 1.1110593e-6), (0.001, 2.2727556e-6), (0.0001, 2.6014724e-6)]
    {
        let d = TestBench::new(BenchLoad::Pulse { rise });
        let end = solver.run(&d, d.params(), d.initial(), rise + 0.5, &Output::Ends, &mut ()).unwrap().end;
        assert!((end.x[0] - rest).abs() < 3e-13, "{rise}: {:e} instead of {rest:e}", end.x[0]);
    }
}

/// A hold of eleven days costs little more than one of five minutes.
#[test]
fn a_hold_of_a_million_seconds_takes_few_steps() {
    let d = TestBench::new(BenchLoad::Hold);
    for method in [Method::Auto, Method::Rodas5p] {
        let solver = Solver { method, ..Solver::with_tolerance(1e-6) };
        let run = solver.run(&d, d.params(), d.initial(), 1e6, &Output::Ends, &mut ()).unwrap();
        assert!(run.statistics.steps < 100, "{:?}", run.statistics);
        assert!((run.end.x[0] - 1.16542e-6).abs() < 1e-11);
    }
}

/// The velocity-based law at 50 s, from an independent code. The kinks of the law and the break-away amplify the error of a
/// step about a thousand times.
#[test]
fn the_velocity_based_belt_ends_where_published() {
    let d = Rabinowicz;
    for method in [Method::Auto, Method::Rodas5p, Method::Dop853] {
        let solver = Solver { method, ..Solver::with_tolerance(1e-11) };
        let end = solver.run(&d, d.params(), d.initial(), 50.0, &Output::Ends, &mut ()).unwrap().end;
        assert!((end.x[0] - 11.14891113).abs() < 3e-8, "{method:?}: {}", end.x[0]);
    }
}

/// Explicit and implicit methods agree on the ringing bristles, switch by switch.
#[test]
fn methods_agree_on_the_dwell_time_belt() {
    let d = Belt::at(0.1);
    let run = |method: Method| {
        let solver = Solver { method, ..Solver::with_tolerance(1e-10) };
        solver.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut ()).unwrap()
    };
    let (one, two) = (run(Method::Rodas5p), run(Method::Dop853));
    assert_eq!(one.events.len(), two.events.len());
    for (a, b) in one.events.iter().zip(&two.events) {
        assert!((a.t - b.t).abs() < 1e-7, "{} {}", a.t, b.t);
    }
    assert!((one.end.x[0] - two.end.x[0]).abs() < 1e-8);
}

/// The band is right if the compressed Jacobian equals the one of single columns: the implicit and the explicit method agree.
#[test]
fn the_banded_chain_agrees_with_an_explicit_run() {
    let d = Chain::new(40);
    let run = |method: Method| {
        let solver = Solver { method, ..Solver::with_tolerance(1e-8) };
        solver.run(&d, d.params(), d.initial(), 0.1, &Output::Ends, &mut ()).unwrap()
    };
    let (one, two) = (run(Method::Rodas5p), run(Method::Dop853));
    assert_eq!(one.end.x.len(), two.end.x.len());
    for (a, b) in one.end.x.iter().zip(&two.end.x) {
        assert!((a - b).abs() < 1e-7);
    }
}
