//! Robertson's reaction.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;

/// Robertson's reaction: three species, rates eleven orders of magnitude apart.
///
/// ```text
/// ẋ = −0.04 x + 10⁴ y z,   ẏ = 0.04 x − 10⁴ y z − 3·10⁷ y²,   ż = 3·10⁷ y²
/// ```
///
/// At `t = 40`: 0.7158270687193941, 9.185534764557338·10⁻⁶, 0.2841637457458413.
#[derive(Clone, Copy, Debug, Default)]
pub struct Robertson;

impl Robertson {
    /// Only the first species.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![1.0, 0.0, 0.0], mode: vec![] }
    }
}

impl Dynamics for Robertson {
    fn dim(&self) -> usize {
        3
    }

    fn params(&self) -> &[f64] {
        &[0.04, 1e4, 3e7]
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let [x, y, z] = [at.x[0], at.x[1], at.x[2]];
        let (slow, back, fast) = (at.p[0] * x, at.p[1] * y * z, at.p[2] * y * y);
        dx[0] = back - slow;
        dx[1] = slow - back - fast;
        dx[2] = fast;
    }

    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(&[1.0, 1e-5, 1.0]);
    }

    fn is_autonomous(&self) -> bool {
        true
    }
}
