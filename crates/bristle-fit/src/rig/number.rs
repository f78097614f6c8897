//! Numbers a rig can be moved in: plain ones, and ones that carry derivatives by unknowns and by time.

use bristle_core::{Dual, Scalar};

/// Derivatives carried at once; the last is the one by time, for switches.
pub(crate) const WIDTH: usize = 8;

/// How many unknowns are differentiated by at once.
pub(crate) const LANES: usize = WIDTH - 1;

/// The number with exact derivatives.
pub(crate) type Slope = Dual<WIDTH>;

/// A number that knows how a switch moves when the unknowns do.
pub(crate) trait Number: Scalar {
    /// A time that may yet move.
    fn movable(time: f64) -> Self;

    /// Moves a state, and the time, onto the zero of a guard, to first order.
    fn onto(guard: Self, state: &mut [Self], time: &mut Self);
}

impl Number for f64 {
    fn movable(time: f64) -> Self {
        time
    }

    fn onto(_guard: Self, _state: &mut [Self], _time: &mut Self) {}
}

impl Number for Slope {
    fn movable(time: f64) -> Self {
        let mut eps = [0.0; WIDTH];
        eps[LANES] = 1.0;
        Dual { re: time, eps }
    }

    fn onto(guard: Self, state: &mut [Self], time: &mut Self) {
        let speed = guard.eps[LANES];
        for j in 0..LANES {
            let delay = if speed == 0.0 { 0.0 } else { -guard.eps[j] / speed };
            for y in state.iter_mut() {
                y.eps[j] += y.eps[LANES] * delay;
            }
            time.eps[j] += delay;
        }
        for y in state.iter_mut() {
            y.eps[LANES] = 0.0;
        }
        time.eps[LANES] = 0.0;
    }
}
