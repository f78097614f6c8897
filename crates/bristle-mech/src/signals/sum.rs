use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// The sum of several signals.
///
/// ```text
/// f(t) = f₁(t) + f₂(t) + …
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "sum", entry(name = "terms", tables = "signal", doc = "The signals to add."))]
pub struct Sum<S> {
    /// Constant added to the terms.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub offset: S,
}

impl<S: Scalar> Shape<S> for Sum<S> {
    // The terms carry the shape; `Signal` adds them.
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero(), form: Form::constant(self.offset) });
    }
}
