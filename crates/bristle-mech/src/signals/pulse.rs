use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A rectangular or trapezoidal pulse, once or again and again.
///
/// ```text
/// f = base, rising within `rise` to base + height at `start`, back after `width`; repeated every `period`
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "pulse")]
pub struct Pulse<S> {
    /// Level outside the pulse.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub base: S,
    /// Height above that level.
    #[param(symbol = "h", unit = "signal")]
    pub height: S,
    /// When the pulse begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// How long it lasts, from the begin of the rise to the begin of the fall.
    #[param(symbol = "w", unit = "s", min = 1e-12)]
    pub width: S,
    /// How long rise and fall take; zero for a jump.
    #[param(symbol = "t_r", unit = "s", default = 0.0, min = 0.0)]
    pub rise: S,
    /// Time from one pulse to the next; zero for a single pulse.
    #[param(symbol = "T", unit = "s", default = 0.0, min = 0.0)]
    pub period: S,
}

impl<S: Scalar> Shape<S> for Pulse<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        let (top, end) = (self.base + self.height, self.start + self.width);
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(self.base) });
        if S::decide(S::zero().lt(self.rise)) {
            let slope = self.height / self.rise;
            piece(Piece { start: self.start, form: Form::line(self.start, self.base, slope) });
            piece(Piece { start: self.start + self.rise, form: Form::constant(top) });
            piece(Piece { start: end, form: Form::line(end, top, -slope) });
        } else {
            piece(Piece { start: self.start, form: Form::constant(top) });
        }
        piece(Piece { start: end + self.rise, form: Form::constant(self.base) });
    }

    fn repeats(&self) -> (S, S) {
        (self.start, self.period)
    }

    fn fault(&self) -> Option<&'static str> {
        let (width, rise, period) = (self.width.value(), self.rise.value(), self.period.value());
        if rise > width {
            Some("the fall begins before the rise has ended: `rise` is longer than `width`")
        } else if period > 0.0 && period * (1.0 + 1e-12) < width + rise {
            Some(
                "the next pulse begins before this one has ended: `period` is shorter than `width` and `rise`",
            )
        } else {
            None
        }
    }
}
