//! A step compiled together with its rates is the step that any system takes.

use bristle_core::Scalar;
use bristle_solve::problems::{Belt, BenchLoad, Rabinowicz, TestBench};
use bristle_solve::{Dynamics, Evaluator, Method, Output, Point, Solver, State};

/// The same system, but it names no number of states.
struct Unnamed<D>(D);

impl<D: Dynamics> Dynamics for Unnamed<D> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn mode_count(&self) -> usize {
        self.0.mode_count()
    }
    fn params(&self) -> &[f64] {
        self.0.params()
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        self.0.rates(at, dx);
    }
    fn guard_count(&self) -> usize {
        self.0.guard_count()
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        self.0.guards(at, g);
    }
    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        self.0.switch(fired, p, state);
    }
    fn start(&self, p: &[f64], state: &mut State) {
        self.0.start(p, state);
    }
    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        self.0.scales(p, scale);
    }
    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        self.0.next_break(p, t)
    }
    fn is_autonomous(&self) -> bool {
        self.0.is_autonomous()
    }
}

/// Runs a system both ways.
fn agrees<D: Dynamics + Clone>(dynamics: &D, start: &State, t_end: f64) {
    let unnamed = Unnamed(dynamics.clone());
    for method in [Method::Rodas4, Method::Rodas5p, Method::Auto] {
        let solver = Solver { method, ..Solver::with_tolerance(1e-6) };
        let p = dynamics.params();
        let one = solver.run(dynamics, p, start.clone(), t_end, &Output::Steps, &mut ()).unwrap();
        let other = solver.run(&unnamed, p, start.clone(), t_end, &Output::Steps, &mut ()).unwrap();
        assert_eq!(one.statistics, other.statistics, "{method:?}");
        assert_eq!(one.samples, other.samples, "{method:?}");
    }
    let (mut eval, mut other) =
        (Evaluator::new(dynamics, dynamics.params()), Evaluator::new(&unnamed, dynamics.params()));
    let (mut jacobian, mut expected) = (eval.new_jacobian(), other.new_jacobian());
    let mut rates = vec![0.0; dynamics.dim()];
    let mut expected_rates = rates.clone();
    let x: Vec<f64> = start.x.iter().enumerate().map(|(i, x)| x + 1e-7 * (i + 1) as f64).collect();
    eval.jacobian(0.4 * t_end, &x, &start.mode, &mut jacobian, &mut rates);
    other.jacobian(0.4 * t_end, &x, &start.mode, &mut expected, &mut expected_rates);
    assert_eq!(rates, expected_rates);
    assert_eq!(jacobian.time(), expected.time());
    for i in 0..rates.len() {
        for j in 0..rates.len() {
            assert_eq!(jacobian.entry(i, j), expected.entry(i, j), "{i} {j}");
        }
    }
}

#[test]
fn a_pulse_is_the_same_compiled_or_not() {
    let bench = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
    agrees(&bench, &bench.initial(), 0.02);
}

#[test]
fn a_velocity_based_belt_is_the_same_compiled_or_not() {
    agrees(&Rabinowicz, &Rabinowicz.initial(), 50.0);
}

#[test]
fn belts_of_three_and_four_states_are_the_same_compiled_or_not() {
    for belt in [Belt::two_state(), Belt::lugre()] {
        agrees(&belt, &belt.initial(), 2.0);
    }
}
