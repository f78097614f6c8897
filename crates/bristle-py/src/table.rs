//! Tables of Python as tables of a scenario.

use crate::error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::Value;

/// A dictionary as a table; whatever describes itself by `to_dict` counts as one.
///
/// # Errors
/// For what no scenario can hold, with its place.
pub fn of_dict(dict: &Bound<PyDict>) -> PyResult<toml::Table> {
    table(dict, "")
}

fn table(dict: &Bound<PyDict>, path: &str) -> PyResult<toml::Table> {
    let mut table = toml::Table::new();
    for (key, value) in dict {
        let Ok(key) = key.cast::<PyString>() else {
            return Err(error::of(format!("{}: {key} is no name; names are texts", shown(path))));
        };
        let key = key.to_string();
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if !value.is_none() {
            table.insert(key, one(&value, &path)?);
        }
    }
    Ok(table)
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "the scenario" } else { path }
}

fn one(value: &Bound<PyAny>, path: &str) -> PyResult<Value> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(flag.is_true()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.to_string()));
    }
    if value.is_instance_of::<PyInt>() {
        return match value.extract::<i64>() {
            Ok(number) => Ok(Value::Integer(number)),
            Err(_) => Ok(Value::Float(value.extract()?)),
        };
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(Value::Table(table(dict, path)?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let entries = value.try_iter()?.enumerate();
        let list: PyResult<_> = entries.map(|(i, entry)| one(&entry?, &format!("{path}[{i}]"))).collect();
        return Ok(Value::Array(list?));
    }
    // Parts, laws and signals of the package, arrays and numbers of NumPy, paths.
    for method in ["to_dict", "tolist", "__fspath__"] {
        if let Ok(method) = value.getattr(method) {
            return one(&method.call0()?, path);
        }
    }
    let kind = value.get_type().name()?;
    let message = format!("{}: a {kind} cannot stand in a scenario", shown(path));
    Err(error::hinting(message, "numbers in SI units, texts with units, lists and dictionaries can"))
}
