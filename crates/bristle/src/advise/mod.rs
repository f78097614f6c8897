//! Which method, and which law: advice computed from runs of the scenario itself.

pub mod features;

use crate::certify::probes::hold::HoldVerdict;
use crate::error::RunError;
use crate::levels::levels;
use crate::progress::{Progress, in_parallel};
use crate::scenario::Scenario;
use crate::studies::work_precision::{Benchmark, TOLERANCES, Trial, work};
use bristle_law::LawKind;
use bristle_record::{Cell, Fact, Record, Table, Tone};
use bristle_solve::{Dynamics, Method, Output, Point, Solver};
use features::Features;

/// What to use for a scenario, and why.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The cheapest method that reaches the accuracy, and the tolerance it needs; of a cable the report tells.
    pub method: Option<(Method, f64)>,
    /// The report.
    pub record: Record,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
}

/// How a law did in the scenario.
struct Candidate {
    law: LawKind,
    work: Option<usize>,
    features: Option<Features>,
    trouble: String,
}

/// Tries every method at several tolerances on the scenario's first simulation, and every law in it.
///
/// `accuracy` is the largest error over time allowed, relative to the range of motion.
pub fn advise(scenario: &Scenario, accuracy: f64, progress: &mut dyn Progress) -> Result<Advice, RunError> {
    if scenario.cable.is_some() {
        return crate::cable::advise(scenario, accuracy, progress);
    }
    let nothing = || RunError::NothingToCompare { scenario: scenario.name.clone() };
    let duration = duration(scenario).ok_or_else(nothing)?;
    let mut record = Record::new(format!("Advice for {}", scenario.title));
    for warning in scenario.system.warnings() {
        record.facts.push(Fact::verdict("note", warning.as_str(), Tone::Warn));
    }
    progress.begin("methods");
    let (benchmark, confirmed) = Benchmark::confirmed(&scenario.system, duration)?;
    record.facts.push(reference_fact(confirmed, accuracy));
    let jobs: Vec<(Method, f64)> =
        Method::ALL.iter().flat_map(|m| TOLERANCES.map(|tolerance| (*m, tolerance))).collect();
    let trials = in_parallel(&jobs, |(method, tol)| benchmark.trial(*method, *tol), progress)?;
    let best = method_advice(&trials, accuracy, &mut record);
    let stopped = |mut record: Record| {
        let words = "the laws were not compared to the end";
        record.facts.insert(0, Fact::verdict("stopped early", words, Tone::Warn));
        Ok(Advice { method: best, record, stopped_early: true })
    };
    if !progress.at(0.6) {
        return stopped(record);
    }
    progress.begin("laws");
    if let Some(contact) = scenario.system.contacts().first() {
        let (name, present) = (contact.name.clone(), contact.kind);
        let try_law = |law: &LawKind| candidate(scenario, &name, *law, duration, accuracy);
        match in_parallel(LawKind::ALL, try_law, progress) {
            Ok(candidates) => law_advice(present, &candidates, &mut record),
            Err(RunError::Stopped) => return stopped(record),
            Err(other) => return Err(other),
        }
    }
    Ok(Advice { method: best, record, stopped_early: false })
}

/// How well the reference is known, by another method at another tolerance.
fn reference_fact(confirmed: f64, accuracy: f64) -> Fact {
    let is_known = confirmed <= 0.1 * accuracy;
    let words = format!("confirmed to {confirmed:.0e} of the motion by another method");
    let mut fact = Fact::verdict("reference run", words, if is_known { Tone::Good } else { Tone::Warn });
    fact.note = if is_known {
        "no resting contact carries more than its limit".to_owned()
    } else {
        format!(
            "errors below {:.0e} cannot be told apart: the motion is sensitive, or hard to follow",
            10.0 * confirmed
        )
    };
    fact
}

/// How long the scenario's first simulation runs.
fn duration(scenario: &Scenario) -> Option<f64> {
    let study = scenario.studies.iter().find(|s| s.kind.card().name == "simulate")?;
    study.spec.numbers.first().copied().filter(|d| d.is_finite())
}

/// The cheapest method that reaches the accuracy; all methods in a table.
fn method_advice(trials: &[Trial], accuracy: f64, record: &mut Record) -> Option<(Method, f64)> {
    let reaches = |t: &&Trial| t.failure.is_none() && t.error <= accuracy;
    let mut ranking: Vec<(Method, Option<&Trial>)> = Method::ALL
        .iter()
        .map(|m| (*m, trials.iter().filter(|t| t.method == *m).filter(reaches).min_by_key(|t| t.work)))
        .collect();
    // Among equals the order of the catalogue decides, in which the default comes first.
    ranking.sort_by_key(|(_, trial)| trial.map_or(usize::MAX, |t| t.work));
    let best = ranking.first().and_then(|(method, trial)| trial.map(|t| (*method, t)));
    record.facts.push(match best {
        Some((method, trial)) => {
            let words = format!("`{}` with rtol = {:.0e}", method.name(), trial.tolerance);
            let mut fact = Fact::verdict("method", words, Tone::Good);
            fact.note = format!(
                "{} evaluations for an error of {:.1e}; {accuracy:.0e} was asked",
                trial.work, trial.error
            );
            fact
        }
        None => {
            let mut fact = Fact::verdict("method", "none reached the accuracy asked", Tone::Bad);
            fact.note = "ask for less, or look at the notes above".to_owned();
            fact
        }
    });
    let default = ranking.iter().find(|(m, _)| *m == Method::Auto).and_then(|(_, t)| *t);
    if let (Some((method, trial)), Some(default)) = (best, default)
        && method != Method::Auto
    {
        let ratio = default.work as f64 / trial.work.max(1) as f64;
        record
            .facts
            .push(Fact::new("the default", format!("`auto` takes {ratio:.1} times as many evaluations")));
    }
    let columns =
        [("method", ""), ("rtol", ""), ("evaluations", ""), ("error", ""), ("wrong or failed at", "")];
    let mut table =
        Table::new(format!("Cheapest run of each method with an error below {accuracy:.0e}"), &columns);
    for (method, trial) in &ranking {
        let bad: Vec<String> = trials
            .iter()
            .filter(|t| t.method == *method && !t.flag().is_empty())
            .map(|t| format!("{:.0e}{}", t.tolerance, t.flag().replace('x', "×")))
            .collect();
        let text = |f: &dyn Fn(&Trial) -> String| trial.map_or_else(|| "–".to_owned(), f);
        table.row([
            method.name().into(),
            text(&|t| format!("{:.0e}", t.tolerance)).into(),
            text(&|t| t.work.to_string()).into(),
            text(&|t| format!("{:.0e}", t.error)).into(),
            bad.join(" ").into(),
        ]);
    }
    let section = record.section("Methods");
    section.push(table);
    section.push(bristle_record::Block::paragraph(
        "× ended more than 1 % of the motion off the reference, ! did not end. A Jacobian counts as one evaluation \
         per state.",
    ));
    best.map(|(method, trial)| (method, trial.tolerance))
}

/// Runs one law in the scenario and on the bench.
fn candidate(scenario: &Scenario, contact: &str, law: LawKind, duration: f64, tolerance: f64) -> Candidate {
    let mut found = Candidate { law, work: None, features: None, trouble: String::new() };
    let other = match scenario.with_law(law) {
        Ok(other) => other,
        Err(fault) => {
            found.trouble = fault.to_string();
            return found;
        }
    };
    let (system, p) = (&other.system, other.system.params());
    let solver = Solver { max_steps: 500_000, ..Solver::with_tolerance(tolerance) };
    let start = system.initial(p);
    let load = normal_load(&other, contact, &start.x);
    match solver.run(system, p, start, duration, &Output::Ends, &mut ()) {
        Ok(run) => found.work = Some(work(system, &run.statistics)),
        Err(fault) => found.trouble = fault.to_string(),
    }
    let spec = other.parts.iter().find(|(n, _)| n == contact).and_then(|(_, s)| s.table("law"));
    if let Some(spec) = spec {
        let (grip, bench_load) = if spec.as_forces { (1.0, f64::NAN) } else { (load, load) };
        let own = levels(spec, grip);
        // A law without a static level is tried with that of the scenario's own law.
        let asked = scenario.parts.iter().find(|(n, _)| n == contact).and_then(|(_, s)| s.table("law"));
        let asked = asked.and_then(|s| levels(s, grip));
        let peak = asked.map_or(0.0, |(_, s)| s);
        let asked = own.map(|(kinetic, own_peak)| (kinetic, own_peak.max(peak)));
        match features::measure(spec, asked, bench_load) {
            Ok(features) => found.features = Some(features),
            Err(fault) => found.trouble = fault.to_string(),
        }
    }
    found
}

/// The normal load of a contact at the start.
fn normal_load(scenario: &Scenario, contact: &str, x: &[f64]) -> f64 {
    let system = &scenario.system;
    let name = format!("{contact}.load");
    let place = system.channels().iter().position(|c| c.name == name);
    let mode = vec![bristle_core::Mode::Stick; system.mode_count()];
    let point = Point { t: 0.0, x, p: system.params(), mode: &mode };
    place.map_or(1.0, |i| system.observe(&point)[i])
}

fn law_advice(present: LawKind, candidates: &[Candidate], record: &mut Record) {
    let own = candidates.iter().find(|c| c.law == present);
    if let Some(features) = own.and_then(|c| c.features) {
        record.facts.push(verdict_on(present, &features));
    }
    let cheapest = |wanted: &dyn Fn(&Features) -> bool| {
        // Emulations of other programs are for comparison with these, not for new work.
        let own = candidates.iter().filter(|c| !c.law.card().tags.contains(&"emulation"));
        let fit = own.filter(|c| c.features.as_ref().is_some_and(wanted));
        fit.filter_map(|c| Some((c.work?, c))).min_by_key(|(work, _)| *work)
    };
    let mut recommend = |label: &str, why: &str, wanted: &dyn Fn(&Features) -> bool| {
        let Some((work, candidate)) = cheapest(wanted) else { return };
        let mut fact = Fact::new(label, format!("`{}`", candidate.law.card().name));
        fact.note = format!("{why}; {work} evaluations in this scenario");
        record.facts.push(fact);
    };
    recommend(
        "to hold loads and break away",
        "cheapest that neither creeps nor drifts and has a static level",
        &|f| f.holds() && f.bears_static && !f.drifts,
    );
    recommend(
        "with compliance before sliding as well",
        "cheapest that also springs back and does not drift",
        &|f| f.holds() && f.bears_static && f.has_presliding && !f.drifts,
    );
    recommend(
        "with break-away that depends on the rate",
        "cheapest that holds and feels the rate of loading",
        &|f| f.holds() && f.bears_static && f.is_rate_dependent,
    );
    let columns = [
        ("law", ""),
        ("evaluations", ""),
        ("below the static level", ""),
        ("more than kinetic", ""),
        ("springs back", "m"),
        ("drift per cycle", "m"),
        ("rate-dependent", ""),
        ("remark", ""),
    ];
    let mut table =
        Table::new("Every law in this scenario, with features measured on a single block", &columns);
    for candidate in candidates {
        table.row(row(candidate));
    }
    record.section("Laws").push(table);
}

/// What the scenario's own law does and does not do.
fn verdict_on(law: LawKind, features: &Features) -> Fact {
    let mut lacks = Vec::new();
    match features.verdict {
        HoldVerdict::Holds => {}
        HoldVerdict::Creeps if features.has_stiction => {
            lacks.push("creeps under loads near its static level".to_owned());
        }
        HoldVerdict::Creeps => {
            lacks.push(format!("creeps at {:.1e} m/s under half its kinetic level", features.creep));
        }
        HoldVerdict::BreaksAway => lacks.push("breaks away below its static level".to_owned()),
    }
    if features.holds() && features.drifts {
        lacks.push(format!("drifts by {:.1e} m per cycle below its static level", features.drift));
    }
    if features.holds() && !features.bears_static {
        lacks.push("bears no more at rest than while sliding".to_owned());
    }
    let name = law.card().name;
    let (words, tone) = if lacks.is_empty() {
        (format!("`{name}` holds, breaks away and does not drift"), Tone::Good)
    } else {
        (format!("`{name}` {}", lacks.join(", ")), Tone::Warn)
    };
    let mut fact = Fact::verdict("the law as given", words, tone);
    fact.note = match (features.has_presliding, features.is_rate_dependent) {
        (true, true) => "springs back before sliding; break-away depends on the rate of loading",
        (true, false) => "springs back before sliding; break-away does not depend on the rate of loading",
        (false, true) => "rigid before sliding; break-away depends on the rate of loading",
        (false, false) => "rigid before sliding; break-away does not depend on the rate of loading",
    }
    .to_owned();
    fact
}

fn row(candidate: &Candidate) -> Vec<Cell> {
    let yes = |flag: bool| -> Cell { if flag { "yes" } else { "no" }.into() };
    let mut row: Vec<Cell> = vec![
        candidate.law.card().name.into(),
        candidate.work.map_or_else(|| "!".to_owned(), |w| w.to_string()).into(),
    ];
    match &candidate.features {
        Some(f) => {
            row.push(f.verdict.words().into());
            row.push(yes(f.bears_static));
            row.push(if f.has_presliding {
                Cell::Number { value: f.spring_back, digits: 2 }
            } else {
                "no".into()
            });
            row.push(if f.drifts { Cell::Number { value: f.drift, digits: 2 } } else { "no".into() });
            row.push(yes(f.is_rate_dependent));
        }
        None => row.extend((0..5).map(|_| Cell::from("–"))),
    }
    row.push(candidate.trouble.as_str().into());
    row
}

#[cfg(test)]
mod advise_tests {
    use super::*;

    /// Two runs that disagree, or of which one gave no answer, confirm nothing.
    #[test]
    fn a_reference_that_another_method_does_not_confirm_gets_no_tick() {
        let tone = |confirmed: f64| reference_fact(confirmed, 1e-4).tone;
        assert_eq!(tone(1e-9), Tone::Good);
        assert_eq!(tone(1e-5), Tone::Good);
        for confirmed in [1.1e-5, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(tone(confirmed), Tone::Warn, "{confirmed}");
        }
    }
}
