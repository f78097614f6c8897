//! The plan as facts, tables and figures.

use super::{PlanAnswer, PlanCandidate};
use crate::run::Answer;
use bristle_core::units::short;
use bristle_fit::plan::{PlannedNumber, VAGUE_SHARE, regime};
use bristle_record::plot::Legend;
use bristle_record::{Axis, Cell, Channel, Data, Fact, Line, Marker, Plot, Scatter, Section, Table, Tone};

/// An error above this share of the number is poor knowledge.
const POOR: f64 = 0.1;

pub(super) fn answer(found: &PlanAnswer) -> Answer {
    let mut section = Section { heading: format!("Plan ({})", found.study), blocks: Vec::new() };
    section.push(errors(found));
    section.push(comparison(found));
    section.push(loops(found));
    section.push(missing(found));
    section.push(motions(found));
    Answer { facts: facts(found), sections: vec![section], data: data(found), ..Answer::default() }
}

/// The names of some of the motions.
fn named(found: &PlanAnswer, taken: &[usize]) -> String {
    taken.iter().map(|&i| format!("`{}`", found.candidates[i].motion.name)).collect::<Vec<_>>().join(" and ")
}

/// An error in words: in per cent of the number, or in its unit where the number is nothing.
fn said(number: &PlannedNumber, error: f64) -> String {
    let two = |x: f64| format!("{x:.1e}").parse::<f64>().map_or_else(|_| x.to_string(), short);
    match () {
        () if number.value == 0.0 && error.is_finite() => format!("{} {}", two(error), number.unit),
        () if error > VAGUE_SHARE => "unknown".to_owned(),
        () => format!("{} %", two(100.0 * error)),
    }
}

fn is_vague(number: &PlannedNumber, error: f64) -> bool {
    if number.value == 0.0 { !error.is_finite() } else { error > VAGUE_SHARE }
}

/// The unknowns that stay vague, by name.
fn vague(found: &PlanAnswer, errors: &[f64]) -> Vec<String> {
    let numbers = found.guess.unknown.iter().zip(errors);
    numbers.filter(|(n, e)| is_vague(n, **e)).map(|(n, _)| format!("`{}`", n.name)).collect()
}

fn facts(found: &PlanAnswer) -> Vec<Fact> {
    let errors = found.with(&found.chosen).errors();
    let together = if found.record.is_some() { "beside the record" } else { "together" };
    // What is best for the guess may tell little if the guess is wrong.
    let is_firm = found.wrong.as_ref().is_none_or(|wrong| wrong.error <= POOR);
    let tone = if is_firm && errors.iter().all(|e| *e <= POOR) { Tone::Good } else { Tone::Warn };
    let mut best = Fact::verdict("best motions", named(found, &found.chosen), tone).named("best");
    best.note = format!("the best {} of {} {together}", found.chosen.len(), found.candidates.len());
    let mut facts = vec![best];
    let open = vague(found, &errors);
    let worst = found.guess.unknown.iter().zip(&errors).filter(|(n, _)| n.value != 0.0);
    if let (Some((number, error)), true) = (worst.max_by(|a, b| a.1.total_cmp(b.1)), open.is_empty()) {
        let tone = if *error > POOR || !is_firm { Tone::Warn } else { Tone::Good };
        let words = format!("`{}` ± {}", number.name, said(number, *error));
        facts.push(Fact::verdict("least known then", words, tone).named("worst").measuring(*error, ""));
    } else if !open.is_empty() {
        let words = format!("{} cannot be known", open.join(", "));
        facts.push(Fact::verdict("still missing", words, Tone::Bad).named("missing"));
    }
    if let Some(wrong) = &found.wrong {
        let (off, least) = (&found.guess.unknown[wrong.number], &found.guess.unknown[wrong.least]);
        let share = if wrong.factor < 1.0 { "two thirds of" } else { "one and a half times" };
        let words = format!("`{}` ± {}", least.name, said(least, wrong.error));
        let mut fact = Fact::new("the same if the guess is wrong", words).named("wrong_guess");
        fact.note = format!("at worst: `{}` is {share} the guess", off.name);
        fact.tone = if is_firm { Tone::Neutral } else { Tone::Warn };
        facts.push(if wrong.error.is_finite() { fact.measuring(wrong.error, "") } else { fact });
    }
    if let Some(record) = &found.record {
        let open = vague(found, &record.information.errors());
        let words =
            if open.is_empty() { "every number".to_owned() } else { format!("all but {}", open.join(", ")) };
        facts.push(Fact::new("the record alone tells", words).named("record"));
    }
    for (number, error) in found.guess.unknown.iter().zip(&errors) {
        let label = format!("expected standard error of `{}`", number.name);
        let fact = Fact::new(label, said(number, *error)).named(format!("error_{}", number.name));
        facts.push(if error.is_finite() { fact.measuring(error * number.scale, number.unit) } else { fact });
    }
    facts
}

/// What each motion would tell, and the best together.
fn errors(found: &PlanAnswer) -> Table {
    let caption = match &found.record {
        Some(_) => {
            "Expected standard errors: the record alone, with each motion beside it, and with the best"
        }
        None => "Expected standard errors: of each motion alone, and of the best together",
    };
    let mut columns = vec![("motion".to_owned(), "")];
    columns.extend(found.guess.unknown.iter().map(|number| (format!("${}$", number.symbol), "")));
    let columns: Vec<(&str, &str)> = columns.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
    let mut table = Table::new(caption, &columns);
    let mut row = |name: String, errors: &[f64]| {
        let cells = found.guess.unknown.iter().zip(errors).map(|(n, e)| Cell::from(said(n, *e)));
        table.row(std::iter::once(Cell::from(name)).chain(cells));
    };
    if let Some(record) = &found.record {
        row("the record alone".to_owned(), &record.information.errors());
    }
    for i in 0..found.candidates.len() {
        row(found.candidates[i].motion.name.clone(), &found.with(&[i]).errors());
    }
    row(format!("best: {}", named(found, &found.chosen)), &found.with(&found.chosen).errors());
    table
}

/// Per number the regime that shows it, and the motion that helps most.
fn missing(found: &PlanAnswer) -> Table {
    let columns =
        [("number", ""), ("guess", ""), ("shows itself in", ""), ("told best by", ""), ("error then", "")];
    let mut table = Table::new("What tells which number", &columns);
    for (k, number) in found.guess.unknown.iter().enumerate() {
        let error = |i: usize| found.with(&[i]).errors()[k];
        let usable = (0..found.candidates.len()).filter(|&i| found.candidates[i].obstacle.is_none());
        let best = usable.min_by(|&a, &b| error(a).total_cmp(&error(b)));
        let (by, then) = match best {
            Some(i) if error(i) <= VAGUE_SHARE || number.value == 0.0 && error(i).is_finite() => {
                (found.candidates[i].motion.name.clone(), said(number, error(i)))
            }
            _ => ("none of these".to_owned(), "unknown".to_owned()),
        };
        let guess = match number.unit {
            "1" => short(number.value),
            unit => format!("{} {unit}", short(number.value)),
        };
        let cells = [format!("`{}`", number.name), guess, regime(&found.guess, number.role), by, then];
        table.row(cells.map(Cell::from));
    }
    table
}

/// What each motion needs of the machine.
fn motions(found: &PlanAnswer) -> Table {
    let columns = [("motion", ""), ("stroke", "m"), ("speed", "m/s"), ("force", "N"), ("", "")];
    let mut table = Table::new("What the motions need", &columns);
    for (i, candidate) in found.candidates.iter().enumerate() {
        let words = match &candidate.obstacle {
            Some(obstacle) => obstacle.clone(),
            None if found.chosen.contains(&i) => "chosen".to_owned(),
            None => String::new(),
        };
        let needs = candidate.needs.map(Cell::number);
        table.row(
            std::iter::once(Cell::from(candidate.motion.name.clone()))
                .chain(needs)
                .chain([Cell::from(words)]),
        );
    }
    table
}

/// Errors of all numbers, motion by motion.
fn comparison(found: &PlanAnswer) -> Plot {
    let numbers: Vec<String> =
        found.guess.unknown.iter().enumerate().map(|(k, n)| format!("{} ${}$", k + 1, n.symbol)).collect();
    let mut plot = Plot::new(
        format!("{}-errors", found.study),
        "Expected standard errors",
        Axis::new(format!("number: {}", numbers.join(", ")), ""),
        Axis::log("error over number", "%"),
    );
    plot.x.range = Some([0.5, found.guess.unknown.len() as f64 + 0.5]);
    plot.y.range = Some([1e-3, 1e3]);
    plot.legend = Legend::Outside;
    plot.caption =
        "Lower is better; what is left out is above a thousand per cent, which is to say unknown.".to_owned();
    let points = |errors: &[f64]| -> [Vec<f64>; 2] {
        let kept = errors.iter().enumerate().filter(|(_, e)| **e < 10.0);
        let (x, y): (Vec<f64>, Vec<f64>) = kept.map(|(k, e)| (k as f64 + 1.0, (100.0 * e).max(1e-3))).unzip();
        [x, y]
    };
    let markers =
        [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Cross, Marker::Plus];
    for (i, candidate) in found.candidates.iter().enumerate() {
        let [x, y] = points(&found.with(&[i]).errors());
        let label = candidate.motion.name.clone();
        plot.push(Scatter {
            x,
            y,
            label,
            marker: markers[i % markers.len()],
            is_hollow: true,
            ..Scatter::default()
        });
    }
    let errors = found.with(&found.chosen).errors();
    let [x, y] = points(&errors);
    plot.push(Line { x, y, label: "the best together".to_owned(), width: 2.0, ..Line::default() });
    plot
}

/// Force over position of the motions that were chosen.
fn loops(found: &PlanAnswer) -> Plot {
    let mut plot = Plot::new(
        format!("{}-motions", found.study),
        "What the best motions would show",
        Axis::new("position over stroke", ""),
        Axis::new("force", "N"),
    );
    plot.legend = Legend::Outside;
    plot.caption = format!(
        "Contact `{}` under its guess, without noise; noise is {} N.",
        found.contact,
        short(found.noise)
    );
    for &i in &found.chosen {
        let PlanCandidate { motion, force, needs, .. } = &found.candidates[i];
        let x = motion.positions().iter().map(|x| x / needs[0].max(1e-300)).collect();
        plot.push(Line { x, y: force.clone(), label: motion.name.clone(), ..Line::default() });
    }
    plot
}

/// Slip rate and force of every motion.
fn data(found: &PlanAnswer) -> Data {
    let channel = |name: String, unit: &str, meaning: &str, values: Vec<f64>| Channel {
        name,
        unit: unit.to_owned(),
        meaning: meaning.to_owned(),
        values,
        words: Vec::new(),
    };
    let times = found.candidates.first().map_or_else(Vec::new, |c| c.motion.times());
    let mut columns = vec![channel("time".to_owned(), "s", "", times)];
    for (i, candidate) in found.candidates.iter().enumerate() {
        let name = &candidate.motion.name;
        columns.push(channel(
            format!("motion_{}.slip_rate", i + 1),
            "m/s",
            name,
            candidate.motion.velocities.clone(),
        ));
        columns.push(channel(format!("motion_{}.force", i + 1), "N", name, candidate.force.clone()));
    }
    Data { columns, ..Data::default() }
}
