//! A report of one's own: facts, a figure and data in a folder that can be forwarded.

#![allow(clippy::print_stdout)]

use bristle::laws::Coulomb;
use bristle::parts::{Contact, Mass};
use bristle::record::{Axis, Data, Fact, Line, Plot, Record, Sheet, write_folder};
use bristle::{GROUND, Mechanism, default};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("out/stopping"), PathBuf::from);
    let mut m = Mechanism::new();
    let sledge = m.mass("sledge", Mass { mass: 80.0, v: 6.0, ..default() });
    let law = Coulomb { mu_s: 0.1, mu_d: 0.08 };
    m.contact("snow", [sledge, GROUND], Contact { load: 785.0, ..default() }, law);
    let run = m.build()?.simulate(10.0)?;

    let mut record = Record::new("How far a sledge runs out");
    record.facts = vec![Fact::number("distance", run.last(sledge.position()), "m")];
    let mut plot = Plot::new("distance", "", Axis::new("time $t$", "s"), Axis::new("distance $q$", "m"));
    plot.layers
        .push(Line { x: run.time().to_vec(), y: run.column(sledge.position()).to_vec(), ..default() }.into());
    record.section("Motion").push(plot);
    let mut data = Data::default();
    data.push("time", "s", run.time().to_vec());
    data.push("distance", "m", run.column(sledge.position()).to_vec());
    let written = write_folder(&folder, &record, &[Sheet::new("run", data)], &[])?;
    println!("{}", written.folder.join("report.html").display());
    Ok(())
}
