//! The same scenario under several laws.

use crate::error::RunError;
use crate::model::{ComparedOutput, Findings, ModelRun, TimeSpan};
use crate::run::{Outcome, appendix, mechanism};
use crate::scenario::Scenario;
use crate::studies::simulate::column;
use bristle_law::LawKind;
use bristle_record::{Axis, Block, Cell, Data, Fact, Line, Plot, Record, Section, Table, Tone};
use bristle_solve::Progress;

/// One law's run.
struct LawRun<'a> {
    law: &'static str,
    scenario: &'a Scenario,
    run: Box<dyn ModelRun + 'a>,
}

/// Runs the scenario's first simulation with each law at all contacts and drums, and lays the results side by side.
///
/// Numbers that the scenario's law and the other law know by the same role carry over; the rest are the other
/// law's defaults.
pub fn compare(
    scenario: &Scenario,
    laws: &[LawKind],
    progress: &mut dyn Progress,
) -> Result<Outcome, RunError> {
    let study = scenario.first_simulation()?;
    if scenario.laws_in_use().next().is_none() {
        return Err(RunError::NoLaw { scenario: scenario.name.clone() });
    }
    // All laws are tried before any is run: a law that cannot act is told at once.
    let others = laws.iter().map(|law| scenario.with_law(*law)).collect::<Result<Vec<_>, _>>()?;
    let mut record = Record::new(format!("{}: {} laws compared", scenario.title, laws.len()));
    let mut runs: Vec<LawRun> = Vec::new();
    let (mut stopped_early, mut failures, mut first_error) = (false, Vec::new(), None);
    for (law, other) in laws.iter().map(|law| law.card().name).zip(&others) {
        progress.begin(law);
        match other.simulate(study, progress) {
            Ok(run) => {
                stopped_early |= run.stopped_early();
                runs.push(LawRun { law, scenario: other, run });
            }
            Err(RunError::Stopped) => stopped_early = true,
            Err(error) => {
                // The others are worth having all the same.
                record.facts.push(Fact::verdict(format!("run under `{law}`"), error.to_string(), Tone::Bad));
                failures.push(format!("under `{law}`: {error}"));
                first_error.get_or_insert(error);
            }
        }
        if stopped_early {
            break;
        }
    }
    if runs.is_empty() {
        return Err(first_error.unwrap_or(RunError::Stopped));
    }
    if stopped_early {
        record.facts.push(Fact::verdict("stopped early", "not all laws were run to the end", Tone::Warn));
    }
    let outputs = scenario.model().compared();
    let found: Vec<Findings> = runs.iter().map(|r| r.run.findings(r.scenario, study)).collect();
    for (LawRun { law, .. }, findings) in runs.iter().zip(&found) {
        for fact in &findings.verdicts {
            record.facts.push(Fact { label: format!("{} under `{law}`", fact.label), ..fact.clone() });
        }
    }
    record.facts.extend(differences(&outputs, &runs));
    for LawRun { law, run, .. } in &runs {
        let balance = run.balance();
        if let Some(reason) = balance.failure() {
            let fact = balance.fact();
            record.facts.push(Fact { label: format!("{} under `{law}`", fact.label), ..fact });
            failures.push(format!("under `{law}` {reason}"));
        }
    }
    record.sections.extend(mechanism(scenario));
    let section = record.section("Side by side");
    section.push(motions(&outputs, &runs, &found));
    section.push(table(&runs));
    let drawn = || outputs.iter().filter(|o| o.is_drawn);
    let places = drawn().filter(|o| o.is_place && runs.len() > 1);
    section.blocks.extend(places.map(|o| plot(o, &runs, true).into()));
    section.blocks.extend(drawn().map(|o| plot(o, &runs, false).into()));
    for LawRun { law, scenario, .. } in &runs {
        let laws = appendix(scenario).into_iter().next();
        let blocks = laws.into_iter().flat_map(|s| s.blocks).collect();
        record.sections.push(Section { heading: format!("Under `{law}`"), blocks });
    }
    let code = Block::code("scenario", &scenario.text);
    record.sections.push(Section { heading: "Scenario".to_owned(), blocks: vec![code] });
    let data = data(&outputs, &runs, &scenario.span(study));
    Ok(Outcome::single("compare", record, data, stopped_early).doubted(&failures))
}

/// How the scenario moves under each law.
fn motions(outputs: &[ComparedOutput], runs: &[LawRun], found: &[Findings]) -> Table {
    let place = outputs.iter().find(|o| o.is_place || o.name.ends_with(".q") || o.name.ends_with(".angle"));
    let unit = place.map_or("", |o| o.unit);
    let columns = [
        ("law", ""),
        ("motion", ""),
        ("last period", "s"),
        ("amplitude", unit),
        ("slips", ""),
        ("dissipated", "J"),
    ];
    let of = place.map_or(String::new(), |o| format!(" of `{}`", o.name));
    let caption = format!(
        "What each law makes of the motion; the amplitude is half the range{of} in the second half of the run, a slip is faster than a hundredth of the fastest slip rate"
    );
    let mut table = Table::new(caption, &columns);
    let none = || Cell::Text { text: "–".to_owned() };
    for (LawRun { law, run, .. }, findings) in runs.iter().zip(found) {
        let data = run.data();
        let words: Vec<String> = findings.verdicts.iter().map(|f| f.value.markup()).collect();
        let period = findings.further.iter().find(|f| f.label.starts_with("last period"));
        let period = period.and_then(Fact::number_of).map_or_else(none, |m| Cell::number(m.value));
        let amplitude = place.map_or_else(none, |o| {
            let values = column(data, &o.name);
            let late = &values[values.len() / 2..];
            let range =
                late.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(*v), h.max(*v)]);
            Cell::number(0.5 * (range[1] - range[0]))
        });
        let losses = ["energy.loss", "energy.friction_loss"].iter().find_map(|n| column(data, n).last());
        let rates = data.columns.iter().filter(|c| c.name.ends_with(".slip_rate"));
        let slips: usize = rates.map(|c| times_faster(&c.values)).sum();
        table.row([
            (*law).into(),
            words.join("; ").into(),
            period,
            amplitude,
            slips.to_string().into(),
            losses.map_or_else(none, |v| Cell::number(*v)),
        ]);
    }
    table
}

/// How often a slip rate rises above a hundredth of its largest; it has ended below half of that.
fn times_faster(rates: &[f64]) -> usize {
    let most = rates.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let (mut count, mut is_fast) = (0, false);
    for rate in rates.iter().map(|v| v.abs()) {
        if !is_fast && rate > 0.01 * most {
            (count, is_fast) = (count + 1, true);
        } else if rate < 0.005 * most {
            is_fast = false;
        }
    }
    count
}

/// What each law did, and what it cost.
fn table(runs: &[LawRun]) -> Table {
    let highlights: Vec<_> = runs.iter().map(|r| r.run.highlights()).collect();
    let costs: Vec<_> = runs.iter().map(|r| r.run.cost()).collect();
    let mut columns = vec![("law", "")];
    columns.extend(highlights.first().into_iter().flatten().map(|(name, unit, _)| (name.as_str(), *unit)));
    columns.push(("energy balance", ""));
    columns.extend(costs.first().into_iter().flat_map(|c| ["steps", c.work]).map(|name| (name, "")));
    let mut table = Table::new("Each law at the end of the run", &columns);
    for ((one, highlights), cost) in runs.iter().zip(&highlights).zip(&costs) {
        let mut row: Vec<Cell> = vec![one.law.into()];
        row.extend(highlights.iter().map(|(_, _, cell)| cell.clone()));
        row.push(Cell::Number { value: one.run.balance().share, digits: 2 });
        let told = cost.counts.iter().filter(|(name, _)| ["steps", cost.work].contains(name));
        row.extend(told.map(|(_, n)| n.to_string().into()));
        table.row(row);
    }
    table
}

/// How far the places of each law are from those of the first: root of the mean square, the worst of all.
fn differences(outputs: &[ComparedOutput], runs: &[LawRun]) -> Vec<Fact> {
    let places: Vec<&str> = outputs.iter().filter(|o| o.is_place).map(|o| o.name.as_str()).collect();
    let (Some((first, others)), false) = (runs.split_first(), places.is_empty()) else { return Vec::new() };
    let rms = |one: &LawRun, name: &str| {
        // Switches leave rows of their own, which the other run does not have.
        let [(t, x), (s, y)] =
            [one, first].map(|law| (column(law.run.data(), "time"), column(law.run.data(), name)));
        let (mut j, mut sum, mut count) = (0, 0.0, 0usize);
        for (t, x) in t.iter().zip(x) {
            while s.get(j).is_some_and(|s| s < t) {
                j += 1;
            }
            if let (Some(s), Some(y)) = (s.get(j), y.get(j))
                && s == t
            {
                sum += (x - y) * (x - y);
                count += 1;
            }
        }
        (sum / count.max(1) as f64).sqrt()
    };
    let fact = |one: &LawRun| {
        let far = places.iter().map(|name| rms(one, name)).fold(0.0, f64::max);
        Fact::number(format!("`{}` differs from `{}` at the ends by (RMS)", one.law, first.law), far, "m")
    };
    others.iter().map(fact).collect()
}

/// An output under every law, or under all but the first less what it is under that.
fn plot(output: &ComparedOutput, runs: &[LawRun], is_difference: bool) -> Plot {
    let ComparedOutput { name, label, unit, .. } = output;
    let (base, shown) = if is_difference { (runs.first(), &runs[1..]) } else { (None, runs) };
    let mut plot = Plot::new(
        format!("compare-{}{}", name.replace('.', "-"), if is_difference { "-difference" } else { "" }),
        "",
        Axis::new("time $t$", "s"),
        Axis::new(base.map_or(label.clone(), |b| format!("{label} less that under {}", b.law)), *unit),
    );
    let caption = |b: &LawRun| format!("`{name}` under each law less that under `{}`", b.law);
    plot.caption = base.map_or_else(|| format!("`{name}` over time"), caption);
    for LawRun { law, run, .. } in shown {
        let mut y = column(run.data(), name).to_vec();
        for (y, base) in y.iter_mut().zip(base.map_or(&[][..], |b| column(b.run.data(), name))) {
            *y -= base;
        }
        let t = column(run.data(), "time")[..y.len()].to_vec();
        plot.push(Line::of_law(law, *law, t, y));
    }
    plot
}

/// The outputs of all laws on one time grid.
fn data(outputs: &[ComparedOutput], runs: &[LawRun], span: &TimeSpan) -> Data {
    let mut data = Data::default();
    data.push("time", "s", uniform(span));
    for output in outputs {
        for LawRun { law, run, .. } in runs {
            let values = resample(column(run.data(), "time"), column(run.data(), &output.name), span);
            data.push(format!("{law}.{}", output.name), output.unit, values);
        }
    }
    data
}

fn uniform(span: &TimeSpan) -> Vec<f64> {
    let count = (span.duration / span.step).round() as usize;
    (0..=count).map(|i| span.duration.min(i as f64 * span.step)).collect()
}

/// One value per grid time: runs have extra samples at their own switches.
fn resample(t: &[f64], y: &[f64], span: &TimeSpan) -> Vec<f64> {
    let mut i = 0;
    let near = 1e-9 * span.step;
    uniform(span)
        .into_iter()
        .map(|time| {
            while i + 1 < t.len() && t[i + 1] <= time + near {
                i += 1;
            }
            if t.get(i).is_some_and(|ti| *ti <= time + near) { y[i] } else { f64::NAN }
        })
        .collect()
}
