use super::{Form, Jet, Piece, Shape};
use bristle_core::{Card, Scalar};

/// Straight lines through points, written in place or read from a CSV file.
///
/// ```text
/// f(t_i) = f_i, straight in between, constant outside
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "polyline",
    entry(name = "times", numbers = "s", optional, doc = "Times of the points, rising."),
    entry(name = "values", numbers = "signal", optional, doc = "Values at these times."),
    entry(
        name = "file",
        text,
        optional,
        doc = "CSV file with a column of times and one of values, instead. Headings may give units: `force [kN]`, `force (kN)`, `force_kN`."
    ),
    entry(
        name = "column",
        text,
        optional,
        doc = "Heading, without its unit, of the column of values in a file with more than two columns; the first holds the times."
    )
)]
pub struct Polyline<S> {
    /// Factor on all values.
    #[param(symbol = "s", unit = "1", default = 1.0)]
    pub scale: S,
}

impl<S: Scalar> Shape<S> for Polyline<S> {
    // The points are data, not parameters; `Points` draws them.
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>)) {
        piece(Piece { start: S::zero(), form: Form::constant(S::zero()) });
    }
}

/// The points of a polyline with the integral up to each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PolylinePoints {
    times: Vec<f64>,
    values: Vec<f64>,
    integrals: Vec<f64>,
}

impl PolylinePoints {
    pub(super) fn new(times: &[f64], values: &[f64]) -> PolylinePoints {
        let mut integrals = Vec::with_capacity(times.len());
        let mut sum = times.first().map_or(0.0, |t| t * values.first().copied().unwrap_or(0.0));
        for i in 0..times.len().min(values.len()) {
            if i > 0 {
                sum += (times[i] - times[i - 1]) * (values[i] + values[i - 1]) / 2.0;
            }
            integrals.push(sum);
        }
        PolylinePoints { times: times.to_vec(), values: values.to_vec(), integrals }
    }

    /// Whether all values are the same.
    pub(super) fn are_level(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }

    pub(super) fn jet<S: Scalar>(&self, t: S) -> Jet<S> {
        let count = self.integrals.len();
        if count == 0 {
            return Jet::zero();
        }
        // How many points lie at or before t.
        let passed = self.times[..count].partition_point(|time| !S::decide(t.middle().lt(S::from(*time))));
        let i = passed.saturating_sub(1);
        let slope = if passed == 0 || passed == count {
            0.0
        } else {
            (self.values[i + 1] - self.values[i]) / (self.times[i + 1] - self.times[i])
        };
        let s = t - self.times[i];
        Jet {
            integral: s * (s * (slope / 2.0) + self.values[i]) + self.integrals[i],
            value: s * slope + self.values[i],
            rate: S::from(slope),
            second: S::zero(),
        }
    }

    pub(super) fn next_break(&self, t: f64) -> Option<f64> {
        self.times.get(self.times.partition_point(|time| *time <= t)).copied()
    }
}
