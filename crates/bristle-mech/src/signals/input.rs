use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A value that is set from outside while a run goes on.
///
/// ```text
/// f(t) = value + slope · (t − since)   until another is set
/// ```
///
/// Programs that step a scenario by their own clock set it between steps: forces, torques, loads, speeds of drives, numbers of
/// laws, whatever takes a signal; with a slope it goes on evenly between them. A study sees what is written here for ever. A drive
/// whose velocity is an input goes on from where it is when the velocity changes.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "input")]
pub struct Input<S> {
    /// The value until another is set.
    #[param(symbol = "f", unit = "signal", default = 0.0)]
    pub value: S,
    /// Its change per second.
    #[param(symbol = "r", unit = "signal/s", default = 0.0)]
    pub slope: S,
    /// When it had the value.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub since: S,
}

impl<S: Scalar> Shape<S> for Input<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero(), form: Form::line(self.since, self.value, self.slope) });
    }
}
