//! Scenarios: read, changed, asked.

use crate::error;
use crate::live::Live;
use crate::system::System;
use crate::table;
use bristle::LawKind;
use bristle_core::Kind;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// A scenario, read and checked.
#[pyclass(frozen, from_py_object, module = "bristle._bristle")]
#[derive(Clone)]
pub struct Scenario {
    pub(crate) inner: bristle::Scenario,
    folder: PathBuf,
    /// What was changed since it was read: a number by its path, or the law of everything.
    changes: Vec<(String, Option<f64>)>,
}

impl Scenario {
    fn of(inner: Result<bristle::Scenario, bristle::ScenarioError>, folder: &Path) -> PyResult<Scenario> {
        let inner = inner.map_err(|e| error::of_scenario(&e))?;
        Ok(Scenario { inner, folder: folder.to_owned(), changes: Vec::new() })
    }

    fn with_changes(
        &self,
        inner: bristle::Scenario,
        more: impl IntoIterator<Item = (String, Option<f64>)>,
    ) -> Scenario {
        let changes = self.changes.iter().cloned().chain(more).collect();
        Scenario { inner, folder: self.folder.clone(), changes }
    }
}

/// What a scenario is made of again: text, name, folder, changes.
type PickledScenario = (String, String, PathBuf, Vec<(String, Option<f64>)>);

#[pymethods]
impl Scenario {
    /// Reads a file.
    #[staticmethod]
    fn from_file(py: Python, path: PathBuf) -> PyResult<Scenario> {
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Scenario::of(py.detach(|| bristle::Scenario::from_file(&path)), &folder)
    }

    /// Reads a text in TOML; files it names are looked for in `folder`.
    #[staticmethod]
    #[pyo3(signature = (text, name="scenario", folder=PathBuf::from(".")))]
    fn from_text(py: Python, text: &str, name: &str, folder: PathBuf) -> PyResult<Scenario> {
        Scenario::of(py.detach(|| bristle::Scenario::from_text(text, name, &folder)), &folder)
    }

    /// Reads a dictionary with the sections and keys of a file; bare numbers are in SI units.
    #[staticmethod]
    #[pyo3(signature = (table, name="scenario", folder=PathBuf::from(".")))]
    fn from_dict(py: Python, table: &Bound<PyDict>, name: &str, folder: PathBuf) -> PyResult<Scenario> {
        let table = table::of_dict(table)?;
        Scenario::of(py.detach(|| bristle::Scenario::from_table(&table, name, &folder)), &folder)
    }

    /// What reports are headed with.
    #[getter]
    fn title(&self) -> &str {
        &self.inner.title
    }

    /// The scenario as a file has it.
    #[getter]
    fn text(&self) -> &str {
        &self.inner.text
    }

    /// Where it came from.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Where files it names are looked for.
    #[getter]
    fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names and kinds of its studies.
    #[getter]
    fn studies(&self) -> Vec<(String, &'static str)> {
        self.inner.studies.iter().map(|study| (study.name.clone(), study.kind.card().name)).collect()
    }

    /// Names of all outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.inner.outputs()
    }

    /// Every number by its path: value and unit.
    #[getter]
    fn parameters(&self) -> Vec<(String, f64, String)> {
        let of_parts = self.inner.parameters().into_iter().map(|p| (p.path, p.value, p.unit));
        let of_laws = self.inner.laws_in_use().flat_map(|(part, kind, spec)| {
            let numbers = kind.card().numbers().zip(&spec.numbers).filter_map(|(field, value)| {
                let Kind::Number { unit, force, .. } = field.kind else { return None };
                let unit = if spec.as_forces && force.is_some() { "N" } else { unit };
                Some((format!("{part}.law.{}", field.name), *value, unit.to_owned()))
            });
            numbers.collect::<Vec<_>>()
        });
        of_parts.chain(of_laws).filter(|(_, value, _)| !value.is_nan()).collect()
    }

    /// The same scenario with some numbers changed, in SI units.
    fn changed(&self, py: Python, changes: Vec<(String, f64)>) -> PyResult<Scenario> {
        let changed = py.detach(|| {
            let changes: Vec<(&str, f64)> =
                changes.iter().map(|(path, value)| (path.as_str(), *value)).collect();
            self.inner.with(&changes)
        });
        let inner = changed.map_err(|e| error::of_run(&e))?;
        let more = changes.into_iter().map(|(path, value)| (path, Some(value)));
        Ok(self.with_changes(inner, more))
    }

    /// The same scenario with every contact and drum under another law.
    fn with_law(&self, law: &str) -> PyResult<Scenario> {
        let kind = law_named(law)?;
        let inner = self.inner.with_law(kind).map_err(|e| error::of_run(&e))?;
        Ok(self.with_changes(inner, [(law.to_owned(), None)]))
    }

    /// The same scenario with these studies only, each a dictionary with a `kind`.
    fn asking(&self, py: Python, studies: &Bound<PyDict>) -> PyResult<Scenario> {
        let studies = table::of_dict(studies)?;
        let inner = py.detach(|| self.inner.asking(&studies)).map_err(|e| error::of_scenario(&e))?;
        Ok(self.with_changes(inner, []))
    }

    /// The mechanism as equations.
    fn system(&self) -> PyResult<System> {
        Ok(System::new(self.inner.system.clone()))
    }

    /// A run by Python's clock.
    fn live(&self, py: Python) -> PyResult<Live> {
        Ok(Live::new(py.detach(|| self.inner.live()).map_err(|e| error::of_run(&e))?))
    }

    /// Makes a scenario again from what `__reduce__` kept.
    #[staticmethod]
    fn restored(
        py: Python,
        text: &str,
        name: &str,
        folder: PathBuf,
        changes: Vec<(String, Option<f64>)>,
    ) -> PyResult<Scenario> {
        let mut scenario = Scenario::from_text(py, text, name, folder)?;
        for (what, value) in changes {
            scenario = match value {
                Some(value) => scenario.changed(py, vec![(what, value)])?,
                None => scenario.with_law(&what)?,
            };
        }
        Ok(scenario)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickledScenario)> {
        let Scenario { inner, folder, changes } = slf.get();
        let origin = (inner.text.clone(), inner.name.clone(), folder.clone(), changes.clone());
        Ok((slf.get_type().getattr("restored")?, origin))
    }

    fn __repr__(&self) -> String {
        let studies: Vec<_> =
            self.inner.studies.iter().map(|s| format!("{} ({})", s.name, s.kind.card().name)).collect();
        format!(
            "<Scenario {:?}: {}; {}>",
            self.inner.title,
            self.inner.contents().join(", "),
            studies.join(", ")
        )
    }
}

/// The law of that name.
pub fn law_named(name: &str) -> PyResult<LawKind> {
    LawKind::named(name).ok_or_else(|| {
        let names: Vec<&str> = LawKind::ALL.iter().map(|kind| kind.card().name).collect();
        error::fail("there is no law", name, &names)
    })
}
