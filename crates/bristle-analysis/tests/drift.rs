//! A state nothing depends on, the slip of the block, may grow for ever without spoiling equilibria and cycles.

use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_analysis::steady::{Newton, steady};
use bristle_core::Scalar;
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Dynamics, Point, State};

struct Slipping(Belt);

impl Dynamics for Slipping {
    fn dim(&self) -> usize {
        1 + self.0.dim()
    }
    fn mode_count(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        self.0.params()
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.p[belt::V_B] - at.x[2];
        self.0.rates(Point { x: &at.x[1..], ..at }, &mut dx[1..]);
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        self.0.guards(Point { x: &at.x[1..], ..at }, g);
    }
    fn switch(&self, _fired: usize, _p: &[f64], state: &mut State) {
        state.mode[0] = state.mode[0].reversed();
    }
    fn start(&self, p: &[f64], state: &mut State) {
        let mut inner = State { t: state.t, x: state.x[1..].to_vec(), mode: state.mode.clone() };
        self.0.start(p, &mut inner);
        state.mode = inner.mode;
    }
    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        scale[0] = 1.0;
        self.0.scales(p, &mut scale[1..]);
    }
}

#[test]
fn a_growing_slip_is_left_out() {
    let slipping = Slipping(Belt::lugre());
    let p = slipping.0.with(&[(belt::V_B, 0.05)]);
    let mut guess = vec![7.0];
    guess.extend(slipping.0.sliding(&p));
    let found = steady(&slipping, &p, &guess, Newton::default()).unwrap();
    assert_eq!(found.active, [1, 2, 3]);
    assert_eq!(found.x[0], 7.0);
    assert!((found.eigen[0].value.re - 4.177734816632957).abs() < 1e-10);

    guess[2] = 0.05;
    let map =
        ReturnMap::new(&slipping, &p, &guess, PoincareSection::falling(2, 0.0), Shooting::default()).unwrap();
    assert_eq!(map.coordinates, [1, 3]);
    let hits = map.hits(&p, &guess, 12).unwrap();
    let orbit = map.orbit(&p, &hits[11].state, 1).unwrap();
    assert!((orbit.period / 1.189441923879 - 1.0).abs() < 1e-9);
}
