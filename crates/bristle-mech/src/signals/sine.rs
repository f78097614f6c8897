use super::{Form, Piece, Shape};
use bristle_core::{Card, Scalar};

/// A sine about a mean, from a given time on, for ever or until an end.
///
/// ```text
/// f = mean + amplitude sin(2π frequency (t − start) + phase)   for start ≤ t < end, else mean
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "sine")]
pub struct Sine<S> {
    /// Mean.
    #[param(symbol = "f_0", unit = "signal", default = 0.0)]
    pub mean: S,
    /// Amplitude.
    #[param(symbol = "a", unit = "signal")]
    pub amplitude: S,
    /// Cycles per second.
    #[param(symbol = "ν", unit = "1/s", min = 1e-12)]
    pub frequency: S,
    /// Phase.
    #[param(symbol = "φ", unit = "rad", default = 0.0)]
    pub phase: S,
    /// When it begins.
    #[param(symbol = "t_0", unit = "s", default = 0.0)]
    pub start: S,
    /// When it ends; never unless given.
    #[param(symbol = "t_1", unit = "s", default = 1e300)]
    pub end: S,
}

impl<S: Scalar> Shape<S> for Sine<S> {
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        let omega = self.frequency * (2.0 * std::f64::consts::PI);
        let form = Form {
            t0: self.start,
            c: [self.mean, S::zero(), S::zero(), S::zero()],
            sine: Some([self.amplitude, omega, self.phase]),
        };
        piece(Piece { start: S::zero().min(self.start), form: Form::constant(self.mean) });
        piece(Piece { start: self.start, form });
        if S::decide(self.end.lt(S::from(1e299))) {
            piece(Piece { start: self.end, form: Form::constant(self.mean) });
        }
    }

    fn fault(&self) -> Option<&'static str> {
        (self.end.value() <= self.start.value())
            .then_some("it ends before it has begun: `end` is not after `start`")
    }
}
