//! Surfaces that rub more across their grain than along it.

use bristle_core::Scalar;

/// Places of the ratio of friction across the grain to that along it, and of the direction of the grain.
///
/// With `R` the turn into the grain and `A = diag(1, ratio)` a law sees the slip rate `A Rᵀ v`, and what it answers acts as `R A F`: the
/// limit at rest is an ellipse, the body slides as that is normal to it, and the power is the same in both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub(crate) ratio: usize,
    pub(crate) angle: usize,
}

impl Grain {
    fn turn<S: Scalar>(&self, p: &[S], [x, y]: [S; 2], sign: f64) -> [S; 2] {
        let (c, s) = (p[self.angle].cos(), p[self.angle].sin() * sign);
        [c * x - s * y, s * x + c * y]
    }

    /// A slip rate as the law sees it.
    #[inline]
    pub(crate) fn slip<S: Scalar>(&self, p: &[S], v: [S; 2]) -> [S; 2] {
        let [along, across] = self.turn(p, v, -1.0);
        [along, across * p[self.ratio]]
    }

    /// The force of the law on the bodies.
    #[inline]
    pub(crate) fn force<S: Scalar>(&self, p: &[S], [along, across]: [S; 2]) -> [S; 2] {
        self.turn(p, [along, across * p[self.ratio]], 1.0)
    }

    /// A force on the bodies as the law sees it.
    #[inline]
    pub(crate) fn borne<S: Scalar>(&self, p: &[S], force: [S; 2]) -> [S; 2] {
        let [along, across] = self.turn(p, force, -1.0);
        [along, across / p[self.ratio]]
    }
}
