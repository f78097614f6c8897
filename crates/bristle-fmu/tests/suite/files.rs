//! What is written, and what is left alone.

use crate::host::*;
use bristle_fmu::{FmiVersion, FmuError, Runtimes};

#[test]
fn an_fmu_holds_description_scenario_and_library() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("belt.fmu");
    bristle_fmu::write(&scenario(BELT), FmiVersion::Two, &Runtimes::of(&library()), &path).unwrap();
    let description = String::from_utf8(read(&path, "modelDescription.xml")).unwrap();
    assert!(description.contains("fmiVersion=\"2.0\""));
    assert!(description.contains("name=\"inputs.belt.velocity\""));
    assert!(description.contains("<Unit name=\"N s/m\"/>") || description.contains("<Unit name=\"m/s\"/>"));
    assert_eq!(read(&path, "resources/scenario.toml"), BELT.as_bytes());
    assert!(read(&path, "binaries/linux64/bristle_fmu.so").len() > 100_000);
    // Written again, as the other version: it is ours.
    bristle_fmu::write(&scenario(BELT), FmiVersion::Three, &Runtimes::of(&library()), &path).unwrap();
    let description = String::from_utf8(read(&path, "modelDescription.xml")).unwrap();
    assert!(
        description.contains("fmiVersion=\"3.0\"") && description.contains("<EventIndicator valueReference=")
    );
    assert!(read(&path, "binaries/x86_64-linux/bristle_fmu.so").len() > 100_000);
}

#[test]
fn a_file_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thesis.fmu");
    std::fs::write(&path, "years of work").unwrap();
    let refused = bristle_fmu::write(&scenario(BELT), FmiVersion::Two, &Runtimes::of(&library()), &path);
    assert!(matches!(refused, Err(FmuError::Foreign { .. })), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "years of work");
}

/// Names are unique, and every reference leads back to its variable.
#[test]
fn variables_are_told_apart() {
    let all = bristle_fmu::variables::variables(&model(BELT));
    let mut names: Vec<_> = all.iter().map(|v| v.name.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for variable in &all {
        assert_eq!(bristle_fmu::variables::VariableRole::of(variable.role.reference()), Some(variable.role));
    }
}
