//! A block on a belt with Coulomb friction.

use crate::{Dynamics, Point, State};
use bristle_core::{Mode, Scalar};

/// Rabinowicz' block on a belt, set-valued: it sticks until the spring overcomes static friction, then slides.
///
/// ```text
/// ẋ = v, v̇ = 0                        stuck, while |k x| < F_s
/// ẋ = v, v̇ = (−k x − s F_d)/m          sliding in direction s = sgn(v − v_b)
/// ```
///
/// Closed form: slip at `F_s/(k v_b)`, each slip lasts `(2/ω)(π − atan(Aω/v_b))` and each later stick `2A/v_b`, with
/// `A = (F_s − F_d)/k`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoulombBelt;

/// `m`, `k`, `v_b`, `F_d`, `F_s` of the published case.
const PARAMS: [f64; 5] = [20.0, 10.0, 0.5, 98.1, 117.72];

impl CoulombBelt {
    /// Stuck to the belt, spring unstretched.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![0.0, PARAMS[2]], mode: vec![Mode::Stick] }
    }

    /// The times of the first `count` switches: slip, stick, slip …
    pub fn switch_times(&self, count: usize) -> Vec<f64> {
        let [m, k, v, f_d, f_s] = PARAMS;
        let (omega, a) = ((k / m).sqrt(), (f_s - f_d) / k);
        let slip = 2.0 / omega * (std::f64::consts::PI - (a * omega / v).atan());
        let mut t = f_s / (k * v);
        let mut times = vec![t];
        while times.len() < count {
            t += if times.len() % 2 == 1 { slip } else { 2.0 * a / v };
            times.push(t);
        }
        times
    }
}

impl Dynamics for CoulombBelt {
    fn dim(&self) -> usize {
        2
    }

    fn mode_count(&self) -> usize {
        1
    }

    fn params(&self) -> &[f64] {
        &PARAMS
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [m, k, _, f_d, _] = [at.p[0], at.p[1], at.p[2], at.p[3], at.p[4]];
        dx[0] = at.x[1];
        dx[1] = match at.mode[0] {
            Mode::Stick => S::zero(),
            slides => -(k * at.x[0] + f_d * slides.sign()) / m,
        };
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = match at.mode[0] {
            Mode::Stick => at.p[4] - (at.p[1] * at.x[0]).abs(),
            slides => (at.x[1] - at.p[2]) * slides.sign(),
        };
    }

    fn switch(&self, _fired: usize, p: &[f64], state: &mut State) {
        state.mode[0] = match state.mode[0] {
            Mode::Stick => Mode::of(-state.x[0]),
            slides if (p[1] * state.x[0]).abs() > p[4] => slides.reversed(),
            _ => {
                state.x[1] = p[2];
                Mode::Stick
            }
        };
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[10.0, 1.0]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    fn guard_name(&self, _index: usize) -> String {
        "belt".to_owned()
    }
}
