use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A constant.
///
/// ```text
/// f(t) = value
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "constant")]
pub struct Constant<S> {
    /// The value.
    #[param(symbol = "f", unit = "signal")]
    pub value: S,
}

impl<S: Scalar> Shape<S> for Constant<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero(), form: Form::constant(self.value) });
    }
}
