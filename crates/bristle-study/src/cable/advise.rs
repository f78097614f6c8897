//! Which method, which step and which law for a cable: advice from runs of the scenario itself.

use super::CableModel;
use crate::advise::contest::{Contest, MethodTrial};
use crate::error::RunError;
use crate::scenario::Scenario;
use bristle_cable::{CableError, CableMethod, CableState, GeneralisedAlpha, Rosenbrock};
use bristle_law::LawKind;
use bristle_record::{Cell, Fact, Record, Table, Tone};
use bristle_solve::Progress;
use bristle_solve::{Cancel, Method};
use std::time::Instant;

/// The laws that ask for the force that would hold a node.
const LAWS: [LawKind; 3] = [LawKind::Quinn, LawKind::Cdq, LawKind::Karnopp];

/// How a cable moved: the places of its nodes at some instants, and what that took.
struct CableTrial {
    shapes: Vec<Vec<[f64; 2]>>,
    seconds: f64,
    steps: usize,
}

/// Instants that are compared.
const INSTANTS: usize = 20;

/// Step of the run that others are measured by, s.
const FINEST: f64 = 5e-4;

/// The name that messages have for a run nobody asked for by name.
const REFERENCE: &str = "reference run";

/// Tries methods and steps; an error is that of a node's place at any of twenty instants, relative to how far the cable
/// moves.
pub(super) fn contest(
    model: &CableModel,
    duration: f64,
    accuracy: f64,
    progress: &mut dyn Progress,
) -> Result<Contest, RunError> {
    let fail = |e: CableError| RunError::Cable { study: REFERENCE.to_owned(), reason: model.explain(&e) };
    let start = model.start().map_err(fail)?.state;
    let finest = alpha(FINEST, 1e-8);
    let Some(best) = run(model, finest, &start, duration, f64::INFINITY, progress).map_err(fail)? else {
        return Err(RunError::Stopped);
    };
    let range = travel(&best).max(1e-9);
    let candidates = candidates(model);
    let count = candidates.len();
    let mut trials = Vec::with_capacity(count);
    for (mut trial, method) in candidates {
        if let Ok(Some(t)) = run(model, method, &start, duration, 2.0 * best.seconds, &mut ()) {
            (trial.cost, trial.error) = (t.seconds, apart(&t, &best) / range);
        }
        trials.push(trial);
        // What was cut short says nothing about its method.
        if !progress.at(trials.len() as f64 / count as f64) || Cancel::check().is_err() {
            return Err(RunError::Stopped);
        }
    }
    let words = format!("generalised_alpha with steps of {} ms", 1e3 * FINEST);
    let mut reference = Fact::new(REFERENCE, words);
    reference.note =
        format!("it damps what is faster; the cable moves by {range:.3} m, {} steps", best.steps);
    Ok(Contest {
        duration,
        accuracy,
        reference,
        range,
        trials,
        default: ALPHA,
        unit: "seconds",
        remark: "A run that took twice as long as the reference was given up. Times are of this machine.",
    })
}

/// The name of the default method.
const ALPHA: &str = "generalised_alpha";

fn alpha(step: f64, newton_tolerance: f64) -> CableMethod {
    CableMethod::GeneralisedAlpha(GeneralisedAlpha { step, newton_tolerance, ..GeneralisedAlpha::default() })
}

/// Methods and steps to try, as `[cable_solver]` would name them.
fn candidates(model: &CableModel) -> Vec<(MethodTrial, CableMethod)> {
    let untried = |method, key, value| MethodTrial {
        method,
        key,
        value,
        cost: f64::NAN,
        error: f64::NAN,
        choice: None,
    };
    let of_step = |step: f64| (untried(ALPHA, "step", format!("\"{} ms\"", 1e3 * step)), alpha(step, 1e-6));
    let mut all: Vec<_> = [0.02, 0.01, 0.005, 0.002, 0.001].map(of_step).into();
    // Rosenbrock methods do not carry the internal states of laws.
    if model.system.cable().drums.iter().any(|d| d.friction.states() > 0) {
        return all;
    }
    for method in [Method::Rodas4, Method::Rodas5p] {
        for tolerance in [1e-7, 1e-8, 1e-9] {
            let rosenbrock = Rosenbrock { method, tolerance: Some(tolerance), ..Rosenbrock::default() };
            let trial = untried(method.name(), "tolerance", format!("\"{tolerance:e} m\""));
            all.push((trial, CableMethod::Rosenbrock(rosenbrock)));
        }
    }
    all
}

/// A run; nothing if it was stopped or took longer than allowed.
fn run(
    model: &CableModel,
    method: CableMethod,
    start: &CableState,
    duration: f64,
    longest: f64,
    progress: &mut dyn Progress,
) -> Result<Option<CableTrial>, CableError> {
    let clock = Instant::now();
    let mut run = method.start(&model.system, start.clone())?;
    let mut shapes = Vec::with_capacity(INSTANTS);
    // In short pieces, so that a run that crawls is given up in time.
    let pieces = 10 * INSTANTS;
    for i in 1..=pieces {
        run.advance_to(duration * i as f64 / pieces as f64)?;
        if i % 10 == 0 {
            shapes.push(run.state().q.iter().map(|q| [q[0], q[1]]).collect());
        }
        if clock.elapsed().as_secs_f64() > longest || !progress.at(i as f64 / pieces as f64) {
            return Ok(None);
        }
    }
    Ok(Some(CableTrial { shapes, seconds: clock.elapsed().as_secs_f64(), steps: run.statistics().steps }))
}

fn distance(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().zip(b).map(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1])).fold(0.0, f64::max)
}

fn apart(a: &CableTrial, b: &CableTrial) -> f64 {
    a.shapes.iter().zip(&b.shapes).map(|(x, y)| distance(x, y)).fold(0.0, f64::max)
}

/// How far any node is from where it was first seen.
fn travel(trial: &CableTrial) -> f64 {
    trial.shapes.iter().map(|s| distance(s, &trial.shapes[0])).fold(0.0, f64::max)
}

/// The laws that ask for the holding force, each under the default method, against Quinn's.
pub(super) fn laws(
    scenario: &Scenario,
    contest: &Contest,
    record: &mut Record,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let columns = [("law", ""), ("holds at rest up to", ""), ("time", "s"), ("from `quinn`", "m")];
    let mut table = Table::new("Laws that hold a cable at rest, under the default method", &columns);
    let mut quinn: Option<CableTrial> = None;
    let mut cheapest: Option<(&str, f64)> = None;
    for (i, law) in LAWS.into_iter().enumerate() {
        let (name, other) = (law.card().name, scenario.with_law(law)?);
        let Some(model) = other.cable() else { continue };
        let fail = |e: CableError| RunError::Cable { study: name.to_owned(), reason: model.explain(&e) };
        let start = model.start().map_err(fail)?.state;
        let trial = run(model, CableMethod::default(), &start, contest.duration, f64::INFINITY, &mut ())
            .map_err(fail)?;
        let Some(trial) = trial else { continue };
        let off = quinn.as_ref().map_or(0.0, |q| apart(&trial, q));
        let hold = (0..model.drums.len()).filter_map(|d| model.holds(d)).fold(0.0, f64::max);
        table.row([
            name.into(),
            Cell::number(hold),
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
