//! Runs and what they found.

use crate::column::Column;
use crate::error;
use crate::scenario::{Scenario, law_named};
use crate::work;
use bristle::StudyState;
use bristle_record::render;
use pyo3::prelude::*;
use std::sync::Arc;

/// What the studies of a scenario found.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Outcome {
    scenario: Scenario,
    inner: bristle::Outcome,
}

/// Answers all questions of a scenario.
#[pyfunction]
#[pyo3(signature = (scenario, progress=None))]
pub fn run(py: Python, scenario: Scenario, progress: Option<Py<PyAny>>) -> PyResult<Outcome> {
    let asked = scenario.inner.clone();
    let inner = work::listening(py, progress, move |progress| bristle::run(&asked, progress))?;
    let inner = inner.map_err(|e| error::of_run(&e))?;
    Ok(Outcome { scenario, inner })
}

/// Certifies laws: what each of them does, measured, as JSON and as a report.
#[pyfunction]
#[pyo3(signature = (laws, progress=None))]
pub fn certify(py: Python, laws: Vec<String>, progress: Option<Py<PyAny>>) -> PyResult<(String, String)> {
    let kinds: Vec<_> = laws.iter().map(|name| law_named(name)).collect::<PyResult<_>>()?;
    let found = work::listening(py, progress, move |progress| bristle::certify::certify(&kinds, progress))?;
    let found = found.map_err(error::of)?;
    let html = render::html::report(&bristle::certify::record(&found));
    Ok((serde_json::to_string(&found).map_err(error::of)?, html))
}

#[pymethods]
impl Outcome {
    /// The scenario that was asked.
    #[getter]
    fn scenario(&self) -> Scenario {
        self.scenario.clone()
    }

    /// Names, kinds, ends and errors of the studies, in the order of the scenario.
    #[getter]
    fn studies(&self) -> Vec<(&str, &str, &str, Option<&str>)> {
        fn reason(study: &bristle::StudyOutcome) -> Option<&str> {
            match &study.state {
                StudyState::Failed { reason } => Some(reason),
                _ => None,
            }
        }
        self.inner.studies.iter().map(|s| (s.name.as_str(), s.kind, s.state.name(), reason(s))).collect()
    }

    /// The columns of a study.
    fn columns(&self, study: usize) -> Vec<Column> {
        self.inner.studies.get(study).map_or_else(Vec::new, |s| Column::all(&s.data))
    }

    /// When something switched in a study, and what.
    fn events(&self, study: usize) -> Vec<(f64, String)> {
        self.inner.studies.get(study).map_or_else(Vec::new, |s| s.events.clone())
    }

    /// All facts with identifiers and numbers, and how the studies ended, as JSON.
    fn facts(&self) -> PyResult<String> {
        bristle::facts_json(&self.scenario.inner, &self.inner).map_err(error::of)
    }

    /// The report as a page that stands alone.
    fn html(&self, py: Python) -> String {
        py.detach(|| render::html::report(&self.inner.record))
    }

    /// The report as text for a terminal.
    fn text(&self) -> String {
        render::text::record(&self.inner.record)
    }

    /// Names of all figures.
    #[getter]
    fn figures(&self) -> Vec<String> {
        self.inner.record.figures().iter().map(|figure| figure.id().to_owned()).collect()
    }

    /// Texts that stand beside the report, with their names.
    #[getter]
    fn files(&self) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.inner.files.iter().map(|file| (file.name.clone(), text(&file.bytes))).collect()
    }

    /// A figure as SVG.
    fn svg(&self, py: Python, index: usize) -> Option<String> {
        py.detach(|| self.inner.record.figures().into_iter().nth(index).map(render::svg::figure))
    }
}

/// Nothing but a reminder that outcomes may go to other threads.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Arc<Outcome>>();
};
