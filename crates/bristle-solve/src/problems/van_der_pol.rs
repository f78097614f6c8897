//! Van der Pol's oscillator.

use crate::{Dynamics, Point, State};
use bristle_core::Scalar;

/// Van der Pol's oscillator: relaxation oscillations, stiff between jumps for small ε.
///
/// ```text
/// ẋ = v,   v̇ = ((1 − x²) v − x)/ε
/// ```
///
/// With ε = 10⁻⁶ and `x = (2, 0)` at the start, `x(2) = 1.706167732170483`, `v(2) = −0.8928097010247975`
/// (Mazzia & Magherini, Test Set for Initial Value Problem Solvers).
#[derive(Clone, Copy, Debug)]
pub struct VanDerPol {
    params: [f64; 1],
}

impl VanDerPol {
    /// With the given ε.
    pub fn new(epsilon: f64) -> Self {
        VanDerPol { params: [epsilon] }
    }

    /// Beside the slow branch.
    pub fn initial(&self) -> State {
        State { t: 0.0, x: vec![2.0, 0.0], mode: vec![] }
    }
}

impl Dynamics for VanDerPol {
    fn dim(&self) -> usize {
        2
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.x[1];
        dx[1] = ((S::one() - at.x[0].squared()) * at.x[1] - at.x[0]) / at.p[0];
    }

    fn is_autonomous(&self) -> bool {
        true
    }
}
