//! What a run of a mechanism found.

use super::ropes::{RopeHistory, moving};
use super::{Simulation, column, contacts, cycles, extremes, figures, measured, measures, unique};
use crate::model::Findings;
use crate::scenario::{Scenario, Study};
use crate::scene::Scene;
use crate::schematic;
use crate::warnings::tip_creep;
use bristle_record::{Block, Fact, Section};

/// Verdicts, what else is worth knowing, and why the run cannot be trusted, if so.
pub(crate) fn facts(scenario: &Scenario, run: &Simulation) -> (Vec<Fact>, Vec<Fact>, Option<String>) {
    facts_with(scenario, run, RopeHistory::new(scenario, run).as_ref())
}

fn facts_with(
    scenario: &Scenario,
    run: &Simulation,
    ropes: Option<&RopeHistory>,
) -> (Vec<Fact>, Vec<Fact>, Option<String>) {
    let system = &scenario.system;
    let (mut verdicts, failure) = contacts::facts(scenario, &run.data);
    verdicts.extend(tip_creep(scenario, &run.data));
    verdicts.extend(unique::fact(system, &run.trajectory.events));
    verdicts.extend(ropes.map_or_else(Vec::new, RopeHistory::facts));
    let mut further = measured::facts(scenario, &run.data);
    let planar = system.planar_contacts().iter().map(|c| c.name.as_str());
    for contact in system.contacts().iter().map(|c| c.name.as_str()).chain(planar) {
        let loss = column(&run.data, &format!("{contact}.loss")).last().copied().unwrap_or(0.0);
        further.push(Fact::number(format!("energy dissipated at `{contact}`"), loss, "J"));
    }
    // Gears with losses, freewheels and stops have no slip of their own.
    for contact in system.contacts().iter().filter(|c| c.has_law()) {
        further.extend(cycles::facts(system, run, &contact.name));
    }
    (verdicts, further, failure)
}

/// Ropes and drums as they moved.
pub(crate) fn scenes(scenario: &Scenario, run: &Simulation) -> Vec<Scene> {
    RopeHistory::new(scenario, run).map_or_else(Vec::new, |history| history.scenes())
}

/// How each contact moved, what friction cost, and how far each body went.
pub(crate) fn findings(scenario: &Scenario, study: &Study, run: &Simulation) -> Findings {
    let system = &scenario.system;
    let ropes = RopeHistory::new(scenario, run);
    let (verdicts, mut further, failure) = facts_with(scenario, run, ropes.as_ref());
    let (found, measures) = measures::measure(scenario, study, &run.data);
    further.extend(found);
    further.push(Fact::number("switches located", run.trajectory.events.len() as f64, ""));
    let mut motion = Section { heading: format!("Motion ({})", study.name), blocks: Vec::new() };
    let scenes = ropes.as_ref().map_or_else(Vec::new, RopeHistory::scenes);
    let picture = schematic::moving(scenario, &study.name, &run.data, &scenes);
    motion.blocks.extend(picture.map(Block::from));
    motion.blocks.extend(moving(&study.name, &scenes));
    motion.blocks.extend(figures::figures(scenario, study, &run.data).into_iter().map(Block::from));
    motion.blocks.extend(extremes::table(system, run).map(Block::from));
    motion.blocks.extend(measures.map(Block::from));
    for contact in system.contacts().iter().filter(|c| c.has_law()) {
        motion.blocks.extend(cycles::table(&run.data, &contact.name).map(Block::from));
    }
    let contact = ropes.and_then(|history| history.contact(&study.name));
    let sections = std::iter::once(motion).chain(contact).collect();
    Findings { verdicts, further, sections, failure }
}
