//! Stability and swing over two parameters.

use crate::LabAnswer;
use crate::session::{Session, said};
use bristle_analysis::map::MapAxis;
use bristle_solve::{Dynamics, Output, Solver};
use bristle_study::Scenario;
use bristle_study::analysis;
use serde_json::{Value, json};

/// Instants at which the motion of a cell is looked at.
const LOOKS: f64 = 600.0;

/// Steps that a cell is worth.
const MOST_STEPS: usize = 60_000;

/// A parameter over a range.
struct AskedAxis {
    path: String,
    values: Vec<f64>,
}

impl AskedAxis {
    fn read(question: &Value) -> Result<AskedAxis, String> {
        let path = question["path"].as_str().ok_or("an axis has no parameter")?.to_owned();
        let number = |key: &str| question[key].as_f64().ok_or_else(|| format!("an axis has no `{key}`"));
        let (from, to, count) = (number("from")?, number("to")?, number("count")? as usize);
        let is_log = question["log"].as_bool() == Some(true) && from > 0.0 && to > 0.0;
        let at = |share: f64| match is_log {
            true => from * (to / from).powf(share),
            false => from + share * (to - from),
        };
        let last = count.max(2) - 1;
        Ok(AskedAxis { path, values: (0..=last).map(|k| at(k as f64 / last as f64)).collect() })
    }

    /// The place among the parameters of the system.
    fn place(&self, scenario: &Scenario) -> Result<usize, String> {
        let found = analysis::place(scenario, &self.path);
        found.map(|p| p.index).ok_or_else(|| format!("there is no parameter `{}` under this law", self.path))
    }
}

/// Whether steady sliding is stable, cell by cell: 1 stable, 0 not, NaN where there is none.
///
/// # Errors
/// What is wrong, in words.
pub fn stability(session: &Session, question: &Value) -> Result<LabAnswer, String> {
    let scenario = session.changed(question["law"].as_u64().unwrap_or(0) as usize, question)?;
    if scenario.has_cables() {
        return Err("steady sliding is asked of mechanisms without cables".to_owned());
    }
    let (x, y) = (AskedAxis::read(&question["x"])?, AskedAxis::read(&question["y"])?);
    let axis =
        |a: &AskedAxis| Ok::<_, String>(MapAxis { parameter: a.place(&scenario)?, values: a.values.clone() });
    let system = &scenario.system;
    let map = analysis::map(system, system.params(), axis(&y)?, axis(&x)?).map_err(|e| said(&e))?;
    let numbers = map.stable.iter().map(|s| s.map_or(f64::NAN, |s| f64::from(u8::from(s)))).collect();
    Ok(LabAnswer { words: json!({ "stable": map.stable_cells() }), numbers })
}

/// How far the first body's velocity swings in the second half of the run, for a list of cells `[column, row, column, row, …]`; NaN where
/// a cell cannot be run.
///
/// # Errors
/// What is wrong, in words.
pub fn cells(session: &Session, question: &Value) -> Result<LabAnswer, String> {
    let scenario = session.changed(question["law"].as_u64().unwrap_or(0) as usize, question)?;
    let (x, y) = (AskedAxis::read(&question["x"])?, AskedAxis::read(&question["y"])?);
    let list = question["list"].as_array().ok_or("there is no list of cells")?;
    let list: Vec<usize> = list.iter().filter_map(|v| Some(v.as_u64()? as usize)).collect();
    let duration = question["duration"].as_f64().ok_or("there is no duration")?;
    let of = |pair: &[usize]| Some([*x.values.get(*pair.first()?)?, *y.values.get(*pair.get(1)?)?]);
    let values = list.chunks(2).filter_map(of);
    let numbers = if scenario.has_cables() {
        values.map(|v| cable_swing(&scenario, [&x, &y], v, duration)).collect()
    } else {
        let places = [x.place(&scenario)?, y.place(&scenario)?];
        values.map(|v| swing(&scenario, places, v, duration)).collect()
    };
    Ok(LabAnswer { words: json!({ "quantity": quantity(&scenario) }), numbers })
}

/// What swings.
fn quantity(scenario: &Scenario) -> Value {
    if let Some(drum) = scenario.laws_in_use().next().filter(|_| scenario.has_cables()) {
        return json!([format!("{}.slip_rate", drum.0), "m/s"]);
    }
    let motion = scenario.system.free_motions().into_iter().next();
    motion.map_or(Value::Null, |m| json!([format!("{}.{}", m.body, m.quantities[1].0), m.quantities[1].1]))
}

fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if high >= low { high - low } else { f64::NAN }
}

fn swing(scenario: &Scenario, places: [usize; 2], values: [f64; 2], duration: f64) -> f64 {
    let system = &scenario.system;
    let Some(motion) = system.free_motions().into_iter().next() else { return f64::NAN };
    let mut p = system.params().to_vec();
    for (place, value) in places.into_iter().zip(values) {
        p[place] = value;
    }
    let solver = Solver { max_steps: scenario.solver.max_steps.min(MOST_STEPS), ..scenario.solver };
    let start = system.initial(&p);
    let output = Output::Grid { step: duration / LOOKS };
    match system.run_from(&solver, &p, start, duration, &output, &mut ()) {
        Ok(run) => {
            let from = run.samples.t.partition_point(|t| *t < 0.5 * duration);
            spread(run.samples.column(motion.states[1]).skip(from))
        }
        Err(_) => f64::NAN,
    }
}

/// How the slip rate of the cable over the first drum swings.
fn cable_swing(scenario: &Scenario, axes: [&AskedAxis; 2], values: [f64; 2], duration: f64) -> f64 {
    let changes = [(axes[0].path.as_str(), values[0]), (axes[1].path.as_str(), values[1])];
    let slipped = || {
        let other = scenario.with(&changes).ok()?;
        let mut study = other.first_simulation().ok()?.clone();
        (study.spec.numbers[0], study.spec.numbers[1]) = (duration, duration / 60.0);
        let drum = other.laws_in_use().next()?.0.to_owned();
        let data = other.simulate(&study, &mut ()).ok()?.into_data();
        let rate = data.columns.iter().find(|c| c.name == format!("{drum}.slip_rate"))?;
        // Beside the first tenth, in which the rope settles.
        Some(spread(rate.values.iter().copied().skip(rate.values.len() / 10)))
    };
    slipped().unwrap_or(f64::NAN)
}
