//! What runs in lanes is what runs alone.

use crate::reference::close;
use bristle_analysis::AnalysisError;
use bristle_analysis::batch::Motion;
use bristle_analysis::map::{Axis, abscissa, map};
use bristle_analysis::section::Section;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_core::Scalar;
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Dynamics, Method, Point, Solver, State};

/// The belt oscillator, kept out of lanes.
struct Alone(Belt);

impl Dynamics for Alone {
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
}

/// Rows that do not fill the lanes, columns down to speeds at which the bristles are stiff.
#[test]
fn stability_in_lanes_is_stability_cell_by_cell() {
    for block in [Belt::two_state(), Belt::lugre()] {
        let alone = Alone(block.clone());
        let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
        let axes = || (Axis::linear(belt::C1, 0.05, 5.0, 21), Axis::linear(belt::V_B, 0.02, 5.0, 40));
        let (rows, columns) = axes();
        let lanes = map(&block, &p, &block.sliding(&p), rows, columns).unwrap();
        let (rows, columns) = axes();
        let single = map(&alone, &p, &block.sliding(&p), rows, columns).unwrap();
        assert_eq!(lanes.stable, single.stable);
        assert!(lanes.stable.iter().all(Option::is_some));
        let (rows, columns) = axes();
        let growth = abscissa(&block, &p, &block.sliding(&p), &rows, &columns).unwrap();
        let single = abscissa(&alone, &p, &block.sliding(&p), &rows, &columns).unwrap();
        for (a, b) in growth.iter().zip(&single) {
            close(a.unwrap(), b.unwrap(), 1e-10);
        }
        for (a, stable) in growth.iter().zip(&lanes.stable) {
            assert_eq!(a.unwrap() < 0.0, stable.unwrap());
        }
    }
}

fn shooting(method: Method, tolerance: f64) -> Shooting {
    let solver = Solver { method, rtol: tolerance, atol: tolerance, ..Solver::default() };
    Shooting { solver, limit: 20.0, ..Shooting::default() }
}

fn returns<D: Dynamics>(dynamics: &D, shooting: Shooting) -> ReturnMap<'_, D> {
    let p = dynamics.params().to_vec();
    ReturnMap::new(dynamics, &p, &[0.2, 0.1, 0.0, 0.0], Section::falling(1, 0.0), shooting).unwrap()
}

/// Eleven motions, most of them with stick, ringing and slip; starts stuck to the belt.
fn motions(block: &Belt) -> Vec<Motion> {
    let motion = |(c1, v_b): (f64, f64)| Motion {
        p: block.with(&[(belt::C1, c1), (belt::V_B, v_b)]),
        start: vec![0.2, v_b, 0.0, 0.0],
    };
    let cells = [0.3, 0.5, 0.7].into_iter().flat_map(|v| [0.5, 2.0, 3.5].map(|c| (c, v)));
    cells.chain([(1.0, 1.5), (3.0, 4.0)]).map(motion).collect()
}

/// Times and states at the hits agree with the general method at a tight tolerance. One unit of tolerance grows along
/// the motion, so the comparison allows for more than the tolerance of a step.
#[test]
fn hits_in_lanes_are_hits_alone() {
    let block = Belt::two_state();
    let lanes = returns(&block, shooting(Method::Auto, 1e-9));
    let motions = motions(&block);
    assert!(lanes.runs_in_lanes(&motions[0].p));
    let exact = returns(&block, shooting(Method::Dop853, 1e-12));
    let found = lanes.hits_of_all(&motions, 4);
    for (motion, hits) in motions.iter().zip(found) {
        let expected = exact.hits(&motion.p, &motion.start, 4).unwrap();
        for (a, b) in hits.unwrap().iter().zip(&expected) {
            close(a.state.t, b.state.t, 2e-6);
            close(a.state.x[0], b.state.x[0], 2e-6);
            close(a.state.x[2] / 4e-4, b.state.x[2] / 4e-4, 2e-5);
            assert_eq!(a.state.mode, b.state.mode);
            // Extremes are those at the steps, which differ.
            close(a.max[0] - a.min[0], b.max[0] - b.min[0], 2e-3);
        }
    }
}

#[test]
fn a_motion_does_not_know_its_neighbours() {
    let block = Belt::two_state();
    let lanes = returns(&block, shooting(Method::Auto, 1e-6));
    let motions = motions(&block);
    let together = lanes.hits_of_all(&motions, 3);
    for (motion, hits) in motions.iter().zip(together).step_by(3) {
        let alone = lanes.hits_of_all(std::slice::from_ref(motion), 3).remove(0).unwrap();
        for (a, b) in hits.unwrap().iter().zip(&alone) {
            assert_eq!(a.state, b.state);
        }
    }
}

#[test]
fn without_lanes_or_returns_the_answer_is_that_of_the_general_method() {
    let alone = Alone(Belt::two_state());
    let general = returns(&alone, shooting(Method::Auto, 1e-6));
    let motion = motions(&alone.0).remove(4);
    assert!(!general.runs_in_lanes(&motion.p));
    let found = general.hits_of_all(std::slice::from_ref(&motion), 2).remove(0).unwrap();
    assert_eq!(found[1].state, general.hits(&motion.p, &motion.start, 2).unwrap()[1].state);
    let hasty = Shooting { limit: 0.05, ..shooting(Method::Auto, 1e-6) };
    let lanes = returns(&alone.0, hasty);
    let found = lanes.hits_of_all(std::slice::from_ref(&motion), 2).remove(0);
    assert!(matches!(found, Err(AnalysisError::NoReturn { .. })), "{found:?}");
    let stopped = lanes.hits_while(&motions(&alone.0), 2, &|_| false);
    assert_eq!(stopped.len(), 11);
}
