use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A straight rise that goes on, or stops after a while.
///
/// ```text
/// f = from + slope · clip(t − start, 0, duration)
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "ramp")]
pub struct Ramp<S> {
    /// Level before.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub from: S,
    /// Rise per second.
    #[param(symbol = "r", unit = "signal/s")]
    pub slope: S,
    /// When the rise begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// How long it lasts; for ever unless given.
    #[param(symbol = "T", unit = "s", default = 1e300, min = 1e-12)]
    pub duration: S,
}

impl<S: Scalar> Shape<S> for Ramp<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(self.from) });
        piece(Piece { start: self.start, form: Form::line(self.start, self.from, self.slope) });
        if S::decide(self.duration.lt(S::from(1e299))) {
            let end = self.start + self.duration;
            piece(Piece { start: end, form: Form::constant(self.from + self.slope * self.duration) });
        }
    }
}
