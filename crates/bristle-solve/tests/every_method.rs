//! What every method must satisfy: order, dense output, located guards, cost.

use bristle_core::Scalar;
use bristle_solve::problems::{CoulombBelt, Harmonic, Robertson, VanDerPol};
use bristle_solve::{Dynamics, Method, Output, Point, Solver, State};

/// Our one-step methods with the order of the step and of the dense output.
const ORDERS: [(Method, f64, f64); 4] = [
    (Method::Rodas5p, 5.0, 4.0),
    (Method::Rodas4, 4.0, 3.0),
    (Method::Dopri5, 5.0, 4.0),
    (Method::Dop853, 8.0, 7.0),
];

/// A run with constant steps: tolerances so loose that every step is accepted, and the step capped.
fn with_steps(method: Method, h: f64) -> Solver {
    Solver { method, rtol: 0.1, atol: 0.1, h_max: Some(h), h_first: Some(h), ..Solver::default() }
}

fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// A pendulum with a drive: no symmetry hides an error of the method.
struct Pendulum;

impl Dynamics for Pendulum {
    fn dim(&self) -> usize {
        2
    }
    fn params(&self) -> &[f64] {
        &[1.0, 0.3]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.x[1];
        dx[1] = at.p[1] * at.t.cos() * at.x[1] - at.p[0] * at.x[0].sin();
    }
}

fn pendulum(solver: &Solver, times: Vec<f64>) -> Vec<f64> {
    let start = State { t: 0.0, x: vec![1.5, 0.0], mode: vec![] };
    let d = Pendulum;
    let run = solver.run(&d, d.params(), start, 4.0, &Output::Times(times), &mut ()).unwrap();
    run.samples.x
}

fn deviation(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Halving the step divides the error by `2^p`.
#[test]
fn the_error_falls_with_the_order_of_the_method() {
    let exact = pendulum(&Solver { method: Method::Dop853, ..Solver::with_tolerance(1e-13) }, vec![4.0]);
    for (method, expected, _) in ORDERS {
        // Order 8 reaches rounding soon: it is measured with long steps.
        let h = if method == Method::Dop853 { 0.4 } else { 0.1 };
        let error = |h: f64| deviation(&pendulum(&with_steps(method, h), vec![4.0]), &exact);
        let observed = order(error(h), error(0.5 * h));
        assert!(
            observed > expected - 0.45 && observed < expected + 0.9,
            "{method:?}: order {observed:.2}, expected {expected}"
        );
    }
}

/// Inside a step of length `h` the dense output of order `q` is off by `h^{q+1}`, once; the steps around it contribute their own.
#[test]
fn the_dense_output_has_its_order() {
    let times: Vec<f64> = (1..80).map(|i| 0.05 * f64::from(i) + 0.013).collect();
    let exact = pendulum(
        &Solver { method: Method::Dop853, h_max: Some(0.02), ..Solver::with_tolerance(1e-13) },
        times.clone(),
    );
    for (method, _, expected) in ORDERS {
        let h = if method == Method::Dop853 { 0.4 } else { 0.1 };
        let error = |h: f64| deviation(&pendulum(&with_steps(method, h), times.clone()), &exact);
        let observed = order(error(h), error(0.5 * h));
        assert!(observed > expected - 0.4, "{method:?}: dense order {observed:.2}, expected {expected}");
    }
}

/// A tolerance a hundred times finer makes the error of a smooth motion finer by nearly as much, whatever the method: for
/// order `p` a step's error is the tolerance and what adds up goes with its power `p/(p + 1)`, or one.
#[test]
fn the_error_is_in_proportion_to_the_tolerance() {
    let exact = pendulum(&Solver { method: Method::Dop853, ..Solver::with_tolerance(1e-13) }, vec![4.0]);
    for &method in Method::ALL {
        let error = |tolerance: f64| {
            let solver = Solver { method, ..Solver::with_tolerance(tolerance) };
            deviation(&pendulum(&solver, vec![4.0]), &exact)
        };
        let power = (error(1e-5) / error(1e-9)).log10() / 4.0;
        // `auto` goes from `dopri5` to `dop853` between the two, and gains by it.
        let most = if method == Method::Auto { 1.6 } else { 1.2 };
        assert!(power > 0.7 && power < most, "{method:?}: {power:.2}");
    }
}

/// How many tolerances the error of a run may be: the implicit methods of the library let theirs add up.
fn tolerances(method: Method) -> f64 {
    if [Method::Bdf, Method::Esdirk34].contains(&method) { 1000.0 } else { 20.0 }
}

/// The error stays within twenty tolerances, or a thousand for two methods of the library.
#[test]
fn the_error_follows_the_tolerance() {
    let d = Harmonic;
    let exact = d.exact(10.0);
    for &method in Method::ALL {
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let solver = Solver { method, ..Solver::with_tolerance(tolerance) };
            let end = solver.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut ()).unwrap().end;
            let error = deviation(&end.x[..2], &exact).max((end.x[2] - d.exact_work(10.0)).abs());
            assert!(error < tolerances(method) * tolerance, "{method:?} at {tolerance:e}: {error:e}");
        }
    }
}

/// The block sticks at first and its spring is drawn evenly: break-away is located to the tolerance. The later switches
/// inherit the error of the motion before them.
#[test]
fn guards_are_located_to_the_tolerance() {
    let d = CoulombBelt;
    for &method in Method::ALL {
        let solver = Solver { method, ..Solver::with_tolerance(1e-9) };
        let run = solver.run(&d, d.params(), d.initial(), 50.0, &Output::Ends, &mut ()).unwrap();
        let times = d.switch_times(4);
        assert_eq!(run.events.len(), times.len(), "{method:?}");
        for (i, (event, exact)) in run.events.iter().zip(times).enumerate() {
            let allowed = if i == 0 { 1e-9 } else { 2.0 * tolerances(method) * 1e-9 };
            assert!((event.t - exact).abs() < allowed, "{method:?}: {} instead of {exact}", event.t);
        }
    }
}

/// Final values of two stiff classics, from tight runs of other codes.
#[test]
fn stiff_methods_solve_the_classics() {
    for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Bdf, Method::Esdirk34] {
        if !Method::ALL.contains(&method) {
            continue;
        }
        let solver = Solver { method, ..Solver::with_tolerance(1e-7) };
        let d = Robertson;
        let end = solver.run(&d, d.params(), d.initial(), 40.0, &Output::Ends, &mut ()).unwrap().end;
        let exact = [0.715827068719394, 9.185534764557338e-6, 0.2841637457458413];
        assert!(deviation(&end.x, &exact) < 1e-5, "{method:?} {:?}", end.x);
        if method == Method::Esdirk34 {
            // Its Newton iteration gives up at the jump.
            continue;
        }
        let d = VanDerPol::new(1e-6);
        let end = solver.run(&d, d.params(), d.initial(), 2.0, &Output::Ends, &mut ()).unwrap().end;
        let exact = [1.706167732170483, -0.8928097010247975];
        assert!(deviation(&end.x, &exact) < 1e-4, "{method:?} {:?}", end.x);
    }
}

/// Cost is part of the expected result: a change here is a change of efficiency.
#[test]
fn the_cost_of_an_oscillation_is_known() {
    let d = Harmonic;
    let cost = |method: Method| {
        let solver = Solver { method, ..Solver::with_tolerance(1e-8) };
        let s = solver.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut ()).unwrap().statistics;
        let name = method.name();
        format!("{name}: {} steps, {} evaluations, {} Jacobians", s.steps, s.evaluations, s.jacobians)
    };
    let methods = [Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853, Method::Auto];
    insta::assert_snapshot!(methods.map(cost).join("\n"), @"
    rodas5p: 129 steps, 904 evaluations, 129 Jacobians
    rodas4: 484 steps, 2421 evaluations, 484 Jacobians
    dopri5: 217 steps, 1304 evaluations, 0 Jacobians
    dop853: 40 steps, 482 evaluations, 0 Jacobians
    auto: 101 steps, 804 evaluations, 89 Jacobians
    ");
}

/// A scenario finds every method by the name on its card, and every card says what the method is.
#[test]
fn every_method_has_a_card() {
    for &method in Method::ALL {
        let card = method.card();
        assert_eq!(Method::named(card.name), Some(method));
        assert!(card.title().ends_with('.') && !card.equation().is_empty(), "{}", card.name);
    }
    assert_eq!(Method::named("euler"), None);
}
