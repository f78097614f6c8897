//! A mechanism that moves by Python's clock.

use crate::error::{self, of_live};
use bristle_mech::LiveRun;
use bristle_solve::SavedRun;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard};

/// A run by Python's clock, with inputs that change on the way.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Live {
    inner: Mutex<LiveRun>,
}

impl Live {
    pub fn new(run: LiveRun) -> Live {
        Live { inner: Mutex::new(run) }
    }

    fn run(&self) -> MutexGuard<'_, LiveRun> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[pymethods]
impl Live {
    /// Names, units, words, ranges of all inputs.
    #[getter]
    fn inputs(&self) -> Vec<(String, &'static str, &'static str, f64, f64)> {
        self.run().inputs().iter().map(|i| (i.name.clone(), i.unit, i.doc, i.min, i.max)).collect()
    }

    /// The values of all inputs.
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.run().values().collect()
    }

    /// Names and units of all outputs.
    #[getter]
    fn outputs(&self) -> Vec<(String, &'static str)> {
        self.run().channels().iter().map(|c| (c.name.clone(), c.unit)).collect()
    }

    /// Where the clock stands, s.
    #[getter]
    fn time(&self) -> f64 {
        self.run().time()
    }

    /// Sets one input; it counts from where the run is.
    fn set_input(&self, name: &str, value: f64) -> PyResult<()> {
        self.run().set_input(name, value).map_err(of_live)
    }

    /// Sets all inputs, in their order.
    fn set_inputs(&self, values: PyReadonlyArray1<f64>) -> PyResult<()> {
        self.run().set_inputs(&values.as_array().to_vec()).map_err(of_live)
    }

    /// Moves on to a time, s.
    fn advance(&self, py: Python, t: f64) -> PyResult<()> {
        py.detach(|| self.run().advance(t)).map_err(of_live)
    }

    /// Makes modes consistent with inputs that have changed, here and now.
    fn settle(&self) -> PyResult<()> {
        self.run().settle().map_err(of_live)
    }

    /// The values of all outputs, in their order.
    fn observe<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let values = py.detach(|| self.run().outputs());
        PyArray1::from_vec(py, values)
    }

    /// All that the run goes on from.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.run().save().map_err(of_live)?;
        Ok(PyBytes::new(py, &saved.to_bytes()))
    }

    /// Goes on from where a run of the same mechanism was saved.
    fn restore(&self, saved: &[u8]) -> PyResult<()> {
        let Some(saved) = SavedRun::from_bytes(saved) else {
            return Err(error::of("these bytes are not a saved run"));
        };
        self.run().restore(&saved).map_err(of_live)
    }

    /// Another run that goes on exactly as this one.
    fn copy(&self) -> Live {
        Live::new(self.run().clone())
    }
}
