//! `modelDescription.xml`, for both versions of the standard.

mod three;
mod two;

use crate::variables::{Variable, VariableRole};
use std::fmt::Write;

/// What the shared library in every FMU is called.
pub const IDENTIFIER: &str = "bristle_fmu";

/// Which version of the standard an FMU follows; the models are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FmiVersion {
    /// FMI 2.0, which nearly all importers take.
    #[default]
    Two,
    /// FMI 3.0.
    Three,
}

/// What importers are told before the first call.
#[derive(Clone, Debug)]
pub struct Description<'a> {
    /// The title of the scenario.
    pub title: &'a str,
    /// Tells this scenario from every other.
    pub guid: &'a str,
    /// All variables.
    pub variables: &'a [Variable],
    /// How many event indicators there are.
    pub indicators: usize,
    /// How long the scenario simulates, s.
    pub stop: f64,
    /// Relative tolerance of the scenario.
    pub tolerance: f64,
}

impl Description<'_> {
    /// The document.
    pub fn xml(&self, version: FmiVersion) -> String {
        match version {
            FmiVersion::Two => self.fmi2(),
            FmiVersion::Three => self.fmi3(),
        }
    }

    /// The units of all variables, each once.
    fn units(&self, out: &mut String) {
        let mut units: Vec<&str> =
            self.variables.iter().map(|v| v.unit).filter(|unit| *unit != "1").collect();
        units.sort_unstable();
        units.dedup();
        if units.is_empty() {
            return;
        }
        *out += "  <UnitDefinitions>\n";
        for unit in units {
            let _ = writeln!(out, "    <Unit name=\"{}\"/>", escaped(unit));
        }
        *out += "  </UnitDefinitions>\n";
    }

    /// What an importer does unless it is told otherwise.
    fn experiment(&self, out: &mut String) {
        let step = self.stop / 1000.0;
        let _ = writeln!(
            out,
            "  <DefaultExperiment startTime=\"0\" stopTime=\"{:?}\" tolerance=\"{:?}\" stepSize=\"{step:?}\"/>",
            self.stop, self.tolerance
        );
    }
}

/// Causality and variability of a variable.
fn nature(variable: &Variable) -> (&'static str, &'static str) {
    match variable.role {
        VariableRole::Input(_) => ("input", "continuous"),
        VariableRole::Output(_) => ("output", "continuous"),
        VariableRole::Parameter(_) if variable.is_tunable => ("parameter", "tunable"),
        VariableRole::Parameter(_) => ("parameter", "fixed"),
        VariableRole::State(_) | VariableRole::Derivative(_) | VariableRole::Indicator(_) => {
            ("local", "continuous")
        }
        VariableRole::Time => ("independent", "continuous"),
    }
}

/// Range and start of a variable, as attributes.
fn bounds(out: &mut String, variable: &Variable) {
    for (name, value) in [("min", variable.range[0]), ("max", variable.range[1])] {
        if value.is_finite() {
            let _ = write!(out, " {name}=\"{value:?}\"");
        }
    }
    if let Some(start) = variable.start {
        let _ = write!(out, " start=\"{start:?}\"");
    }
}

fn is_output(variable: &Variable) -> bool {
    matches!(variable.role, VariableRole::Output(_))
}

fn is_state(variable: &Variable) -> bool {
    matches!(variable.role, VariableRole::State(_))
}

fn is_derivative(variable: &Variable) -> bool {
    matches!(variable.role, VariableRole::Derivative(_))
}

/// Text that XML takes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
