//! What was measured, and what can be compared with it.

use crate::error::FitError;

/// Something that can be simulated with given numbers in place of the unknowns, and compared with what was measured.
pub trait Experiment: Sync {
    /// How many values it gives.
    fn rows(&self) -> usize;

    /// When each value is taken, s; rising. Values without a time count on.
    fn times(&self) -> &[f64];

    /// The values up to the time `horizon`, and with `slopes` how each changes with each unknown, a column each.
    ///
    /// # Errors
    /// [`FitError::Lost`] where no motion can be found, [`FitError::Stopped`].
    fn respond(
        &self,
        values: &[f64],
        horizon: f64,
        outputs: &mut Vec<f64>,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<(), FitError>;

    /// The same with steps of half the length, for experiments that take steps.
    fn refined(&self) -> Option<Box<dyn Experiment + '_>> {
        None
    }
}

/// What the instrument adds: a number, or the index of an unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FitTerm {
    /// A number that is known.
    Known(f64),
    /// An unknown.
    Unknown(usize),
}

impl FitTerm {
    fn value(self, values: &[f64]) -> f64 {
        match self {
            FitTerm::Known(value) => value,
            FitTerm::Unknown(index) => values[index],
        }
    }
}

/// What the instrument makes of a value `y` at time `t`: `gain y + bias + drift t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensor {
    /// Factor.
    pub gain: FitTerm,
    /// Offset.
    pub bias: FitTerm,
    /// Offset that grows with time, or along what a record says.
    pub drift: FitTerm,
    /// How long after the motion it shows it; between the values that are compared it is taken to be straight.
    pub delay: FitTerm,
}

impl Default for Sensor {
    fn default() -> Self {
        Sensor {
            gain: FitTerm::Known(1.0),
            bias: FitTerm::Known(0.0),
            drift: FitTerm::Known(0.0),
            delay: FitTerm::Known(0.0),
        }
    }
}

/// A record: an experiment with what was measured in it.
pub struct FitRecord<'a> {
    /// What it is called.
    pub name: String,
    /// What can be simulated.
    pub experiment: Box<dyn Experiment + 'a>,
    /// What was measured, one value for each of the experiment's.
    pub measured: Vec<f64>,
    /// Standard deviation of the noise of each value, in its unit; found from the residuals where it is not known.
    pub noise: Option<f64>,
    /// Weight of each value beside the others; one unless given.
    pub weights: Option<Vec<f64>>,
    /// What the instrument does.
    pub sensor: Sensor,
    /// What a drift counts along, where that is not the time.
    pub along: Option<Vec<f64>>,
}

/// Residuals of records, with their derivatives by the unknowns where asked for.
#[derive(Clone, Debug, Default)]
pub struct Residuals {
    /// What is simulated less what was measured, over the noise or the scale.
    pub values: Vec<f64>,
    /// Derivatives, a column for each unknown.
    pub slopes: Vec<Vec<f64>>,
}

impl FitRecord<'_> {
    /// What the values are measured in for the sum of squares: the noise, or the spread of the record.
    pub fn scale(&self) -> f64 {
        self.noise.unwrap_or_else(|| {
            let n = self.measured.len().max(1) as f64;
            let mean = self.measured.iter().sum::<f64>() / n;
            let square = self.measured.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / n;
            square.sqrt().max(f64::MIN_POSITIVE)
        })
    }

    /// What the instrument would show, up to the horizon.
    ///
    /// # Errors
    /// As [`Experiment::respond`].
    pub fn shown(
        &self,
        values: &[f64],
        horizon: f64,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<Vec<f64>, FitError> {
        if self.sensor.delay == FitTerm::Known(0.0) {
            return self.shown_at_once(values, horizon, slopes);
        }
        let (times, delay) = (self.experiment.times(), self.sensor.delay.value(values));
        let late = |y: &[f64], at: &dyn Fn(&[f64], usize, f64) -> f64| -> Vec<f64> {
            (0..y.len())
                .map(|i| {
                    let t = times[i] - delay;
                    let next = times[..y.len()].partition_point(|s| *s < t).clamp(1, y.len().max(2) - 1);
                    at(y, next, ((t - times[next - 1]) / (times[next] - times[next - 1])).clamp(0.0, 1.0))
                })
                .collect()
        };
        let between = |y: &[f64], next: usize, share: f64| y[next - 1] + share * (y[next] - y[next - 1]);
        let slope =
            |y: &[f64], next: usize, _: f64| -(y[next] - y[next - 1]) / (times[next] - times[next - 1]);
        let Some(slopes) = slopes else {
            return Ok(late(&self.shown_at_once(values, horizon, None)?, &between));
        };
        let shown = self.shown_at_once(values, horizon, Some(slopes))?;
        if shown.len() < 2 {
            return Ok(shown);
        }
        slopes.iter_mut().for_each(|column| *column = late(column, &between));
        if let FitTerm::Unknown(index) = self.sensor.delay {
            slopes[index] = late(&shown, &slope);
        }
        Ok(late(&shown, &between))
    }

    /// The same of an instrument that is never late.
    fn shown_at_once(
        &self,
        values: &[f64],
        horizon: f64,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<Vec<f64>, FitError> {
        let mut outputs = Vec::new();
        let times = self.along.as_deref().unwrap_or(self.experiment.times());
        let [gain, bias, drift] = [self.sensor.gain, self.sensor.bias, self.sensor.drift];
        let [g, b, d] = [gain, bias, drift].map(|term| term.value(values));
        match slopes {
            None => self.experiment.respond(values, horizon, &mut outputs, None)?,
            Some(slopes) => {
                self.experiment.respond(values, horizon, &mut outputs, Some(slopes))?;
                for column in slopes.iter_mut() {
                    column.iter_mut().for_each(|s| *s *= g);
                }
                let mut add = |term: FitTerm, of: &dyn Fn(usize) -> f64| {
                    if let FitTerm::Unknown(index) = term {
                        slopes[index].iter_mut().enumerate().for_each(|(i, s)| *s += of(i));
                    }
                };
                add(gain, &|i| outputs[i]);
                add(bias, &|_| 1.0);
                add(drift, &|i| times[i]);
            }
        }
        for (y, t) in outputs.iter_mut().zip(times) {
            *y = g * *y + b + d * t;
        }
        if outputs.iter().any(|y| !y.is_finite()) {
            return Err(FitError::Lost { time: f64::NAN });
        }
        Ok(outputs)
    }

    /// Appends residuals up to the horizon.
    ///
    /// # Errors
    /// As [`Experiment::respond`].
    pub fn compare(
        &self,
        values: &[f64],
        horizon: f64,
        residuals: &mut Residuals,
        differentiates: bool,
    ) -> Result<(), FitError> {
        let scale = self.scale();
        let mut slopes = vec![Vec::new(); if differentiates { values.len() } else { 0 }];
        let shown = self.shown(values, horizon, differentiates.then_some(&mut slopes))?;
        let weight = |i: usize| self.weights.as_ref().map_or(1.0, |w| w[i]) / scale;
        residuals
            .values
            .extend(shown.iter().zip(&self.measured).enumerate().map(|(i, (y, m))| (y - m) * weight(i)));
        if differentiates {
            residuals.slopes.resize(values.len(), Vec::new());
            for (all, own) in residuals.slopes.iter_mut().zip(&slopes) {
                all.extend(own.iter().enumerate().map(|(i, s)| s * weight(i)));
            }
        }
        Ok(())
    }
}
