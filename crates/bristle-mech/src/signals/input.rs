use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A value that is set from outside while a run goes on.
///
/// ```text
/// f(t) = value   until another is set
/// ```
///
/// Programs that step a scenario by their own clock set it between steps: forces, torques, loads, speeds of drives, numbers of
/// laws, whatever takes a signal. A study sees the value written here for ever. A drive whose velocity is an input goes on from
/// where it is when the velocity changes.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "input")]
pub struct Input<S> {
    /// The value until another is set.
    #[param(symbol = "f", unit = "signal", default = 0.0)]
    pub value: S,
}

impl<S: Scalar> Shape<S> for Input<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero(), form: Form::constant(self.value) });
    }
}
