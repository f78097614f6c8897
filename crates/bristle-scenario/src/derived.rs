//! Outputs that a scenario derives from others, `[outputs]`: formulas with units, read and checked.

use crate::error::Problem;
use crate::read::Reader;
use crate::written::{entries, within};
use bristle_mech::System;
use toml::de::DeTable;

/// The formulas of `[outputs]`, each with its name, in the order of the file; what is wrong with their form is noted.
pub fn formulas(reader: &Reader, root: &DeTable) -> Vec<(String, String)> {
    if let Some(table) = root.get("outputs").and_then(|value| value.get_ref().as_table()) {
        table.keys().for_each(|key| reader.name("output", key));
    }
    let mut formulas = Vec::new();
    for (name, value) in entries(reader, "outputs", root.get("outputs")) {
        if let Some(text) = reader.keep(reader.text(&name, value)) {
            formulas.push((name, text.to_owned()));
        }
    }
    formulas
}

/// Adds the outputs to a system; what is wrong with their formulas is noted, unless it names a part that could not be read.
pub fn derive(
    reader: &Reader,
    root: &DeTable,
    system: &mut System,
    formulas: &[(String, String)],
    failed: &[String],
) {
    for (name, formula) in formulas {
        let place = || reader.span_of(root, &["outputs", name]);
        if ["time", "event"].contains(&name.as_str()) {
            let problem =
                Problem::Derived { name: name.clone(), reason: "this column is always there".to_owned() };
            reader.report(reader.error(problem, place(), "give it another name"));
            continue;
        }
        let Err(error) = system.derive(name, formula) else { continue };
        if failed.iter().any(|part| formula.contains(part.as_str())) {
            continue;
        }
        let span = within(reader, place(), &error);
        let problem = Problem::Derived { name: name.clone(), reason: error.reason };
        reader.report(reader.error(problem, span, error.hint));
    }
}
