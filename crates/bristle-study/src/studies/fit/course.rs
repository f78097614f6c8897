//! Columns as the courses of an experiment: filtered without a shift, and differentiated where a mass is moved.

use super::FitProblem;
use bristle_fit::filter::{Filter, difference};
use bristle_scenario::measurements::{MeasuredInput, MeasuredOutput, Measurement};

/// The motions of a body that a record can prescribe.
const MOTIONS: [&str; 6] = ["q", "v", "position", "velocity", "angle", "speed"];

/// Order of the low-pass.
const ORDER: usize = 4;

/// Whether the motion of that body is measured, so that what moves it follows.
pub(super) fn is_inverse(measurement: &Measurement, body: &str) -> bool {
    measurement.inputs.iter().any(|i| {
        i.path.split_once('.').is_some_and(|(part, signal)| part == body && MOTIONS.contains(&signal))
    })
}

/// The step of a record whose rows are even.
fn even_step(measurement: &Measurement) -> Result<f64, FitProblem> {
    let times = measurement.times.as_deref().unwrap_or_default();
    let step = (times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0))
        / times.len().max(2).saturating_sub(1) as f64;
    let is_even = times.len() > 3 && times.windows(2).all(|t| (t[1] - t[0] - step).abs() < 0.05 * step);
    if is_even {
        return Ok(step);
    }
    let reason = format!(
        "the rows of measurement `{}` are not even in time, which a filter and differences need: put it on a grid with `resample = \"{step:.3e} s\"`",
        measurement.name
    );
    Err(FitProblem::Setup { reason })
}

/// Values behind the low-pass that is asked for.
fn filtered(measurement: &Measurement, values: Vec<f64>, limit: Option<f64>) -> Result<Vec<f64>, FitProblem> {
    let Some(limit) = limit else { return Ok(values) };
    let step = even_step(measurement)?;
    let share = 2.0 * limit * step;
    if share <= 0.0 || share >= 1.0 {
        let reason = format!(
            "`filter` at {limit} Hz in measurement `{}`: above zero and below half the rate of its rows, {:.4} Hz",
            measurement.name,
            0.5 / step
        );
        return Err(FitProblem::Setup { reason });
    }
    Ok(Filter::butterworth(ORDER, share).both_ways(&values))
}

/// What is prescribed, over all rows.
pub(super) fn column(
    measurement: &Measurement,
    input: &MeasuredInput,
    unit: &str,
) -> Result<Vec<f64>, FitProblem> {
    let all = measurement.whole(&input.column, input.factor.as_deref(), unit);
    filtered(
        measurement,
        all.map_err(|error| FitProblem::Table { file: measurement.file.clone(), error })?,
        input.filter,
    )
}

/// What is compared, over all rows.
pub(super) fn compared(
    measurement: &Measurement,
    output: &MeasuredOutput,
    unit: &str,
) -> Result<Vec<f64>, FitProblem> {
    let all = measurement.whole(&output.column, output.factor.as_deref(), unit);
    filtered(
        measurement,
        all.map_err(|error| FitProblem::Table { file: measurement.file.clone(), error })?,
        output.filter,
    )
}

/// Velocity and acceleration of a body over all rows, from what was measured of its motion.
pub(super) fn accelerations(
    measurement: &Measurement,
    input: &MeasuredInput,
    signal: &str,
) -> Result<[Vec<f64>; 2], FitProblem> {
    let (unit, is_place) = match signal {
        "q" | "position" => ("m", true),
        "angle" => ("rad", true),
        "speed" => ("rad/s", false),
        _ => ("m/s", false),
    };
    let all = column(measurement, input, unit)?;
    if measurement.times.is_none() {
        // Steady points: nothing is accelerated.
        let rest = vec![0.0; all.len()];
        return Ok([all, rest]);
    }
    let step = even_step(measurement)?;
    let speed = if is_place { difference(&all, step) } else { all };
    let rate = difference(&speed, step);
    Ok([speed, rate])
}
