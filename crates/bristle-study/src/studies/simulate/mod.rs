//! What happens?

mod contacts;
mod cycles;
mod extremes;
mod figures;
mod measured;
mod measures;
mod motion;
pub(crate) mod report;
mod ropes;
mod unique;
mod verdict;

pub(crate) use figures::{label, spread};

use crate::energy::{Closure, closure};
use crate::error::RunError;
use crate::model::TimeSpan;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_core::{Card, Choice};
use bristle_mech::{Spec, System};
use bristle_record::{Block, Cell, Data, Section, Table};
use bristle_solve::Progress;
use bristle_solve::{Cancel, Dynamics, Output, Samples, Solver, Trajectory};

/// Simulates the mechanism over a time span.
///
/// ```text
/// ẋ = f(t, x) from the start given by the parts, every stick, slip and break point located
/// ```
///
/// Reports how each contact moves (rest, creep, steady sliding, stick–slip), what friction costs, and how well
/// the energy balance closes; a gap above a thousandth of what was exchanged is a failed run. What was measured of an output
/// (`[measurements.NAME]`, in the time of the run) is drawn over its figure with the error below. For cables on drums it shows the
/// shape over time, contact forces, slip and tension.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "simulate",
    entry(
        name = "show",
        names = 0,
        doc = "Outputs to draw, each in a figure of its own; a sensible set unless given."
    )
)]
pub struct Simulate<S> {
    /// How long.
    #[param(symbol = "T", unit = "s", min = 1e-9, max = 1e9)]
    pub duration: S,
    /// Distance of the samples; a two-thousandth of the duration unless given, more with over five hundred outputs.
    #[param(symbol = "Δt", unit = "s", default = f64::NAN, min = 1e-12)]
    pub step: S,
    /// Where bodies start: as given by the parts, or at rest where springs, weights and forces balance without friction.
    #[choice("given", "equilibrium")]
    pub start: Choice,
}

/// A run with all outputs.
pub struct Simulation {
    /// The raw run.
    pub trajectory: Trajectory,
    /// Time and all outputs.
    pub data: Data,
}

/// Runs a system over a span and observes all outputs.
pub fn simulate(
    system: &System,
    solver: &Solver,
    span: &TimeSpan,
    progress: &mut dyn Progress,
) -> Result<Simulation, RunError> {
    let cancel = Cancel::current();
    let mut watch = |t: f64, _: &[f64], _: &[bristle_core::Mode]| {
        progress.at(t / span.duration) && !cancel.is_cancelled()
    };
    // The run is stopped after a step, so that what was found until then is kept, and not cancelled.
    let run = || system.run(solver, span.duration, &Output::Grid { step: span.step }, &mut watch);
    let trajectory = Cancel::default().scope(run);
    let trajectory = trajectory.map_err(|source| RunError::Solve { study: span.study.to_owned(), source })?;
    let data = observe(system, system.params(), &trajectory);
    Ok(Simulation { trajectory, data })
}

/// All outputs of a run; see [`observe_samples`].
pub fn observe(system: &System, p: &[f64], trajectory: &Trajectory) -> Data {
    observe_samples(system, p, &trajectory.samples)
}

/// All outputs at all samples, time first, and last which side of a switch a sample is on.
///
/// At a switch there are two samples of the same time, before and after it, however many contacts switch.
pub fn observe_samples(system: &System, p: &[f64], samples: &Samples) -> Data {
    let channels = system.channels();
    let rows = sides(&samples.t);
    let columns = system.columns(p, samples, rows.iter().map(|&(i, _)| i));
    let mut data = Data::default();
    data.push("time", "s", rows.iter().map(|&(i, _)| samples.t[i]).collect());
    for (channel, column) in channels.into_iter().zip(columns) {
        let meaning = meaning(&channel.name);
        data.explain(channel.name, channel.unit, meaning, column);
    }
    data.explain("event", "1", EVENT, rows.iter().map(|&(_, side)| side).collect());
    data
}

/// What the column `event` says.
const EVENT: &str = "-1 just before a switch, 1 just after it, 0 elsewhere";

/// The samples to keep and their sides: of several at the same time the first (−1) and the last (1).
fn sides(t: &[f64]) -> Vec<(usize, f64)> {
    let mut rows = Vec::with_capacity(t.len());
    let mut first = 0;
    for group in t.chunk_by(|a, b| a == b) {
        let last = first + group.len() - 1;
        if last == first {
            rows.push((first, 0.0));
        } else {
            rows.extend([(first, -1.0), (last, 1.0)]);
        }
        first = last + 1;
    }
    rows
}

/// What an output means, where its name may not say it.
fn meaning(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("mode") => {
            "direction of slip: 1 slides forwards, -1 backwards, 0 sticks, 2 is open; of a law without a stick mode the sign of the slip rate"
        }
        Some("slip") => "position of the first body less that of the second",
        Some("slip_rate") => "velocity of the first body less that of the second",
        Some("loss") => "energy dissipated since the start",
        Some("input") => "work put in by drives and forces since the start",
        _ => "",
    }
}

/// One output of a simulation.
pub fn column<'a>(data: &'a Data, name: &str) -> &'a [f64] {
    data.columns.iter().find(|c| c.name == name).map_or(&[], |c| &c.values)
}

/// More samples than this fill the memory of a small machine.
const MOST_SAMPLES: f64 = 1e6;

/// What is wrong with the values together, and at which key.
pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let (duration, step) = (spec.numbers[0], spec.numbers[1]);
    (duration / step > MOST_SAMPLES).then(|| {
        let count = duration / step;
        ("step", format!("a step of {step:e} s makes {count:.1e} samples, more than {MOST_SAMPLES:e}"))
    })
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let run = scenario.simulate(study, progress)?;
    let found = run.findings(scenario, study);
    let balance = run.balance();
    let mut facts = found.verdicts;
    facts.push(balance.fact());
    facts.extend(found.further);
    let mut solver = Section { heading: "Solver".to_owned(), blocks: vec![run.cost().table().into()] };
    let events = run.events();
    solver.blocks.extend(event_table(&events).map(Block::from));
    let mut sections = found.sections;
    sections.push(solver);
    Ok(Answer {
        facts,
        sections,
        stopped_early: run.stopped_early(),
        failure: found.failure.or_else(|| balance.failure()),
        events,
        data: run.into_data(),
        ..Answer::default()
    })
}

/// How well `E − E₀ − W_in + ΣW_f` vanishes, as it does for an exact solution.
pub(crate) fn balance(data: &Data) -> Closure {
    let kinds =
        ["energy.kinetic", "energy.potential", "energy.input", "energy.loss"].map(|name| column(data, name));
    let [kinetic, potential, input, loss] = kinds;
    let since = |values: &[f64], i: usize| values[i] - values[0];
    let gap = |i: usize| since(kinetic, i) + since(potential, i) - since(input, i) + since(loss, i);
    let gaps: Vec<f64> = (0..kinetic.len()).map(gap).collect();
    closure(column(data, "time"), &gaps, &kinds)
}

/// The first switches, if there are any.
fn event_table(events: &[(f64, String)]) -> Option<Table> {
    let shown = events.len().min(20);
    let caption = match events.len() {
        0 => return None,
        n if n > shown => format!("The first {shown} of {n} switches"),
        _ => "Switches".to_owned(),
    };
    let mut table = Table::new(caption, &[("time", "s"), ("contact", "")]);
    for (t, name) in &events[..shown] {
        table.row([Cell::Number { value: *t, digits: 12 }, name.as_str().into()]);
    }
    Some(table)
}

#[cfg(test)]
mod simulate_tests {
    use super::*;

    #[test]
    fn a_switch_has_two_samples_however_many_contacts_switch() {
        let kept = sides(&[0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
        let expected = [(0, 0.0), (1, -1.0), (2, 1.0), (3, 0.0), (4, -1.0), (7, 1.0)];
        assert_eq!(kept, expected);
        assert!(sides(&[]).is_empty());
    }
}
