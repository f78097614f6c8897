//! The same scenario under several laws.

use crate::error::RunError;
use crate::outcome::{Outcome, appendix};
use crate::progress::Progress;
use crate::scenario::Scenario;
use crate::studies::StudyKind;
use crate::studies::simulate::{balance, column, label, sampling, simulate, spread};
use bristle_law::LawKind;
use bristle_mech::OutputChannel;
use bristle_record::{Axis, Block, Cell, Data, Fact, Line, Plot, Record, Section, Table, Tone};
use std::collections::HashSet;

/// Runs the scenario's first simulation under each law and lays the results side by side.
///
/// Numbers that the scenario's law and the other law know by the same name carry over; the rest are the other
/// law's defaults.
pub fn compare(
    scenario: &Scenario,
    laws: &[LawKind],
    progress: &mut dyn Progress,
) -> Result<Outcome, RunError> {
    if scenario.cable.is_some() {
        return crate::cable::compare(scenario, laws, progress);
    }
    let nothing = || RunError::NothingToCompare { scenario: scenario.name.clone() };
    let study = scenario.studies.iter().find(|s| s.kind == StudyKind::Simulate).ok_or_else(nothing)?;
    let duration = study.spec.numbers[0];
    let step = sampling(&scenario.system, study);
    let mut record = Record::new(format!("{}: {} laws compared", scenario.title, laws.len()));
    let mut runs = Vec::new();
    let (mut stopped_early, mut faults, mut first_error) = (false, Vec::new(), None);
    for law in laws {
        let name = law.card().name;
        progress.begin(name);
        let other =
            scenario.with_law(*law).map_err(|source| RunError::Law { law: name.to_owned(), source })?;
        let run = match simulate(&other, duration, step, &study.name, progress) {
            Ok(run) => run,
            Err(error) => {
                // The others are worth having all the same.
                record.facts.push(Fact::verdict(format!("run under `{name}`"), error.to_string(), Tone::Bad));
                faults.push(format!("under `{name}`: {error}"));
                first_error.get_or_insert(error);
                continue;
            }
        };
        stopped_early |= run.trajectory.stopped_early;
        runs.push((name, other, run));
        if stopped_early {
            break;
        }
    }
    if let (true, Some(error)) = (runs.is_empty(), first_error) {
        return Err(error);
    }
    if stopped_early {
        record.facts.push(Fact::verdict("stopped early", "not all laws were run to the end", Tone::Warn));
    }

    let mut table = Table::new(
        "Each law at the end of the run",
        &[
            ("law", ""),
            ("dissipated", "J"),
            ("final slip rate", "m/s"),
            ("energy balance", ""),
            ("steps", ""),
            ("rate evaluations", ""),
        ],
    );
    let contact = scenario.system.contacts().first().map_or("", |c| &c.name);
    for (name, _, run) in &runs {
        let last = |channel: &str| column(&run.data, channel).last().copied().unwrap_or(f64::NAN);
        let statistics = &run.trajectory.statistics;
        let balance = balance(&run.data);
        if balance.has_failed() {
            let fact = balance.fact();
            record.facts.push(Fact { label: format!("{} under `{name}`", fact.label), ..fact });
            faults.extend(balance.failure().map(|reason| format!("under `{name}` {reason}")));
        }
        table.row([
            (*name).into(),
            Cell::Number { value: last("energy.loss"), digits: 7 },
            Cell::Number { value: last(&format!("{contact}.slip_rate")), digits: 4 },
            Cell::Number { value: balance.share, digits: 2 },
            statistics.steps.to_string().into(),
            statistics.evaluations.to_string().into(),
        ]);
    }
    record.section("Side by side").push(table);

    let mut data = Data::default();
    data.push("time", "s", uniform(duration, step));
    let channels = scenario.system.channels();
    let drawn =
        channels.iter().filter(|c| matches!(c.name.rsplit('.').next(), Some("q" | "force" | "slip_rate")));
    let drawn: Vec<_> = drawn.collect();
    let shown: HashSet<&str> = ["q", "force", "slip_rate"].iter().flat_map(|end| few(&drawn, end)).collect();
    for channel in drawn {
        let id = format!("compare-{}", channel.name.replace('.', "-"));
        let mut plot =
            Plot::new(id, "", Axis::new("time $t$", "s"), Axis::new(label(&channel.name), channel.unit));
        plot.caption = format!("`{}` over time", channel.name);
        for (name, _, run) in &runs {
            let (t, y) = (column(&run.data, "time").to_vec(), column(&run.data, &channel.name).to_vec());
            plot.push(Line::of_law(name, *name, t.clone(), y.clone()));
            data.push(format!("{name}.{}", channel.name), channel.unit, resample(&t, &y, duration, step));
        }
        if shown.contains(channel.name.as_str()) {
            record.section("Side by side").push(plot);
        }
    }
    for (name, other, _) in &runs {
        let mut section = Section { heading: format!("Under `{name}`"), blocks: Vec::new() };
        let laws = appendix(other).into_iter().next();
        section.blocks.extend(laws.into_iter().flat_map(|s| s.blocks));
        record.sections.push(section);
    }
    let code = Block::code("scenario", &scenario.text);
    record.sections.push(Section { heading: "Scenario".to_owned(), blocks: vec![code] });
    Ok(Outcome::single("compare", record, data, stopped_early).doubted(&faults))
}

/// The outputs of one kind that are drawn, or as many of them as can be looked at.
fn few<'a>(drawn: &[&'a OutputChannel], end: &str) -> Vec<&'a str> {
    let all: Vec<&str> =
        drawn.iter().map(|c| c.name.as_str()).filter(|n| n.rsplit('.').next() == Some(end)).collect();
    spread(&all).copied().collect()
}

fn uniform(duration: f64, step: f64) -> Vec<f64> {
    let count = (duration / step).round() as usize;
    (0..=count).map(|i| duration.min(i as f64 * step)).collect()
}

/// One value per grid time: runs have extra samples at their own switches.
fn resample(t: &[f64], y: &[f64], duration: f64, step: f64) -> Vec<f64> {
    let mut i = 0;
    uniform(duration, step)
        .into_iter()
        .map(|time| {
            while i + 1 < t.len() && t[i + 1] <= time + 1e-9 * step {
                i += 1;
            }
            if t.get(i).is_some_and(|ti| *ti <= time + 1e-9 * step) { y[i] } else { f64::NAN }
        })
        .collect()
}
