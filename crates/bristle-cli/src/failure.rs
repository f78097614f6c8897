//! Why a command gave no answer, and how that is told.

use crate::reply::INTERRUPTED;
use crate::stop;
use bristle::{RunError, ScenarioError};
use bristle_core::units::UnitError;
use bristle_record::RecordError;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use thiserror::Error;

/// Columns of a message, so that it looks the same everywhere.
const WIDTH: usize = 80;

/// Why a command gave no answer.
#[derive(Debug, Error, Diagnostic)]
pub enum Failure {
    /// The scenario is not in order.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scenario(#[from] ScenarioError),
    /// A study failed.
    #[error(transparent)]
    #[diagnostic(help("{}", .0.hint()))]
    Run(#[from] RunError),
    /// The results cannot be written where they should go.
    #[error("{0}")]
    #[diagnostic(help("choose another folder with `--out DIR`"))]
    Folder(RecordError),
    /// The scenario lies in the folder whose files are replaced.
    #[error("`{}` lies in the folder for the results, `{}`", scenario.display(), folder.display())]
    #[diagnostic(help("choose another folder with `--out DIR`; nothing was run"))]
    ScenarioInside {
        /// The scenario.
        scenario: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// A name no catalogue has.
    #[error("there is no {what} called `{name}`")]
    Unknown {
        /// What it should have been.
        what: &'static str,
        /// The name.
        name: String,
        /// A way out.
        #[help]
        hint: String,
    },
    /// Something that the command needs is not there.
    #[error("{missing}")]
    Missing {
        /// What, in words.
        missing: String,
        /// A way out.
        #[help]
        hint: String,
    },
    /// An option that is not a quantity.
    #[error("`{option}`: {error}")]
    #[diagnostic(help("write a number with its unit in quotes, for example \"1 {unit}\""))]
    Quantity {
        /// The option.
        option: &'static str,
        /// What is wrong.
        error: UnitError,
        /// What it is measured in.
        unit: &'static str,
    },
    /// An option that must be positive.
    #[error("`{option}` is {value} {unit}, but must be positive")]
    NotPositive {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// Standard input that cannot be read.
    #[error("cannot read standard input: {reason}")]
    #[diagnostic(help("pipe a scenario in, or name a file"))]
    Input {
        /// What the operating system says.
        reason: String,
    },
    /// A file that is there already.
    #[error("`{}` exists already", path.display())]
    #[diagnostic(help("choose another name; nothing was overwritten"))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// A foreign result that cannot be scored.
    #[error("{error}")]
    Pack {
        /// What is wrong.
        error: Box<bristle::benchmark::BenchmarkError>,
        /// A way out.
        #[help]
        hint: String,
    },
    /// Options that do not go together, or mean nothing.
    #[error("{message}")]
    Odd {
        /// What is odd.
        message: String,
        /// A way out.
        #[help]
        hint: String,
    },
    /// Stopped by the user before there was anything to keep.
    #[error("interrupted before there were results; nothing was written")]
    Interrupted,
}

impl Failure {
    /// A file or folder that the system refuses.
    pub fn unwritable(path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure::Unwritable { path: path.to_owned(), reason: error.to_string() }
    }

    /// An error of a run; whatever it says, a run that was to stop was interrupted.
    pub fn of_run(error: RunError) -> Failure {
        match error {
            _ if stop::is_wanted() => Failure::Interrupted,
            RunError::Stopped => Failure::Interrupted,
            RunError::Scenario(error) => Failure::Scenario(error),
            other => Failure::Run(other),
        }
    }

    /// 2 for what the user can mend in the input, 1 for a run that failed, 130 for an interruption.
    fn code(&self) -> u8 {
        match self {
            Failure::Run(RunError::Solve { .. } | RunError::Analysis { .. } | RunError::Record(_)) => 1,
            Failure::Interrupted => INTERRUPTED,
            _ => 2,
        }
    }

    /// Prints the message with place, value and way out.
    pub fn print(self) -> u8 {
        let is_plain = std::env::var_os("NO_COLOR").is_some() || !std::io::stderr().is_terminal();
        let theme = if is_plain { GraphicalTheme::unicode_nocolor() } else { GraphicalTheme::unicode() };
        // Messages name their cause themselves.
        let handler = GraphicalReportHandler::new_themed(theme).with_width(WIDTH).without_cause_chain();
        let mut text = String::new();
        if handler.render_report(&mut text, &self).is_err() {
            text = format!("{self}\n");
        }
        let _ = std::io::stderr().write_all(text.as_bytes());
        self.code()
    }
}
