//! The optimum, the way to it, what holds it and what it is sensitive to.

use super::goal::{Goal, Wish};
use super::search::{Found, Tried, distance};
use crate::error::RunError;
use crate::run::Answer;
use crate::studies::subject::{say, with_unit};
use crate::vary::response::limit_words;
use bristle_record::{Axis, Cell, Data, Fact, Line, Marker, Plot, Scatter, Section, Table, Tone};

/// A constraint nearer to its limit than this share of its typical size holds the optimum.
const ACTIVE: f64 = 1e-3;

/// Searches whose ends differ by less than this share of the goal's spread end equally well.
const EQUAL: f64 = 1e-3;

/// Ends that lie farther apart than this share of the ranges are different points.
const ELSEWHERE: f64 = 0.01;

/// A target missed by more than this share of what the goal spreads over is not reached.
const MISSED: f64 = 1e-3;

/// Whether what was found can be relied on: it keeps the constraints, reaches what was asked, and every search, begun elsewhere, ends
/// there.
fn verdict(goal: &Goal, found: &Found) -> Fact {
    let best = &found.path[found.best];
    let told = |words: String, tone: Tone, note: &str| {
        let mut fact = Fact::verdict("optimum", words, tone);
        note.clone_into(&mut fact.note);
        fact
    };
    if best.merit.broken > 0.0 {
        let note = "what is told below is the point that breaks them least";
        return told("none: no point keeps all constraints".to_owned(), Tone::Bad, note);
    }
    // The cost of a target is a square.
    let miss = best.merit.goal.max(0.0).sqrt();
    if matches!(goal.wish, Wish::Near(_)) && miss > MISSED * found.spread.max(0.0).sqrt() {
        let unit = goal.asked[0].unit.as_str();
        let words = format!("the target is not reached: missed by {}", with_unit(miss, unit));
        return told(words, Tone::Bad, "what is told below is the point that comes nearest");
    }
    if found.stopped_early {
        let note = "the search was stopped before it had ended";
        return told("the best so far".to_owned(), Tone::Warn, note);
    }
    if found.ran_out {
        let note = "the search still moved when its runs or generations were over: allow more `runs`, or a larger `accuracy`";
        return told("the best so far".to_owned(), Tone::Warn, note);
    }
    let searches = found.ends.len();
    let is_worse = |&&end: &&usize| {
        let merit = &found.path[end].merit;
        // A target is reached or not, from wherever.
        let cost = |goal_cost: f64| {
            if matches!(goal.wish, Wish::Near(_)) { goal_cost.max(0.0).sqrt() } else { goal_cost }
        };
        merit.broken > 0.0 || cost(merit.goal) - cost(best.merit.goal) > EQUAL * cost(found.spread.max(0.0))
    };
    let worse = found.ends.iter().filter(is_worse).count();
    if worse > 0 {
        let words = format!("the best of several: {worse} of {searches} searches end elsewhere, and worse");
        return told(
            words,
            Tone::Warn,
            "where there are several local optima, one that is better still may not have been seen",
        );
    }
    let away = |&&end: &&usize| distance(&found.path[end].at, &best.at) > ELSEWHERE;
    let apart = found.ends.iter().filter(away).count();
    if apart > 0 {
        let words = format!("not the only one: {apart} of {searches} searches end elsewhere, as good");
        return told(words, Tone::Warn, "the goal does not tell these points apart");
    }
    if searches < 2 {
        return told("found by a single search".to_owned(), Tone::Warn, "nothing confirms it");
    }
    told(
        format!("the same from all {searches} starts"),
        Tone::Good,
        "searches begun far apart end at this point",
    )
}

pub(super) fn answer(goal: &Goal, found: Found) -> Result<Answer, RunError> {
    let best = &found.path[found.best];
    let Some(values) = &best.values else { return Err(RunError::Stopped) };
    let point = goal.point(&best.at);
    let mut facts = vec![verdict(goal, &found)];
    let tone = if facts[0].tone == Tone::Good { Tone::Good } else { Tone::Warn };
    for (varied, value) in goal.varied.iter().zip(&point) {
        let label = format!("best `{}`", varied.path);
        facts.push(
            Fact::verdict(label, with_unit(*value, &varied.unit), tone).measuring(*value, &varied.unit),
        );
    }
    let word = match goal.wish {
        Wish::Smallest => "smallest",
        Wish::Largest => "largest",
        Wish::Near(_) => "reached",
    };
    let mut reached =
        Fact::number(format!("{word} `{}`", goal.asked[0].name), values[0], goal.asked[0].unit.clone());
    if let Wish::Near(target) = goal.wish {
        reached.note = format!("the target is {}", with_unit(target, &goal.asked[0].unit));
    }
    facts.push(reached);
    let mut section = Section { heading: format!("Optimum ({})", goal.study.name), blocks: Vec::new() };
    let held = constraints(goal, &found, values);
    facts.extend(held.1);
    facts.push(Fact::number("runs", found.path.len() as f64, ""));
    facts.push(Fact::new("method", found.method));
    section.push(bounds(goal, best));
    section.blocks.extend(held.0.map(Into::into));
    section.push(slopes(goal, &found, &point));
    section.push(way(goal, &found));
    if goal.varied.len() == 1 {
        section.push(over(goal, &found));
    }
    Ok(Answer {
        facts,
        sections: vec![section],
        data: data(goal, &found),
        stopped_early: found.stopped_early,
        ..Answer::default()
    })
}

/// Where the optimum lies between its bounds.
fn bounds(goal: &Goal, best: &Tried) -> Table {
    let heads =
        [("parameter", ""), ("lower bound", ""), ("best", ""), ("upper bound", ""), ("unit", ""), ("", "")];
    let mut table = Table::new("The optimum between its bounds", &heads);
    for ((varied, value), u) in goal.varied.iter().zip(goal.point(&best.at)).zip(&best.at) {
        let [low, high] = varied.marginal.support();
        let number = |value: f64| Cell::Number { value, digits: 6 };
        let words = if *u < 1e-4 {
            "at the lower bound"
        } else if *u > 1.0 - 1e-4 {
            "at the upper bound"
        } else {
            ""
        };
        let unit = varied.unit.as_str();
        table.row([
            varied.path.as_str().into(),
            number(low),
            number(value),
            number(high),
            unit.into(),
            words.into(),
        ]);
    }
    table
}

/// The constraints, and which of them hold the optimum.
fn constraints(goal: &Goal, found: &Found, values: &[f64]) -> (Option<Table>, Vec<Fact>) {
    if goal.constraints.is_empty() {
        return (None, Vec::new());
    }
    let heads = [("constraint", ""), ("limit", ""), ("value there", ""), ("", "")];
    let mut table = Table::new("Constraints at the optimum", &heads);
    let mut active = Vec::new();
    let excess = goal.excess(values);
    for (j, (event, place)) in goal.constraints.iter().zip(&goal.places).enumerate() {
        let near = excess[j].abs() <= ACTIVE * found.scales[j];
        let words = match () {
            () if excess[j] > 1e-6 * found.scales[j] => "broken",
            () if near => "active",
            () => "with room",
        };
        if near {
            active.push(format!("`{}`", event.name));
        }
        let value = Cell::Number { value: values[*place], digits: 6 };
        table.row([event.response.name.as_str().into(), limit_words(event).into(), value, words.into()]);
    }
    let words = if active.is_empty() { "none".to_owned() } else { active.join(", ") };
    (Some(table), vec![Fact::new("active constraints", words)])
}

/// What one per cent of a parameter's range does to goal and constraints.
fn slopes(goal: &Goal, found: &Found, point: &[f64]) -> Table {
    let mut heads = vec![("parameter".to_owned(), String::new()), ("moved by".to_owned(), String::new())];
    heads.extend(goal.asked.iter().map(|r| (format!("`{}` changes by", r.name), r.unit.clone())));
    let heads: Vec<(&str, &str)> = heads.iter().map(|(name, unit)| (name.as_str(), unit.as_str())).collect();
    let mut table =
        Table::new("What the optimum is sensitive to: a move by one per cent of the range", &heads);
    for (i, varied) in goal.varied.iter().enumerate() {
        let mut there = found.path[found.best].at.clone();
        there[i] = if there[i] < 0.99 { there[i] + 0.01 } else { there[i] - 0.01 };
        let moved = goal.point(&there)[i] - point[i];
        let step = there[i] - found.path[found.best].at[i];
        let mut row: Vec<Cell> =
            vec![varied.path.as_str().into(), Cell::Text { text: with_unit(moved, &varied.unit) }];
        for j in 0..goal.asked.len() {
            let slope = found.slopes[i].as_ref().map_or(f64::NAN, |s| s[j]);
            row.push(Cell::Number { value: step * slope, digits: 4 });
        }
        table.row(row);
    }
    table
}

/// How the goal got better.
fn way(goal: &Goal, found: &Found) -> Plot {
    let response = &goal.asked[0];
    let mut plot = Plot::new(
        format!("{}-way", goal.study.name),
        "",
        Axis::new("run", ""),
        Axis::new(format!("`{}`", response.name), response.unit.clone()),
    );
    let of = |is_allowed: bool| {
        let runs = found.path.iter().enumerate().filter(move |(_, t)| (t.merit.broken == 0.0) == is_allowed);
        let pairs = runs.filter_map(|(n, t)| Some((n as f64, t.values.as_ref()?[0])));
        pairs.unzip::<f64, f64, Vec<f64>, Vec<f64>>()
    };
    for (is_allowed, label, colour) in
        [(false, "breaks a constraint", "#c9ced6"), (true, "allowed", "#1b6ca8")]
    {
        let (x, y) = of(is_allowed);
        plot.push(Scatter {
            marker: Marker::Dot,
            size: 4.0,
            colour: colour.to_owned(),
            ..Scatter::new(label, x, y)
        });
    }
    let (mut x, mut y, mut best) = (Vec::new(), Vec::new(), None::<&Tried>);
    for (n, tried) in found.path.iter().enumerate() {
        if best.is_none_or(|best| tried.merit.beats(&best.merit)) {
            best = Some(tried);
        }
        if let Some(value) = best.filter(|b| b.merit.broken == 0.0).and_then(|b| b.values.as_ref()) {
            x.push(n as f64);
            y.push(value[0]);
        }
    }
    plot.push(Line { colour: "#c0392b".to_owned(), ..Line::new("best so far", x, y) });
    plot.caption = format!("The way to the optimum: {}", found.method);
    plot
}

/// Goal and constraints over the only parameter.
fn over(goal: &Goal, found: &Found) -> Plot {
    let varied = &goal.varied[0];
    let (place, name, unit) = match (goal.constraints.first(), goal.places.first()) {
        (Some(event), Some(place)) => (*place, event.response.name.clone(), event.response.unit.clone()),
        _ => (0, goal.asked[0].name.clone(), goal.asked[0].unit.clone()),
    };
    let mut plot = Plot::new(
        format!("{}-over", goal.study.name),
        "",
        Axis::new(varied.label(), varied.unit.clone()),
        Axis::new(format!("`{name}`"), unit),
    );
    let mut pairs: Vec<(f64, f64)> =
        found.path.iter().filter_map(|t| Some((goal.point(&t.at)[0], t.values.as_ref()?[place]))).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    plot.push(Line { opacity: 0.6, ..Line::new("", x.clone(), y.clone()) });
    plot.push(Scatter { size: 3.5, ..Scatter::new("", x, y) });
    if let Some(event) = goal.constraints.first() {
        plot.push(bristle_record::Rule::horizontal(event.limit, "limit"));
    }
    let best = goal.point(&found.path[found.best].at)[0];
    plot.push(bristle_record::Rule::vertical(best, format!("optimum {}", say(best))));
    plot.caption = format!("`{name}` at every run, over `{}`", varied.path);
    plot
}

/// Every run on the way.
fn data(goal: &Goal, found: &Found) -> Data {
    let mut data = Data::default();
    data.push("run", "1", (0..found.path.len()).map(|n| n as f64).collect());
    let points: Vec<Vec<f64>> = found.path.iter().map(|t| goal.point(&t.at)).collect();
    for (i, varied) in goal.varied.iter().enumerate() {
        data.push(&varied.path, &varied.unit, points.iter().map(|p| p[i]).collect());
    }
    for (j, response) in goal.asked.iter().enumerate() {
        let value = |t: &Tried| t.values.as_ref().map_or(f64::NAN, |v| v[j]);
        let name = if goal.varied.iter().any(|v| v.path == response.name) {
            format!("{} (2)", response.name)
        } else {
            response.name.clone()
        };
        data.push(name, &response.unit, found.path.iter().map(value).collect());
    }
    let allowed = |t: &Tried| f64::from(u8::from(t.merit.broken == 0.0));
    data.explain("allowed", "1", "1 where all constraints hold", found.path.iter().map(allowed).collect());
    data
}
