//! Figures of how a cable lies on its drums.

use super::Wrap;
use super::wrap::Tensions;
use bristle_record::{Axis, Cell, Dash, Line, Marker, Plot, Scatter, Table};

/// Normal force over the angle on a drum of this radius, per angle, at some instants.
pub(crate) fn pressure(id: String, drum: &str, radius: f64, at: &[(String, &Wrap)]) -> Plot {
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("contact force per angle", "N/rad"));
    for (i, (label, wrap)) in at.iter().enumerate() {
        let y: Vec<f64> = wrap.contacts.iter().map(|c| c.normal * radius / c.share).collect();
        let x = wrap.degrees();
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), x.clone(), y.clone()) });
        plot.push(Scatter { colour, size: 4.0, marker: Marker::Circle, ..Scatter::new("", x, y) });
    }
    plot.caption = format!("Contact force over the wrap of `{drum}`");
    plot
}

/// Slip speed over the angle on a drum: who slips first.
pub(crate) fn slips(id: String, drum: &str, at: &[(String, &Wrap)]) -> Plot {
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("slip speed towards the last end", "m/s"));
    for (label, wrap) in at {
        let y = wrap.contacts.iter().map(|c| c.slip).collect();
        plot.push(Line::new(label.clone(), wrap.degrees(), y));
    }
    plot.caption = format!("Slip speed over the wrap of `{drum}`");
    plot
}

/// An instant: what it is called, the tension of each element of a cable, and its drums with what they hold.
pub(crate) type Instant = (String, Vec<f64>, Vec<(Wrap, Option<f64>)>);

/// Tension along a cable with elements of this length, and the exponential friction could hold.
pub(crate) fn tension(id: String, element: f64, at: &[Instant]) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new("arc length $s$", "m"), Axis::new("tension", "N"));
    for (i, (label, tension, wraps)) in at.iter().enumerate() {
        let Tensions { s, tension, limits } = Tensions::new(element, tension.clone(), wraps);
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), s, tension) });
        if i + 1 < at.len() {
            continue;
        }
        for (k, (x, y)) in limits.into_iter().enumerate() {
            let label = if k == 0 { "$e^{cφ}$ from the weaker side" } else { "" };
            plot.push(Line { colour: colour.clone(), dash: Dash::Dashed, ..Line::new(label, x, y) });
        }
    }
    plot.caption = "Tension along the cable; dashed, the most that friction at rest could make of it at the last instant".to_owned();
    plot
}

/// The contacts with all drums, each with its name.
pub(crate) fn table<'a>(drums: impl IntoIterator<Item = (&'a str, &'a Wrap)>) -> Table {
    let columns = [
        ("drum", ""),
        ("touches from", "deg"),
        ("to", "deg"),
        ("points", ""),
        ("normal force", "N"),
        ("friction", "N"),
        ("largest slip", "m/s"),
    ];
    let mut table = Table::new("Contacts at the end; angles clockwise from the crown", &columns);
    for (name, wrap) in drums {
        let degrees = wrap.degrees();
        let [from, to] = [degrees.first(), degrees.last()].map(|d| d.copied().unwrap_or(f64::NAN));
        table.row([
            name.into(),
            Cell::number(from),
            Cell::number(to),
            wrap.contacts.len().to_string().into(),
            Cell::number(wrap.sum(|c| c.normal)),
            Cell::number(wrap.sum(|c| c.friction)),
            Cell::number(wrap.slip()),
        ]);
    }
    table
}
