//! The description as FMI 2.0 wants it.

use super::{Description, IDENTIFIER, bounds, escaped, is_derivative, is_output, is_state, nature};
use crate::variables::{Variable, VariableRole};
use std::fmt::Write;

impl Description<'_> {
    pub(super) fn fmi2(&self) -> String {
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
        self.experiment(&mut out);
        out += "  <ModelVariables>\n";
        let first_state = self.variables.iter().position(is_state).unwrap_or(0);
        for variable in self.variables {
            element(&mut out, variable, first_state);
        }
        out += "  </ModelVariables>\n  <ModelStructure>\n";
        self.unknowns(&mut out, "Outputs", &is_output);
        self.unknowns(&mut out, "Derivatives", &is_derivative);
        self.unknowns(&mut out, "InitialUnknowns", &|v| is_output(v) || is_state(v) || is_derivative(v));
        out += "  </ModelStructure>\n</fmiModelDescription>\n";
        out
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
    let (causality, variability) = nature(variable);
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
    match variable.role {
        VariableRole::Derivative(i) => {
            let _ = write!(out, " derivative=\"{}\"", first_state + i + 1);
        }
        // Velocities jump at an impact, and what sticks takes over the place it sticks to.
        VariableRole::State(_) => *out += " reinit=\"true\"",
        _ => {}
    }
    bounds(out, variable);
    *out += "/></ScalarVariable>\n";
}
