//! Runs: outputs, interruption, errors, reuse.

use bristle_core::{Mode, Scalar};
use bristle_solve::problems::{Belt, Harmonic};
use bristle_solve::{Dynamics, Integrator, Method, Output, Point, SolveError, Solver, State};

#[test]
fn a_watch_stops_a_run_cleanly() {
    let d = Harmonic;
    for &method in Method::ALL {
        let solver = Solver { method, ..Solver::default() };
        let mut calls = 0;
        let mut watch = |t: f64, _x: &[f64], _mode: &[Mode]| {
            calls += 1;
            t < 3.0
        };
        let run = solver.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut watch).unwrap();
        assert!(run.stopped_early && run.end.t >= 3.0 && run.end.t < 10.0, "{method:?}");
        assert!((run.end.x[0] - d.exact(run.end.t)[0]).abs() < 1e-5, "{method:?}");
        assert!(calls > 2);
    }
}

#[test]
fn a_grid_is_even_and_reaches_the_end() {
    let d = Harmonic;
    for &method in Method::ALL {
        let solver = Solver { method, ..Solver::default() };
        let run = solver.run(&d, d.params(), d.initial(), 1.0, &Output::Grid { step: 0.1 }, &mut ()).unwrap();
        assert_eq!(run.samples.len(), 11, "{method:?} {:?}", run.samples.t);
        for (i, t) in run.samples.t.iter().enumerate() {
            assert!((t - 0.1 * i as f64).abs() < 1e-12);
            assert!((run.samples.row(i)[0] - d.exact(*t)[0]).abs() < 1e-5, "{method:?}");
        }
        let run = solver.run(&d, d.params(), d.initial(), 1.0, &Output::Grid { step: 0.3 }, &mut ()).unwrap();
        assert_eq!(run.samples.t.last(), Some(&1.0));
        assert_eq!(run.samples.len(), 5);
    }
}

/// `ẋ = 1`, `ẏ = √(1 − x)`: not a number after one second.
struct Cliff;

impl Dynamics for Cliff {
    fn dim(&self) -> usize {
        2
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = S::one();
        dx[1] = (S::one() - at.x[0]).sqrt();
    }
    fn state_name(&self, index: usize) -> String {
        ["time", "depth"][index].to_owned()
    }
}

#[test]
fn a_rate_that_is_not_finite_is_named() {
    for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853] {
        let solver = Solver { method, ..Solver::default() };
        let start = State { t: 0.0, x: vec![0.0, 0.0], mode: vec![] };
        let error = solver.run(&Cliff, &[], start, 3.0, &Output::Ends, &mut ()).unwrap_err();
        let SolveError::NotFinite { t, state } = &error else { panic!("{method:?}: {error}") };
        assert!((t - 1.0).abs() < 1e-3 && state == "depth", "{method:?}: {error}");
        let start = State { t: 0.0, x: vec![2.0, 0.0], mode: vec![] };
        let error = solver.run(&Cliff, &[], start, 3.0, &Output::Ends, &mut ()).unwrap_err();
        assert_eq!(error, SolveError::NotFinite { t: 0.0, state: "depth".to_owned() });
    }
}

/// `ẋ = x²` leaves every bound at `t = 1`.
struct Explosion;

impl Dynamics for Explosion {
    fn dim(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.x[0].squared();
    }
    fn state_name(&self, _index: usize) -> String {
        "height".to_owned()
    }
}

#[test]
fn a_singular_solution_ends_with_a_small_step() {
    for method in [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853] {
        let solver = Solver { method, max_steps: 100_000, ..Solver::default() };
        let start = State { t: 0.0, x: vec![1.0], mode: vec![] };
        match solver.run(&Explosion, &[], start, 3.0, &Output::Ends, &mut ()).unwrap_err() {
            SolveError::StepTooSmall { t, state, .. } | SolveError::NotFinite { t, state } => {
                assert!((t - 1.0).abs() < 1e-6 && state == "height", "{method:?} {t}");
            }
            error => panic!("{method:?}: {error}"),
        }
    }
}

#[test]
fn settings_are_checked() {
    let d = Harmonic;
    let run = |solver: Solver| solver.run(&d, d.params(), d.initial(), 1.0, &Output::Ends, &mut ());
    let error = run(Solver { rtol: -1.0, ..Solver::default() }).unwrap_err();
    assert!(matches!(error, SolveError::BadTolerance { name: "rtol", .. }), "{error}");
    let error = run(Solver { atol: f64::NAN, ..Solver::default() }).unwrap_err();
    assert!(matches!(error, SolveError::BadTolerance { name: "atol", .. }), "{error}");
    let error = run(Solver { max_steps: 3, ..Solver::default() }).unwrap_err();
    assert!(matches!(error, SolveError::TooManySteps { steps: 3, .. }), "{error}");
    let error = Solver::default().run(&d, &[1.0], d.initial(), 1.0, &Output::Ends, &mut ()).unwrap_err();
    assert_eq!(error, SolveError::WrongLength { what: "parameters", expected: 2, found: 1 });
    let error = Solver::default().run(&d, d.params(), d.initial(), -1.0, &Output::Ends, &mut ()).unwrap_err();
    assert_eq!(error, SolveError::BadSpan { start: 0.0, end: -1.0 });
}

/// Shooting runs the same integrator again and again, with changed start and parameters.
#[test]
fn an_integrator_is_reused_without_a_trace() {
    let (slow, fast) = (Belt::at(0.1), Belt::at(0.2));
    let solver = Solver::with_tolerance(1e-8);
    let mut integrator = Integrator::new(&slow, slow.params(), &solver).unwrap();
    let mut end = |p: &[f64]| {
        integrator.set_params(p).unwrap();
        integrator.reset(&slow.initial()).unwrap();
        integrator.advance(1.0, &mut ()).unwrap();
        integrator.state().clone()
    };
    let first = end(slow.params());
    let other = end(fast.params());
    assert_ne!(first, other);
    assert_eq!(end(slow.params()), first);
    let fresh = solver.run(&slow, slow.params(), slow.initial(), 1.0, &Output::Ends, &mut ()).unwrap();
    assert_eq!(fresh.end, first);
}

/// Advancing in pieces follows the same solution as one run, within the tolerance.
#[test]
fn a_run_can_be_continued() {
    let d = Harmonic;
    let mut integrator = Integrator::new(&d, d.params(), &Solver::with_tolerance(1e-9)).unwrap();
    integrator.reset(&d.initial()).unwrap();
    for i in 1..=20 {
        let t = 0.5 * f64::from(i);
        integrator.advance(t, &mut ()).unwrap();
        assert_eq!(integrator.state().t, t);
        assert!((integrator.state().x[0] - d.exact(t)[0]).abs() < 1e-7);
    }
}

/// Nothing but an integral over time: there is no Jacobian to tell a stable step from.
struct Integral;

impl Dynamics for Integral {
    fn dim(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.t.cos();
    }
}

#[test]
fn an_integral_alone_is_found() {
    let start = State { t: 0.0, x: vec![0.0], mode: vec![] };
    let solver = Solver::with_tolerance(1e-9);
    let run = solver.run(&Integral, &[], start, 40.0, &Output::Ends, &mut ()).unwrap();
    assert!((run.end.x[0] - 40f64.sin()).abs() < 1e-7, "{:?}", run.end);
}
