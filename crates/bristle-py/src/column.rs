//! Columns of numbers that Python looks at without copying them.

use bristle_record::Data;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// One column of a study. NumPy sees its memory by the array interface, read-only; the column stays alive as long as somebody looks.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Column {
    data: Arc<Data>,
    index: usize,
}

impl Column {
    /// All columns of a study.
    pub fn all(data: &Arc<Data>) -> Vec<Column> {
        (0..data.columns.len()).map(|index| Column { data: data.clone(), index }).collect()
    }
}

#[pymethods]
impl Column {
    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.data.columns[self.index].name
    }

    /// Its SI unit.
    #[getter]
    fn unit(&self) -> &str {
        &self.data.columns[self.index].unit
    }

    /// What it means, where its name may not say it.
    #[getter]
    fn meaning(&self) -> &str {
        &self.data.columns[self.index].meaning
    }

    fn __len__(&self) -> usize {
        self.data.columns[self.index].values.len()
    }

    /// Where the numbers are, for NumPy.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = &self.data.columns[self.index].values;
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f8" } else { ">f8" })?;
        interface.set_item("shape", (values.len(),))?;
        interface.set_item("data", (values.as_ptr() as usize, true))?;
        Ok(interface)
    }
}
