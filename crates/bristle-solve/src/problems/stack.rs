//! Three bodies on top of each other under Coulomb friction.

use crate::{Dynamics, Point, State};
use bristle_core::{Mode, Scalar};

/// Three bodies on top of each other; a spring pulls the top one back from where it was displaced.
///
/// ```text
/// m v̇_i = F_i + R_{i−1} − R_i,   F = (−k x₁, 0, 0)
/// R_i = s F_d,i            contact below body i slides in direction s
/// |R_i| ≤ F_s,i            it sticks: both sides accelerate as one
/// ```
///
/// Who slips on whom changes four times until all rest. ErasedDynamics: pennestri2016, case 2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stack;

const MASS: f64 = 2.0;
const STIFFNESS: f64 = 30.0;
const KINETIC: [f64; 3] = [9.81, 3.92, 11.77];
const STATIC: [f64; 3] = [14.71, 5.88, 17.66];

/// Accelerations of the bodies, and what the contacts below them carry.
struct Forces<S> {
    a: [S; 3],
    carried: [S; 3],
}

impl Stack {
    /// The top body displaced by a metre, all at rest.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0], mode: vec![Mode::Stick; 3] }
    }

    /// `m`, `k`, kinetic and static friction from the top down.
    pub fn numbers(&self) -> [f64; 8] {
        let ([a, b, c], [d, e, f]) = (KINETIC, STATIC);
        [MASS, STIFFNESS, a, b, c, d, e, f]
    }
}

/// Bodies between two contacts that slide move as one; those that stick down to the ground do not move.
#[inline(always)]
fn forces<S: Scalar>(x: &[S], mode: &[Mode]) -> Forces<S> {
    let mut carried: [S; 3] = std::array::from_fn(|i| S::from(mode[i].sign() * KINETIC[i]));
    let mut a = [S::zero(); 3];
    let applied = [x[0] * -STIFFNESS, S::zero(), S::zero()];
    let mut first = 0;
    while first < 3 {
        let last = (first..3).find(|i| mode[*i] != Mode::Stick).unwrap_or(3);
        let bodies = first..(last + 1).min(3);
        let above = if first > 0 { carried[first - 1] } else { S::zero() };
        let below = if last < 3 { carried[last] } else { S::zero() };
        let total = bodies.clone().fold(above - below, |sum, i| sum + applied[i]);
        let common = if last < 3 { total * (1.0 / (MASS * bodies.len() as f64)) } else { S::zero() };
        let mut passed_on = above;
        for i in bodies {
            a[i] = common;
            passed_on += applied[i] - common * MASS;
            if i < last {
                carried[i] = passed_on;
            }
        }
        first = last + 1;
    }
    Forces { a, carried }
}

/// Slip rate of contact `i`.
#[inline(always)]
fn slip<S: Scalar>(x: &[S], i: usize) -> S {
    if i < 2 { x[3 + i] - x[4 + i] } else { x[5] }
}

impl Dynamics for Stack {
    fn dim(&self) -> usize {
        6
    }

    fn mode_count(&self) -> usize {
        3
    }

    fn params(&self) -> &[f64] {
        &[]
    }

    #[inline(always)]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let Forces { a, .. } = forces(at.x, at.mode);
        for i in 0..3 {
            (dx[i], dx[3 + i]) = (at.x[3 + i], a[i]);
        }
    }

    fn guard_count(&self) -> usize {
        3
    }

    #[inline(always)]
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        let Forces { carried, .. } = forces(at.x, at.mode);
        for i in 0..3 {
            g[i] = match at.mode[i] {
                Mode::Stick => S::from(STATIC[i]) - carried[i].abs(),
                slides => slip(at.x, i) * slides.sign(),
            };
        }
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        if state.mode[fired] == Mode::Stick {
            state.mode[fired] = Mode::of(forces(&state.x, &state.mode).carried[fired]);
        } else {
            let rest = slip(&state.x, fired);
            state.x[3 + fired] -= rest;
            state.mode[fired] = Mode::Stick;
        }
        self.start(p, state);
    }

    /// Contacts that carry more than they can let go, the worst first.
    fn start(&self, _p: &[f64], state: &mut State) {
        for _ in 0..3 {
            let Forces { carried, .. } = forces(&state.x, &state.mode);
            let excess = |i: &usize| carried[*i].abs() - STATIC[*i];
            let sticks = (0..3).filter(|i| state.mode[*i] == Mode::Stick && excess(i) > 0.0);
            let Some(worst) = sticks.max_by(|a, b| excess(a).total_cmp(&excess(b))) else { return };
            state.mode[worst] = Mode::of(carried[worst]);
        }
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.fill(1e-2);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn state_name(&self, index: usize) -> String {
        ["x1", "x2", "x3", "v1", "v2", "v3"][index].to_owned()
    }
}

#[cfg(test)]
mod stack_tests {
    use super::*;

    /// At first the top body alone slides: `a = −(k − F_d/m)`, and the middle one is held by what it can bear.
    #[test]
    fn the_top_body_starts_alone_and_newton_holds() {
        let mut state = Stack.initial();
        Stack.start(&[], &mut state);
        assert_eq!(state.mode[0], Mode::Backward);
        let Forces { a, carried } = forces(&state.x, &state.mode);
        assert!((MASS * a[0] + STIFFNESS + carried[0]).abs() < 1e-12);
        for i in 1..3 {
            assert!((MASS * a[i] - carried[i - 1] + carried[i]).abs() < 1e-12, "{i}");
        }
    }
}
