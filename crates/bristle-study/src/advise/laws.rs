//! Which law for a mechanism: every law in the scenario, and its features measured on a bench.

use super::contest::Contest;
use super::features::{self, Features};
use crate::error::RunError;
use crate::levels::levels;
use crate::progress::in_parallel;
use crate::scenario::Scenario;
use bristle_certify::probes::hold::HoldVerdict;
use bristle_law::LawKind;
use bristle_record::{Cell, Fact, Record, Table, Tone};
use bristle_solve::Progress;
use bristle_solve::{Dynamics, Output, Point, Solver};

/// How a law did in the scenario.
struct LawCandidate {
    law: LawKind,
    work: Option<usize>,
    features: Option<Features>,
    trouble: String,
}

/// Tries every law at the first contact.
///
/// # Errors
/// [`RunError::Stopped`].
pub(crate) fn advise(
    scenario: &Scenario,
    contest: &Contest,
    record: &mut Record,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let Some(contact) = scenario.system.contacts().first() else { return Ok(()) };
    let try_law =
        |law: &LawKind| candidate(scenario, &contact.name, *law, contest.duration, contest.accuracy);
    let candidates = in_parallel(LawKind::ALL, try_law, progress)?;
    law_advice(contact.kind, &candidates, record);
    Ok(())
}

/// Runs one law in the scenario and on the bench.
fn candidate(
    scenario: &Scenario,
    contact: &str,
    law: LawKind,
    duration: f64,
    tolerance: f64,
) -> LawCandidate {
    let mut found = LawCandidate { law, work: None, features: None, trouble: String::new() };
    let other = match scenario.with_law(law) {
        Ok(other) => other,
        Err(error) => {
            found.trouble = error.to_string();
            return found;
        }
    };
    let (system, p) = (&other.system, other.system.params());
    let solver = Solver { max_steps: 500_000, ..Solver::with_tolerance(tolerance) };
    let start = system.initial(p);
    let load = normal_load(&other, contact, &start.x);
    match solver.run(system, p, start, duration, &Output::Ends, &mut ()) {
        Ok(run) => found.work = Some(run.statistics.work(system.dim() - system.quadratures())),
        Err(error) => found.trouble = error.to_string(),
    }
    let spec = other.parts.iter().find(|(n, _)| n == contact).and_then(|(_, s)| s.table("law"));
    if let Some(spec) = spec {
        let (grip, bench_load) = if spec.as_forces { (1.0, f64::NAN) } else { (load, load) };
        let own = levels(spec, grip);
        // A law without static friction is tried with that of the scenario's own law.
        let asked = scenario.parts.iter().find(|(n, _)| n == contact).and_then(|(_, s)| s.table("law"));
        let asked = asked.and_then(|s| levels(s, grip));
        let peak = asked.map_or(0.0, |(_, s)| s);
        let asked = own.map(|(kinetic, own_peak)| (kinetic, own_peak.max(peak)));
        match features::measure(spec, asked, bench_load) {
            Ok(features) => found.features = Some(features),
            Err(error) => found.trouble = error.to_string(),
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

/// What the scenario's own law does, which laws would do, and all of them in a table.
fn law_advice(present: LawKind, candidates: &[LawCandidate], record: &mut Record) {
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
        "cheapest that neither creeps nor drifts and has static friction",
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
        ("below static friction", ""),
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
            lacks.push("creeps under loads near its static friction".to_owned());
        }
        HoldVerdict::Creeps => {
            lacks.push(format!("creeps at {:.1e} m/s under half its kinetic friction", features.creep));
        }
        HoldVerdict::BreaksAway => lacks.push("breaks away below its static friction".to_owned()),
    }
    if features.holds() && features.drifts {
        lacks.push(format!("drifts by {:.1e} m per cycle below its static friction", features.drift));
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

fn row(candidate: &LawCandidate) -> Vec<Cell> {
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
