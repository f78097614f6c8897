//! What was measured of an output, over its figure, with the error below.

use super::column;
use super::figures::{TIME, time_plot};
use crate::scenario::{Scenario, Study};
use bristle_core::units;
use bristle_record::number::{pretty, short};
use bristle_record::{Axis, Data, Fact, Line, Plot};
use bristle_scenario::measurements::{Instrument, MeasuredOutput, Measurement};

/// An output of a run beside what was measured of it.
struct Overlay<'a> {
    measurement: &'a Measurement,
    channel: &'a str,
    unit: &'a str,
    times: Vec<f64>,
    measured: Vec<f64>,
    /// What the run shows at those times.
    shown: Vec<f64>,
}

impl Overlay<'_> {
    /// Root of the mean square of the difference, and the same over that of what was measured.
    fn error(&self) -> [f64; 2] {
        let rms = |x: &mut dyn Iterator<Item = f64>| {
            (x.map(|x| x * x).sum::<f64>() / self.times.len() as f64).sqrt()
        };
        let error = rms(&mut self.shown.iter().zip(&self.measured).map(|(y, m)| y - m));
        [error, error / rms(&mut self.measured.iter().copied()).max(f64::MIN_POSITIVE)]
    }
}

/// All records with times whose outputs this run has.
fn overlays<'a>(scenario: &'a Scenario, data: &'a Data) -> Vec<Overlay<'a>> {
    let all = scenario.measurements.iter().flat_map(|m| m.outputs.iter().map(move |o| (m, o)));
    all.filter_map(|(m, output)| overlay_of(m, output, data)).collect()
}

fn overlay_of<'a>(
    measurement: &'a Measurement,
    output: &'a MeasuredOutput,
    data: &'a Data,
) -> Option<Overlay<'a>> {
    let shown = data.columns.iter().find(|c| c.name == output.channel)?;
    let clock = column(data, "time");
    let (begin, end) = (*clock.first()?, *clock.last()?);
    let times = measurement.times.as_ref()?;
    let all = measurement.whole(&output.column, output.factor.as_deref(), &shown.unit).ok()?;
    let known = |what: &Instrument, ideal: f64| match what {
        Instrument::Known(text) => {
            units::parse(text, &shown.unit).or_else(|_| units::parse(text, "1")).unwrap_or(ideal)
        }
        _ => ideal,
    };
    let (gain, bias) = (known(&output.gain, 1.0), known(&output.bias, 0.0));
    let (rows, first) = measurement.rows();
    let inside = (rows.start + first..rows.end).filter(|&i| (begin..=end).contains(&times[i]));
    let kept: Vec<usize> = inside.collect();
    (kept.len() > 1).then(|| Overlay {
        measurement,
        channel: &output.channel,
        unit: &shown.unit,
        times: kept.iter().map(|&i| times[i]).collect(),
        measured: kept.iter().map(|&i| (all[i] - bias) / gain).collect(),
        shown: kept.iter().map(|&i| between(clock, &shown.values, times[i])).collect(),
    })
}

/// A value between samples.
fn between(clock: &[f64], values: &[f64], t: f64) -> f64 {
    let next = clock.partition_point(|s| *s < t).clamp(1, clock.len() - 1);
    let span = clock[next] - clock[next - 1];
    let share = if span > 0.0 { (t - clock[next - 1]) / span } else { 0.0 };
    values[next - 1] + share * (values[next] - values[next - 1])
}

/// Draws what was measured into the figure of its output, or into one of its own, and the error behind it.
pub(super) fn overlay(scenario: &Scenario, study: &Study, data: &Data, plots: &mut Vec<Plot>) {
    for overlay in overlays(scenario, data) {
        let name = format!("`{}`", overlay.channel);
        let found = plots.iter().position(|p| p.x.label == TIME && p.caption.contains(&name));
        let place = found.unwrap_or_else(|| {
            plots.push(time_plot(&study.name, data, &[overlay.channel], false));
            plots.len() - 1
        });
        let record = &overlay.measurement.name;
        plots[place].push(Line::new(
            format!("measured: {record}"),
            overlay.times.clone(),
            overlay.measured.clone(),
        ));
        plots[place].caption += &format!("; what was measured of {name} in record `{record}` over it");
        let id = format!("{}-error-{record}-{}", study.name, overlay.channel.replace('.', "-"));
        let mut below =
            Plot::new(id, "", Axis::new(TIME, "s"), Axis::new("simulated less measured", overlay.unit));
        let error = overlay.shown.iter().zip(&overlay.measured).map(|(y, m)| y - m).collect();
        below.push(Line::new("", overlay.times.clone(), error));
        below.caption = format!("{name} less what record `{record}` measured of it");
        plots.insert(place + 1, below);
    }
}

/// How far the run is from what was measured.
pub(super) fn facts(scenario: &Scenario, data: &Data) -> Vec<Fact> {
    let one = |overlay: Overlay| {
        let [error, share] = overlay.error();
        let label = format!("`{}` against `{}`", overlay.channel, overlay.measurement.name);
        let mut fact = Fact::number(label, error, overlay.unit);
        fact.note = format!("root mean square, {} % of the record", pretty(&short(100.0 * share, 3)));
        fact
    };
    overlays(scenario, data).into_iter().map(one).collect()
}
