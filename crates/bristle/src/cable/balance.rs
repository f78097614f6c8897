//! The energy balance of a run: what was put in, stored and lost, and what does not add up.

use super::outputs::{LOSSES, STORED, WORK};
use crate::energy::{self, Closure};
use crate::studies::simulate::column;
use bristle_record::{Axis, Cell, Data, Line, Plot, PlotGrid, Table};

/// What a quantity is called in tables and legends.
fn words(name: &str) -> &str {
    match name {
        "kinetic" => "motion",
        "strain" => "stretching and bending",
        "gravity" => "height",
        "contact" => "penetration of drums",
        "load_work" => "loads at the ends",
        "end_work" => "moved ends",
        "drum_work" => "turned drums, through friction",
        "motor_work" => "motors",
        "damping_loss" => "internal damping",
        "contact_loss" => "damping of normal contact",
        "friction_loss" => "friction on drums",
        "bearing_loss" => "bearings",
        other => other,
    }
}

fn of<'a>(data: &'a Data, name: &str) -> &'a [f64] {
    column(data, &format!("energy.{name}"))
}

fn change(data: &Data, name: &str) -> f64 {
    let values = of(data, name);
    values.last().unwrap_or(&0.0) - values.first().unwrap_or(&0.0)
}

/// The stored energy since the start.
fn stored(data: &Data) -> Vec<f64> {
    let count = of(data, "kinetic").len();
    let sum = |i: usize| STORED.iter().map(|name| of(data, name)[i] - of(data, name)[0]).sum();
    (0..count).map(sum).collect()
}

/// How well the balance closes, against what was exchanged.
pub(super) fn closure(data: &Data) -> Closure {
    let kinds: Vec<&[f64]> = STORED.iter().chain(&WORK).chain(&LOSSES).map(|name| of(data, name)).collect();
    energy::closure(column(data, "time"), of(data, "gap"), &kinds)
}

/// The account at the end.
pub(super) fn table(data: &Data) -> Table {
    let mut table = Table::new(
        "Energy since the start; what is left over is the error of the integration, numerical damping included",
        &[("what", ""), ("of", ""), ("energy", "J")],
    );
    let mut rows = |what: &str, names: &[&str]| {
        for name in names {
            let value = change(data, name);
            if value != 0.0 {
                table.row([what.into(), words(name).into(), Cell::Number { value, digits: 6 }]);
            }
        }
    };
    rows("stored", &STORED);
    rows("put in", &WORK);
    rows("lost", &LOSSES);
    let left = of(data, "gap").last().copied().unwrap_or(f64::NAN);
    table.row(["left over".into(), "".into(), Cell::Number { value: left, digits: 3 }]);
    table
}

/// Stored energies, work and losses, and the gap, over time.
pub(super) fn figure(study: &str, data: &Data) -> PlotGrid {
    let time = || column(data, "time").to_vec();
    let panel = |id: &str, title: &str, label: &str| {
        let axes = (Axis::new("time $t$", "s"), Axis::new(label, "J"));
        let mut plot = Plot::new(format!("{study}-energy-{id}"), title, axes.0, axes.1);
        plot.size = [320.0, 230.0];
        plot
    };
    let mut kept = panel("stored", "stored", "change of energy");
    for name in STORED {
        let values = of(data, name);
        let first = values.first().copied().unwrap_or(0.0);
        kept.push(Line::new(words(name), time(), values.iter().map(|v| v - first).collect()));
    }
    let exchanged = closure(data).exchanged;
    let mut flows = panel("flows", "put in and lost", "energy since the start");
    for name in WORK.into_iter().chain(LOSSES) {
        let values = of(data, name);
        // What is a millionth of the whole cannot be seen.
        if values.iter().any(|v| v.abs() > 1e-6 * exchanged) {
            flows.push(Line::new(words(name), time(), values.to_vec()));
        }
    }
    let mut sums = panel("sums", "balance", "energy since the start");
    sums.push(Line::new("stored", time(), stored(data)));
    sums.push(Line::new("put in", time(), of(data, "input").to_vec()));
    sums.push(Line::new("lost", time(), of(data, "loss").to_vec()));
    let mut gap = panel("gap", "what does not add up", "change − input + losses");
    gap.push(Line::new("", time(), of(data, "gap").to_vec()));
    PlotGrid {
        id: format!("{study}-energy"),
        caption: "Energy balance: stored, put in, lost, and what is left over".to_owned(),
        columns: 2,
        plots: vec![kept, flows, sums, gap],
        ..PlotGrid::default()
    }
}
