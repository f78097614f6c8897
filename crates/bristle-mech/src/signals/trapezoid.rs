use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A trapezoid: rise, plateau, fall. As a velocity, the travel of a crane.
///
/// ```text
/// 0 → height within `ramp` from `start`, constant, back to 0 within `ramp` until `end`
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "trapezoid")]
pub struct Trapezoid<S> {
    /// Height of the plateau.
    #[param(symbol = "h", unit = "signal")]
    pub height: S,
    /// When the rise begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// When the fall ends.
    #[param(symbol = "t_1", unit = "s")]
    pub end: S,
    /// How long rise and fall take.
    #[param(symbol = "t_r", unit = "s", min = 1e-12)]
    pub ramp: S,
}

impl<S: Scalar> Shape<S> for Trapezoid<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        let (slope, down) = (self.height / self.ramp, self.end - self.ramp);
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(S::zero()) });
        piece(Piece { start: self.start, form: Form::line(self.start, S::zero(), slope) });
        piece(Piece { start: self.start + self.ramp, form: Form::constant(self.height) });
        piece(Piece { start: down, form: Form::line(down, self.height, -slope) });
        piece(Piece { start: self.end, form: Form::constant(S::zero()) });
    }

    fn fault(&self) -> Option<&'static str> {
        // Rise and fall may meet; sums of times are rounded.
        let room = (self.end - self.start).value() * (1.0 + 1e-12);
        (room < 2.0 * self.ramp.value()).then_some("it ends before rise and fall have passed")
    }
}
