//! Scenarios and friction laws as FMUs, Functional Mock-up Units of FMI 2.0: Model Exchange and Co-Simulation in one file.
//!
//! | module | what |
//! |---|---|
//! | [`variables`] | inputs, outputs, parameters, states and derivatives, with their references |
//! | [`description`] | `modelDescription.xml` |
//! | [`archive`] | the file: description, scenario or law, the shared library of this crate |
//! | [`model`] | what runs: a scenario |
//! | [`law`] | or a law alone |
//! | [`instance`] | a model inside an importer |
//! | `fmi2` | the functions importers call |
//!
//! Nothing is compiled when an FMU is written: the shared library is the same for all, and reads the scenario it finds beside it.

pub mod archive;
pub mod description;
mod exchanged;
mod fmi2;
pub mod instance;
pub mod law;
pub mod model;
pub mod variables;

pub use archive::{FmuError, runtime, write, write_law};
