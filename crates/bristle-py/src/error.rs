//! Errors of Rust as exceptions of Python: what, where, and a way out.

use bristle::{RunError, ScenarioError};
use bristle_core::nearest;
use bristle_mech::LiveError;
use miette::{GraphicalReportHandler, GraphicalTheme};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    _bristle,
    BristleError,
    PyValueError,
    "Something bristle was given, or could not do."
);

/// An error that says all there is to say.
pub fn of(error: impl Display) -> PyErr {
    BristleError::new_err(error.to_string())
}

/// An error with a way out.
pub fn hinting(error: impl Display, hint: impl Display) -> PyErr {
    BristleError::new_err(format!("{error}\n  help: {hint}"))
}

/// A name that does not exist, and the one that may have been meant.
pub fn fail(what: &str, name: &str, known: &[&str]) -> PyErr {
    match nearest(name, known.iter().copied()) {
        Some(near) => hinting(format!("{what} `{name}`"), format!("did you mean `{near}`?")),
        None => hinting(format!("{what} `{name}`"), format!("there are {}", known.join(", "))),
    }
}

/// Everything that is wrong with a scenario, each with its place and a way out.
pub fn of_scenario(error: &ScenarioError) -> PyErr {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let mut text = String::new();
    if handler.with_width(100).without_cause_chain().render_report(&mut text, error).is_err() {
        text = error.to_string();
    }
    BristleError::new_err(text.trim_end().to_owned())
}

/// Why a run gave no answer.
pub fn of_run(error: &RunError) -> PyErr {
    match error {
        RunError::Scenario(error) => of_scenario(error),
        error => hinting(error, error.hint()),
    }
}

/// Why a run by Python's clock does not go on.
pub fn of_live(error: LiveError) -> PyErr {
    of_run(&RunError::Live { source: error })
}
