//! Stability over a grid of two parameters.

use super::boundary::{self, ParameterPlane};
use super::subject::{Subject, View};
use crate::analysis;
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::map::{MapAxis, StabilityMap};
use bristle_core::Card;
use bristle_record::{Category, ColourScale, Data, Fact, HeatMap, Section, Tone};
use bristle_solve::Progress;

/// Maps the stability of the steady state over two parameters.
///
/// ```text
/// 0 = f(x, p_ij),  Routh's array of det(λ − ∂f/∂x) in every cell
/// ```
///
/// The onset is drawn on top with its criticality, because a cell called stable here is stable against small
/// disturbances only: beside a subcritical boundary a large kick starts a vibration that stays.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "map",
    entry(name = "x", text, doc = "Path of the first parameter, drawn to the right."),
    entry(name = "x_from", text, doc = "Its smallest value, with its unit."),
    entry(name = "x_to", text, doc = "Its largest value, with its unit."),
    entry(name = "y", text, doc = "Path of the second parameter, drawn upwards."),
    entry(name = "y_from", text, doc = "Its smallest value, with its unit."),
    entry(name = "y_to", text, doc = "Its largest value, with its unit.")
)]
pub struct Map<S> {
    /// Cells to the right.
    #[param(symbol = "n_x", unit = "1", default = 100, min = 2, max = 2000, whole)]
    pub columns: S,
    /// Cells upwards.
    #[param(symbol = "n_y", unit = "1", default = 100, min = 2, max = 2000, whole)]
    pub rows: S,
    /// Longest step along the boundary, relative.
    #[param(symbol = "Δs", unit = "1", default = 0.05, min = 1e-6, max = 1.0)]
    pub step: S,
}

/// Cells drawn at most along each side; finer maps are thinned for the figure.
const DRAWN: usize = 160;

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let plane = ParameterPlane::of(&subject)?;
    let axis = |j: usize, name: &str| {
        let range = plane.ranges[j];
        MapAxis::linear(
            range.parameter,
            range.from.min(range.to),
            range.from.max(range.to),
            subject.count(name),
        )
    };
    let grid = analysis::map(subject.system, &subject.p, axis(1, "rows"), axis(0, "columns"))
        .map_err(|e| subject.fail(e))?;
    let is_whole = progress.at(0.5);
    let found = boundary::curves(&subject, &plane, subject.number("step"), progress);
    let curves = &found.curves;
    let mut plot = plane.plot(&subject, "map");
    plot.push(heat(&grid));
    boundary::draw(&mut plot, curves);
    let mut section = Section { heading: format!("Stability map ({})", study.name), blocks: Vec::new() };
    section.push(plot);
    section.push(boundary::table(&plane, curves));
    let total = grid.stable.len();
    let stable = grid.stable_cells();
    let mut facts = boundary::facts(&plane, &found);
    let tone = if stable == total { Tone::Good } else { Tone::Warn };
    let words = format!("{stable} of {total}");
    let fact = Fact::new("cells in which sliding is locally stable", words).measuring(stable as f64, "1");
    facts.push(Fact { tone, ..fact });
    let missing = grid.stable.iter().filter(|s| s.is_none()).count();
    if missing > 0 {
        let label = if is_whole { "cells without a steady state" } else { "cells not reached" };
        facts.push(Fact::number(label, missing as f64, ""));
    }
    Ok(Answer { facts, sections: vec![section], data: data(&plane, &grid, is_whole), ..Answer::default() })
}

/// The map as coloured cells.
pub fn heat(grid: &StabilityMap) -> HeatMap {
    let (rows, columns) = (&grid.rows.values, &grid.columns.values);
    let (dy, dx) = (rows.len().div_ceil(DRAWN), columns.len().div_ceil(DRAWN));
    let value = |i: usize, j: usize| match grid.stable[i * columns.len() + j] {
        None => f64::NAN,
        Some(stable) => f64::from(u8::from(stable)),
    };
    let mut values = Vec::new();
    for i in (0..rows.len()).step_by(dy) {
        values.extend((0..columns.len()).step_by(dx).map(|j| value(i, j)));
    }
    let category = |name: &str, colour: &str| Category { name: name.to_owned(), colour: colour.to_owned() };
    HeatMap {
        x: columns.iter().step_by(dx).copied().collect(),
        y: rows.iter().step_by(dy).copied().collect(),
        values,
        label: String::new(),
        unit: String::new(),
        scale: ColourScale::Categorical {
            categories: vec![
                category("sliding unstable", "#e8a06a"),
                category("sliding locally stable", "#d3e8f7"),
            ],
        },
    }
}

/// All cells; of a map that was stopped only those that were reached.
fn data(plane: &ParameterPlane, grid: &StabilityMap, is_whole: bool) -> Data {
    let mut data = Data::default();
    let (mut x, mut y, mut s) = (Vec::new(), Vec::new(), Vec::new());
    for (i, row) in grid.rows.values.iter().enumerate() {
        for (j, column) in grid.columns.values.iter().enumerate() {
            let cell = grid.stable[i * grid.columns.values.len() + j];
            if cell.is_none() && !is_whole {
                continue;
            }
            x.push(*column);
            y.push(*row);
            s.push(cell.map_or(f64::NAN, |v| f64::from(u8::from(v))));
        }
    }
    data.push(&plane.places[0].path, &plane.places[0].unit, x);
    data.push(&plane.places[1].path, &plane.places[1].unit, y);
    data.explain("stable", "1", "1 stable, 0 unstable, NaN without a steady state", s);
    data
}
