//! A friction law of one's own: written once, its derivatives are exact, and any solver runs it.

#![allow(clippy::print_stdout)]

use bristle::core::{Card, Params, Scalar};
use bristle::law::{At, Law};
use bristle::solve::{Dynamics, Output, Point, Solver, State};

/// Friction that grows with the square root of speed, rounded off at rest.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "root_of_speed")]
struct RootOfSpeed<S> {
    /// Coefficient at one metre per second.
    #[param(symbol = "μ_1", unit = "1", default = 0.3, min = 0.0)]
    mu_one: S,
    /// Speed below which it is proportional to the slip rate.
    #[param(symbol = "v_r", unit = "m/s", default = 1e-3, min = 1e-9)]
    v_round: S,
}

impl<S: Scalar> Law<S> for RootOfSpeed<S> {
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let rounded = (at.v.squared() + self.v_round.squared()).sqrt();
        self.mu_one * at.n * at.v / rounded.sqrt()
    }
}

/// A block that slides to rest: position and velocity.
struct Block {
    /// Mass, load, then the numbers of the law.
    p: Vec<f64>,
}

impl Dynamics for Block {
    fn dim(&self) -> usize {
        2
    }

    fn params(&self) -> &[f64] {
        &self.p
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let law: RootOfSpeed<S> = Params::from_slices(&at.p[2..], &[]);
        let friction = law.eval(&At::sliding(at.x[1], at.p[1]), &[], &mut []);
        dx[0] = at.x[1];
        dx[1] = -friction / at.p[0];
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut p = vec![1.0, 10.0];
    RootOfSpeed::<f64>::default().to_slices(&mut p, &mut Vec::new());
    let block = Block { p };
    let start = State { t: 0.0, x: vec![0.0, 1.0], mode: Vec::new() };
    let run = Solver::with_tolerance(1e-9).run(&block, &block.p, start, 1.0, &Output::Ends, &mut ())?;
    // v̇ = −3 √v stops after 2/3 s and (2/3)/3 m, but for the rounding.
    println!("at rest after {:.5} m; without the rounding {:.5} m", run.end.x[0], 2.0 / 9.0);
    Ok(())
}
