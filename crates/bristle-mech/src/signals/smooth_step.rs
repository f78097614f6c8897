use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A smooth rise from one level to another: the cubic step.
///
/// ```text
/// f = from + (to − from) q² (3 − 2q),   q = (t − start)/duration clipped to [0, 1]
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "smooth_step")]
pub struct SmoothStep<S> {
    /// Level before.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub from: S,
    /// Level after.
    #[param(symbol = "f_1", unit = "signal")]
    pub to: S,
    /// When the rise begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// How long it takes.
    #[param(symbol = "t_e", unit = "s", min = 1e-12)]
    pub duration: S,
}

impl<S: Scalar> Shape<S> for SmoothStep<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        let (rise, d) = (self.to - self.from, self.duration);
        let cubic = [self.from, S::zero(), rise * 3.0 / (d * d), -rise * 2.0 / (d * d * d)];
        // The constant before the rise is a piece of its own, so that the rise is not continued backwards.
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(self.from) });
        piece(Piece { start: self.start, form: Form { t0: self.start, c: cubic, sine: None } });
        piece(Piece { start: self.start + d, form: Form::constant(self.to) });
    }
}
