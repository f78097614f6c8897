//! What can go wrong while numbers are estimated.

use thiserror::Error;

/// Why there is no estimate.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// A law that cannot be moved the way the record says.
    #[error("law `{law}` cannot be simulated on this record: {reason}")]
    Unfit {
        /// The law.
        law: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// Bounds without anything between them.
    #[error("`{name}`: the lower bound {from:e} is not below the upper bound {to:e}")]
    Bounds {
        /// The unknown.
        name: String,
        /// Its bounds.
        from: f64,
        /// Its bounds.
        to: f64,
    },
    /// A start outside its bounds.
    #[error("`{name}` would start at {value:e}, outside {from:e} to {to:e}")]
    StartOutside {
        /// The unknown.
        name: String,
        /// Where it would start.
        value: f64,
        /// Its bounds.
        from: f64,
        /// Its bounds.
        to: f64,
    },
    /// More unknowns than numbers that could tell of them.
    #[error("{unknowns} unknowns cannot be found from {rows} measured values")]
    TooManyUnknowns {
        /// How many unknowns.
        unknowns: usize,
        /// How many measured values.
        rows: usize,
    },
    /// Nothing to find.
    #[error("there is nothing to find: no number is unknown")]
    NothingUnknown,
    /// Numbers that do not make a law, or a motion that cannot be followed.
    #[error("no motion with these numbers at t = {time} s")]
    Lost {
        /// When.
        time: f64,
    },
    /// No start led to a motion that could be followed.
    #[error("none of {starts} starts gave a motion that could be compared with the record")]
    NoStart {
        /// How many were tried.
        starts: usize,
    },
    /// Stopped before there was anything to keep.
    #[error("stopped before the end")]
    Stopped,
}
