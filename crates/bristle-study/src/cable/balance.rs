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

/// The change since the start.
fn since(data: &Data, name: &str) -> Vec<f64> {
    let values = of(data, name);
    values.iter().map(|v| v - values[0]).collect()
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
            let value = since(data, name).last().copied().unwrap_or(0.0);
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
    let panel = |id: &str, title: &str, label: &str, lines: Vec<(&str, Vec<f64>)>| {
        let axes = (Axis::new("time $t$", "s"), Axis::new(label, "J"));
        let mut plot = Plot::new(format!("{study}-energy-{id}"), title, axes.0, axes.1);
        plot.size = [320.0, 230.0];
        for (name, values) in lines {
            plot.push(Line::new(name, column(data, "time").to_vec(), values));
        }
        plot
    };
    let kept = STORED.map(|name| (words(name), since(data, name))).to_vec();
    let sum = |i: usize| kept.iter().map(|(_, values)| values[i]).sum();
    let stored: Vec<f64> = (0..of(data, "kinetic").len()).map(sum).collect();
    // What is a millionth of the whole cannot be seen.
    let exchanged = closure(data).exchanged;
    let is_seen = |name: &&str| of(data, name).iter().any(|v| v.abs() > 1e-6 * exchanged);
    let all = |name: &str| of(data, name).to_vec();
    let flows = WORK.into_iter().chain(LOSSES).filter(is_seen).map(|name| (words(name), all(name))).collect();
    let sums = vec![("stored", stored), ("put in", all("input")), ("lost", all("loss"))];
    PlotGrid {
        id: format!("{study}-energy"),
        caption: "Energy balance: stored, put in, lost, and what is left over".to_owned(),
        columns: 2,
        plots: vec![
            panel("stored", "stored", "change of energy", kept),
            panel("flows", "put in and lost", "energy since the start", flows),
            panel("sums", "balance", "energy since the start", sums),
            panel("gap", "what does not add up", "change − input + losses", vec![("", all("gap"))]),
        ],
        ..PlotGrid::default()
    }
}
