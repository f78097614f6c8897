//! Studies put to mechanisms, against closed forms and against the same question put in another way.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod equilibrium;
mod fitted_machines;
mod fitting;
mod hunting;
mod moving;
mod spectrum;

use bristle_record::{Block, Cell, Value};
use bristle_study::{Outcome, Scenario, run};

/// The answers of a scenario.
pub fn outcome(text: &str) -> Outcome {
    let scenario = Scenario::from_text(text, "test", ".".as_ref()).unwrap_or_else(|e| panic!("{e:?}"));
    run(&scenario, &mut ()).unwrap_or_else(|e| panic!("{e}"))
}

/// The words of a fact.
pub fn words(outcome: &Outcome, label: &str) -> String {
    let fact = outcome.record.facts.iter().find(|f| f.label.starts_with(label));
    fact.unwrap_or_else(|| panic!("no fact `{label}`: {:#?}", outcome.record.facts)).value.markup()
}

/// The number of a fact.
pub fn value(outcome: &Outcome, label: &str) -> f64 {
    let fact = outcome.record.facts.iter().find(|f| f.label.starts_with(label));
    let Some(Value::Number { value, .. }) = fact.map(|f| &f.value) else {
        panic!("no number `{label}`: {:#?}", outcome.record.facts)
    };
    *value
}

/// All rows of the tables whose caption begins so, numbers only.
pub fn rows(outcome: &Outcome, caption: &str) -> Vec<Vec<f64>> {
    let number = |cell: &Cell| match cell {
        Cell::Number { value, .. } => *value,
        _ => f64::NAN,
    };
    let tables = outcome.record.sections.iter().flat_map(|s| &s.blocks).filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let found = tables.filter(|t| t.caption.starts_with(caption));
    found.flat_map(|t| t.rows.iter().map(|row| row.iter().map(number).collect())).collect()
}
