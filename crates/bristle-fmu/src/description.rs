//! `modelDescription.xml`.

use crate::variables::{Variable, VariableRole};
use std::fmt::Write;

/// What the shared library in every FMU is called.
pub const IDENTIFIER: &str = "bristle_fmu";

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
    pub fn xml(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let (title, version) = (escaped(self.title), env!("CARGO_PKG_VERSION"));
        let _ = writeln!(
            out,
            "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{title}\" guid=\"{}\" generationTool=\"bristle {version}\" \
             variableNamingConvention=\"structured\" numberOfEventIndicators=\"{}\">",
            self.guid, self.indicators
        );
        let can = "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"";
        let _ = writeln!(out, "  <ModelExchange modelIdentifier=\"{IDENTIFIER}\" {can}/>");
        let _ = writeln!(
            out,
            "  <CoSimulation modelIdentifier=\"{IDENTIFIER}\" canHandleVariableCommunicationStepSize=\"true\" \
             canInterpolateInputs=\"true\" {can}/>"
        );
        self.units(&mut out);
        let step = self.stop / 1000.0;
        let _ = writeln!(
            out,
            "  <DefaultExperiment startTime=\"0\" stopTime=\"{:?}\" tolerance=\"{:?}\" stepSize=\"{step:?}\"/>",
            self.stop, self.tolerance
        );
        out += "  <ModelVariables>\n";
        let first_state =
            self.variables.iter().position(|v| matches!(v.role, VariableRole::State(_))).unwrap_or(0);
        for variable in self.variables {
            element(&mut out, variable, first_state);
        }
        out += "  </ModelVariables>\n  <ModelStructure>\n";
        let is_output = |v: &Variable| matches!(v.role, VariableRole::Output(_));
        let is_state = |v: &Variable| matches!(v.role, VariableRole::State(_));
        let is_derivative = |v: &Variable| matches!(v.role, VariableRole::Derivative(_));
        self.unknowns(&mut out, "Outputs", &is_output);
        self.unknowns(&mut out, "Derivatives", &is_derivative);
        self.unknowns(&mut out, "InitialUnknowns", &|v| is_output(v) || is_state(v) || is_derivative(v));
        out += "  </ModelStructure>\n</fmiModelDescription>\n";
        out
    }

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

    /// Places in the list of variables, counted from one.
    fn unknowns(&self, out: &mut String, section: &str, belongs: &dyn Fn(&Variable) -> bool) {
        let places: Vec<usize> =
            (0..self.variables.len()).filter(|i| belongs(&self.variables[*i])).map(|i| i + 1).collect();
        if places.is_empty() {
            return;
        }
        let _ = writeln!(out, "    <{section}>");
        for place in places {
            let _ = writeln!(out, "      <Unknown index=\"{place}\"/>");
        }
        let _ = writeln!(out, "    </{section}>");
    }
}

/// One variable.
fn element(out: &mut String, variable: &Variable, first_state: usize) {
    let tunable = if variable.is_tunable { "tunable" } else { "fixed" };
    let (causality, variability) = match variable.role {
        VariableRole::Input(_) => ("input", "continuous"),
        VariableRole::Output(_) => ("output", "continuous"),
        VariableRole::Parameter(_) => ("parameter", tunable),
        VariableRole::State(_) | VariableRole::Derivative(_) => ("local", "continuous"),
    };
    let _ = write!(
        out,
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"{causality}\" variability=\"{variability}\"",
        escaped(&variable.name),
        variable.role.reference()
    );
    if !variable.doc.is_empty() {
        let _ = write!(out, " description=\"{}\"", escaped(&variable.doc));
    }
    *out += "><Real";
    if variable.unit != "1" {
        let _ = write!(out, " unit=\"{}\"", escaped(variable.unit));
    }
    if let VariableRole::Derivative(i) = variable.role {
        let _ = write!(out, " derivative=\"{}\"", first_state + i + 1);
    }
    for (name, value) in [("min", variable.range[0]), ("max", variable.range[1])] {
        if value.is_finite() {
            let _ = write!(out, " {name}=\"{value:?}\"");
        }
    }
    if let Some(start) = variable.start {
        let _ = write!(out, " start=\"{start:?}\"");
    }
    *out += "/></ScalarVariable>\n";
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
