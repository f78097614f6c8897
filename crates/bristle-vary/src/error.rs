//! What can be wrong with a design.

use thiserror::Error;

/// Why points cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum VaryError {
    /// A distribution without a spread, or with a negative one.
    #[error("the {what} is {value}, but must be positive")]
    Spread {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Ends in the wrong order.
    #[error("it goes from {low} to {high}: the first must be below the second")]
    Order {
        /// First end.
        low: f64,
        /// Second end.
        high: f64,
    },
    /// A mode outside its ends.
    #[error("the mode {mode} lies outside {low} to {high}")]
    Mode {
        /// The mode.
        mode: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A number that must be positive for its logarithm.
    #[error("{value} has no logarithm; it must be positive")]
    NotPositive {
        /// The number.
        value: f64,
    },
    /// Nothing to run.
    #[error("there are no values")]
    Empty,
    /// A distribution where single values are needed.
    #[error("a {design} needs values, such as `1 : 2 : 11` or `[1, 2]`, and no distribution")]
    NeedsLevels {
        /// The design.
        design: &'static str,
    },
    /// Lists that do not go together.
    #[error(
        "a list runs its values side by side, but there are {first} of one parameter and {other} of another"
    )]
    Lengths {
        /// Values of the first parameter.
        first: usize,
        /// Values of another.
        other: usize,
    },
    /// More dimensions than direction numbers.
    #[error("{count} dimensions are asked of Sobol's sequence, which has {most} here")]
    Dimensions {
        /// How many.
        count: usize,
        /// How many there are.
        most: usize,
    },
    /// More runs than can be counted.
    #[error("that makes more than 10^15 runs")]
    TooMany,
    /// A covariance that is none.
    #[error("the covariance is not positive definite")]
    Covariance,
    /// Sensitivities that hold for independent parameters only.
    #[error("a {design} needs independent parameters, and these are correlated")]
    Correlated {
        /// The design.
        design: &'static str,
    },
}
