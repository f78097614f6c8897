//! The answer side of bristle: what was found, and the files it is written to.
//!
//! A [`Record`] holds facts, tables and figures as plain data and knows nothing about mechanics.
//! The modules under [`render`] turn it into one format each; [`write_folder`] writes them all.
//!
//! | Type | Role |
//! |---|---|
//! | [`Record`] | title, facts, sections: the answer |
//! | [`Fact`], [`Value`], [`Tone`] | one value worth naming, and whether it is good news |
//! | [`Section`], [`Block`] | text, table, figure, source or animation under a heading |
//! | [`Table`], [`Column`], [`Cell`], [`Verdict`] | a table with units and judgements |
//! | [`Plot`], [`PlotGrid`], [`Axis`], [`Layer`] | a figure as data |
//! | [`Animation`] | shapes over time |
//! | [`Schematic`] | a mechanism, drawn from its parts, as it moves |
//! | [`Data`], [`Sheet`] | columns of numbers for csv and parquet, and whose they are |
//! | [`palette`] | one colour per friction law throughout |
//! | [`markup`] | italic symbols, indices and exponents in labels |
//! | [`write_folder`] | writes everything, or nothing |
//!
//! ```
//! use bristle_record::{Axis, Fact, Line, Plot, Record, Tone, render};
//!
//! let mut record = Record::new("Block on a belt");
//! record.facts.push(Fact::verdict("motion", "stick–slip", Tone::Warn));
//! record.facts.push(Fact::number("period $T$", 0.314, "s"));
//! let mut plot = Plot::new("x", "", Axis::new("time $t$", "s"), Axis::new("stretch $x$", "m"));
//! plot.push(Line::of_law("lugre", "LuGre", vec![0.0, 0.1, 0.2], vec![0.0, 1e-3, 5e-4]));
//! record.section("Motion").push(plot);
//! assert!(render::html::report(&record).contains("<svg"));
//! ```
//!
//! Limits: figures are two-dimensional; a heat map draws every cell, so keep it below some 10⁵ cells.

pub mod animation;
mod data;
mod error;
mod folder;
pub mod layer;
pub mod markup;
pub mod number;
pub mod palette;
pub mod plot;
mod record;
pub mod render;
pub mod schematic;
mod table;

pub use animation::Animation;
pub use data::{Channel, DATA_FORMATS, Data, Sheet};
pub use error::{RasterReason, RecordError};
pub use folder::{
    ExtraFile, MANIFEST, RESULT, WrittenFolder, check_folder, data_stems, digest, files_within, holds_result,
    write_folder,
};
pub use plot::{
    Arrow, Axis, Band, Category, Circle, ColourMap, ColourScale, Dash, Direction, HeatMap, Layer, Legend,
    Line, Marker, Note, Plot, PlotGrid, Rule, Scale, Scatter, Span, TextAnchor,
};
pub use record::{Block, Fact, Figure, Measure, Record, Section, Tone, Value};
pub use schematic::Schematic;
pub use table::{Cell, Column, Table, Verdict};
