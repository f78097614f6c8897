//! Which cycles are there, stable or not?

use super::branch::{cycle_kind, draw, why};
use super::drawing::{by_stability, portrait, unit_circle};
use super::simulate::{label, observe_samples};
use super::subject::{Subject, View, say, with_unit};
use crate::analysis::{self, ParamPlace, Returns};
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::attractor::{Fate, Patience};
use bristle_analysis::cycles::OrbitBranch;
use bristle_analysis::find_orbits::OrbitSearch;
use bristle_analysis::orbit::{PeriodicOrbit, extremes};
use bristle_analysis::shooting::Shooting;
use bristle_analysis::{AnalysisError, ContinuationSettings};
use bristle_core::{Card, StateRole};
use bristle_mech::Spec;
use bristle_record::{Axis, Cell, Data, Fact, Line, Plot, Section, Table, Tone};
use bristle_solve::Progress;
use bristle_solve::Samples;

/// Finds periodic motions, stable and unstable, and follows one over a parameter.
///
/// ```text
/// ξ = P(ξ), P the return map of a section;   Floquet multipliers μ = eigenvalues of ∂P/∂ξ
/// ```
///
/// The motion from the scenario's start is watched; from its nearest recurrences Newton's method, with exact
/// derivatives through every switch, closes the cycle. With `points` a line across the returns is sent through the
/// return map as well, and wherever it comes back on the other side another cycle is closed; each is listed once. No
/// sequence of stick and slip is prescribed. With a parameter the first stable cycle, or else the first, is followed
/// through folds and grazing, and flips are located.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "orbit",
    entry(
        name = "section",
        text,
        optional,
        doc = "State whose fall through zero cuts the cycle; the integral of a controller or the first body's velocity unless given."
    ),
    entry(name = "parameter", text, optional, doc = "Path of a parameter to follow a cycle over."),
    entry(name = "from", text, optional, doc = "Smallest value, with its unit."),
    entry(name = "to", text, optional, doc = "Largest value, with its unit."),
    entry(
        name = "multiplicities",
        numbers = "1",
        optional,
        doc = "Returns per period of the cycles looked for; 1 and 2 unless given."
    )
)]
pub struct Orbit<S> {
    /// Returns that are watched before cycles are looked for.
    #[param(symbol = "n_0", unit = "1", default = 40, min = 8, max = 1e6, whole)]
    pub transient: S,
    /// Points across the returns between which coexisting cycles are looked for; 100 find most, 0 none.
    #[param(symbol = "n", unit = "1", default = 0, min = 0, max = 1e5, whole)]
    pub points: S,
    /// Longest wait for a return.
    #[param(symbol = "T", unit = "s", default = 100, min = 1e-9, max = 1e9)]
    pub limit: S,
    /// Relative tolerance of the integration.
    #[param(symbol = "rtol", unit = "1", default = 1e-11, min = bristle_solve::Solver::RTOL[0], max = 1e-4)]
    pub rtol: S,
    /// Longest step along the branch, relative.
    #[param(symbol = "Δs", unit = "1", default = 0.05, min = 1e-6, max = 1.0)]
    pub step: S,
}

pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let given = |key: &str| !spec.named(key).is_empty();
    (given("parameter") && !(given("from") && given("to")))
        .then(|| ("parameter", "a parameter needs `from` and `to` as well".to_owned()))
        .or_else(|| super::multiplicities(spec))
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let mut base = Shooting { limit: subject.number("limit"), ..Shooting::default() };
    base.solver.rtol = subject.number("rtol");
    base.solver.atol = base.solver.rtol;
    base.tolerance = base.tolerance.max(10.0 * base.solver.rtol);
    let start = subject.system.initial(&subject.p).x;
    let map = subject.returns(&subject.p, &start, base)?;
    let hunt = OrbitSearch {
        multiplicities: match study.spec.list("multiplicities") {
            [] => vec![1, 2],
            list => list.iter().map(|n| *n as usize).collect(),
        },
        returns: subject.count("transient"),
        points: subject.count("points"),
    };
    let found = match analysis::find_orbits(&map, &subject.p, std::slice::from_ref(&start), &hunt) {
        // A motion without returns has no cycle, which is an answer.
        Err(AnalysisError::NoReturn { .. }) => Vec::new(),
        found => found.map_err(|e| subject.fail(e))?,
    };
    // Once stopped, the cycles found already are told without figures.
    let goes_on = progress.at(0.5);
    let mut section = Section { heading: format!("Cycles ({})", study.name), blocks: Vec::new() };
    let mut facts = if found.is_empty() { vec![none(&subject, &map, &start)] } else { facts(&found) };
    let mut data = Data::default();
    if !found.is_empty() && !goes_on {
        section.push(table(&subject, &found, &[]));
    } else if !found.is_empty() {
        let profiles: Vec<Samples> = found
            .iter()
            .take(4)
            .map(|o| analysis::profile(subject.system, o, &map, 1500))
            .collect::<Result<_, _>>()
            .map_err(|e| subject.fail(e))?;
        section.push(table(&subject, &found, &profiles));
        figures(&subject, &found, &profiles, &mut section);
        data = observe_samples(subject.system, &found[0].p, &profiles[0]);
        if subject.names("parameter") {
            let followed = found.iter().find(|o| o.is_stable()).unwrap_or(&found[0]);
            follow(&subject, &map, followed, &mut section, &mut facts)?;
        }
    }
    Ok(Answer { facts, sections: vec![section], data, ..Answer::default() })
}

/// A cycle in a few words.
fn name(orbit: &PeriodicOrbit, all: &[PeriodicOrbit]) -> String {
    let alike = all.iter().filter(|o| o.multiplicity == orbit.multiplicity).count();
    let base = format!("period-{}", orbit.multiplicity);
    if alike > 1 { format!("{base}, {} s", say(orbit.period)) } else { base }
}

/// Why there is no cycle: what the motion from the scenario's start does instead.
fn none(subject: &Subject, map: &Returns, start: &[f64]) -> Fact {
    let fate = analysis::attractor(map, &subject.p, start, Patience { lyapunov: 0, ..Patience::default() });
    let (words, tone) = match fate.map(|a| a.fate) {
        Ok(Fate::Rest) => ("none: the motion comes to rest".to_owned(), Tone::Good),
        Ok(fate @ (Fate::Sliding { .. } | Fate::RunsAway { .. } | Fate::GaveUp { .. })) => {
            (format!("none: the motion {}", super::sweep::fate(&fate)), Tone::Warn)
        }
        _ => ("none of these multiplicities was found".to_owned(), Tone::Warn),
    };
    Fact::verdict("cycles", words, tone)
}

fn facts(found: &[PeriodicOrbit]) -> Vec<Fact> {
    let stable = found.iter().filter(|o| o.is_stable()).count();
    let (words, tone) = match (stable, found.len()) {
        (0, n) => (format!("{n} found, all unstable: the motion settles to something else"), Tone::Warn),
        (1, 1) => ("one found, and it attracts".to_owned(), Tone::Neutral),
        (s, n) => (format!("{n} found, {s} of them stable"), Tone::Neutral),
    };
    let mut facts = vec![Fact::verdict("cycles", words, tone)];
    for orbit in found {
        let value = bristle_record::Value::Number { value: orbit.period, unit: "s".to_owned(), digits: 13 };
        let mut fact = Fact::new(format!("period of the {} cycle", name(orbit, found)), value);
        fact = fact.named(format!("period_of_period_{}", orbit.multiplicity));
        let word = if orbit.is_stable() { "stable" } else { "unstable" };
        fact.note = format!("{word}, leading multiplier {}", say_complex(orbit.leading()));
        facts.push(fact);
    }
    facts
}

fn say_complex(value: bristle_analysis::linear::C64) -> String {
    if value.im == 0.0 { say(value.re) } else { format!("{} ± {}i", say(value.re), say(value.im.abs())) }
}

fn table(subject: &Subject, found: &[PeriodicOrbit], profiles: &[Samples]) -> Table {
    let (q, body, unit) = subject.shown();
    let half = format!("half swing of {body}");
    let columns = [
        ("returns", ""),
        ("period", "s"),
        (half.as_str(), unit),
        ("leading multiplier", ""),
        ("stable", ""),
        ("closes to", ""),
    ];
    let mut table = Table::new("Cycles found", &columns);
    for (i, orbit) in found.iter().enumerate() {
        let swing = profiles.get(i).and_then(|s| extremes(s).get(q).copied());
        let swing = swing.map_or(f64::NAN, |(low, high)| 0.5 * (high - low));
        table.row([
            orbit.multiplicity.to_string().into(),
            Cell::Number { value: orbit.period, digits: 13 },
            Cell::Number { value: swing, digits: 9 },
            say_complex(orbit.leading()).into(),
            if orbit.is_stable() { "yes" } else { "no" }.into(),
            format!("{:.0e}", orbit.residual).into(),
        ]);
    }
    table
}

fn figures(subject: &Subject, found: &[PeriodicOrbit], profiles: &[Samples], section: &mut Section) {
    let Some(motion) = subject.system.free_motions().into_iter().next() else { return };
    let [q, v] = motion.states;
    let label = |i: usize| {
        let word = if found[i].is_stable() { "stable" } else { "unstable" };
        format!("{}, {word}", name(&found[i], found))
    };
    let lines: Vec<_> = profiles
        .iter()
        .enumerate()
        .map(|(i, s)| (label(i), s.column(q).collect(), s.column(v).collect()))
        .collect();
    let rest = analysis::steady(subject.system, &subject.p).ok();
    let rest = rest.map(|s| ([s.x[q], s.x[v]], s.is_stable()));
    section.push(portrait(subject.id("portrait"), &motion, &lines, rest));
    let groups: Vec<_> =
        found.iter().enumerate().take(4).map(|(i, o)| (label(i), o.multipliers.clone())).collect();
    section.push(unit_circle(subject.id("multipliers"), &groups));
    let observed = observe_samples(subject.system, &found[0].p, &profiles[0]);
    section.push(over_time(subject, &observed));
    if let Some(plot) = dwell(subject, &observed) {
        section.push(plot);
    }
}

fn over_time(subject: &Subject, data: &Data) -> Plot {
    let axis = Axis::new("slip rate $w$", "m/s");
    let mut plot = Plot::new(subject.id("slip-rate"), "", Axis::new("time $t$", "s"), axis);
    let column = super::simulate::column;
    for contact in subject.system.contacts() {
        let rate = column(data, &format!("{}.slip_rate", contact.name)).to_vec();
        plot.push(Line::new(contact.name.clone(), column(data, "time").to_vec(), rate));
    }
    plot.caption = "Slip rate over one period of the first cycle".to_owned();
    plot
}

/// The age of the contact over the slip rate, where the law has one.
fn dwell(subject: &Subject, data: &Data) -> Option<Plot> {
    let mut ages = subject.system.contacts().iter().filter_map(|contact| {
        let mut states = contact.kind.card().states.iter();
        Some((contact, states.find(|s| s.role == StateRole::Age)?))
    });
    let (contact, age) = ages.next()?;
    let column = |name: &str| super::simulate::column(data, &format!("{}.{name}", contact.name)).to_vec();
    let (x, y) = (Axis::new("slip rate $w$", "m/s"), Axis::new(label(age.name), age.unit));
    let mut plot = Plot::new(subject.id("dwell"), "", x, y);
    plot.push(Line::new("", column("slip_rate"), column(age.name)));
    plot.caption = format!("Dwell time of `{}` against its slip rate over one period", contact.name);
    Some(plot)
}

/// Follows a cycle both ways and reports what it meets.
fn follow(
    subject: &Subject,
    map: &Returns,
    start: &PeriodicOrbit,
    section: &mut Section,
    facts: &mut Vec<Fact>,
) -> Result<(), RunError> {
    let (place, range) = subject.range(["parameter", "from", "to"])?;
    let pace = ContinuationSettings {
        max_step: subject.number("step"),
        points: 600,
        ..ContinuationSettings::default()
    };
    let (low, high) = (range.from.min(range.to), range.from.max(range.to));
    let mut ways = Vec::new();
    for (from, to) in [(low, high), (high, low)] {
        let range = bristle_analysis::branch::Range { from, to, ..range };
        ways.push(analysis::cycles(map, start, range, pace).map_err(|e| subject.fail(e))?);
    }
    section.push(diagram(subject, &place, &ways));
    section.push(special_table(&place, &ways));
    for special in ways.iter().flat_map(|w| &w.special) {
        let at = special.orbit.p[place.index];
        let value = bristle_record::Value::Number { value: at, unit: place.unit.clone(), digits: 10 };
        facts.push(Fact::new(cycle_kind(special.kind), value));
    }
    for way in ways.iter().filter(|w| w.end != bristle_analysis::CurveEnd::Range) {
        let at = way.points.last().map_or(f64::NAN, |o| o.p[place.index]);
        facts.push(Fact::new(
            "branch of cycles ends at",
            format!("{}: {}", with_unit(at, &place.unit), why(way.end)),
        ));
    }
    Ok(())
}

fn diagram(subject: &Subject, place: &ParamPlace, ways: &[OrbitBranch]) -> Plot {
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("branch"), "", axis, Axis::new("period $T$", "s"));
    for (i, way) in ways.iter().enumerate() {
        let x: Vec<f64> = way.points.iter().map(|o| o.p[place.index]).collect();
        let y: Vec<f64> = way.points.iter().map(|o| o.period).collect();
        let is_stable: Vec<bool> = way.points.iter().map(PeriodicOrbit::is_stable).collect();
        for mut line in by_stability("cycle", "accent", &x, &y, &is_stable) {
            let is_known = plot.layers.iter().any(|l| l.label() == line.label);
            if i > 0 && is_known {
                line.label = String::new();
            }
            plot.push(line);
        }
        for mut marks in draw::special_marks(way, |o| o.period) {
            if plot.layers.iter().any(|l| l.label() == marks.label) {
                marks.label = String::new();
            }
            plot.push(marks);
        }
    }
    plot.caption = "Period of the cycle over the parameter; solid is stable".to_owned();
    plot
}

fn special_table(place: &ParamPlace, ways: &[OrbitBranch]) -> Table {
    let columns = [
        ("what", ""),
        (place.path.as_str(), place.unit.as_str()),
        ("period", "s"),
        ("leading multiplier", ""),
    ];
    let mut table = Table::new("Special cycles on the branch", &columns);
    for special in ways.iter().flat_map(|w| &w.special) {
        let orbit = &special.orbit;
        let number = |value| Cell::Number { value, digits: 10 };
        let row = [number(orbit.p[place.index]), number(orbit.period), number(orbit.leading().re)];
        table.row([Cell::from(cycle_kind(special.kind))].into_iter().chain(row));
    }
    table
}
