//! Stick-slip with set-valued friction: rates jump at the switches, so variations must jump too.
//!
//! With mass and stiffness one, the block sticks until `x = μ_s`, then slides as
//! `x = μ_k + Δ cos t + v sin t`, `Δ = μ_s − μ_k`, and sticks again where `ẋ = v`. Hence
//! `T = 2π − 2 atan(Δ/v) + 2Δ/v`, and since every cycle passes through the same break-away, the multiplier is zero.

use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_core::{Mode, Scalar};
use bristle_solve::{Dynamics, Point, State};

struct Block;

impl Dynamics for Block {
    fn dim(&self) -> usize {
        3
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn mode_count(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[1.0, 0.6, 0.5]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.x[1];
        dx[1] = if at.mode[0] == Mode::Stick { S::zero() } else { at.p[1] - at.x[0] };
        dx[2] = at.x[1] * at.x[1];
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = if at.mode[0] == Mode::Stick { at.p[0] - at.x[0] } else { at.p[2] - at.x[1] };
    }
    fn switch(&self, _fired: usize, p: &[f64], state: &mut State) {
        if state.mode[0] == Mode::Stick {
            state.mode[0] = Mode::Forward;
        } else {
            state.mode[0] = Mode::Stick;
            state.x[1] = p[2];
        }
    }
    fn start(&self, p: &[f64], state: &mut State) {
        state.mode[0] = if state.x[1] == p[2] && state.x[0] < p[0] { Mode::Stick } else { Mode::Forward };
    }
}

#[test]
fn the_cycle_of_a_coulomb_block_has_the_closed_form() {
    let p = [1.0, 0.6, 0.5];
    let start = [0.3, 0.5, 0.0];
    let map =
        ReturnMap::new(&Block, &p, &start, PoincareSection::falling(1, 0.0), Shooting::default()).unwrap();
    assert_eq!(map.coordinates, [0]);
    let hits = map.hits(&p, &start, 2).unwrap();
    let mut guess = hits[1].state.clone();
    guess.x[0] += 0.01;
    let orbit = map.orbit(&p, &guess, 1).unwrap();
    let (delta, v) = (0.4_f64, 0.5);
    let period = std::f64::consts::TAU - 2.0 * (delta / v).atan() + 2.0 * delta / v;
    assert!((orbit.period - period).abs() < 1e-9, "{} {period}", orbit.period);
    assert!(orbit.leading().norm() < 1e-9, "{:?}", orbit.multipliers);
}
