//! The compiled half of the Python package `bristle`: `bristle._bristle`.
//!
//! Thin on purpose: scenarios, runs, laws and systems as they are in Rust, with arrays in and out. What Python users see is
//! written in Python beside it (`python/bristle`), and in part generated from the cards.

mod column;
mod error;
mod law;
mod live;
mod run;
mod scenario;
mod system;
mod table;
mod work;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Does what the words of a command line say; gives the exit code.
#[pyfunction]
fn command(py: Python, words: Vec<OsString>) -> u8 {
    py.detach(|| bristle_cli::obey(words))
}

/// The cards of a catalogue as JSON.
#[pyfunction]
fn cards(catalogue: &str) -> PyResult<String> {
    let kinds = bristle::CatalogueKind::ALL;
    let kind = kinds.iter().find(|kind| kind.name() == catalogue).copied();
    let kind = kind.ok_or_else(|| {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        error::fail("there is no catalogue", catalogue, &names)
    })?;
    serde_json::to_string(&bristle::cards(kind)).map_err(error::of)
}

/// A quantity with its unit, such as `5 mm/s`, as a number in SI units.
#[pyfunction]
fn quantity(text: &str, unit: &str) -> PyResult<f64> {
    bristle_core::units::parse(text, unit).map_err(|e| error::hinting(e, format!("write it as \"1 {unit}\"")))
}

/// What Python imports.
#[pymodule]
fn _bristle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BristleError", module.py().get_type::<error::BristleError>())?;
    module.add_class::<column::Column>()?;
    module.add_class::<law::Law>()?;
    module.add_class::<live::Live>()?;
    module.add_class::<run::Outcome>()?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<system::System>()?;
    module.add_function(wrap_pyfunction!(cards, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(quantity, module)?)?;
    module.add_function(wrap_pyfunction!(run::certify, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)
}
