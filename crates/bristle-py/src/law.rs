//! Laws alone: forces, states, steps and exact derivatives over whole arrays.

use crate::error;
use crate::scenario::law_named;
use bristle_core::{Choice, Dual, Field, Kind, Mode, partial, seed};
use bristle_law::{AnyLaw, At, LawKind, fixed_step};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// A friction law with its numbers.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Law {
    kind: LawKind,
    numbers: Vec<f64>,
    choices: Vec<Choice>,
    law: AnyLaw<f64>,
}

type ArrayArgument<'py> = PyReadonlyArray1<'py, f64>;

/// So many derivatives are taken at once.
const WIDTH: usize = 4;

/// Steps after which a state that has not come to rest is given up.
const MOST: usize = 400;

impl Law {
    fn states(&self) -> usize {
        self.kind.states()
    }

    /// Arrays of one length: slip rates, loads, and states row by row.
    fn same_length(&self, v: &ArrayArgument, n: &ArrayArgument, z: &ArrayArgument) -> PyResult<usize> {
        let (rows, k) = (v.as_array().len(), self.states());
        let found = [n.as_array().len(), z.as_array().len()];
        if found == [rows, rows * k] {
            return Ok(rows);
        }
        let wanted = format!("{rows} slip rates go with {rows} loads and {rows} × {k} states");
        Err(error::of(format!("{wanted}, not with {} loads and {} numbers of states", found[0], found[1])))
    }

    /// The modes that belong to a slip rate and states; what `v = 0` leaves open stays open.
    fn modes_at(&self, v: f64, n: f64, z: &[f64], mode: &mut [Mode]) {
        mode.fill(Mode::Stick);
        self.law.start(&At::sliding(v, n), z, mode);
    }

    /// Refuses what no contact can have.
    fn check(v: &[f64], n: &[f64]) -> PyResult<()> {
        if let Some(i) = v.iter().position(|v| !v.is_finite()) {
            return Err(error::of(format!("v[{i}] is {}; a slip rate is a finite number, in m/s", v[i])));
        }
        if let Some(i) = n.iter().position(|n| !(n.is_finite() && *n >= 0.0)) {
            let hint = "surfaces that are apart have a load of zero";
            return Err(error::hinting(format!("n[{i}] is {}; a load is not negative, in N", n[i]), hint));
        }
        Ok(())
    }
}

#[pymethods]
impl Law {
    /// A law by its name, with some of its numbers and words changed.
    #[new]
    #[pyo3(signature = (name, numbers=vec![], words=vec![]))]
    fn new(name: &str, numbers: Vec<(String, f64)>, words: Vec<(String, String)>) -> PyResult<Law> {
        let kind = law_named(name)?;
        let card = kind.card();
        let (mut values, mut choices) = (card.defaults(), card.default_choices());
        let known: Vec<&str> = card.fields.iter().map(|f| f.name).collect();
        for (parameter, value) in numbers {
            let is_force =
                |f: &Field| matches!(f.kind, Kind::Number { force: Some(force), .. } if force == parameter);
            let Some((i, field)) =
                card.numbers().enumerate().find(|(_, f)| f.name == parameter || is_force(f))
            else {
                return Err(error::fail(&format!("law `{name}` has no parameter"), &parameter, &known));
            };
            if let Kind::Number { unit, min, max, .. } = field.kind
                && !(field.kind.admits(value) || is_force(field) && value.is_finite() && value >= min)
            {
                let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
                let message = format!("`{parameter}` of law `{name}` cannot be {value}{unit}");
                return Err(error::hinting(
                    message,
                    format!("{} It lies between {min} and {max}.", field.doc.trim()),
                ));
            }
            values[i] = value;
        }
        for (field, word) in words {
            let Some((i, found)) = card.choices().enumerate().find(|(_, f)| f.name == field) else {
                return Err(error::fail(&format!("law `{name}` has no choice"), &field, &known));
            };
            let Kind::Choice { options } = found.kind else { continue };
            let Some(option) = options.iter().position(|o| *o == word) else {
                return Err(error::fail(&format!("`{field}` of law `{name}` has no word"), &word, options));
            };
            choices[i] = Choice(option as u8);
        }
        let law = kind.build(&values, &choices);
        match law.fault() {
            Some(fault) => Err(error::of(format!("law `{name}`: {fault}"))),
            None => Ok(Law { kind, numbers: values, choices, law }),
        }
    }

    /// Number of states.
    #[getter]
    fn state_count(&self) -> usize {
        self.states()
    }

    /// Whether it is set-valued at rest: a resting contact bears any force up to a limit.
    #[getter]
    fn is_set_valued(&self) -> bool {
        self.law.limit(&At::sliding(0.0, 1.0), &vec![0.0; self.states()]).is_some()
    }

    /// Order of its step of fixed length; none where it has no such step.
    #[getter]
    fn step_order(&self) -> Option<u32> {
        fixed_step::kernel(&self.law).map(|kernel| kernel.order())
    }

    /// The states before anything has happened.
    fn initial<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let mut z = vec![0.0; self.states()];
        self.law.initial(&mut z);
        PyArray1::from_vec(py, z)
    }

    /// Forces, and the rates of states row by row.
    fn force<'py>(
        &self,
        py: Python<'py>,
        v: ArrayArgument<'py>,
        n: ArrayArgument<'py>,
        z: ArrayArgument<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (rows, k) = (self.same_length(&v, &n, &z)?, self.states());
        let (v, n, z) = (v.as_slice()?, n.as_slice()?, z.as_slice()?);
        Law::check(v, n)?;
        let mut rates = vec![0.0; rows * k];
        let forces = py.detach(|| {
            let mut mode = vec![Mode::Stick; self.law.elements()];
            let one = |i: usize, mode: &mut Vec<Mode>, rates: &mut [f64]| {
                let own = i * k..(i + 1) * k;
                self.modes_at(v[i], n[i], &z[own.clone()], mode);
                let at = At { v: v[i], n: n[i], hold: 0.0, mode };
                self.law.eval(&at, &z[own.clone()], &mut rates[own])
            };
            (0..rows).map(|i| one(i, &mut mode, &mut rates)).collect()
        });
        Ok((PyArray1::from_vec(py, forces), PyArray1::from_vec(py, rates)))
    }

    /// The largest force borne at rest; nothing for a law that is not set-valued.
    fn limit<'py>(
        &self,
        py: Python<'py>,
        n: ArrayArgument<'py>,
        z: ArrayArgument<'py>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.same_length(&n, &n, &z)?;
        let (n, z, k) = (n.as_slice()?, z.as_slice()?, self.states());
        Law::check(&[], n)?;
        let one = |(i, n): (usize, &f64)| self.law.limit(&At::sliding(0.0, *n), &z[i * k..(i + 1) * k]);
        let limits: Option<Vec<f64>> = n.iter().enumerate().map(one).collect();
        Ok(limits.map(|limits| PyArray1::from_vec(py, limits)))
    }

    /// Exact derivatives: for each row a matrix of force and rates by slip rate, load and states.
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        v: ArrayArgument<'py>,
        n: ArrayArgument<'py>,
        z: ArrayArgument<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (rows, k) = (self.same_length(&v, &n, &z)?, self.states());
        let (v, n, z) = (v.as_slice()?, n.as_slice()?, z.as_slice()?);
        Law::check(v, n)?;
        let all = py.detach(|| {
            let numbers: Vec<Dual<WIDTH>> = self.numbers.iter().map(|&value| Dual::from(value)).collect();
            let law = self.kind.build(&numbers, &self.choices);
            let (wide, mut out) = (k + 2, vec![0.0; rows * (k + 1) * (k + 2)]);
            let (mut mode, mut dz) = (vec![Mode::Stick; self.law.elements()], vec![Dual::from(0.0); k]);
            for i in 0..rows {
                let own = &z[i * k..(i + 1) * k];
                self.modes_at(v[i], n[i], own, &mut mode);
                for first in (0..wide).step_by(WIDTH) {
                    // A variable outside this pass has no derivative.
                    let number = |value: f64, place: usize| seed::<WIDTH>(value, place.wrapping_sub(first));
                    let states: Vec<_> = own.iter().enumerate().map(|(j, &z)| number(z, j + 2)).collect();
                    let at =
                        At { v: number(v[i], 0), n: number(n[i], 1), hold: Dual::from(0.0), mode: &mode };
                    let force = law.eval(&at, &states, &mut dz);
                    for column in first..wide.min(first + WIDTH) {
                        let place = |row: usize| (i * (k + 1) + row) * wide + column;
                        out[place(0)] = partial(&force, column - first);
                        for (row, rate) in dz.iter().enumerate() {
                            out[place(row + 1)] = partial(rate, column - first);
                        }
                    }
                }
            }
            out
        });
        Ok(PyArray1::from_vec(py, all))
    }

    /// Forces and states in steady sliding.
    fn steady<'py>(
        &self,
        py: Python<'py>,
        v: ArrayArgument<'py>,
        n: ArrayArgument<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (v, n, k) = (v.as_slice()?, n.as_slice()?, self.states());
        Law::check(v, n)?;
        if v.len() != n.len() {
            return Err(error::of(format!(
                "{} slip rates go with as many loads, not with {}",
                v.len(),
                n.len()
            )));
        }
        let (mut forces, mut states) = (Vec::with_capacity(v.len()), Vec::with_capacity(v.len() * k));
        for (v, n) in v.iter().zip(n) {
            let (force, z) = self.slide_on(*v, *n).ok_or_else(|| {
                let message =
                    format!("law `{}` does not come to steady sliding at {v} m/s", self.kind.card().name);
                error::hinting(message, "ask at another slip rate, or follow it with `scan`")
            })?;
            forces.push(force);
            states.extend(z);
        }
        Ok((PyArray1::from_vec(py, forces), PyArray1::from_vec(py, states)))
    }

    /// A record of slip rates and loads at a fixed step: forces, and the states at the end.
    fn scan<'py>(
        &self,
        py: Python<'py>,
        v: ArrayArgument<'py>,
        n: ArrayArgument<'py>,
        h: f64,
        z: ArrayArgument<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (v, n, mut z) = (v.as_slice()?, n.as_slice()?, z.as_array().to_vec());
        Law::check(v, n)?;
        if !(h.is_finite() && h > 0.0) {
            return Err(error::of(format!("h is {h}; a step is a positive time, in s")));
        }
        if n.len() != v.len() && n.len() != 1 || z.len() != self.states() {
            let wanted =
                format!("{} slip rates go with as many loads or one, and {} states", v.len(), self.states());
            return Err(error::of(format!("{wanted}; not with {} loads and {} states", n.len(), z.len())));
        }
        let forces = py.detach(|| {
            let mut mode = vec![Mode::Stick; self.law.elements()];
            let (first, load) = (v.first().copied().unwrap_or(0.0), n.first().copied().unwrap_or(1.0));
            self.modes_at(first, load, &z, &mut mode);
            let loads = (0..v.len()).map(|i| n[i.min(n.len() - 1)]);
            let steps = v.iter().zip(loads);
            match fixed_step::kernel(&self.law) {
                Some(kernel) => {
                    let step = |(&v, n)| kernel.step(&At::sliding(v, n), &mut z, &mut mode, h);
                    Some(steps.map(step).collect::<Vec<f64>>())
                }
                // Without states a law has no memory to step.
                None if self.states() == 0 && !self.law.uses_hold() => {
                    let step = |(&v, n): (&f64, f64)| {
                        self.modes_at(v, n, &[], &mut mode);
                        self.law.eval(&At { v, n, hold: 0.0, mode: &mode }, &[], &mut [])
                    };
                    Some(steps.map(step).collect())
                }
                None => None,
            }
        });
        let forces = forces.ok_or_else(|| {
            let name = self.kind.card().name;
            error::hinting(
                format!("law `{name}` has no step of fixed length"),
                "put it into a scenario and run that",
            )
        })?;
        Ok((PyArray1::from_vec(py, forces), PyArray1::from_vec(py, z)))
    }
}

impl Law {
    /// Force and states once sliding at this rate has gone on for long.
    fn slide_on(&self, v: f64, n: f64) -> Option<(f64, Vec<f64>)> {
        let k = self.states();
        let (mut z, mut mode) = (vec![0.0; k], vec![Mode::Stick; self.law.elements()]);
        self.law.initial(&mut z);
        self.modes_at(v, n, &z, &mut mode);
        if let Some(kernel) = fixed_step::kernel(&self.law).filter(|_| k > 0) {
            let (mut h, mut before) = (1e-6, f64::NAN);
            for _ in 0..MOST {
                let force = kernel.step(&At::sliding(v, n), &mut z, &mut mode, h);
                if h > 1e3 && (force - before).abs() <= 1e-12 * force.abs() {
                    return Some((force, z));
                }
                (h, before) = ((2.0 * h).min(1e9), force);
            }
            return None;
        }
        let (mut dz, mut h) = (vec![0.0; k], 1e-6);
        for _ in 0..MOST {
            self.modes_at(v, n, &z, &mut mode);
            let force = self.law.eval(&At { v, n, hold: 0.0, mode: &mode }, &z, &mut dz);
            let still = |(rate, z): (&f64, &f64)| rate.abs() <= 1e-12 * (v.abs() + z.abs());
            if dz.iter().zip(&z).all(still) {
                return force.is_finite().then_some((force, z));
            }
            // Implicit Euler steps that grow: Newton's method in the end.
            let slopes = self.slopes(v, n, &z, &mode);
            let step = solve(k, &slopes, &dz, 1.0 / h)?;
            z.iter_mut().zip(&step).for_each(|(z, step)| *z += step);
            h *= 2.0;
        }
        None
    }

    /// Derivatives of the rates by the states, row by row.
    fn slopes(&self, v: f64, n: f64, z: &[f64], mode: &[Mode]) -> Vec<f64> {
        let k = z.len();
        let numbers: Vec<Dual<WIDTH>> = self.numbers.iter().map(|&value| Dual::from(value)).collect();
        let law = self.kind.build(&numbers, &self.choices);
        let (mut out, mut dz) = (vec![0.0; k * k], vec![Dual::from(0.0); k]);
        for first in (0..k).step_by(WIDTH) {
            let states: Vec<_> = z.iter().enumerate().map(|(j, &z)| seed(z, j.wrapping_sub(first))).collect();
            law.eval(
                &At { v: Dual::from(v), n: Dual::from(n), hold: Dual::from(0.0), mode },
                &states,
                &mut dz,
            );
            for column in first..k.min(first + WIDTH) {
                for (row, rate) in dz.iter().enumerate() {
                    out[row * k + column] = partial(rate, column - first);
                }
            }
        }
        out
    }
}

/// Solves `(shift·1 − J) x = b` of a few unknowns by elimination.
fn solve(k: usize, slopes: &[f64], b: &[f64], shift: f64) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..k)
        .map(|i| (0..k).map(|j| f64::from(i == j) * shift - slopes[i * k + j]).chain([b[i]]).collect())
        .collect();
    for i in 0..k {
        let best = (i..k).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, best);
        let own = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / own[i];
            row.iter_mut().zip(&own).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    let x: Vec<f64> = (0..k).map(|i| rows[i][k] / rows[i][i]).collect();
    x.iter().all(|x| x.is_finite()).then_some(x)
}
