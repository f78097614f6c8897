//! Diagrams and tables of a sweep.

use super::super::subject::{Subject, say, with_unit};
use crate::analysis::ParamPlace;
use bristle_analysis::attractor::Fate;
use bristle_analysis::sweep::{Origin, Survey};
use bristle_record::{Axis, Cell, Fact, Line, Marker, Plot, Scatter, Span, Table, Tone};

/// Names of the starts, in their order.
const STARTS: [&str; 3] = ["carried along", "near the steady state", "the scenario's start"];

/// What a motion settles to, in words.
pub fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Rest => "rest".to_owned(),
        Fate::Periodic { multiplicity } => format!("period-{multiplicity}"),
        Fate::Chaotic { lyapunov } => format!("chaos, {} nats per return", say(lyapunov.per_cycle)),
        Fate::Sliding { rate } => format!("slides on at {} m/s", say(*rate)),
        Fate::RunsAway { rate } => format!("runs away, {} m/s when given up", say(*rate)),
        Fate::GaveUp { reason } => format!("gave up: {reason}"),
        Fate::Unsettled { .. } => "unsettled".to_owned(),
    }
}

/// What becomes of motions, in the order in which they are counted.
const ENDS: [&str; 6] =
    ["come to rest", "slide on steadily", "go on vibrating", "run away", "are unsettled", "were given up"];

/// How many motions end in each way.
fn counts(survey: &Survey) -> [usize; 6] {
    let mut counts = [0; 6];
    for cell in &survey.cells {
        let end = match cell.attractor.fate {
            Fate::Rest => 0,
            Fate::Sliding { .. } => 1,
            Fate::Periodic { .. } | Fate::Chaotic { .. } => 2,
            Fate::RunsAway { .. } => 3,
            Fate::Unsettled { .. } => 4,
            Fate::GaveUp { .. } => 5,
        };
        counts[end] += 1;
    }
    counts
}

/// What becomes of the motions of a sweep, and whether that is good news: only rest is.
pub(super) fn census(survey: &Survey) -> (String, Tone) {
    let counts = counts(survey);
    let total = survey.cells.len();
    let tone = match counts {
        [rest, ..] if rest == total && total > 0 => Tone::Good,
        [_, _, vibrate, ..] if vibrate == total => Tone::Bad,
        [_, _, _, away, _, given_up] if away + given_up > 0 => Tone::Bad,
        _ => Tone::Warn,
    };
    let words = match counts.iter().position(|n| *n == total) {
        _ if total == 0 => "none was computed".to_owned(),
        Some(end) => match ENDS[end] {
            "come to rest" => "every motion comes to rest".to_owned(),
            "go on vibrating" => "every motion goes on vibrating".to_owned(),
            words => format!("all {words}"),
        },
        None => {
            let some = counts.iter().zip(ENDS).filter(|(n, _)| **n > 0);
            let list: Vec<String> = some.map(|(n, words)| format!("{n} {words}")).collect();
            format!("of {total} motions {}", list.join(", "))
        }
    };
    (words, tone)
}

/// Values at which a motion runs away or was given up.
pub(super) fn away(place: &ParamPlace, survey: &Survey) -> Vec<Fact> {
    let range = |label: &str, wanted: fn(&Fate) -> bool| {
        let cells = || survey.cells.iter().filter(move |c| wanted(&c.attractor.fate));
        let low = cells().map(|c| c.value).reduce(f64::min)?;
        let high = cells().map(|c| c.value).reduce(f64::max)?;
        let mut fact = Fact::new(label, format!("from {} to {}", say(low), with_unit(high, &place.unit)));
        fact.note = cells().next().map(|c| fate(&c.attractor.fate)).unwrap_or_default();
        Some(fact)
    };
    [
        range("motions run away", |f| matches!(f, Fate::RunsAway { .. })),
        range("motions were given up", |f| matches!(f, Fate::GaveUp { .. })),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn origin(origin: Origin) -> String {
    match origin {
        Origin::Start(i) => STARTS.get(i).copied().unwrap_or("start").to_owned(),
        Origin::Up => "values rising".to_owned(),
        Origin::Down => "values falling".to_owned(),
    }
}

/// Extremes of the position of every attractor, the bistable band shaded.
pub(super) fn diagram(subject: &Subject, place: &ParamPlace, survey: &Survey) -> Plot {
    let (q, name, unit) = subject.shown();
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("diagram"), "", axis, Axis::new(format!("position `{name}`"), unit));
    for band in survey.bistable() {
        let label = "two attractors".to_owned();
        plot.push(Span { from: band.from, to: band.to, label, colour: "warn".to_owned(), ..Span::default() });
    }
    type Group = (&'static str, Marker, &'static str, fn(&Fate) -> bool);
    let groups: [Group; 4] = [
        ("comes to rest", Marker::Circle, "good", |f| matches!(f, Fate::Rest)),
        ("slides on or runs away", Marker::Square, "warn", |f| {
            matches!(f, Fate::Sliding { .. } | Fate::RunsAway { .. } | Fate::GaveUp { .. })
        }),
        ("periodic", Marker::Triangle, "accent", |f| matches!(f, Fate::Periodic { .. })),
        ("chaotic or unsettled", Marker::Cross, "bad", |f| {
            matches!(f, Fate::Chaotic { .. } | Fate::Unsettled { .. })
        }),
    ];
    for (label, marker, colour, wanted) in groups {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for cell in survey.cells.iter().filter(|c| wanted(&c.attractor.fate)) {
            let a = &cell.attractor;
            let ends = if a.returns() { vec![a.min[q], a.max[q]] } else { vec![a.end[q]] };
            for end in ends.into_iter().filter(|v| v.is_finite()) {
                x.push(cell.value);
                y.push(end);
            }
        }
        if !x.is_empty() {
            plot.push(Scatter { marker, colour: colour.to_owned(), size: 5.0, ..Scatter::new(label, x, y) });
        }
    }
    plot.caption = "Largest and smallest position of what each motion settles to".to_owned();
    plot
}

/// Times between returns: one point per return of the last window.
pub(super) fn returns_plot(subject: &Subject, place: &ParamPlace, survey: &Survey) -> Plot {
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("returns"), "", axis, Axis::new("time between returns", "s"));
    let vibrating: Vec<_> = survey.cells.iter().filter(|c| c.attractor.returns()).collect();
    for cell in &vibrating {
        let x = vec![cell.value; 2];
        let y = vec![cell.attractor.min_return, cell.attractor.max_return];
        plot.push(Line { colour: "grey".to_owned(), width: 1.0, ..Line::new("", x, y) });
    }
    let x = vibrating.iter().map(|c| c.value).collect();
    let y = vibrating.iter().map(|c| c.attractor.mean_return).collect();
    plot.push(Scatter { size: 4.5, ..Scatter::new("mean", x, y) });
    plot.caption = "Mean time between returns; bars reach from the shortest to the longest".to_owned();
    plot
}

pub(super) fn table(place: &ParamPlace, survey: &Survey) -> Table {
    let columns = [
        (place.path.as_str(), place.unit.as_str()),
        ("start", ""),
        ("settles to", ""),
        ("mean return", "s"),
        ("shortest", "s"),
        ("longest", "s"),
    ];
    let mut table = Table::new("What each motion settles to", &columns);
    for cell in &survey.cells {
        let a = &cell.attractor;
        let number = |value: f64| {
            if a.returns() { Cell::Number { value, digits: 8 } } else { Cell::from("") }
        };
        table.row([
            Cell::Number { value: cell.value, digits: 6 },
            origin(cell.origin).into(),
            fate(&a.fate).into(),
            number(a.mean_return),
            number(a.min_return),
            number(a.max_return),
        ]);
    }
    table
}

/// All coexisting cycles found, each once per value.
pub(super) fn orbit_table(place: &ParamPlace, survey: &Survey) -> Option<Table> {
    let columns = [
        (place.path.as_str(), place.unit.as_str()),
        ("returns", ""),
        ("period", "s"),
        ("leading multiplier", ""),
        ("stable", ""),
    ];
    let mut table = Table::new("Coexisting cycles near the attractors, stable or not", &columns);
    let mut seen: Vec<(usize, usize, f64)> = Vec::new();
    for cell in &survey.cells {
        for orbit in &cell.orbits {
            let is_known = seen.iter().any(|(i, n, period)| {
                (*i, *n) == (cell.index, orbit.multiplicity) && (period - orbit.period).abs() < 1e-6 * period
            });
            if is_known {
                continue;
            }
            seen.push((cell.index, orbit.multiplicity, orbit.period));
            let (re, im) = orbit.multipliers.first().copied().unwrap_or_default();
            table.row([
                Cell::Number { value: cell.value, digits: 6 },
                orbit.multiplicity.to_string().into(),
                Cell::Number { value: orbit.period, digits: 10 },
                Cell::Number { value: re, digits: 6 },
                if re.hypot(im) < 1.0 { "yes" } else { "no" }.into(),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod show_tests {
    use super::*;
    use bristle_analysis::attractor::Attractor;
    use bristle_analysis::sweep::SweepCell;

    fn survey(fates: &[Fate]) -> Survey {
        let cell = |(index, fate): (usize, &Fate)| SweepCell {
            index,
            value: index as f64,
            origin: Origin::Up,
            attractor: Attractor {
                fate: fate.clone(),
                hits: Vec::new(),
                mean_return: 0.0,
                min_return: 0.0,
                max_return: 0.0,
                min: Vec::new(),
                max: Vec::new(),
                end: Vec::new(),
                end_mode: Vec::new(),
            },
            orbits: Vec::new(),
        };
        Survey { cells: fates.iter().enumerate().map(cell).collect(), is_complete: true }
    }

    #[test]
    fn only_rest_is_good_news() {
        let (rest, slides, away) = (Fate::Rest, Fate::Sliding { rate: 2.0 }, Fate::RunsAway { rate: 90.0 });
        let vibrates = Fate::Periodic { multiplicity: 1 };
        let gave_up = Fate::GaveUp { reason: "too many steps".to_owned() };
        let unsettled = Fate::Unsettled { lyapunov: None };
        let say = |fates: &[&Fate]| census(&survey(&fates.iter().map(|f| (*f).clone()).collect::<Vec<_>>()));
        assert_eq!(say(&[&rest, &rest]), ("every motion comes to rest".to_owned(), Tone::Good));
        assert_eq!(say(&[&vibrates]), ("every motion goes on vibrating".to_owned(), Tone::Bad));
        assert_eq!(say(&[&slides]), ("all slide on steadily".to_owned(), Tone::Warn));
        assert_eq!(say(&[&rest, &away]), ("of 2 motions 1 come to rest, 1 run away".to_owned(), Tone::Bad));
        assert_eq!(say(&[&rest, &gave_up]).1, Tone::Bad);
        assert_eq!(
            say(&[&rest, &unsettled]),
            ("of 2 motions 1 come to rest, 1 are unsettled".to_owned(), Tone::Warn)
        );
        assert_eq!(say(&[&rest, &vibrates]).1, Tone::Warn);
        assert_eq!(say(&[]), ("none was computed".to_owned(), Tone::Bad));
    }
}
