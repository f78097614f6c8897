//! Diagrams and tables of a sweep.

use super::super::subject::{Subject, say};
use crate::analysis::Place;
use bristle_analysis::attractor::Fate;
use bristle_analysis::sweep::{Origin, Survey};
use bristle_record::{Axis, Cell, Line, Marker, Plot, Scatter, Span, Table};

/// Names of the starts, in their order.
const STARTS: [&str; 3] = ["carried along", "near the steady state", "the scenario's start"];

/// What a motion settles to, in words.
pub(crate) fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Rest => "rest".to_owned(),
        Fate::Periodic { multiplicity } => format!("period-{multiplicity}"),
        Fate::Chaotic { lyapunov } => format!("chaos, {} nats per return", say(lyapunov.per_cycle)),
        Fate::Unsettled { .. } => "unsettled".to_owned(),
    }
}

fn origin(origin: Origin) -> String {
    match origin {
        Origin::Start(i) => STARTS.get(i).copied().unwrap_or("start").to_owned(),
        Origin::Up => "values rising".to_owned(),
        Origin::Down => "values falling".to_owned(),
    }
}

/// Extremes of the position of every attractor, the bistable band shaded.
pub(super) fn diagram(subject: &Subject, place: &Place, survey: &Survey) -> Plot {
    let (q, name) = subject.shown();
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("diagram"), "", axis, Axis::new(format!("position `{name}`"), "m"));
    for band in survey.bistable() {
        let label = "two attractors".to_owned();
        plot.push(Span { from: band.from, to: band.to, label, colour: "warn".to_owned(), ..Span::default() });
    }
    type Group = (&'static str, Marker, &'static str, fn(&Fate) -> bool);
    let groups: [Group; 3] = [
        ("comes to rest", Marker::Circle, "good", |f| matches!(f, Fate::Rest)),
        ("periodic", Marker::Triangle, "accent", |f| matches!(f, Fate::Periodic { .. })),
        ("chaotic or unsettled", Marker::Cross, "bad", |f| {
            matches!(f, Fate::Chaotic { .. } | Fate::Unsettled { .. })
        }),
    ];
    for (label, marker, colour, wanted) in groups {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for cell in survey.cells.iter().filter(|c| wanted(&c.attractor.fate)) {
            let a = &cell.attractor;
            let ends = if a.is_resting() { vec![a.end[q]] } else { vec![a.min[q], a.max[q]] };
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
pub(super) fn returns_plot(subject: &Subject, place: &Place, survey: &Survey) -> Plot {
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("returns"), "", axis, Axis::new("time between returns", "s"));
    let vibrating: Vec<_> = survey.cells.iter().filter(|c| !c.attractor.is_resting()).collect();
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

pub(super) fn table(place: &Place, survey: &Survey) -> Table {
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
            if a.is_resting() { Cell::from("") } else { Cell::Number { value, digits: 8 } }
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
pub(super) fn orbit_table(place: &Place, survey: &Survey) -> Option<Table> {
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
