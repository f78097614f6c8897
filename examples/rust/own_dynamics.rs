//! Equations of one's own with a switch: a ball that bounces.

#![allow(clippy::print_stdout)]

use bristle::core::Scalar;
use bristle::solve::{Dynamics, Output, Point, Solver, State};

/// Height and velocity; it comes back with a part of its speed.
struct Ball {
    /// Acceleration of gravity and restitution.
    p: [f64; 2],
}

impl Dynamics for Ball {
    fn dim(&self) -> usize {
        2
    }

    fn params(&self) -> &[f64] {
        &self.p
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.x[1];
        dx[1] = -at.p[0];
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = at.x[0];
    }

    fn switch(&self, _fired: usize, p: &[f64], state: &mut State) {
        state.x[1] *= -p[1];
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Ball { p: [9.81, 0.8] };
    let start = State { t: 0.0, x: vec![1.0, 0.0], mode: Vec::new() };
    let run = Solver::with_tolerance(1e-10).run(&ball, &ball.p, start, 2.0, &Output::Ends, &mut ())?;
    let first = run.events.first().map_or(f64::NAN, |event| event.t);
    println!(
        "{} bounces, the first at {first:.9} s; √(2h/g) is {:.9} s",
        run.events.len(),
        (2.0 / 9.81f64).sqrt()
    );
    Ok(())
}
