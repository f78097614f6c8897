//! Answers put together.

use crate::cable::CableModel;
use crate::error::RunError;
use crate::progress::Progress;
use crate::scenario::Scenario;
use bristle_core::{Card, Kind};
use bristle_law::LawKind;
use bristle_mech::{PartKind, PlanarContact};
use bristle_record::{Block, Cell, Data, Fact, Record, Section, Table, Tone};
use bristle_solve::Dynamics;

/// What one study found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Single values, the verdict first.
    pub facts: Vec<Fact>,
    /// Figures and tables.
    pub sections: Vec<Section>,
    /// Columns of numbers.
    pub data: Data,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
}

/// What a scenario's studies found: a record to read, data to work on.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The report.
    pub record: Record,
    /// The numbers of the first study that has any.
    pub data: Data,
    /// Whether a study was stopped before its end.
    pub stopped_early: bool,
}

/// Answers all questions of a scenario.
pub fn run(scenario: &Scenario, progress: &mut dyn Progress) -> Result<Outcome, RunError> {
    let mut record = Record::new(&scenario.title);
    let mut data = Data::default();
    let mut stopped_early = false;
    for warning in scenario.warnings() {
        record.facts.push(Fact::verdict("note", warning.as_str(), Tone::Warn));
    }
    for study in &scenario.studies {
        progress.begin(&study.name);
        let answer = study.kind.answer(scenario, study, progress)?;
        record.facts.extend(answer.facts);
        record.sections.extend(answer.sections);
        if data.columns.is_empty() {
            data = answer.data;
        }
        stopped_early |= answer.stopped_early;
        if answer.stopped_early {
            break;
        }
    }
    if stopped_early {
        let fact =
            Fact::verdict("stopped early", "the results end where the run was interrupted", Tone::Warn);
        record.facts.insert(0, fact);
    }
    record.sections.extend(appendix(scenario));
    Ok(Outcome { record, data, stopped_early })
}

/// Laws with their equations and parameters, all other parameters, and the scenario itself.
pub(crate) fn appendix(scenario: &Scenario) -> Vec<Section> {
    let system = &scenario.system;
    let mut laws = Section { heading: "Friction laws".to_owned(), blocks: Vec::new() };
    let mut seen: Vec<&str> = Vec::new();
    let along = system.contacts().iter().map(|c| (&c.name, c.kind));
    let planar = system.planar_contacts().iter().map(|c| (&c.name, PlanarContact::LAW));
    for (name, kind) in along.chain(planar) {
        let card = kind.card();
        if !seen.contains(&card.name) {
            seen.push(card.name);
            laws.push(Block::paragraph(format!("**{}** — {}", card.name, card.title())));
            laws.push(Block::equation(card.equation()));
        }
        laws.push(law_table(scenario, name, &card));
    }
    if let Some(cable) = &scenario.cable {
        laws.blocks.extend(cable_laws(cable));
    }
    let mut table =
        Table::new("All other parameters, in SI units", &[("parameter", ""), ("value", ""), ("unit", "")]);
    for (param, value) in system.param_cards().iter().zip(system.params()) {
        if !param.path.contains(".law.") && !value.is_nan() {
            let cell = Cell::Number { value: *value, digits: 6 };
            table.row([param.path.as_str().into(), cell, param.unit.into()]);
        }
    }
    if scenario.cable.is_some() {
        for row in cable_parameters(scenario) {
            table.row(row);
        }
    }
    let mut all = Vec::new();
    if !laws.blocks.is_empty() {
        all.push(laws);
    }
    all.push(Section { heading: "Parameters".to_owned(), blocks: vec![table.into()] });
    let code = Block::code(file_name(&scenario.name), &scenario.text);
    all.push(Section { heading: "Scenario".to_owned(), blocks: vec![code] });
    all
}

/// The numbers of a cable, its ends and its drums.
fn cable_parameters(scenario: &Scenario) -> Vec<[Cell; 3]> {
    let mut rows = Vec::new();
    for (part, spec) in &scenario.parts {
        let Some(kind) = PartKind::named(&spec.kind) else { continue };
        for (field, value) in kind.card().numbers().zip(&spec.numbers) {
            let Kind::Number { unit, .. } = field.kind else { continue };
            if !value.is_nan() {
                let cell = Cell::Number { value: *value, digits: 6 };
                rows.push([format!("{part}.{}", field.name).into(), cell, unit.into()]);
            }
        }
    }
    rows
}

/// The laws of a cable's drums.
fn cable_laws(cable: &CableModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (drum, law) in cable.drums.iter().zip(&cable.laws) {
        let Some((law, kind)) = law.as_ref().and_then(|l| Some((l, LawKind::named(&l.kind)?))) else {
            continue;
        };
        let card = kind.card();
        if !seen.contains(&card.name) {
            seen.push(card.name);
            blocks.push(Block::paragraph(format!("**{}** — {}", card.name, card.title())));
            blocks.push(Block::equation(card.equation()));
        }
        let columns = [("symbol", ""), ("parameter", ""), ("value", ""), ("unit", ""), ("meaning", "")];
        let mut table = Table::new(format!("Parameters of `{}` at drum `{drum}`", card.name), &columns);
        for (field, value) in card.numbers().zip(&law.numbers) {
            let Kind::Number { unit, .. } = field.kind else { continue };
            let value = Cell::Number { value: *value, digits: 6 };
            table.row([field.symbol.into(), field.name.into(), value, unit.into(), field.doc.into()]);
        }
        blocks.push(table.into());
    }
    blocks
}

/// The last part of a path, for captions.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn law_table(scenario: &Scenario, contact: &str, card: &Card) -> Table {
    let columns = [("symbol", ""), ("parameter", ""), ("value", ""), ("unit", ""), ("meaning", "")];
    let mut table = Table::new(format!("Parameters of `{}` at contact `{contact}`", card.name), &columns);
    for field in card.numbers() {
        let path = format!("{contact}.law.{}", field.name);
        let Some(place) = scenario.system.param(&path) else { continue };
        let Kind::Number { unit, force, .. } = field.kind else { continue };
        let as_forces = scenario
            .parts
            .iter()
            .any(|(name, spec)| name == contact && spec.table("law").is_some_and(|law| law.as_forces));
        let (name, unit) = match force {
            Some(force) if as_forces => (force, "N"),
            _ => (field.name, unit),
        };
        let value = Cell::Number { value: scenario.system.params()[place], digits: 6 };
        table.row([field.symbol.into(), name.into(), value, unit.into(), field.doc.into()]);
    }
    table
}
