//! One law: its certificate in full, with small figures.

use super::certificate::{Certificate, Damping};
use super::probes::hold::{Hold, HoldVerdict};
use super::probes::{break_away, dwell, lag};
use super::properties::properties;
use bristle_law::LawKind;
use bristle_record::{
    Axis, Block, Cell, Dash, Fact, Legend, Line, Marker, Plot, PlotGrid, Record, Scatter, Table, Tone,
};

/// The page of one law.
pub fn page(certificate: &Certificate) -> Record {
    let law = certificate.law;
    let mut record = Record::new(format!("Certificate of `{law}`"));
    let card = LawKind::named(law).map(LawKind::card);
    if let Some(card) = &card {
        record.summary = card.title().to_owned();
    }
    let (words, tone) = match certificate.verdict() {
        Some(HoldVerdict::Holds) => ("holds", Tone::Good),
        Some(HoldVerdict::Creeps) => ("creeps", Tone::Bad),
        Some(HoldVerdict::BreaksAway) => ("breaks away early", Tone::Warn),
        None => ("not measured", Tone::Warn),
    };
    record.facts.push(Fact::verdict("below its static level", words, tone));
    let section = record.section("Figures");
    section.push(figures(certificate));
    let section = record.section("Properties");
    section.push(property_table(certificate));
    let section = record.section("Long holds");
    section.push(hold_table(certificate));
    section.push(Block::paragraph(damping(certificate)));
    section.push(method_table(certificate));
    let reasons = missing(certificate);
    if !reasons.rows.is_empty() {
        record.section("Not measured").push(reasons);
    }
    if let Some(card) = card {
        let section = record.section("The law");
        section.push(Block::equation(card.equation()));
        section.push(parameters(certificate));
    }
    record
}

/// Probes that could not be made, and why.
fn missing(certificate: &Certificate) -> Table {
    let mut table = Table::new("Probes that could not be made", &[("probe", ""), ("why", "")]);
    let all = serde_json::to_value(certificate).unwrap_or_default();
    for (name, found) in all.as_object().into_iter().flatten() {
        if let Some(why) = found.get("not_measured").and_then(|w| w.as_str()) {
            table.row([name.as_str().into(), why.into()]);
        }
    }
    table
}

fn property_table(certificate: &Certificate) -> Table {
    let mut table = Table::new("Measured", &[("property", ""), ("value", ""), ("unit", "")]);
    for property in properties(certificate) {
        table.row([property.name.into(), property.cell, property.unit.into()]);
    }
    table
}

fn damping(certificate: &Certificate) -> String {
    let Damping { share, damper } = certificate.damping;
    if damper == 0.0 {
        return "The block was not damped: the law has no deflection on which it could ring.".to_owned();
    }
    format!(
        "The block was damped by {damper:.3} N s/m, {:.0} % of what is critical on the spring with which the law begins, so \
         that a bristle without damping of its own comes to rest. The damper carries no load at rest and is part of the \
         prediction.",
        100.0 * share
    )
}

fn hold_table(certificate: &Certificate) -> Table {
    let columns = [
        ("load over static level", "%"),
        ("load", "N"),
        ("moved in 300 s", "m"),
        ("speed", "m/s"),
        ("moved in 10⁶ s", "m"),
        ("speed at the end", "m/s"),
        ("predicted", "m/s"),
    ];
    let mut table = Table::new("Under a constant load, after it has settled", &columns);
    let cell = |value: f64| Cell::Number { value, digits: 4 };
    let maybe = |value: Option<f64>, hold: &Hold| match (value, hold.broke_away) {
        (Some(value), _) => cell(value),
        (None, Some(t)) => format!("broke away after {t:.1} s").into(),
        (None, None) => "not reached".into(),
    };
    let holds: &[Hold] = certificate.hold.found().map_or(&[], Vec::as_slice);
    for hold in holds {
        table.row([
            cell(100.0 * hold.share),
            cell(hold.load),
            maybe(hold.moved_300, hold),
            maybe(hold.speed_300, hold),
            maybe(hold.moved_1e6, hold),
            maybe(hold.speed_1e6, hold),
            cell(hold.predicted),
        ]);
    }
    table
}

fn method_table(certificate: &Certificate) -> Table {
    let columns = [("method", ""), ("speed", "m/s"), ("remark", "")];
    let mut table = Table::new("A block of its own weight under 90 % for 12 s, by every method", &columns);
    for found in certificate.methods.found().map_or(&[][..], Vec::as_slice) {
        let speed = match (found.speed, found.broke_away) {
            (Some(value), _) => Cell::Number { value, digits: 3 },
            (None, Some(t)) => format!("broke away after {t:.3} s").into(),
            (None, None) => "gave up".into(),
        };
        table.row([found.method.into(), speed, found.trouble.as_str().into()]);
    }
    table
}

fn parameters(certificate: &Certificate) -> Table {
    let mut table =
        Table::new("Numbers of the law as tried, in SI units", &[("parameter", ""), ("value", "")]);
    for (name, value) in &certificate.parameters {
        table.row([(*name).into(), Cell::Number { value: *value, digits: 6 }]);
    }
    table
}

fn small(id: &str, title: &str, x: Axis, y: Axis) -> Plot {
    let mut plot = Plot::new(id, title, x, y);
    plot.size = [250.0, 170.0];
    plot.legend = Legend::None;
    plot
}

fn figures(c: &Certificate) -> PlotGrid {
    let mut plots = Vec::new();
    if let Some(steady) = c.steady.found() {
        let mut plot =
            small("steady", "Steady curve", Axis::log("slip rate", "m/s"), Axis::new("force", "N"));
        plot.push(line(c, &steady.curve));
        plots.push(plot);
    }
    if let Some(lag) = c.lag.found() {
        let mut plot =
            small("lag", "Lag at 1, 10, 100 Hz", Axis::new("slip rate", "mm/s"), Axis::new("force", "N"));
        for (points, dash) in lag.loops.iter().zip([Dash::Solid, Dash::Dashed, Dash::Dotted]) {
            let points: Vec<(f64, f64)> = points.iter().map(|(v, f)| (1e3 * v, *f)).collect();
            plot.push(Line { dash, ..line(c, &points) });
        }
        plots.push(plot);
    }
    if let Some(Some(presliding)) = c.presliding.found() {
        let mut plot = small("loop", "Loop within a loop", Axis::new("slip", "µm"), Axis::new("force", "N"));
        let points: Vec<(f64, f64)> = presliding.path.iter().map(|(s, f)| (1e6 * s, *f)).collect();
        plot.push(line(c, &points));
        plots.push(plot);
    }
    plots.extend(loads(c));
    PlotGrid {
        id: format!("certificate-{}", c.law),
        title: String::new(),
        caption: "What the probes saw. Figures of displacement start after the first cycle or pulse."
            .to_owned(),
        columns: 3,
        plots,
        is_x_shared: false,
        is_legend_shared: false,
    }
}

/// An axis of forces wide enough that scatter of a thousandth looks like none.
fn around(label: &str, forces: &[f64]) -> Axis {
    let ends = forces.iter().fold((f64::INFINITY, 0.0f64), |(low, high), f| (low.min(*f), high.max(*f)));
    Axis { range: Some([0.9 * ends.0, 1.1 * ends.1]), ..Axis::new(label, "N") }
}

/// The figures of a block under loads.
fn loads(c: &Certificate) -> Vec<Plot> {
    let mut plots = Vec::new();
    if let Some(shake) = c.shake.found() {
        let mut plot =
            small("shake", "Under a swinging load", Axis::new("time", "s"), Axis::new("displacement", "µm"));
        plot.push(line(c, &since(&shake.path, 0.7)));
        plots.push(plot);
    }
    if let Some(pulses) = c.pulses.found().filter(|p| !p.path.is_empty()) {
        let axis = Axis::new("displacement", "µm");
        let mut plot = small("pulses", "After each pulse of 90 %", Axis::new("pulse", ""), axis);
        let path: Vec<(f64, f64)> =
            pulses.path.iter().enumerate().map(|(i, x)| (1.0 + i as f64, *x)).collect();
        plot.push(dots(c, &since(&path, 1.0)));
        plots.push(plot);
    }
    if let Some(found) = c.break_away.found() {
        let axis = Axis::log("static levels per second", "1/s");
        let mut plot = small("break-away", "Break-away", axis, around("largest force", &found.force));
        let points: Vec<(f64, f64)> = break_away::RATES.into_iter().zip(found.force).collect();
        plot.push(line(c, &points));
        plot.push(dots(c, &points));
        plots.push(plot);
    }
    if let Some(found) = c.dwell.found() {
        let axis = Axis::log("rest", "s");
        let mut plot = small("dwell", "Slide, hold, slide", axis, around("peak", &found.peak));
        let points: Vec<(f64, f64)> = dwell::HOLDS.into_iter().zip(found.peak).collect();
        plot.push(line(c, &points));
        plot.push(dots(c, &points));
        plots.push(plot);
    }
    if let Some(found) = c.lag.found() {
        let mut plot =
            small("width", "Width of the lag", Axis::log("frequency", "1/s"), Axis::new("width", "%"));
        let points: Vec<(f64, f64)> =
            lag::FREQUENCIES.into_iter().zip(found.width.map(|w| 100.0 * w)).collect();
        plot.push(line(c, &points));
        plot.push(dots(c, &points));
        plots.push(plot);
    }
    plots
}

/// Displacements in micrometres from a time on.
fn since(path: &[(f64, f64)], start: f64) -> Vec<(f64, f64)> {
    let late: Vec<&(f64, f64)> = path.iter().filter(|p| p.0 >= start).collect();
    let first = late.first().map_or(0.0, |p| p.1);
    late.into_iter().map(|(t, x)| (*t, 1e6 * (x - first))).collect()
}

fn line(c: &Certificate, points: &[(f64, f64)]) -> Line {
    let (x, y) = points.iter().copied().unzip();
    Line { dash: Dash::Solid, ..Line::of_law(c.law, "", x, y) }
}

fn dots(c: &Certificate, points: &[(f64, f64)]) -> Scatter {
    let (x, y) = points.iter().copied().unzip();
    Scatter { x, y, colour: c.law.to_owned(), marker: Marker::Circle, size: 5.0, ..Scatter::default() }
}
