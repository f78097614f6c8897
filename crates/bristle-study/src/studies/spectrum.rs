//! Which tones does a motion have?

use super::simulate::{column, label, simulate};
use super::subject::Subject;
use crate::error::RunError;
use crate::model::TimeSpan;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::tones::{Pitch, amplitudes, tones};
use bristle_core::Card;
use bristle_mech::Spec;
use bristle_record::{Axis, Cell, Data, Fact, Line, Marker, Plot, Scatter, Section, Table, Tone, Value};
use bristle_solve::Progress;

/// Finds the tones of a motion: at which frequencies it vibrates, and how strongly.
///
/// ```text
/// x(t) ≈ mean + Σ a_k cos(2π f_k t + φ_k)   amplitudes under a Hann window, peaks interpolated between the lines
/// ```
///
/// A stick–slip cycle shows its frequency of repetition and its harmonics, a squeal its pitch. Two tones closer than about
/// four lines (four over the time looked at) cannot be told apart: look longer. What lies above `highest` is not seen; a
/// jump of the quantity that is looked at has tones up to any frequency, some of which fold back as faint false ones.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "spectrum",
    entry(
        name = "output",
        text,
        optional,
        doc = "Which output, such as `block.v`; the slip rate of the first contact unless given."
    )
)]
pub struct Spectrum<S> {
    /// How long the motion is watched.
    #[param(symbol = "T", unit = "s", min = 1e-9, max = 1e9)]
    pub duration: S,
    /// How much of the beginning is left out; a fifth unless given.
    #[param(symbol = "T_0", unit = "s", default = f64::NAN, min = 0, max = 1e9)]
    pub transient: S,
    /// Highest frequency that is looked for; four thousand lines unless given.
    #[param(symbol = "f_max", unit = "Hz", default = f64::NAN, min = 1e-9, max = 1e12)]
    pub highest: S,
}

/// Lines of a spectrum unless told otherwise, and the most there may be.
const LINES: f64 = 4096.0;
const MOST_LINES: f64 = 1_048_576.0;

/// Duration, time left out and number of lines.
fn settings(spec: &Spec) -> (f64, f64, f64) {
    let [duration, transient, highest] = [0, 1, 2].map(|i| spec.numbers[i]);
    let transient = if transient.is_nan() { 0.2 * duration } else { transient };
    let lines = if highest.is_nan() { LINES } else { highest * (duration - transient) };
    (duration, transient, lines)
}

pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let (duration, transient, lines) = settings(spec);
    if transient >= duration {
        return Some(("transient", "the time left out is as long as the whole run".to_owned()));
    }
    if lines > MOST_LINES {
        return Some((
            "highest",
            format!("{lines:.1e} lines are more than {MOST_LINES:.0}; look for less time"),
        ));
    }
    (lines < 8.0).then(|| ("highest", format!("{lines:.1} lines are too few: look longer or higher")))
}

/// The output that is looked at.
fn chosen(scenario: &Scenario, study: &Study, data: &Data) -> String {
    let named = study.spec.named("output").first().cloned();
    let contact = || scenario.system.contacts().first().map(|c| format!("{}.slip_rate", c.name));
    let first = || data.columns.get(1).map(|c| c.name.clone());
    named.or_else(contact).or_else(first).unwrap_or_default()
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let subject = Subject { scenario, study, system: &scenario.system, p: Vec::new() };
    let (duration, transient, lines) = settings(&study.spec);
    let count = 2 * (lines.ceil() as usize).next_power_of_two();
    let step = (duration - transient) / count as f64;
    let run = simulate(
        &scenario.system,
        &scenario.solver,
        &TimeSpan { study: &study.name, duration, step },
        progress,
    )?;
    let output = chosen(scenario, study, &run.data);
    let unit = run.data.columns.iter().find(|c| c.name == output).map_or(String::new(), |c| c.unit.clone());
    let values = evenly(column(&run.data, "time"), column(&run.data, &output), duration, step, count);
    let mut section = Section { heading: format!("Tones ({})", study.name), blocks: Vec::new() };
    let mut facts = Vec::new();
    let found = if values.len() == count { tones(&values, step) } else { Vec::new() };
    let name = format!("strongest tone of `{output}`");
    match found.first() {
        Some(first) => {
            facts.push(number(&name, first.frequency, "Hz"));
            facts.push(number(&format!("its amplitude in `{output}`"), first.amplitude, &unit));
        }
        None => facts.push(Fact::verdict(name, "none: the output is constant", Tone::Neutral)),
    }
    section.push(figure(&subject, &output, &unit, &values, step, &found));
    section.push(table(&output, &unit, &found));
    let stopped_early = run.trajectory.stopped_early;
    Ok(Answer { facts, sections: vec![section], data: run.data, stopped_early, ..Answer::default() })
}

/// The last `count` samples before the end, one for each step; a switch leaves several rows of one time, of which the last counts.
fn evenly(t: &[f64], x: &[f64], end: f64, step: f64, count: usize) -> Vec<f64> {
    let mut values = vec![f64::NAN; count];
    for (&t, &x) in t.iter().zip(x) {
        let place = count as f64 - (end - t) / step;
        let nearest = place.round();
        if (place - nearest).abs() < 1e-6 && nearest >= 0.0 && (nearest as usize) < count {
            values[nearest as usize] = x;
        }
    }
    values.retain(|value| value.is_finite());
    values
}

fn number(label: &str, value: f64, unit: &str) -> Fact {
    Fact::new(label, Value::Number { value, unit: unit.to_owned(), digits: 6 })
}

fn table(output: &str, unit: &str, found: &[Pitch]) -> Table {
    let columns = [("frequency", "Hz"), ("amplitude", unit)];
    let mut table = Table::new(format!("The strongest tones of `{output}`"), &columns);
    for tone in found.iter().take(12) {
        table.row([tone.frequency, tone.amplitude].map(|value| Cell::Number { value, digits: 6 }));
    }
    table
}

fn figure(subject: &Subject, output: &str, unit: &str, values: &[f64], step: f64, found: &[Pitch]) -> Plot {
    let (f, a): (Vec<f64>, Vec<f64>) = amplitudes(values, step).into_iter().skip(1).unzip();
    // Far below the strongest line there is only rounding.
    let floor = 1e-9 * a.iter().copied().fold(0.0, f64::max);
    let a: Vec<f64> = a.into_iter().map(|a| a.max(floor)).collect();
    let axis = if floor > 0.0 { Axis::log(label(output), unit) } else { Axis::new(label(output), unit) };
    let mut plot = Plot::new(subject.id("spectrum"), "", Axis::new("frequency $f$", "Hz"), axis);
    plot.push(Line::new("", f, a));
    let (x, y) = found.iter().take(12).map(|tone| (tone.frequency, tone.amplitude)).unzip();
    plot.push(Scatter { marker: Marker::Circle, ..Scatter::new("tones", x, y) });
    plot.caption = format!("Amplitudes of `{output}` over the frequency");
    plot
}
