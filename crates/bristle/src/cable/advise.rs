//! Which method, which step and which law for a cable: advice from runs of the scenario itself.

use super::CableModel;
use super::compare::{LAWS, under};
use crate::advise::Advice;
use crate::error::RunError;
use crate::progress::Progress;
use crate::scenario::Scenario;
use crate::studies::StudyKind;
use bristle_cable::{CableError, CableMethod, CableState, GeneralisedAlpha, Rosenbrock};
use bristle_law::LawKind;
use bristle_record::{Cell, Fact, Record, Table, Tone};
use bristle_solve::Cancel;
use std::time::Instant;

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

/// Tries methods and steps on the scenario's first simulation, and the laws made for cables.
///
/// `accuracy` is the largest error of a node's place at any of twenty instants, relative to how far the cable moves.
pub(crate) fn advise(
    scenario: &Scenario,
    accuracy: f64,
    progress: &mut dyn Progress,
) -> Result<Advice, RunError> {
    let nothing = || RunError::NothingToCompare { scenario: scenario.name.clone() };
    let study = scenario.studies.iter().find(|s| s.kind == StudyKind::Simulate).ok_or_else(nothing)?;
    let model = scenario.cable.as_ref().ok_or_else(nothing)?;
    let duration = study.spec.numbers[0];
    let fail = |e: CableError| RunError::Cable { study: study.name.clone(), reason: model.explain(&e) };
    let mut record = Record::new(format!("Advice for {}", scenario.title));
    progress.begin("reference run");
    let start = model.start().map_err(fail)?.state;
    let finest = alpha(FINEST, 1e-8);
    let Some(best) = run(model, finest, &start, duration, f64::INFINITY, progress).map_err(fail)? else {
        return Err(RunError::Stopped);
    };
    let range = travel(&best).max(1e-9);
    progress.begin("methods");
    let mut rows = Vec::new();
    let methods = candidates(model);
    for (i, (words, method)) in methods.iter().enumerate() {
        let trial = run(model, *method, &start, duration, 2.0 * best.seconds, &mut ()).ok().flatten();
        // What was cut short says nothing about its method.
        if !progress.at((i + 1) as f64 / methods.len() as f64) || Cancel::check().is_err() {
            return Err(RunError::Stopped);
        }
        let error = trial.as_ref().map(|t| apart(t, &best) / range);
        rows.push((words.clone(), trial, error));
    }
    record.facts.push(method_fact(&rows, accuracy));
    record.facts.push(Fact::number("how far the cable moves", range, "m"));
    record.section("Methods").push(method_table(&rows, accuracy));
    progress.begin("laws");
    if model.laws.iter().any(Option::is_some) {
        law_advice(scenario, duration, accuracy * range, &mut record, progress)?;
    }
    Ok(Advice { method: None, record, stopped_early: false })
}

fn alpha(step: f64, newton_tolerance: f64) -> CableMethod {
    CableMethod::GeneralisedAlpha(GeneralisedAlpha { step, newton_tolerance, ..GeneralisedAlpha::default() })
}

/// Methods and steps to try, as `[cable_solver]` would name them.
fn candidates(model: &CableModel) -> Vec<(String, CableMethod)> {
    let mut all: Vec<(String, CableMethod)> = [0.02, 0.01, 0.005, 0.002, 0.001]
        .into_iter()
        .map(|step| (format!("`generalised_alpha` with step = \"{} ms\"", 1e3 * step), alpha(step, 1e-6)))
        .collect();
    let carries = model.system.cable().drums.iter().all(|d| d.friction.states() == 0);
    if carries {
        for method in [bristle_solve::Method::Rodas4, bristle_solve::Method::Rodas5p] {
            for tolerance in [1e-7, 1e-8, 1e-9] {
                let words = format!("`{}` with tolerance = \"{tolerance:e} m\"", method.name());
                let rosenbrock = Rosenbrock { method, tolerance: Some(tolerance), ..Rosenbrock::default() };
                all.push((words, CableMethod::Rosenbrock(rosenbrock)));
            }
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

type MethodRow = (String, Option<CableTrial>, Option<f64>);

fn method_fact(rows: &[MethodRow], accuracy: f64) -> Fact {
    let good = rows.iter().filter_map(|(words, trial, error)| Some((words, trial.as_ref()?, (*error)?)));
    let best = good.filter(|(_, _, e)| *e <= accuracy).min_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    match best {
        Some((words, trial, error)) => {
            let mut fact = Fact::verdict("method", words.as_str(), Tone::Good);
            fact.note =
                format!("{:.2} s for an error of {error:.1e}; {accuracy:.0e} was asked", trial.seconds);
            fact
        }
        None => {
            let mut fact = Fact::verdict("method", "none reached the accuracy asked", Tone::Bad);
            fact.note = "ask for less with `--accuracy`".to_owned();
            fact
        }
    }
}

fn method_table(rows: &[MethodRow], accuracy: f64) -> Table {
    let columns = [("method", ""), ("steps", ""), ("time", "s"), ("error", ""), ("accurate", "")];
    let caption = "Methods on this machine; errors against generalised_alpha with steps of 0.5 ms, which damps what \
                   is faster, relative to how far the cable moves";
    let mut table = Table::new(caption, &columns);
    for (words, trial, error) in rows {
        let dash = || Cell::from("–");
        table.row([
            words.as_str().into(),
            trial.as_ref().map_or_else(dash, |t| t.steps.to_string().into()),
            trial
                .as_ref()
                .map_or_else(|| "given up".into(), |t| Cell::Number { value: t.seconds, digits: 3 }),
            error.map_or_else(dash, |e| Cell::Number { value: e, digits: 2 }),
            error.map_or("", |e| if e <= accuracy { "yes" } else { "no" }).into(),
        ]);
    }
    table
}

/// The laws that ask for the holding force, each under the default method, against Quinn's.
fn law_advice(
    scenario: &Scenario,
    duration: f64,
    allowed: f64,
    record: &mut Record,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let columns = [("law", ""), ("holds at rest up to", ""), ("time", "s"), ("from `quinn`", "m")];
    let mut table = Table::new("Laws that hold a cable at rest, under the default method", &columns);
    let mut quinn: Option<CableTrial> = None;
    let mut cheapest: Option<(&str, f64)> = None;
    for (i, name) in LAWS.into_iter().enumerate() {
        let Some(law) = LawKind::named(name) else { continue };
        let other = under(scenario, law)?;
        let Some(model) = &other.cable else { continue };
        let fail = |e: CableError| RunError::Cable { study: name.to_owned(), reason: model.explain(&e) };
        let start = model.start().map_err(fail)?.state;
        let trial =
            run(model, CableMethod::default(), &start, duration, f64::INFINITY, &mut ()).map_err(fail)?;
        let Some(trial) = trial else { continue };
        let off = quinn.as_ref().map_or(0.0, |q| apart(&trial, q));
        let hold = (0..model.drums.len()).filter_map(|d| model.holds(d)).fold(0.0, f64::max);
        table.row([
            name.into(),
            Cell::number(hold),
            Cell::Number { value: trial.seconds, digits: 3 },
            Cell::Number { value: off, digits: 2 },
        ]);
        if off <= allowed && cheapest.is_none_or(|(_, s)| trial.seconds < 0.9 * s) {
            cheapest = Some((name, trial.seconds));
        }
        if quinn.is_none() {
            quinn = Some(trial);
        }
        if !progress.at((i + 1) as f64 / LAWS.len() as f64) {
            break;
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
