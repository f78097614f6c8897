//! How long does a cycle stick, accelerate, decelerate?

use super::simulate::{column, simulate};
use super::subject::{Subject, say};
use crate::error::RunError;
use crate::model::TimeSpan;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::phases::{CyclePhases, phases};
use bristle_core::Card;
use bristle_mech::Spec;
use bristle_record::{Axis, Cell, Data, Fact, Line, Plot, Rule, Section, Span, Table, Tone};
use bristle_solve::Progress;

/// Cuts stick–slip cycles into stick, acceleration and deceleration.
///
/// ```text
/// III deceleration: largest slip rate → first minimum after it
/// II  acceleration: last rise through the threshold → largest slip rate
/// I   stick: the rest
/// ```
///
/// Elastic bristles ring while they stick; the threshold says which slip rate still counts as sticking, and the
/// durations depend on it.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "stages",
    entry(name = "contact", text, optional, doc = "Which contact; the first unless given.")
)]
pub struct Stages<S> {
    /// How long the motion is watched.
    #[param(symbol = "T", unit = "s", min = 1e-9, max = 1e9)]
    pub duration: S,
    /// How much of the beginning is left out.
    #[param(symbol = "T_0", unit = "s", default = 0, min = 0, max = 1e9)]
    pub transient: S,
    /// Slip rate above which the acceleration has begun.
    #[param(symbol = "w_0", unit = "m/s", default = 0.005, min = 0, max = 1e3)]
    pub threshold: S,
    /// Distance of the samples; a fifty-thousandth of the duration unless given.
    #[param(symbol = "Δt", unit = "s", default = f64::NAN, min = 1e-12)]
    pub step: S,
}

pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let (duration, transient, step) = (spec.numbers[0], spec.numbers[1], spec.numbers[3]);
    if transient >= duration {
        return Some(("transient", "the time left out is as long as the whole run".to_owned()));
    }
    (duration / step > 2e6)
        .then(|| ("step", format!("a step of {step:e} s makes {:.1e} samples", duration / step)))
}

/// The slip rate of a contact, counted positive in the direction it mostly slips, and its cycles.
pub fn cut(data: &Data, contact: &str, from: f64, threshold: f64) -> (Vec<f64>, Vec<f64>, Vec<CyclePhases>) {
    let (t, rate) = (column(data, "time"), column(data, &format!("{contact}.slip_rate")));
    let sign = if rate.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let (mut times, mut rates) = (Vec::new(), Vec::new());
    for (&t, &v) in t.iter().zip(rate) {
        // A switch leaves two samples of one time.
        if t >= from && times.last().is_none_or(|&last| t > last) {
            times.push(t);
            rates.push(sign * v);
        }
    }
    let cycles = phases(&times, &rates, threshold);
    (times, rates, cycles)
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let subject = Subject { scenario, study, system: &scenario.system, p: Vec::new() };
    let [duration, transient, threshold, step] = [0, 1, 2, 3].map(|i| study.spec.numbers[i]);
    let step = if step.is_nan() { duration / 50_000.0 } else { step };
    let run = simulate(
        &scenario.system,
        &scenario.solver,
        &TimeSpan { study: &study.name, duration, step },
        progress,
    )?;
    let contact = study.spec.named("contact").first().cloned();
    let contact =
        contact.or_else(|| scenario.system.contacts().first().map(|c| c.name.clone())).unwrap_or_default();
    let (t, v, cycles) = cut(&run.data, &contact, transient, threshold);
    let mut section =
        Section { heading: format!("Stages of the cycle ({})", study.name), blocks: Vec::new() };
    let mut facts = Vec::new();
    if cycles.is_empty() {
        facts.push(Fact::verdict(
            format!("stages at `{contact}`"),
            "no full stick–slip cycle in this time",
            Tone::Warn,
        ));
    } else {
        facts.extend(summary(&contact, &cycles));
        section.push(figure(&subject, &t, &v, &cycles, threshold));
        section.push(table(&contact, &cycles, threshold));
    }
    let stopped_early = run.trajectory.stopped_early;
    Ok(Answer { facts, sections: vec![section], data: run.data, stopped_early, ..Answer::default() })
}

/// Mean of a duration over all cycles.
pub fn mean(cycles: &[CyclePhases], of: impl Fn(&CyclePhases) -> f64) -> f64 {
    cycles.iter().map(of).sum::<f64>() / cycles.len().max(1) as f64
}

fn summary(contact: &str, cycles: &[CyclePhases]) -> Vec<Fact> {
    let sticks = mean(cycles, |c| c.stick) / mean(cycles, CyclePhases::period);
    let words = format!("{} cycles, sticking {:.0} % of the time", cycles.len(), 100.0 * sticks);
    let number = |label: &str, value: f64, unit: &str| {
        Fact::new(
            format!("{label} at `{contact}`"),
            bristle_record::Value::Number { value, unit: unit.to_owned(), digits: 6 },
        )
    };
    vec![
        Fact::verdict(format!("stages at `{contact}`"), words, Tone::Neutral),
        number("mean stick", mean(cycles, |c| c.stick), "s"),
        number("mean acceleration", mean(cycles, |c| c.acceleration), "s"),
        number("mean deceleration", mean(cycles, |c| c.deceleration), "s"),
        number("mean period", mean(cycles, CyclePhases::period), "s"),
        number("mean peak of the slip rate", mean(cycles, |c| c.peak), "m/s"),
    ]
}

fn table(contact: &str, cycles: &[CyclePhases], threshold: f64) -> Table {
    let columns = [
        ("begins at", "s"),
        ("stick", "s"),
        ("acceleration", "s"),
        ("deceleration", "s"),
        ("period", "s"),
        ("peak", "m/s"),
    ];
    let caption =
        format!("The last cycles at `{contact}`; slip below {} m/s counts as sticking", say(threshold));
    let mut table = Table::new(caption, &columns);
    for c in cycles.iter().rev().take(12).rev() {
        let cells = [c.start, c.stick, c.acceleration, c.deceleration, c.period(), c.peak];
        table.row(cells.map(|value| Cell::Number { value, digits: 6 }));
    }
    table
}

/// The slip rate over the last two cycles, its stages shaded.
pub(crate) fn figure(
    subject: &Subject,
    t: &[f64],
    v: &[f64],
    cycles: &[CyclePhases],
    threshold: f64,
) -> Plot {
    let axis = Axis::new("slip rate $w$", "m/s");
    let mut plot = Plot::new(subject.id("stages"), "", Axis::new("time $t$", "s"), axis);
    let shown = &cycles[cycles.len().saturating_sub(2)..];
    for (i, cycle) in shown.iter().enumerate() {
        let trough = cycle.start + cycle.deceleration;
        let onset = trough + cycle.stick;
        let end = onset + cycle.acceleration;
        for (from, to, label, colour) in
            [(cycle.start, trough, "III", "bad"), (trough, onset, "I", "good"), (onset, end, "II", "warn")]
        {
            let label = if i == 0 { label.to_owned() } else { String::new() };
            plot.push(Span { from, to, label, colour: colour.to_owned(), ..Span::default() });
        }
    }
    let (first, last) =
        (shown.first().map_or(0.0, |c| c.start), shown.last().map_or(0.0, |c| c.start + c.period()));
    let margin = 0.05 * (last - first);
    let kept = |time: f64| time >= first - margin && time <= last + margin;
    let (x, y) = t.iter().zip(v).filter(|(t, _)| kept(**t)).map(|(t, v)| (*t, *v)).unzip();
    plot.push(Rule::horizontal(threshold, ""));
    plot.push(Line { colour: "ink".to_owned(), ..Line::new("", x, y) });
    plot.caption = "Stages of the last cycles: I stick, II acceleration, III deceleration".to_owned();
    plot
}
