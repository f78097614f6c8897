//! What one parameter may be.

use crate::error::VaryError;
use statrs::distribution::{ContinuousCDF, Normal};

/// What one parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Marginal {
    /// These values.
    Levels(Vec<f64>),
    /// Anything between two ends, all alike.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Anything between two positive ends, with an even logarithm.
    LogUniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
    },
    /// With a normal logarithm.
    LogNormal {
        /// Median.
        median: f64,
        /// Standard deviation of the natural logarithm.
        deviation: f64,
    },
    /// With a density that rises straight to a mode and falls again.
    Triangular {
        /// Lower end.
        low: f64,
        /// Where it is densest.
        mode: f64,
        /// Upper end.
        high: f64,
    },
}

/// The standard normal distribution.
pub(crate) fn standard() -> Normal {
    Normal::standard()
}

impl Marginal {
    /// Even steps from one end to the other.
    pub fn range(from: f64, to: f64, count: usize) -> Marginal {
        let step = |i: usize| {
            let s = i as f64 / (count.max(2) - 1) as f64;
            // Both ends exactly.
            if i + 1 == count && count > 1 { to } else { from + (to - from) * s }
        };
        Marginal::Levels((0..count).map(step).collect())
    }

    /// Steps of one ratio from one end to the other.
    pub fn log_range(from: f64, to: f64, count: usize) -> Marginal {
        let step = |i: usize| match i {
            0 => from,
            i if i + 1 == count => to,
            i => from * (to / from).powf(i as f64 / (count - 1) as f64),
        };
        Marginal::Levels((0..count).map(step).collect())
    }

    /// Is it a distribution, or are there values?
    ///
    /// # Errors
    /// What is wrong with its numbers.
    pub fn check(&self) -> Result<(), VaryError> {
        let ordered = |low: f64, high: f64| {
            if low < high { Ok(()) } else { Err(VaryError::Order { low, high }) }
        };
        let spread = |value: f64| {
            let what = "standard deviation";
            if value > 0.0 { Ok(()) } else { Err(VaryError::Spread { what, value }) }
        };
        let positive = |value: f64| {
            if value > 0.0 { Ok(()) } else { Err(VaryError::NotPositive { value }) }
        };
        match *self {
            Marginal::Levels(ref values) if values.is_empty() => Err(VaryError::Empty),
            Marginal::Levels(_) => Ok(()),
            Marginal::Uniform { low, high } => ordered(low, high),
            Marginal::LogUniform { low, high } => positive(low).and_then(|()| ordered(low, high)),
            Marginal::Normal { deviation, .. } => spread(deviation),
            Marginal::LogNormal { median, deviation } => positive(median).and_then(|()| spread(deviation)),
            Marginal::Triangular { low, mode, high } => ordered(low, high).and_then(|()| {
                if (low..=high).contains(&mode) { Ok(()) } else { Err(VaryError::Mode { mode, low, high }) }
            }),
        }
    }

    /// The value below which the share `u` of all lies, for `u` strictly between 0 and 1.
    pub fn quantile(&self, u: f64) -> f64 {
        match *self {
            Marginal::Levels(ref values) => {
                let place = (u * values.len() as f64) as usize;
                values[place.min(values.len() - 1)]
            }
            Marginal::Uniform { low, high } => low + (high - low) * u,
            Marginal::LogUniform { low, high } => low * (high / low).powf(u),
            Marginal::Normal { mean, deviation } => mean + deviation * standard().inverse_cdf(u),
            Marginal::LogNormal { median, deviation } => {
                median * (deviation * standard().inverse_cdf(u)).exp()
            }
            Marginal::Triangular { low, mode, high } => {
                let (below, above) = (mode - low, high - mode);
                let whole = high - low;
                if u * whole < below {
                    low + (u * whole * below).sqrt()
                } else {
                    high - ((1.0 - u) * whole * above).sqrt()
                }
            }
        }
    }

    /// The ends of what it may be; infinite where there is none.
    pub fn support(&self) -> [f64; 2] {
        match *self {
            Marginal::Levels(ref values) => {
                let fold = |f: fn(f64, f64) -> f64, start| values.iter().copied().fold(start, f);
                [fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY)]
            }
            Marginal::Uniform { low, high } | Marginal::LogUniform { low, high } => [low, high],
            Marginal::Triangular { low, high, .. } => [low, high],
            Marginal::Normal { .. } => [f64::NEG_INFINITY, f64::INFINITY],
            Marginal::LogNormal { .. } => [0.0, f64::INFINITY],
        }
    }

    /// Its levels, if that is what it has.
    pub fn levels(&self) -> Option<&[f64]> {
        match self {
            Marginal::Levels(values) => Some(values),
            _ => None,
        }
    }
}

#[cfg(test)]
mod marginal_tests {
    use super::*;

    /// Means and deviations of a thousand even quantiles, against the closed forms.
    #[test]
    fn quantiles_have_the_moments_of_their_distributions() {
        let moments = |m: &Marginal| {
            let n = 4000;
            let all: Vec<f64> = (0..n).map(|i| m.quantile((i as f64 + 0.5) / n as f64)).collect();
            let mean = all.iter().sum::<f64>() / n as f64;
            let square = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
            (mean, square.sqrt())
        };
        for (marginal, mean, deviation) in [
            (Marginal::Uniform { low: 1.0, high: 3.0 }, 2.0, 2.0 / 12f64.sqrt()),
            (Marginal::Normal { mean: 5.0, deviation: 2.0 }, 5.0, 2.0),
            (
                Marginal::Triangular { low: 0.0, mode: 1.0, high: 4.0 },
                5.0 / 3.0,
                ((16.0 + 1.0 - 4.0) / 18f64).sqrt(),
            ),
            (
                Marginal::LogNormal { median: 2.0, deviation: 0.3 },
                2.0 * (0.045f64).exp(),
                2.0 * (0.045f64).exp() * (0.09f64.exp() - 1.0).sqrt(),
            ),
        ] {
            let (found_mean, found_deviation) = moments(&marginal);
            // The tails between the last quantile and the end are left out.
            assert!((found_mean / mean - 1.0).abs() < 1e-3, "{marginal:?} {found_mean} {mean}");
            assert!((found_deviation / deviation - 1.0).abs() < 5e-3, "{marginal:?} {found_deviation}");
        }
        assert_eq!(Marginal::range(0.0, 1.0, 3), Marginal::Levels(vec![0.0, 0.5, 1.0]));
        assert_eq!(Marginal::Levels(vec![1.0, 2.0]).quantile(0.7), 2.0);
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        let wrong = [
            Marginal::Normal { mean: 0.0, deviation: -1.0 },
            Marginal::Uniform { low: 2.0, high: 1.0 },
            Marginal::LogUniform { low: -1.0, high: 1.0 },
            Marginal::Triangular { low: 0.0, mode: 5.0, high: 1.0 },
            Marginal::Levels(Vec::new()),
        ];
        assert!(wrong.iter().all(|m| m.check().is_err()));
    }
}
