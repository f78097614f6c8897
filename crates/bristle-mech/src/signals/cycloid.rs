use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A cycloidal rise: from rest to rest with continuous acceleration.
///
/// ```text
/// f = rise (s − sin(2π s)/(2π)),   s = (t − start)/duration clipped to [0, 1]
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "cycloid")]
pub struct Cycloid<S> {
    /// Total rise.
    #[param(symbol = "a", unit = "signal")]
    pub rise: S,
    /// When it begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// How long it takes.
    #[param(symbol = "τ", unit = "s", min = 1e-12)]
    pub duration: S,
}

impl<S: Scalar> Shape<S> for Cycloid<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        let turn = 2.0 * std::f64::consts::PI;
        let form = Form {
            t0: self.start,
            c: [S::zero(), self.rise / self.duration, S::zero(), S::zero()],
            sine: Some([-self.rise / turn, S::from(turn) / self.duration, S::zero()]),
        };
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(S::zero()) });
        piece(Piece { start: self.start, form });
        piece(Piece { start: self.start + self.duration, form: Form::constant(self.rise) });
    }
}
