//! Which law for the drums of cables: each that holds a cable at rest, in the scenario itself.

use super::contest::Contest;
use crate::error::RunError;
use crate::scenario::Scenario;
use bristle_law::LawKind;
use bristle_mech::drum_friction;
use bristle_record::{Cell, Fact, Record, Table, Tone};
use bristle_solve::{Dynamics, Output, Progress};
use std::time::Instant;

/// The laws that ask for the force that would hold a node.
const LAWS: [LawKind; 3] = [LawKind::Quinn, LawKind::Cdq, LawKind::Karnopp];

/// Instants that are compared.
const INSTANTS: u32 = 20;

/// How cables moved: the places of their nodes at some instants, and what that took.
struct DrumTrial {
    places: Vec<Vec<f64>>,
    seconds: f64,
    steps: usize,
}

/// Moves the cables of a scenario as its own solver does.
fn run(scenario: &Scenario, duration: f64) -> Result<DrumTrial, RunError> {
    let (system, p) = (&scenario.system, scenario.system.params());
    let times: Vec<f64> = (1..=INSTANTS).map(|i| duration * f64::from(i) / f64::from(INSTANTS)).collect();
    let clock = Instant::now();
    let output = Output::Times(times.clone());
    let run = scenario.solver.run(system, p, system.initial(p), duration, &output, &mut ());
    let run = run.map_err(|source| RunError::Solve { study: "laws".to_owned(), source })?;
    let nodes = system.rope_places();
    let rows = crate::studies::work_precision::rows_at(&run.samples, &times);
    let places = rows.iter().map(|&row| nodes.iter().map(|&place| run.samples.row(row)[place]).collect());
    Ok(DrumTrial {
        places: places.collect(),
        seconds: clock.elapsed().as_secs_f64(),
        steps: run.statistics.steps,
    })
}

/// How far any node is off at any of the instants.
fn apart(a: &DrumTrial, b: &DrumTrial) -> f64 {
    let gap = |(x, y): (&f64, &f64)| (x - y).abs();
    let pairs = a.places.iter().flatten().zip(b.places.iter().flatten());
    pairs.map(gap).fold(0.0, f64::max)
}

/// The laws that ask for the holding force, each under the solver of the scenario, against Quinn's.
///
/// # Errors
/// [`RunError::Stopped`], and the error of a run.
pub(crate) fn laws(
    scenario: &Scenario,
    contest: &Contest,
    record: &mut Record,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let drums = scenario.system.drum_names();
    let rubs = |name: &str| scenario.parts.iter().any(|(n, s)| n == name && s.table("law").is_some());
    // The laws of contacts beside cables are a question of their own.
    if !scenario.system.contacts().is_empty() || !drums.iter().any(|drum| rubs(drum)) {
        return Ok(());
    }
    let columns =
        [("law", ""), ("holds at rest up to", ""), ("steps", ""), ("time", "s"), ("from `quinn`", "m")];
    let mut table = Table::new("Laws that hold a cable at rest, under the solver of the scenario", &columns);
    let mut quinn: Option<DrumTrial> = None;
    let mut cheapest: Option<(&str, f64)> = None;
    for (i, law) in LAWS.into_iter().enumerate() {
        let (name, other) = (law.card().name, scenario.with_law(law)?);
        let trial = run(&other, contest.duration)?;
        let off = quinn.as_ref().map_or(0.0, |q| apart(&trial, q));
        let held = other.parts.iter().filter_map(|(drum, spec)| {
            let friction = drum_friction(drum, spec.table("law").filter(|_| spec.kind == "drum")?).ok()?;
            friction.holding_coefficient()
        });
        table.row([
            name.into(),
            Cell::number(held.fold(0.0, f64::max)),
            trial.steps.to_string().into(),
            Cell::Number { value: trial.seconds, digits: 3 },
            Cell::Number { value: off, digits: 2 },
        ]);
        if off <= contest.accuracy * contest.range && cheapest.is_none_or(|(_, s)| trial.seconds < 0.9 * s) {
            cheapest = Some((name, trial.seconds));
        }
        if quinn.is_none() {
            quinn = Some(trial);
        }
        if !progress.at((i + 1) as f64 / LAWS.len() as f64) {
            return Err(RunError::Stopped);
        }
    }
    if let Some((name, _)) = cheapest {
        let mut fact = Fact::verdict("law", format!("`{name}`"), Tone::Good);
        fact.note = "the cheapest that moves as `quinn` does; the first of equals".to_owned();
        record.facts.push(fact);
    }
    record.section("Laws").push(table);
    Ok(())
}
