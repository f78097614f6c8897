//! What can be wrong with a pack or with a foreign result.

use std::path::PathBuf;
use thiserror::Error;

/// Why a foreign result could not be scored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchmarkError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// A folder that is no problem and no pack.
    #[error("`{}` holds no `reference.csv`", path.display())]
    NotAProblem {
        /// The folder.
        path: PathBuf,
        /// The problems found in it.
        problems: Vec<String>,
    },
    /// A line with too few or too many values.
    #[error("`{}`, line {line}: {found} values, but the heading has {expected}", path.display())]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// Values there.
        found: usize,
        /// Values in the heading.
        expected: usize,
    },
    /// A value that is no number.
    #[error("`{}`, line {line}, column `{column}`: `{text}` is not a finite number", path.display())]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// What stands there.
        text: String,
    },
    /// There is no column of times.
    #[error("`{}` has no column `time`; its columns are {found}", path.display())]
    NoTime {
        /// The file.
        path: PathBuf,
        /// The columns it has.
        found: String,
    },
    /// Two columns of one name.
    #[error("`{}` has two columns named `{column}`", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// A unit that is not known or measures something else.
    #[error("`{}`, column `{column}`: {error}", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// The heading.
        column: String,
        /// What is wrong.
        error: Box<bristle_core::units::UnitError>,
    },
    /// Times that fall.
    #[error("`{}`, line {line}: time {time} s lies before the line above", path.display())]
    NotRising {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The time.
        time: f64,
    },
    /// No line of values.
    #[error("`{}` has a heading but no values", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// No column in common.
    #[error("`{}` has none of the columns of the reference, which are {wanted}; its own are {found}", path.display())]
    NothingShared {
        /// The file.
        path: PathBuf,
        /// The reference's columns.
        wanted: String,
        /// The columns it has.
        found: String,
    },
    /// No time in common.
    #[error("`{}` covers {from} s to {to} s, but the reference covers {start} s to {end} s", path.display())]
    OtherTimes {
        /// The file.
        path: PathBuf,
        /// First time of the file.
        from: f64,
        /// Last time of the file.
        to: f64,
        /// First time of the reference.
        start: f64,
        /// Last time of the reference.
        end: f64,
    },
}

impl BenchmarkError {
    /// A way out.
    pub fn hint(&self) -> String {
        match self {
            BenchmarkError::NotAProblem { problems, .. } if !problems.is_empty() => {
                format!("add the problem's name to the folder: one of {}", problems.join(", "))
            }
            BenchmarkError::NotAProblem { .. } => "`bristle bench export DIR` makes a pack".to_owned(),
            BenchmarkError::NoTime { .. } | BenchmarkError::NothingShared { .. } => {
                "name the columns as in `reference.csv`; units in brackets may be left out".to_owned()
            }
            BenchmarkError::OtherTimes { .. } => {
                "times are in seconds from the start of the motion".to_owned()
            }
            BenchmarkError::Unreadable { .. } => "give the path of a CSV file".to_owned(),
            _ => "commas between values, one line per time, SI units".to_owned(),
        }
    }
}
