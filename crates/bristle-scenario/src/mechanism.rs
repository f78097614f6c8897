//! The parts as a system, and errors of the mechanism at the place in the file that caused them.

use crate::error::{Problem, ScenarioError};
use crate::read::Reader;
use bristle_mech::{MechError, Spec, System};
use toml::de::DeTable;

/// The system of the parts. Errors that come of a part which could not be read whole are not told again.
pub fn assemble(
    reader: &Reader,
    root: &DeTable,
    parts: &[(String, Spec)],
    failed: &[String],
) -> Option<System> {
    if parts.is_empty() {
        return None;
    }
    let of_failed = |name: Option<&str>| name.is_some_and(|n| failed.iter().any(|f| f == n));
    match System::assemble_all(parts) {
        Ok(system) => Some(system),
        Err(errors) => {
            for error in errors {
                let is_sequel = of_failed(error.part()) || of_failed(error.named());
                // That nothing moves says nothing new of parts with a problem.
                let is_new = error != MechError::Empty || failed.is_empty();
                if !is_sequel && is_new {
                    reader.report(place(reader, root, error));
                }
            }
            None
        }
    }
}

/// Points an error of the mechanism at the place in the file that caused it.
pub fn place(reader: &Reader, root: &DeTable, error: MechError) -> ScenarioError {
    let mut keys = vec!["parts"];
    keys.extend(error.part());
    keys.extend(field(&error));
    let span = reader.span_of(root, &keys);
    let hint = match &error {
        MechError::Signal { part, .. } => explained(root, part),
        other => hint(other),
    };
    reader.error(Problem::Mech(error), span, hint)
}

/// The field that is wrong.
fn field(error: &MechError) -> Option<&str> {
    match error {
        MechError::NoSuchPart { field, .. }
        | MechError::NotABody { field, .. }
        | MechError::Signal { field, .. } => Some(field),
        MechError::Planar { field, .. } | MechError::WrongLine { field, .. } => Some(field),
        MechError::Radius { is_given: true, .. } => Some("radius"),
        MechError::SelfJoined { .. } | MechError::NothingMoves { .. } => Some("between"),
        MechError::NotPlanar { .. } => Some("between"),
        MechError::Immovable { .. } => Some("on"),
        MechError::LoadAndForces { .. } => Some("load"),
        MechError::Law { .. } => Some("law"),
        MechError::Misfit { field, .. } => Some(field),
        _ => None,
    }
}

/// Where the kind of a part is explained.
fn explained(root: &DeTable, part: &str) -> String {
    fn inner<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
        table.get(key)?.get_ref().as_table()
    }
    let table = inner(root, "parts").and_then(|parts| inner(parts, part));
    match table.and_then(|table| table.get("kind")).and_then(|kind| kind.get_ref().as_str()) {
        Some(kind) => format!("`bristle show {kind}` explains it"),
        None => "`bristle list parts` lists them".to_owned(),
    }
}

/// A way out.
fn hint(error: &MechError) -> String {
    match error {
        MechError::NoSuchPart { hint: Some(near), .. } => format!("did you mean `{near}`?"),
        MechError::NoSuchPart { .. } => {
            "bodies are parts of kind mass, planar_mass, trolley, drive or anchor, or rotor, rotary_drive or rotary_anchor; `ground` is always there".to_owned()
        }
        MechError::NotABody { .. } => {
            "bodies are parts of kind mass, planar_mass, trolley, drive or anchor, or rotor, rotary_drive or rotary_anchor".to_owned()
        }
        MechError::Misfit { hint, .. } => hint.clone(),
        MechError::WrongLine { hint, .. } => hint.to_string(),
        MechError::Radius { is_given: true, .. } => {
            "leave `radius` out; it belongs to contacts between rotors".to_owned()
        }
        MechError::Radius { .. } => {
            "give `radius = \"10 cm\"`: the friction torque is the radius times the friction force".to_owned()
        }
        MechError::SelfJoined { .. } => "name two different bodies; `ground` is always there".to_owned(),
        MechError::NothingMoves { .. } => {
            "one of the two must be a mass, planar_mass, trolley or rotor".to_owned()
        }
        MechError::NotPlanar { name, .. } => {
            format!("make `{name}` a planar_mass, or take a part that acts along the line")
        }
        MechError::Planar { kind, name, .. } => in_plane(kind, name),
        MechError::Immovable { .. } => {
            "a force acts on a mass, planar_mass or trolley, a torque on a rotor".to_owned()
        }
        MechError::NoLoad { .. } => "give `load = \"100 N\"`, or a part of kind gravity so that the body's weight counts, or state the law in forces (`F_s`, `F_d`)".to_owned(),
        MechError::LoadAndForces { .. } => {
            "remove `load`, or give the law's coefficients (`mu_s`, `mu_d`) instead of forces".to_owned()
        }
        MechError::Law { law, .. } => format!("`bristle show {law}` explains its parameters"),
        MechError::Duplicate { name } if name == "ground" => {
            "`ground` is always there; give this part another name".to_owned()
        }
        MechError::Duplicate { .. } => "give one of them another name".to_owned(),
        MechError::Second { .. } => "leave one of them out".to_owned(),
        MechError::Empty => "add a part of kind mass, planar_mass, trolley or rotor".to_owned(),
        _ => "`bristle list parts` lists them".to_owned(),
    }
}

/// What acts in the plane instead of a part along a line.
fn in_plane(kind: &str, name: &str) -> String {
    let line = format!("or make `{name}` a mass, which moves along a line");
    match kind {
        "contact" => format!("take a part of kind planar_contact, {line}"),
        "spring" => format!("take a part of kind segment with `k` and `length`, {line}"),
        "damper" => format!("take a part of kind segment with `k = \"0 N/m\"` and `d`, {line}"),
        _ => format!("a part of kind {kind} goes with masses; {line}"),
    }
}
