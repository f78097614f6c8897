//! The description as FMI 3.0 wants it: time and event indicators are variables too.

use super::{Description, IDENTIFIER, bounds, escaped, is_derivative, is_output, is_state, nature};
use crate::variables::{Variable, VariableRole};
use std::fmt::Write;

impl Description<'_> {
    pub(super) fn fmi3(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let (title, version) = (escaped(self.title), env!("CARGO_PKG_VERSION"));
        let _ = writeln!(
            out,
            "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{title}\" instantiationToken=\"{}\" \
             generationTool=\"bristle {version}\" variableNamingConvention=\"structured\">",
            self.guid
        );
        let can = "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\"";
        let _ = writeln!(out, "  <ModelExchange modelIdentifier=\"{IDENTIFIER}\" {can}/>");
        let _ = writeln!(
            out,
            "  <CoSimulation modelIdentifier=\"{IDENTIFIER}\" canHandleVariableCommunicationStepSize=\"true\" {can}/>"
        );
        self.units(&mut out);
        self.experiment(&mut out);
        let indicators: Vec<Variable> = (0..self.indicators).map(indicator).collect();
        out += "  <ModelVariables>\n";
        [&time()].into_iter().chain(self.variables).chain(&indicators).for_each(|v| element(&mut out, v));
        out += "  </ModelVariables>\n  <ModelStructure>\n";
        let mut list = |kind: &str, belongs: &dyn Fn(&Variable) -> bool| {
            for variable in self.variables.iter().chain(&indicators).filter(|v| belongs(v)) {
                let _ = writeln!(out, "    <{kind} valueReference=\"{}\"/>", variable.role.reference());
            }
        };
        list("Output", &is_output);
        list("ContinuousStateDerivative", &is_derivative);
        list("InitialUnknown", &|v| is_output(v) || is_state(v) || is_derivative(v));
        list("EventIndicator", &|v| matches!(v.role, VariableRole::Indicator(_)));
        out += "  </ModelStructure>\n</fmiModelDescription>\n";
        out
    }
}

/// A variable that FMI 2.0 does not list.
fn further(name: String, role: VariableRole, unit: &'static str, doc: String) -> Variable {
    let range = [f64::NEG_INFINITY, f64::INFINITY];
    Variable { name, role, unit, doc, range, start: None, is_tunable: false }
}

fn time() -> Variable {
    further("time".to_owned(), VariableRole::Time, "1", "simulation time in seconds".to_owned())
}

fn indicator(place: usize) -> Variable {
    further(
        format!("indicators[{}]", place + 1),
        VariableRole::Indicator(place),
        "1",
        "positive until an event is due".to_owned(),
    )
}

/// One variable.
fn element(out: &mut String, variable: &Variable) {
    let (causality, variability) = nature(variable);
    let _ = write!(
        out,
        "    <Float64 name=\"{}\" valueReference=\"{}\" causality=\"{causality}\" variability=\"{variability}\"",
        escaped(&variable.name),
        variable.role.reference()
    );
    if !variable.doc.is_empty() {
        let _ = write!(out, " description=\"{}\"", escaped(&variable.doc));
    }
    if variable.unit != "1" {
        let _ = write!(out, " unit=\"{}\"", escaped(variable.unit));
    }
    match variable.role {
        VariableRole::Derivative(i) => {
            let _ = write!(out, " derivative=\"{}\"", VariableRole::State(i).reference());
        }
        VariableRole::State(_) => *out += " reinit=\"true\"",
        _ => {}
    }
    bounds(out, variable);
    *out += "/>\n";
}
