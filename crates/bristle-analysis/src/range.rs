//! The range over which a parameter is varied.

use crate::AnalysisError;

/// Which parameter is varied, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Index of the parameter.
    pub parameter: usize,
    /// First value.
    pub from: f64,
    /// Last value.
    pub to: f64,
}

impl Range {
    pub(crate) fn check(&self, p: &[f64]) -> Result<(), AnalysisError> {
        if self.parameter >= p.len() {
            return Err(AnalysisError::NoSuchParameter { index: self.parameter, count: p.len() });
        }
        let length = (self.to - self.from).abs();
        if length == 0.0 || !length.is_finite() {
            return Err(AnalysisError::EmptyRange { from: self.from, to: self.to });
        }
        Ok(())
    }

    /// The unit in which the parameter is measured near `value`: relative where the range keeps one sign.
    pub(crate) fn unit(&self, value: f64) -> f64 {
        let floor = if self.from * self.to > 0.0 {
            self.from.abs().min(self.to.abs())
        } else {
            1e-2 * (self.to - self.from).abs()
        };
        value.abs().max(floor)
    }

    pub(crate) fn contains(&self, value: f64) -> bool {
        value >= self.from.min(self.to) && value <= self.from.max(self.to)
    }

    /// The end next to a value outside.
    pub(crate) fn nearest(&self, value: f64) -> f64 {
        value.clamp(self.from.min(self.to), self.from.max(self.to))
    }
}

/// The unit of every unknown near `y`: states, each the larger of its scale and its value, then parameters.
pub(crate) fn units(scale: &[f64], ranges: &[Range], y: &[f64]) -> Vec<f64> {
    let states = scale.iter().zip(y).map(|(s, y)| s.max(y.abs()));
    states.chain(ranges.iter().zip(&y[scale.len()..]).map(|(r, y)| r.unit(*y))).collect()
}
