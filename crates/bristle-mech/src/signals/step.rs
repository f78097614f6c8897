use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A jump from one level to another.
///
/// ```text
/// f = from for t < start,   f = from + height for t ≥ start
/// ```
///
/// `smooth_step` rises without a jump, `pulse` comes back.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "step")]
pub struct Step<S> {
    /// Level before.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub from: S,
    /// By how much it jumps.
    #[param(symbol = "h", unit = "signal")]
    pub height: S,
    /// When it jumps.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
}

impl<S: Scalar> Shape<S> for Step<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(self.from) });
        piece(Piece { start: self.start, form: Form::constant(self.from + self.height) });
    }
}
