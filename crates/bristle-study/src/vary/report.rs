//! What the runs say together: facts, tables and figures.

use super::figures;
use super::job::Done;
use super::local;
use super::question::VaryQuestion;
use super::response::limit_words;
use super::table::{self, TableRows};
use crate::error::RunError;
use crate::run::Answer;
use crate::studies::subject::{say, with_unit};
use bristle_record::{Cell, Fact, Section, Table, Tone};
use bristle_solve::Progress;
use bristle_vary::DesignKind;
use bristle_vary::saltelli::IndexEstimate;
use bristle_vary::statistics::{moments, percentile, probability_interval, sorted};
use bristle_vary::{morris, saltelli};
use std::collections::BTreeMap;

/// Confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// Percentiles that are told.
const PERCENTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// Reasons of failures that are listed.
const REASONS: usize = 12;

/// The answer of a study whose runs are there, all or some.
pub(crate) fn answer(
    question: &VaryQuestion,
    done: Done,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let Done { rows, stopped_early, resumed } = done;
    if rows.len() == 0 {
        return Err(RunError::Stopped);
    }
    let points = table::points(question, &rows);
    let columns: Vec<Vec<f64>> = (0..question.width()).map(|j| rows.column(j)).collect();
    let mut facts = counts(question, &rows, stopped_early, resumed);
    facts.extend(probabilities(question, &columns));
    let mut section = Section { heading: format!("Variants ({})", question.study.name), blocks: Vec::new() };
    facts.extend(extremes(question, &columns, &rows, &points));
    figures::draw(question, &rows, &points, &columns, &mut section);
    if question.design.kind().is_sample() {
        section.push(percentiles(question, &columns));
    }
    match question.design.kind() {
        DesignKind::Saltelli => global(question, &rows, &columns, &mut section, &mut facts),
        DesignKind::Morris => screening(question, &rows, &columns, &mut section, &mut facts),
        _ => {}
    }
    if !stopped_early {
        figures::bands(question, &mut section, progress);
        if question.study.spec.flag("local") {
            local::table(question, &mut section)?;
        }
    }
    section.blocks.extend(failures(&rows).map(Into::into));
    let failure = (rows.reasons().len() == rows.len()).then(|| {
        let reason = rows.reasons().values().next().cloned().unwrap_or_default();
        format!("every run failed, the first because {reason}")
    });
    let data = table::data(question, &rows, &points);
    Ok(Answer { facts, sections: vec![section], data, stopped_early, failure, ..Answer::default() })
}

/// How many runs there are, failed and missing.
fn counts(question: &VaryQuestion, rows: &TableRows, stopped_early: bool, resumed: u64) -> Vec<Fact> {
    let (total, here) = (question.design.count(), rows.len() as u64);
    let mut facts = Vec::new();
    if here < total {
        let words = format!("{} of {total}", total - here);
        let mut fact = Fact::verdict("runs missing", words, Tone::Warn).measuring((total - here) as f64, "1");
        if stopped_early {
            let mut gaps = Vec::new();
            let mut next = 0;
            for &index in rows.indices().iter().chain([&total]) {
                if index > next {
                    gaps.push(if index == next + 1 {
                        next.to_string()
                    } else {
                        format!("{next}–{}", index - 1)
                    });
                }
                next = index + 1;
            }
            let more = if gaps.len() > 6 { ", …" } else { "" };
            gaps.truncate(6);
            fact.note = format!("run {}{more}; the same command goes on from here", gaps.join(", "));
        }
        facts.push(fact);
    }
    let mut runs = Fact::number("runs", here as f64, "");
    if resumed > 0 {
        runs.note = format!("{resumed} of them were kept from before");
    }
    facts.push(runs);
    let failed = rows.reasons().len();
    if failed > 0 {
        let fact = Fact::new("runs that failed", failed as f64).measuring(failed as f64, "1");
        facts.push(Fact { tone: Tone::Warn, note: "their reasons stand in the table".to_owned(), ..fact });
    }
    facts
}

/// How often events happen.
fn probabilities(question: &VaryQuestion, columns: &[Vec<f64>]) -> Vec<Fact> {
    let all = question.events.iter().zip(&question.event_places).map(|(event, place)| {
        let values: Vec<f64> = columns[*place].iter().copied().filter(|v| !v.is_nan()).collect();
        let hits = values.iter().filter(|v| event.holds(**v)).count();
        let share = hits as f64 / values.len().max(1) as f64;
        if !question.design.kind().is_sample() {
            let words = format!("{hits} of {} runs", values.len());
            let fact = Fact::verdict(event.name.clone(), words, Tone::Neutral).measuring(share, "1");
            return fact;
        }
        let [low, high] = probability_interval(hits, values.len(), CONFIDENCE);
        let words = format!("{} % of all", say(100.0 * share));
        let label = format!("probability of {}", event.name);
        let mut fact = Fact::verdict(label, words, Tone::Neutral).measuring(share, "1");
        fact.note = format!(
            "{hits} of {} runs have `{}` {}; 95 % interval from {} to {} %",
            values.len(),
            event.response.name,
            limit_words(event),
            say(100.0 * low),
            say(100.0 * high)
        );
        fact
    });
    all.collect()
}

/// Smallest and largest value of every response, and where.
fn extremes(
    question: &VaryQuestion,
    columns: &[Vec<f64>],
    rows: &TableRows,
    points: &[Vec<f64>],
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (response, column) in question.asked.iter().zip(columns).take(question.shown) {
        let finite = || (0..column.len()).filter(|&i| column[i].is_finite());
        let ends = finite()
            .min_by(|&a, &b| column[a].total_cmp(&column[b]))
            .zip(finite().max_by(|&a, &b| column[a].total_cmp(&column[b]).then(b.cmp(&a))));
        let Some((low, high)) = ends else { continue };
        let place = |i: usize| {
            let at = question.varied.iter().zip(points).take(4);
            let words = at.map(|(v, p)| format!("`{}` = {}", v.path, with_unit(p[i], &v.unit)));
            format!("run {}: {}", rows.indices()[i], words.collect::<Vec<_>>().join(", "))
        };
        for (word, i) in [("smallest", low), ("largest", high)] {
            let mut fact =
                Fact::number(format!("{word} `{}`", response.name), column[i], response.unit.clone());
            fact.note = place(i);
            facts.push(fact);
        }
    }
    facts
}

fn percentiles(question: &VaryQuestion, columns: &[Vec<f64>]) -> Table {
    let names: Vec<String> = PERCENTILES.iter().map(|q| format!("{} %", say(100.0 * q))).collect();
    let mut heads = vec![("response", ""), ("unit", ""), ("mean", ""), ("deviation", "")];
    heads.extend(names.iter().map(|name| (name.as_str(), "")));
    let mut table = Table::new("Percentiles of the responses", &heads);
    for (response, column) in question.asked.iter().zip(columns).take(question.shown) {
        let all = sorted(column);
        let number = |value: f64| Cell::Number { value, digits: 6 };
        let mut row: Vec<Cell> = vec![response.name.as_str().into(), response.unit.as_str().into()];
        row.extend(moments(&all).map(number));
        row.extend(PERCENTILES.iter().map(|q| number(percentile(&all, *q))));
        table.row(row);
    }
    table
}

/// Values in the order of all runs, with gaps where runs are missing or failed.
fn whole(question: &VaryQuestion, rows: &TableRows, column: &[f64]) -> Vec<f64> {
    let mut all = vec![f64::NAN; question.design.count() as usize];
    for (index, value) in rows.indices().iter().zip(column) {
        if let Some(slot) = all.get_mut(*index as usize) {
            *slot = *value;
        }
    }
    all
}

fn with_doubt(estimate: IndexEstimate) -> Cell {
    Cell::Text { text: format!("{} ± {}", say(round(estimate.value)), say(round(estimate.doubt))) }
}

/// To four digits behind the point, as far as an index is known at best.
fn round(value: f64) -> f64 {
    let scale = if value.abs() < 1.0 { 1e4 } else { 1e3 };
    (value * scale).round() / scale
}

/// Sobol's indices.
fn global(
    question: &VaryQuestion,
    rows: &TableRows,
    columns: &[Vec<f64>],
    section: &mut Section,
    facts: &mut Vec<Fact>,
) {
    for (response, column) in question.asked.iter().zip(columns).take(question.shown) {
        let values = whole(question, rows, column);
        let Some(found) = saltelli::indices(&values, question.varied.len(), CONFIDENCE) else {
            facts.push(Fact::new(format!("indices of `{}`", response.name), "none: it does not vary"));
            continue;
        };
        let heads = [("parameter", ""), ("first order $S$", ""), ("total $S_T$", "")];
        let caption = format!("Sobol's indices of `{}`, with 95 % intervals", response.name);
        let mut table = Table::new(caption, &heads);
        for (varied, indices) in question.varied.iter().zip(&found) {
            table.row([varied.path.as_str().into(), with_doubt(indices.first), with_doubt(indices.total)]);
            for (word, estimate) in [("first-order", indices.first), ("total", indices.total)] {
                let label = format!("{word} index of `{}` for `{}`", varied.path, response.name);
                let mut fact = Fact::number(label, estimate.value, "");
                fact.note = format!("± {} (95 %)", say(round(estimate.doubt)));
                facts.push(fact);
            }
        }
        section.push(table);
        section.push(figures::indices(question, &response.name, &found));
    }
}

/// Morris's effects.
fn screening(
    question: &VaryQuestion,
    rows: &TableRows,
    columns: &[Vec<f64>],
    section: &mut Section,
    facts: &mut Vec<Fact>,
) {
    for (response, column) in question.asked.iter().zip(columns).take(question.shown) {
        let values = whole(question, rows, column);
        let found = morris::effects(&values, question.design.seed(), question.varied.len(), CONFIDENCE);
        let heads = [("parameter", ""), ("mean size $μ*$", ""), ("mean $μ$", ""), ("deviation $σ$", "")];
        let unit = if response.unit.is_empty() { "1" } else { &response.unit };
        let caption =
            format!("Effects on `{}` over the whole range of each parameter, in {unit}", response.name);
        let mut table = Table::new(caption, &heads);
        for (varied, effect) in question.varied.iter().zip(&found) {
            let Some(effect) = effect else { continue };
            let number = |value: f64| Cell::Number { value, digits: 4 };
            table.row([
                varied.path.as_str().into(),
                with_doubt(effect.size),
                number(effect.mean),
                number(effect.deviation),
            ]);
            let label = format!("mean effect of `{}` on `{}`", varied.path, response.name);
            facts.push(Fact::number(label, effect.size.value, response.unit.clone()));
        }
        section.push(table);
        section.push(figures::effects(question, response, &found));
    }
}

/// Why runs failed, and how many for each reason.
fn failures(rows: &TableRows) -> Option<Table> {
    let mut kinds: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (index, reason) in rows.reasons() {
        let entry = kinds.entry(reason).or_insert((*index, 0));
        entry.1 += 1;
    }
    if kinds.is_empty() {
        return None;
    }
    let mut all: Vec<_> = kinds.into_iter().collect();
    all.sort_by_key(|(_, (first, count))| (std::cmp::Reverse(*count), *first));
    let caption = match all.len() {
        n if n > REASONS => format!("Why runs failed: the first {REASONS} of {n} reasons"),
        _ => "Why runs failed".to_owned(),
    };
    let mut table = Table::new(caption, &[("reason", ""), ("runs", ""), ("first", "")]);
    for (reason, (first, count)) in all.into_iter().take(REASONS) {
        table.row([reason.into(), count.to_string().into(), first.to_string().into()]);
    }
    Some(table)
}
