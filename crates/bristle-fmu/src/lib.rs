//! Scenarios and friction laws as FMUs, Functional Mock-up Units of FMI 2.0 or 3.0: Model Exchange and Co-Simulation in one file.
//!
//! | module | what |
//! |---|---|
//! | [`variables`] | inputs, outputs, parameters, states and derivatives, with their references |
//! | [`description`] | `modelDescription.xml` |
//! | [`archive`] | the file: description, scenario or law, the shared library of this crate for every platform |
//! | [`model`] | what runs: a scenario |
//! | [`law`] | or a law alone |
//! | [`instance`] | a model inside an importer |
//! | `fmi2`, `fmi3` | the functions importers call |
//! | `component` | what these share |
//!
//! Nothing is compiled when an FMU is written: the shared library is the same for all, and reads the scenario it finds beside it.

pub mod archive;
mod component;
pub mod description;
mod exchanged;
mod fmi2;
mod fmi3;
pub mod instance;
pub mod law;
pub mod model;
pub mod variables;

pub use archive::{FmuError, Runtimes, write, write_law};
pub use description::FmiVersion;
