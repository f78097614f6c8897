//! What happens to the steady state when a parameter changes?

pub(crate) mod draw;

use super::subject::{Subject, View, say, with_unit};
use crate::analysis::{self, ParamPlace};
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::branch::{EquilibriumBranch, Range, SpecialKind};
use bristle_analysis::cycles::{OrbitBranch, OrbitKind};
use bristle_analysis::hopf::{Criticality, Hopf};
use bristle_analysis::shooting::Shooting;
use bristle_analysis::{ContinuationSettings, CurveEnd};
use bristle_core::Card;
use bristle_record::{Cell, Data, Fact, Section, Table, Tone};
use bristle_solve::Progress;

/// Follows the steady state over one parameter.
///
/// ```text
/// 0 = f(x, p) by pseudo-arclength;  Hopf: λ = ±iω, p = p_H + κ A² + …,  l₁ < 0 supercritical, l₁ > 0 subcritical
/// ```
///
/// Locates folds and Hopf points; a zero of the Hurwitz determinant that belongs to two real eigenvalues is
/// reported as a neutral saddle. Every Hopf point comes with its first Lyapunov coefficient, the curvature of the
/// branch of cycles and a verdict in words. With `cycles = true` that branch is followed too, so that the verdict
/// can say how far a cycle coexists with the stable steady state.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "branch",
    entry(name = "parameter", text, doc = "Path of the parameter, such as `belt.v`."),
    entry(name = "from", text, doc = "First value, with its unit."),
    entry(name = "to", text, doc = "Last value, with its unit."),
    entry(name = "cycles", flag, doc = "Whether the cycles born at Hopf points are followed as well."),
    entry(
        name = "section",
        text,
        optional,
        doc = "State whose fall through zero cuts the cycles; the integral of a controller or the first body's velocity unless given."
    )
)]
pub struct Branch<S> {
    /// Longest step along the branch, relative.
    #[param(symbol = "Δs", unit = "1", default = 0.05, min = 1e-6, max = 1.0)]
    pub step: S,
    /// Most points.
    #[param(symbol = "N", unit = "1", default = 2000, min = 2, max = 1e5, whole)]
    pub points: S,
    /// Amplitude of the first cycle, relative to the steady displacement.
    #[param(symbol = "A", unit = "1", default = 0.05, min = 1e-6, max = 10.0)]
    pub amplitude: S,
}

/// A Hopf point and the cycles born there, where they were followed.
pub(crate) struct Onset<'a> {
    pub(crate) hopf: &'a Hopf,
    pub(crate) cycles: Option<OrbitBranch>,
}

impl Onset<'_> {
    /// How far from the onset, on the stable side, a cycle was found.
    pub(crate) fn reach(&self) -> Option<f64> {
        let cycles = self.cycles.as_ref()?;
        let at = self.hopf.steady.p[self.hopf.parameter];
        let farthest = |a: f64, b: f64| if (b - at).abs() > (a - at).abs() { b } else { a };
        let is_stable_side = |v: &f64| (v - at) * self.hopf.crossing < 0.0;
        cycles.points.iter().map(|o| o.p[cycles.parameter]).filter(is_stable_side).reduce(farthest)
    }
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let (place, range) = subject.range(["parameter", "from", "to"])?;
    let pace = ContinuationSettings {
        max_step: subject.number("step"),
        points: subject.count("points"),
        ..ContinuationSettings::default()
    };
    let found = analysis::branch(subject.system, &subject.p, range, pace).map_err(|e| subject.fail(e))?;
    let is_wanted = study.spec.flags.iter().any(|f| f == "cycles");
    let hopfs: Vec<&Hopf> = found.hopfs().collect();
    let mut onsets = Vec::new();
    for (i, hopf) in hopfs.iter().enumerate() {
        // Once stopped, what was found already is told without the cycles.
        let goes_on = progress.at(0.2 + 0.8 * i as f64 / hopfs.len() as f64);
        let cycles = if is_wanted && goes_on { follow(&subject, hopf, range) } else { None };
        onsets.push(Onset { hopf, cycles });
    }
    let mut section =
        Section { heading: format!("Branch over `{}` ({})", place.path, study.name), blocks: Vec::new() };
    section.push(draw::diagram(&subject, &place, &found, &onsets));
    section.push(draw::growth(&subject, &place, &found));
    section.push(special_table(&subject, &place, &found));
    for onset in &onsets {
        section.blocks.extend(cycle_table(&place, onset).map(Into::into));
    }
    let data = data(&subject, &place, &found);
    Ok(Answer { facts: facts(&place, &found, &onsets), sections: vec![section], data, ..Answer::default() })
}

/// The cycles born at a Hopf point, as far as they can be followed within three times the range.
fn follow(subject: &Subject, hopf: &Hopf, range: Range) -> Option<OrbitBranch> {
    let (q, ..) = subject.shown();
    let p = &hopf.steady.p;
    let size = hopf.steady.x[q].abs().max(1e-6);
    // A start off the equilibrium, so that the motion meets the section at all.
    let mut start = hopf.steady.x.clone();
    start[q] += 0.1 * size;
    let base = Shooting { limit: 1000.0 / hopf.omega, ..Shooting::default() };
    let map = subject.returns(p, &start, base).ok()?;
    let amplitude = subject.number("amplitude") * size;
    let born =
        [1.0, 0.3, 0.1].into_iter().find_map(|f| analysis::from_hopf(&map, hopf, q, f * amplitude).ok())?;
    let value = p[hopf.parameter];
    let side = (born.p[hopf.parameter] - value).signum();
    let (low, high) = (range.from.min(range.to), range.from.max(range.to));
    // Away from the onset first.
    let range = if side > 0.0 {
        Range { from: low, to: high, ..range }
    } else {
        Range { from: high, to: low, ..range }
    };
    let pace = ContinuationSettings {
        max_step: subject.number("step").min(0.03),
        points: 400,
        ..ContinuationSettings::default()
    };
    analysis::cycles(&map, &born, range, pace).ok()
}

fn facts(place: &ParamPlace, found: &EquilibriumBranch, onsets: &[Onset]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for onset in onsets {
        let at = onset.hopf.steady.p[onset.hopf.parameter];
        let (words, tone) = words(place, onset);
        let label = format!("onset at `{}` = {}", place.path, with_unit(at, &place.unit));
        let mut fact = Fact::verdict(label, words, tone).named(format!("onset.{}", place.path));
        fact = fact.measuring(at, &place.unit);
        fact.note = format!(
            "$l_1$ = {}, frequency {} Hz",
            say(onset.hopf.l1),
            say(onset.hopf.omega / std::f64::consts::TAU)
        );
        facts.push(fact);
    }
    let count = |stable: bool| found.points.iter().filter(|s| s.is_stable() == stable).count();
    if onsets.is_empty() {
        let (words, tone) = match (count(true), count(false)) {
            (_, 0) => ("stable throughout the range", Tone::Good),
            (0, _) => ("unstable throughout the range", Tone::Bad),
            _ => ("changes its stability, but not at a Hopf point", Tone::Warn),
        };
        facts.push(Fact::verdict(format!("steady state over `{}`", place.path), words, tone));
        let rate = |pick: fn(f64, f64) -> f64| {
            let rates = found.points.iter().filter_map(|s| s.eigen.first().map(|e| e.value.re));
            rates.reduce(pick).unwrap_or(f64::NAN)
        };
        facts.push(Fact::number("largest growth rate in the range", rate(f64::max), "1/s"));
        facts.push(Fact::number("smallest growth rate in the range", rate(f64::min), "1/s"));
    }
    let saddles = found.special.iter().filter(|s| matches!(s.kind, SpecialKind::NeutralSaddle)).count();
    if saddles > 0 {
        let mut fact = Fact::number("neutral saddles", saddles as f64, "");
        fact.note =
            "zeros of the Hurwitz determinant at which nothing oscillates; not Hopf points".to_owned();
        facts.push(fact);
    }
    if found.end != CurveEnd::Range {
        let last = found.points.last().map_or(f64::NAN, |s| s.p[found.parameter]);
        let words = format!("the branch ends at {}: {}", with_unit(last, &place.unit), why(found.end));
        facts.push(Fact::verdict("range", words, Tone::Warn));
    }
    facts
}

/// Why a curve ended, in words.
pub(crate) fn why(end: CurveEnd) -> &'static str {
    match end {
        CurveEnd::Range => "the end of the range",
        CurveEnd::Points => "as many points as were allowed",
        CurveEnd::Closed => "it closes on itself",
        CurveEnd::Mode => "a contact would stop or break away there",
        CurveEnd::Stalled => "even the smallest step failed",
    }
}

/// The verdict on an onset in words.
pub(crate) fn words(place: &ParamPlace, onset: &Onset) -> (String, Tone) {
    let reach = onset.reach().map(|value| with_unit(value, &place.unit));
    match (onset.hopf.verdict, reach) {
        (Criticality::Subcritical, Some(reach)) => {
            // Without a fold the cycle was not seen to end, whatever ended the search for it.
            let ends = |c: &OrbitBranch| c.special.iter().any(|s| s.kind == OrbitKind::Fold);
            let is_open = !onset.cycles.as_ref().is_some_and(ends);
            let far = if is_open { "at least up to" } else { "up to" };
            (
                format!("subcritical: the local boundary is not safe; a cycle coexists {far} {reach}"),
                Tone::Bad,
            )
        }
        (Criticality::Subcritical, None) => (onset.hopf.verdict.to_string(), Tone::Bad),
        (Criticality::Supercritical, _) => (onset.hopf.verdict.to_string(), Tone::Warn),
        (Criticality::Degenerate, _) => (onset.hopf.verdict.to_string(), Tone::Warn),
    }
}

fn special_table(subject: &Subject, place: &ParamPlace, found: &EquilibriumBranch) -> Table {
    let (q, name, unit) = subject.shown();
    let columns = [
        ("what", ""),
        (place.path.as_str(), place.unit.as_str()),
        (name.as_str(), unit),
        ("$ω$", "rad/s"),
        ("$l_1$", ""),
        ("$κ$", ""),
        ("crossing", "1/s per unit"),
        ("criticality", ""),
    ];
    let mut table = Table::new("Special points of the branch", &columns);
    for special in &found.special {
        let number = |value| Cell::Number { value, digits: 11 };
        let mut row = vec![
            match &special.kind {
                SpecialKind::Fold => "fold",
                SpecialKind::BranchPoint => "branch point",
                SpecialKind::Hopf(_) => "Hopf",
                SpecialKind::NeutralSaddle => "neutral saddle (not a Hopf point)",
            }
            .into(),
            number(special.steady.p[place.index]),
            number(special.steady.x[q]),
        ];
        if let SpecialKind::Hopf(hopf) = &special.kind {
            let verdict = match hopf.verdict {
                Criticality::Supercritical => "supercritical",
                Criticality::Subcritical => "subcritical",
                Criticality::Degenerate => "degenerate",
            };
            row.extend([
                number(hopf.omega),
                number(hopf.l1),
                number(hopf.curvature[q]),
                number(hopf.crossing),
                verdict.into(),
            ]);
        }
        table.row(row);
    }
    table
}

/// A special cycle in words.
pub(crate) fn cycle_kind(kind: OrbitKind) -> &'static str {
    match kind {
        OrbitKind::Fold => "fold of cycles",
        OrbitKind::Flip => "flip (the period doubles)",
        OrbitKind::BranchPoint => "branch point of cycles",
        OrbitKind::Torus => "torus",
    }
}

/// Folds and flips of the cycles born at a Hopf point.
pub(crate) fn cycle_table(place: &ParamPlace, onset: &Onset) -> Option<Table> {
    let cycles = onset.cycles.as_ref()?;
    let at = onset.hopf.steady.p[onset.hopf.parameter];
    let columns = [
        ("what", ""),
        (place.path.as_str(), place.unit.as_str()),
        ("period", "s"),
        ("leading multiplier", ""),
    ];
    let mut table = Table::new(format!("Cycles born at {}", with_unit(at, &place.unit)), &columns);
    for special in &cycles.special {
        let what = cycle_kind(special.kind);
        let orbit = &special.orbit;
        let number = |value| Cell::Number { value, digits: 10 };
        table.row([
            what.into(),
            number(orbit.p[place.index]),
            number(orbit.period),
            number(orbit.leading().re),
        ]);
    }
    if let Some(last) = cycles.points.last() {
        let number = |value| Cell::Number { value, digits: 10 };
        let what = format!("end: {}", why(cycles.end));
        table.row([what.into(), number(last.p[place.index]), number(last.period), number(last.leading().re)]);
    }
    Some(table)
}

fn data(subject: &Subject, place: &ParamPlace, found: &EquilibriumBranch) -> Data {
    let mut data = Data::default();
    let (q, name, unit) = subject.shown();
    let of = |f: &dyn Fn(&bristle_analysis::steady::SteadyState) -> f64| {
        found.points.iter().map(f).collect::<Vec<_>>()
    };
    data.push(&place.path, &place.unit, of(&|s| s.p[place.index]));
    data.push(name, unit, of(&|s| s.x[q]));
    data.push("largest real part", "1/s", of(&|s| s.eigen.first().map_or(f64::NAN, |e| e.value.re)));
    data.push("unstable eigenvalues", "1", of(&|s| s.unstable() as f64));
    data
}
