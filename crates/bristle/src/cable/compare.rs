//! The same cable under several laws.

use super::motion::CableMotion;
use super::{CableModel, balance, build};
use crate::error::RunError;
use crate::outcome::{Outcome, appendix};
use crate::progress::Progress;
use crate::scenario::{Scenario, Study};
use crate::studies::StudyKind;
use crate::studies::simulate::column;
use bristle_law::LawKind;
use bristle_record::{Axis, Block, Cell, Data, Fact, Line, Plot, Record, Section, Table, Tone};

/// The laws that ask for the force that would hold a node.
pub(super) const LAWS: [&str; 3] = ["quinn", "cdq", "karnopp"];

/// One law's run.
struct One {
    law: &'static str,
    scenario: Scenario,
    motion: CableMotion,
}

/// Runs the scenario's first simulation with each law on all drums that have one, and lays the results side by side.
pub(crate) fn compare(
    scenario: &Scenario,
    laws: &[LawKind],
    progress: &mut dyn Progress,
) -> Result<Outcome, RunError> {
    let nothing = || RunError::NothingToCompare { scenario: scenario.name.clone() };
    let study = scenario.studies.iter().find(|s| s.kind == StudyKind::Simulate).ok_or_else(nothing)?;
    let model = scenario.cable.as_ref().ok_or_else(nothing)?;
    if model.laws.iter().all(Option::is_none) {
        let reason =
            "no drum has a law: give one of them `law = { kind = \"quinn\" }` to compare others with";
        return Err(RunError::Cable { study: study.name.clone(), reason: reason.to_owned() });
    }
    // All laws are tried before any is run: a law that cannot act is told at once.
    let others = laws.iter().map(|law| under(scenario, *law)).collect::<Result<Vec<_>, _>>()?;
    let mut runs = Vec::new();
    let mut stopped_early = false;
    for (law, other) in laws.iter().zip(others) {
        progress.begin(law.card().name);
        let motion = simulate(&other, study, progress)?;
        stopped_early |= motion.stopped_early;
        runs.push(One { law: law.card().name, scenario: other, motion });
        if stopped_early {
            break;
        }
    }
    let mut record = Record::new(format!("{}: {} laws compared", scenario.title, laws.len()));
    if stopped_early {
        record.facts.push(Fact::verdict("stopped early", "not all laws were run to the end", Tone::Warn));
    }
    record.facts.extend(facts(model, &runs));
    let section = record.section("Side by side");
    section.push(table(model, &runs));
    for plot in plots(model, &runs) {
        section.push(plot);
    }
    for one in &runs {
        let mut section = Section { heading: format!("Under `{}`", one.law), blocks: Vec::new() };
        section.blocks.extend(appendix(&one.scenario).into_iter().next().into_iter().flat_map(|s| s.blocks));
        record.sections.push(section);
    }
    let code = Block::code("scenario", &scenario.text);
    record.sections.push(Section { heading: "Scenario".to_owned(), blocks: vec![code] });
    let fault = |one: &One| balance::closure(&one.motion.data).failure();
    let faults: Vec<String> =
        runs.iter().filter_map(|one| Some(format!("under `{}` {}", one.law, fault(one)?))).collect();
    Ok(Outcome::single("compare", record, data(&runs), stopped_early).doubted(&faults))
}

/// The scenario with another law on its drums: levels and speeds that both laws know carry over.
pub(super) fn under(scenario: &Scenario, law: LawKind) -> Result<Scenario, RunError> {
    let name = law.card().name.to_owned();
    let mut other = scenario.with_law(law).map_err(|source| RunError::Law { law: name.clone(), source })?;
    // The width of a dead band and the speed of a regularisation play the same part.
    for ((_, old), (_, new)) in scenario.parts.iter().zip(&mut other.parts) {
        let Some(from) = old.table("law") else { continue };
        let eps = LawKind::named(&from.kind).and_then(|kind| {
            let place = kind.card().numbers().position(|f| ["eps", "band"].contains(&f.name))?;
            from.numbers.get(place).copied()
        });
        for (_, table) in new.tables.iter_mut().filter(|(field, _)| field == "law") {
            let place = law.card().numbers().position(|f| ["eps", "band"].contains(&f.name));
            if let (Some(eps), Some(place)) = (eps, place) {
                table.numbers[place] = eps;
            }
        }
    }
    let settings = scenario.cable.as_ref().and_then(|c| c.settings.as_ref());
    other.cable = build(&other.parts, settings).map_err(|fault| RunError::CableLaw {
        law: name.clone(),
        reason: format!("part `{}`: {}; {}", fault.part, fault.reason, fault.hint),
    })?;
    Ok(other)
}

fn simulate(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<CableMotion, RunError> {
    let nothing = || RunError::NothingToCompare { scenario: scenario.name.clone() };
    let model = scenario.cable.as_ref().ok_or_else(nothing)?;
    let duration = study.spec.numbers[0];
    let step = if study.spec.numbers[1].is_nan() { model.sampling(duration) } else { study.spec.numbers[1] };
    model.simulate(&study.name, duration, step, progress)
}

/// Root of the mean square of the distance of an output from the first law's.
fn rms(runs: &[One], i: usize, name: &str) -> f64 {
    let (a, b) = (column(&runs[i].motion.data, name), column(&runs[0].motion.data, name));
    let count = a.len().min(b.len()).max(1);
    let sum: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    (sum / count as f64).sqrt()
}

fn facts(model: &CableModel, runs: &[One]) -> Vec<Fact> {
    let far = |i: usize| {
        model
            .ends
            .iter()
            .flat_map(|e| [format!("{e}.x"), format!("{e}.y")])
            .map(|n| rms(runs, i, &n))
            .fold(0.0, f64::max)
    };
    let Some(first) = runs.first() else { return Vec::new() };
    (1..runs.len())
        .map(|i| {
            Fact::number(
                format!("`{}` differs from `{}` at the ends by (RMS)", runs[i].law, first.law),
                far(i),
                "m",
            )
        })
        .collect()
}

fn table(model: &CableModel, runs: &[One]) -> Table {
    let gains = model.ends.iter().map(|end| format!("height gained by {end}")).collect::<Vec<_>>();
    let mut columns = vec![("law", "")];
    columns.extend(gains.iter().map(|g| (g.as_str(), "m")));
    columns.extend([
        ("largest tension at an end", "N"),
        ("lost to friction", "J"),
        ("first slip", "s"),
        ("fastest slip", "m/s"),
        ("balance left over", "J"),
        ("steps", ""),
        ("Newton iterations", ""),
    ]);
    let mut table = Table::new("Each law", &columns);
    for one in runs {
        let of = |name: &str| column(&one.motion.data, name);
        let ends = |name: &str| (of(name).first().copied(), of(name).last().copied());
        let mut row: Vec<Cell> = vec![one.law.into()];
        for end in &model.ends {
            let (first, last) = ends(&format!("{end}.y"));
            row.push(Cell::Number { value: last.unwrap_or(f64::NAN) - first.unwrap_or(f64::NAN), digits: 7 });
        }
        let most = |names: Vec<String>| names.iter().flat_map(|n| of(n)).map(|v| v.abs()).fold(0.0, f64::max);
        row.push(Cell::number(most(model.ends.iter().map(|e| format!("{e}.tension")).collect())));
        row.push(Cell::number(of("energy.friction_loss").last().copied().unwrap_or(f64::NAN)));
        let first = one.motion.first_slips.iter().flatten().map(|s| s.0).fold(f64::INFINITY, f64::min);
        row.push(if first.is_finite() { Cell::number(first) } else { "none".into() });
        row.push(Cell::number(most(model.drums.iter().map(|d| format!("{d}.slip_rate")).collect())));
        row.push(Cell::number(balance::closure(&one.motion.data).gap));
        row.push(one.motion.statistics.steps.to_string().into());
        row.push(one.motion.statistics.newton.to_string().into());
        table.row(row);
    }
    table
}

/// Outputs worth laying on top of each other: ends, friction, slip.
fn plots(model: &CableModel, runs: &[One]) -> Vec<Plot> {
    let rough = |i: &usize| model.laws[*i].is_some();
    let drums = || (0..model.drums.len()).filter(rough).map(|i| model.drums[i].as_str());
    let mut wanted: Vec<(String, String, &str)> = Vec::new();
    for end in &model.ends {
        wanted.push((format!("{end}.y"), format!("height of {end}"), "m"));
    }
    for drum in drums() {
        wanted.push((format!("{drum}.friction"), format!("friction on the cable at {drum}"), "N"));
        wanted.push((format!("{drum}.slip_rate"), format!("largest slip speed at {drum}"), "m/s"));
    }
    wanted.push(("energy.friction_loss".to_owned(), "energy lost to friction".to_owned(), "J"));
    let mut all = differences(model, runs);
    let plot = |(name, label, unit): (String, String, &str)| {
        let id = format!("compare-{}", name.replace('.', "-"));
        let mut plot = Plot::new(id, "", Axis::new("time $t$", "s"), Axis::new(label, unit));
        plot.caption = format!("`{name}` over time");
        for one in runs {
            let of = |name: &str| column(&one.motion.data, name).to_vec();
            plot.push(Line::of_law(one.law, one.law, of("time"), of(&name)));
        }
        plot
    };
    all.extend(wanted.into_iter().map(plot));
    all
}

/// How far the ends are from where the first law has them.
fn differences(model: &CableModel, runs: &[One]) -> Vec<Plot> {
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let plot = |end: &String| {
        let name = format!("{end}.y");
        let id = format!("compare-{end}-difference");
        let label = format!("height of {end} less that under {}", first.law);
        let mut plot = Plot::new(id, "", Axis::new("time $t$", "s"), Axis::new(label, "m"));
        plot.caption = format!("`{name}` under each law less that under `{}`", first.law);
        let base = column(&first.motion.data, &name);
        for one in others {
            let y = column(&one.motion.data, &name).iter().zip(base).map(|(a, b)| a - b).collect();
            let time = column(&one.motion.data, "time").to_vec();
            plot.push(Line::of_law(one.law, one.law, time, y));
        }
        plot
    };
    if others.is_empty() { Vec::new() } else { model.ends.iter().map(plot).collect() }
}

/// All outputs of all laws on one time grid.
fn data(runs: &[One]) -> Data {
    let mut all = Data::default();
    let longest = runs.iter().map(|r| column(&r.motion.data, "time")).max_by_key(|t| t.len()).unwrap_or(&[]);
    all.push("time", "s", longest.to_vec());
    for one in runs {
        for c in one.motion.data.columns.iter().filter(|c| c.name != "time") {
            let mut values = c.values.clone();
            values.resize(longest.len(), f64::NAN);
            all.push(format!("{}.{}", one.law, c.name), c.unit.as_str(), values);
        }
    }
    all
}
