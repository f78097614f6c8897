//! A mechanism as equations, for solvers and analyses of others.

use crate::error;
use bristle_core::Mode;
use bristle_solve::{Dynamics, Jacobian, Point, State};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// `ẋ = f(t, x)` of a mechanism between switches, with its guards.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct System {
    inner: bristle_mech::System,
    params: Vec<f64>,
    dim: usize,
}

impl System {
    pub fn new(inner: bristle_mech::System) -> System {
        let (params, dim) = (inner.params().to_vec(), inner.dim());
        System { inner, params, dim }
    }

    /// Numbers of the right count.
    fn states(&self, x: &PyReadonlyArray1<f64>) -> PyResult<Vec<f64>> {
        let x = x.as_array();
        if x.len() == self.dim {
            return Ok(x.to_vec());
        }
        let hint = format!("`state_names` lists them: {}", self.inner.state_names()[..self.dim].join(", "));
        Err(error::hinting(format!("{} states where there are {}", x.len(), self.dim), hint))
    }

    fn modes(&self, mode: Option<&PyReadonlyArray1<i8>>, x: &[f64], t: f64) -> PyResult<Vec<Mode>> {
        let count = self.inner.mode_count();
        let Some(mode) = mode else {
            let mut state = State { t, x: x.to_vec(), mode: Vec::new() };
            self.inner.start(&self.params, &mut state);
            return Ok(state.mode);
        };
        let mode = mode.as_array();
        if mode.len() != count {
            return Err(error::of(format!("{} modes where there are {count}", mode.len())));
        }
        mode.iter().map(|&m| mode_of(m)).collect()
    }
}

fn mode_of(word: i8) -> PyResult<Mode> {
    match word {
        0 => Ok(Mode::Stick),
        1 => Ok(Mode::Forward),
        -1 => Ok(Mode::Backward),
        other => {
            Err(error::hinting(format!("{other} is no mode"), "1 slides forwards, -1 backwards, 0 sticks"))
        }
    }
}

fn word_of(mode: &Mode) -> i8 {
    mode.sign() as i8
}

#[pymethods]
impl System {
    /// Number of states, works and losses included.
    #[getter]
    fn dim(&self) -> usize {
        self.dim
    }

    /// How many of the last states are integrals (works, losses) that no rate depends on.
    #[getter]
    fn quadratures(&self) -> usize {
        self.inner.quadratures()
    }

    /// Number of modes and guards.
    #[getter]
    fn mode_count(&self) -> usize {
        self.inner.mode_count()
    }

    /// What the states are called.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        self.inner.state_names().into_iter().take(self.dim).collect()
    }

    /// What the guards belong to.
    #[getter]
    fn guard_names(&self) -> Vec<String> {
        (0..self.inner.guard_count()).map(|i| Dynamics::guard_name(&self.inner, i)).collect()
    }

    /// Names and units of all outputs.
    #[getter]
    fn outputs(&self) -> Vec<(String, &'static str)> {
        self.inner.channels().into_iter().map(|c| (c.name, c.unit)).collect()
    }

    /// States at the start, and the modes that belong to them.
    fn initial<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i8>>) {
        let mut state = self.inner.initial(&self.params);
        self.inner.start(&self.params, &mut state);
        let modes = state.mode.iter().map(word_of).collect();
        (PyArray1::from_vec(py, state.x), PyArray1::from_vec(py, modes))
    }

    /// The rates of all states.
    #[pyo3(signature = (t, x, mode=None))]
    fn rates<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        x: PyReadonlyArray1<'py, f64>,
        mode: Option<PyReadonlyArray1<'py, i8>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let x = self.states(&x)?;
        let mode = self.modes(mode.as_ref(), &x, t)?;
        let mut rates = vec![0.0; self.dim];
        self.inner.evaluator(&self.params).rates(t, &x, &mode, &mut rates);
        Ok(PyArray1::from_vec(py, rates))
    }

    /// The exact Jacobian of the rates with respect to the states.
    #[pyo3(signature = (t, x, mode=None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        x: PyReadonlyArray1<'py, f64>,
        mode: Option<PyReadonlyArray1<'py, i8>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let x = self.states(&x)?;
        let mode = self.modes(mode.as_ref(), &x, t)?;
        if self.inner.has_ropes() {
            let hint = "take differences of `rates`, or a scenario without cables";
            return Err(error::hinting("beside cables there is no Jacobian in one piece", hint));
        }
        let coupled = self.dim - self.inner.quadratures();
        let mut eval = self.inner.evaluator(&self.params);
        let (mut jacobian, mut rates) = (Jacobian::new(self.dim, coupled, None), vec![0.0; self.dim]);
        eval.jacobian(t, &x, &mode, &mut jacobian, &mut rates);
        let mut flat = vec![0.0; self.dim * self.dim];
        // The last states are integrals that no rate depends on.
        for row in 0..self.dim {
            for column in 0..coupled {
                flat[row * self.dim + column] = jacobian.entry(row, column);
            }
        }
        PyArray1::from_vec(py, flat).reshape([self.dim, self.dim])
    }

    /// The guards: positive while the modes hold.
    #[pyo3(signature = (t, x, mode=None))]
    fn guards<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        x: PyReadonlyArray1<'py, f64>,
        mode: Option<PyReadonlyArray1<'py, i8>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let x = self.states(&x)?;
        let mode = self.modes(mode.as_ref(), &x, t)?;
        let mut guards = vec![0.0; self.inner.guard_count()];
        self.inner.evaluator(&self.params).guards(t, &x, &mode, &mut guards);
        Ok(PyArray1::from_vec(py, guards))
    }

    /// States and modes after guard `fired` has fallen to zero.
    fn switch<'py>(
        &self,
        py: Python<'py>,
        fired: usize,
        t: f64,
        x: PyReadonlyArray1<'py, f64>,
        mode: PyReadonlyArray1<'py, i8>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i8>>)> {
        if fired >= self.inner.guard_count() {
            return Err(error::of(format!(
                "there is no guard {fired}; there are {}",
                self.inner.guard_count()
            )));
        }
        let x = self.states(&x)?;
        let mode = self.modes(Some(&mode), &x, t)?;
        let mut state = State { t, x, mode };
        self.inner.switch(fired, &self.params, &mut state);
        let modes = state.mode.iter().map(word_of).collect();
        Ok((PyArray1::from_vec(py, state.x), PyArray1::from_vec(py, modes)))
    }

    /// The values of all outputs.
    #[pyo3(signature = (t, x, mode=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        x: PyReadonlyArray1<'py, f64>,
        mode: Option<PyReadonlyArray1<'py, i8>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let x = self.states(&x)?;
        let mode = self.modes(mode.as_ref(), &x, t)?;
        let values = self.inner.observe(&Point { t, x: &x, p: &self.params, mode: &mode });
        Ok(PyArray1::from_vec(py, values))
    }
}
