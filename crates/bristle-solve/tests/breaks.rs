//! Times at which rates jump.

use bristle_core::Scalar;
use bristle_solve::{Dynamics, Method, Output, Point, Solver, State};

/// A free mass at rest receives 2 N for one millisecond in ten seconds, with the jumps declared as breaks.
struct Pulse;

const ON: f64 = 6.2;
const OFF: f64 = 6.201;

impl Dynamics for Pulse {
    fn dim(&self) -> usize {
        2
    }
    fn params(&self) -> &[f64] {
        &[2.0]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let is_on = at.t.value() >= ON && at.t.value() < OFF;
        dx[0] = at.x[1];
        dx[1] = if is_on { at.p[0] } else { S::zero() };
    }
    fn next_break(&self, _p: &[f64], t: f64) -> Option<f64> {
        [ON, OFF].into_iter().find(|&b| b > t)
    }
}

/// Momentum is conserved: the speed afterwards is 2 N · 1 ms / 1 kg, whatever the steps were.
#[test]
fn a_pulse_between_breaks_is_not_stepped_over() {
    for &method in Method::ALL {
        let solver = Solver { method, ..Solver::with_tolerance(1e-8) };
        let start = State { t: 0.0, x: vec![0.0, 0.0], mode: vec![] };
        let run = solver.run(&Pulse, &[2.0], start, 10.0, &Output::Steps, &mut ()).unwrap();
        assert!((run.end.x[1] - 2e-3).abs() < 1e-9, "{method:?}: {}", run.end.x[1]);
        let exact = 0.5 * 2.0 * 1e-6 + 2e-3 * (10.0 - OFF);
        assert!((run.end.x[0] - exact).abs() < 1e-7, "{method:?}: {}", run.end.x[0]);
        assert!(run.samples.t.contains(&ON) && run.samples.t.contains(&OFF), "{method:?}");
    }
}

/// A jump seen from both sides costs no rejected step: each side is evaluated with its own value.
#[test]
fn a_jump_at_a_break_costs_no_rejection() {
    for method in [Method::Rodas5p, Method::Dopri5, Method::Dop853] {
        let solver = Solver { method, ..Solver::with_tolerance(1e-8) };
        let start = State { t: 0.0, x: vec![0.0, 0.0], mode: vec![] };
        let run = solver.run(&Pulse, &[2.0], start, 10.0, &Output::Ends, &mut ()).unwrap();
        assert_eq!(run.statistics.rejected, 0, "{method:?}: {:?}", run.statistics);
    }
}
