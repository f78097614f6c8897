//! What a fit has found, in words and tables.

use super::one::Fitted;
use super::{FitTask, draw, section};
use crate::run::Answer;
use bristle_fit::{AtBound, Estimate, Interval};
use bristle_record::number::{pretty, short};
use bristle_record::{Block, Cell, Data, Fact, Section, Table, Tone};

/// Below this part of the error on what was held out a law is as good as the best.
const AS_GOOD: f64 = 0.01;

/// Differences of Akaike's criterion, with as many values as are independent, up to which there is hardly a choice, or a weak one
/// (Burnham and Anderson 2002).
const HARDLY: f64 = 2.0;
const WEAKLY: f64 = 10.0;

pub(super) fn answer(task: &FitTask, fitted: &[Fitted], left_out: &[(&str, String)]) -> Answer {
    let best = &fitted[0];
    let mut facts = vec![verdict(task, fitted)];
    facts.extend(best.fit.estimates.iter().map(estimate_fact));
    let unknown: Vec<String> = asked(best).filter(|e| !e.is_known).map(|e| e.unknown.name.clone()).collect();
    for doubt in &best.fit.doubts {
        facts.push(Fact::verdict("cannot be told", doubt.words.as_str(), Tone::Warn).named("doubt"));
    }
    facts.extend(cautions(best));
    facts.extend(quality(best));
    let mut sections = vec![summary(task, best)];
    if fitted.len() + left_out.len() > 1 {
        sections.insert(0, ranking(task, fitted, left_out));
    }
    sections.push(draw::figures(task, best));
    if fitted.len() > 1 {
        sections.extend(fitted[1..].iter().map(|one| summary(task, one)));
    }
    Answer { facts, sections, data: data(best), unknown, ..Answer::default() }
}

/// The estimates that were asked for: not what an instrument does, nor where a record begins, which may well be nothing.
fn asked(best: &Fitted) -> impl Iterator<Item = &Estimate> {
    const BESIDE: [&str; 5] =
        [".gain", ".drift", ".delay", ": place at the start", ": velocity at the start"];
    best.fit.estimates.iter().filter(|e| !BESIDE.iter().any(|end| e.unknown.name.ends_with(end)))
}

/// Residuals whose values tell less than this share of what independent ones would are not noise: something is in the record that
/// the law does not know.
const WHITE: f64 = 0.3;

/// The law, and what of it is known.
fn verdict(task: &FitTask, fitted: &[Fitted]) -> Fact {
    let best = &fitted[0];
    let name = best.law.card().name;
    let unknown: Vec<String> =
        asked(best).filter(|e| !e.is_known).map(|e| format!("`{}`", e.unknown.name)).collect();
    let mut words = format!("**{name}**");
    if fitted.len() > 1 {
        let runner = &fitted[1];
        let (a, b) = (best.score(), runner.score());
        let by = if best.held_out.is_empty() { b - a } else { 2.0 * (b / a - 1.0) / AS_GOOD };
        let other = runner.law.card().name;
        words += &match by {
            by if by < HARDLY => format!(", hardly better than {other}"),
            by if by < WEAKLY => format!(", weakly preferred to {other}"),
            _ => format!(", better than {other}"),
        };
    }
    match unknown.len() {
        0 => words += "; every number is known",
        _ => words += &format!("; {} cannot be known from {}", unknown.join(", "), records(task)),
    }
    let is_noise = best.fit.effective >= WHITE * best.fit.rows as f64;
    if !is_noise {
        words += "; what it leaves over is not noise, so that the law is not the whole truth";
    }
    let tone = if unknown.is_empty() && is_noise { Tone::Good } else { Tone::Warn };
    Fact::verdict("law", words, tone).named("law")
}

fn records(task: &FitTask) -> &'static str {
    if task.fitted.len() == 1 { "this record" } else { "these records" }
}

/// A value with its standard error, rounded to what is known of it.
fn with_error(e: &Estimate) -> String {
    let unit = if e.unknown.unit == "1" { String::new() } else { format!(" {}", e.unknown.unit) };
    if !e.correlated.is_finite() || e.correlated == 0.0 {
        return format!("{}{unit}", pretty(&short(e.value, 4)));
    }
    let digits = (e.value.abs() / e.correlated).log10().ceil().clamp(1.0, 9.0) as usize + 1;
    format!("{} ± {}{unit}", pretty(&short(e.value, digits)), pretty(&short(e.correlated, 2)))
}

fn estimate_fact(e: &Estimate) -> Fact {
    let mut fact = Fact::new(format!("`{}`", e.unknown.name), with_error(e).as_str())
        .named(&e.unknown.name)
        .measuring(e.value, &e.unknown.unit);
    fact.note = state(e);
    fact.tone = if e.is_known { Tone::Neutral } else { Tone::Warn };
    fact
}

/// What is to be said of an estimate.
fn state(e: &Estimate) -> String {
    match (e.at_bound, e.is_held, e.is_known) {
        (_, true, _) => "cannot be known; held here while the others are stated".to_owned(),
        (Some(AtBound::Low), ..) => "at its lower bound".to_owned(),
        (Some(AtBound::High), ..) => "at its upper bound".to_owned(),
        (None, false, false) => "cannot be known from this record".to_owned(),
        _ => String::new(),
    }
}

/// A fit is not a meaning.
fn cautions(best: &Fitted) -> Vec<Fact> {
    let mut all = Vec::new();
    let mut say = |words: String| all.push(Fact::verdict("caution", words, Tone::Warn).named("caution"));
    for e in best.fit.estimates.iter().filter(|e| !e.is_held && e.correlated > e.value.abs()) {
        say(format!("`{}` is {}: a fit, but not a finding", e.unknown.name, with_error(e)));
    }
    let ratio =
        best.fit.estimates.iter().filter(|e| !e.is_held && e.white > 0.0).map(|e| e.correlated / e.white);
    let widest = ratio.fold(0.0, f64::max);
    if widest > 2.0 && widest.is_finite() {
        say(format!(
            "residuals are correlated: {} values tell as much as {} independent ones, and errors are up to {} times those of independent residuals",
            best.fit.rows,
            pretty(&short(best.fit.effective, 2)),
            pretty(&short(widest, 2))
        ));
    }
    let arrived = best.fit.waterfall.iter().filter(|c| **c <= best.fit.waterfall[0] * 1.001).count();
    if arrived < 2 {
        say("only one of the starts arrived at this place; try more with `starts`".to_owned());
    }
    if best.fit.step_error > 0.05 {
        say(format!(
            "steps of the simulation are not fine enough: their error reaches {} of the scale of the record",
            pretty(&short(best.fit.step_error, 2))
        ));
    }
    all
}

fn quality(best: &Fitted) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (c, kind) in best
        .fit
        .comparisons
        .iter()
        .map(|c| (c, "fitted"))
        .chain(best.held_out.iter().map(|c| (c, "held out")))
    {
        let mut fact = Fact::number(format!("error of `{}`, {kind}", c.name), c.rms, best.unit);
        fact.note = format!("{} % of the record", pretty(&short(100.0 * c.relative, 3)));
        facts.push(fact);
    }
    facts.push(Fact::number("condition number", best.fit.condition, "1"));
    facts.push(Fact::new("simulations", best.fit.simulations as f64));
    facts.push(Fact::number("time for the fit", best.seconds, "s"));
    facts
}

/// The numbers of a law with their intervals.
fn summary(task: &FitTask, one: &Fitted) -> Section {
    let mut all = section(format!("Law `{}` ({})", one.law.card().name, task.study.name));
    let way = match task.interval {
        Interval::Wald => "as if residuals were independent",
        Interval::Correlated => "with residuals as correlated as they are",
        Interval::Profile => "from profiles of the likelihood",
        Interval::Bootstrap => "from blocks of residuals drawn anew",
    };
    let columns = [
        ("parameter", ""),
        ("value", ""),
        ("unit", ""),
        ("standard error", ""),
        ("as if independent", ""),
        ("95 % from", ""),
        ("95 % to", ""),
        ("", ""),
    ];
    let mut table = Table::new(format!("Estimates; intervals {way}"), &columns);
    for e in &one.fit.estimates {
        let number = |value: f64, digits| Cell::Number { value, digits };
        table.row([
            format!("`{}`", e.unknown.name).as_str().into(),
            number(e.value, 7),
            e.unknown.unit.as_str().into(),
            number(e.correlated, 3),
            number(e.white, 3),
            number(e.interval[0], 5),
            number(e.interval[1], 5),
            state(e).as_str().into(),
        ]);
    }
    all.push(table);
    if !one.fit.doubts.is_empty() {
        let words: Vec<String> = one.fit.doubts.iter().map(|d| d.words.clone()).collect();
        all.push(Block::paragraph(format!("What the record does not tell: {}.", words.join("; "))));
    }
    all
}

/// The laws, the best first.
fn ranking(task: &FitTask, fitted: &[Fitted], left_out: &[(&str, String)]) -> Section {
    let mut all = section(format!("Laws compared ({})", task.study.name));
    let by = if fitted[0].held_out.is_empty() {
        "Akaike's criterion with the effective number of values"
    } else {
        "the error on what no fit has seen"
    };
    let columns = [
        ("law", ""),
        ("fitted", "%"),
        ("held out", "%"),
        ("AIC", ""),
        ("BIC", ""),
        ("AIC, effective", ""),
        ("unknowns", ""),
        ("not known", ""),
        ("condition", ""),
        ("simulations", ""),
        ("time", "s"),
    ];
    let mut table = Table::new(format!("Ranked by {by}"), &columns);
    for one in fitted {
        let mean = |c: &[bristle_fit::Comparison]| {
            100.0 * (c.iter().map(|c| c.relative.powi(2)).sum::<f64>() / c.len().max(1) as f64).sqrt()
        };
        let number = |value: f64, digits| Cell::Number { value, digits };
        let held_out = if one.held_out.is_empty() { f64::NAN } else { mean(&one.held_out) };
        table.row([
            one.law.card().name.into(),
            number(mean(&one.fit.comparisons), 4),
            number(held_out, 4),
            number(one.fit.aic, 6),
            number(one.fit.bic, 6),
            number(one.fit.aic_effective, 5),
            number(one.fit.estimates.len() as f64, 3),
            number(one.fit.estimates.iter().filter(|e| !e.is_known).count() as f64, 3),
            number(one.fit.condition, 3),
            number(one.fit.simulations as f64, 6),
            number(one.seconds, 3),
        ]);
    }
    all.push(table);
    for (law, reason) in left_out {
        all.push(Block::paragraph(format!("Law `{law}` is left out: {reason}.")));
    }
    all
}

/// Columns of the first record.
fn data(best: &Fitted) -> Data {
    let mut data = Data::default();
    if let Some(c) = best.fit.comparisons.first() {
        data.push("time", "s", c.times.clone());
        data.push("measured", best.unit, c.measured.clone());
        data.push("fitted", best.unit, c.shown.clone());
        data.push("residual", best.unit, c.shown.iter().zip(&c.measured).map(|(y, m)| y - m).collect());
    }
    data
}
