//! Where is the onset in a plane of two parameters?

use super::subject::{Subject, View, say, with_unit};
use crate::analysis::{self, ParamPlace};
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::boundary::{BoundaryPoint, HopfBoundary};
use bristle_analysis::branch::{EquilibriumBranch, Range};
use bristle_analysis::hopf::Hopf;
use bristle_analysis::{AnalysisError, ContinuationSettings, CurveEnd};
use bristle_core::Card;
use bristle_record::{Axis, Cell, Data, Fact, Line, Marker, Plot, Scatter, Section, Table, Tone};
use bristle_solve::Progress;

/// Follows the onset of self-excited vibration in two parameters.
///
/// ```text
/// 0 = f(x, p),   Re λ(x, p) = 0;   generalised Hopf points where l₁ = 0
/// ```
///
/// The first Lyapunov coefficient is known all along the curve: where it is positive, crossing the boundary makes
/// the motion jump, and a cycle coexists with stable sliding on the other side.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "boundary",
    entry(name = "x", text, doc = "Path of the first parameter, drawn to the right."),
    entry(name = "x_from", text, doc = "Its smallest value, with its unit."),
    entry(name = "x_to", text, doc = "Its largest value, with its unit."),
    entry(name = "y", text, doc = "Path of the second parameter, drawn upwards."),
    entry(name = "y_from", text, doc = "Its smallest value, with its unit."),
    entry(name = "y_to", text, doc = "Its largest value, with its unit.")
)]
pub struct Boundary<S> {
    /// Longest step along the curve, relative.
    #[param(symbol = "Δs", unit = "1", default = 0.05, min = 1e-6, max = 1.0)]
    pub step: S,
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let plane = ParameterPlane::of(&subject)?;
    let found = curves(&subject, &plane, subject.number("step"), progress);
    let mut plot = plane.plot(&subject, "boundary");
    draw(&mut plot, &found.curves);
    let mut section =
        Section { heading: format!("Onset over two parameters ({})", study.name), blocks: Vec::new() };
    section.push(plot);
    if found.curves.is_empty() {
        section.blocks.extend(growth(&subject, &plane, &found).into_iter().map(Into::into));
    } else {
        section.push(table(&plane, &found.curves));
    }
    section.blocks.extend(generalised(&plane, &found.curves).map(Into::into));
    let data = data(&plane, &found.curves);
    Ok(Answer { facts: facts(&plane, &found), sections: vec![section], data, ..Answer::default() })
}

/// The onsets in a plane, and the lines on which they were looked for.
#[derive(Default)]
pub(crate) struct Onsets {
    /// The curves of onsets.
    pub(crate) curves: Vec<HopfBoundary>,
    /// Steady states along lines across the plane, with the parameter that varies along each.
    lines: Vec<(usize, EquilibriumBranch)>,
    /// Onsets that could not be followed.
    lost: usize,
    /// Lines along which steady states were not found from end to end.
    blind: usize,
}

/// The growth rate along lines across the plane: what there is to see where nothing sets on.
fn growth(subject: &Subject, plane: &ParameterPlane, found: &Onsets) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for (along, line) in &found.lines {
        let plot = super::branch::draw::growth(subject, &plane.places[*along], line);
        // One line along each parameter is enough.
        if !plots.iter().any(|p| p.x == plot.x) {
            plots.push(Plot { id: format!("{}-{along}", plot.id), ..plot });
        }
    }
    plots
}

/// Two parameters and their ranges, the horizontal one first.
pub(crate) struct ParameterPlane {
    pub(crate) places: [ParamPlace; 2],
    pub(crate) ranges: [Range; 2],
}

impl ParameterPlane {
    pub(crate) fn of(subject: &Subject) -> Result<Self, RunError> {
        let (x, xr) = subject.range(["x", "x_from", "x_to"])?;
        let (y, yr) = subject.range(["y", "y_from", "y_to"])?;
        Ok(ParameterPlane { places: [x, y], ranges: [xr, yr] })
    }

    pub(crate) fn plot(&self, subject: &Subject, stem: &str) -> Plot {
        let [x, y] = &self.places;
        let (x, y) = (Axis::new(x.label(), x.unit.clone()), Axis::new(y.label(), y.unit.clone()));
        let mut plot = Plot::new(subject.id(stem), "", x, y);
        let ends = |r: &Range| Some([r.from.min(r.to), r.from.max(r.to)]);
        (plot.x.range, plot.y.range) = (ends(&self.ranges[0]), ends(&self.ranges[1]));
        plot
    }
}

/// All onsets met on lines across the plane, each followed both ways; a curve met again counts once.
pub(crate) fn curves(
    subject: &Subject,
    plane: &ParameterPlane,
    step: f64,
    progress: &mut dyn Progress,
) -> Onsets {
    let pace = ContinuationSettings { max_step: step, ..ContinuationSettings::default() };
    let mut found = Onsets::default();
    for (along, across) in [(1, 0), (0, 1)] {
        let (line, other) = (plane.ranges[along], plane.ranges[across]);
        let now = subject.p[other.parameter];
        let mut values: Vec<f64> =
            [0.5, 0.15, 0.85].iter().map(|f| other.from + f * (other.to - other.from)).collect();
        if (now - other.from) * (now - other.to) <= 0.0 {
            values.insert(0, now);
        }
        for value in values {
            if !progress.at(0.5 + 0.1 * found.lines.len() as f64) {
                return found;
            }
            let mut p = subject.p.clone();
            p[other.parameter] = value;
            let Ok(branch) = analysis::branch(subject.system, &p, line, ContinuationSettings::default())
            else {
                found.blind += 1;
                continue;
            };
            found.blind += usize::from(branch.end != CurveEnd::Range);
            for hopf in branch.hopfs() {
                if !found.curves.iter().any(|c| lies_on(c, hopf, plane)) {
                    // One that cannot be followed takes no other with it.
                    match follow(subject, hopf, plane, pace) {
                        Ok(curve) => found.curves.push(curve),
                        Err(_) => found.lost += 1,
                    }
                }
            }
            found.lines.push((along, branch));
        }
        if !found.curves.is_empty() {
            break;
        }
    }
    found
}

fn follow(
    subject: &Subject,
    hopf: &Hopf,
    plane: &ParameterPlane,
    pace: ContinuationSettings,
) -> Result<HopfBoundary, AnalysisError> {
    analysis::boundary(subject.system, hopf, plane.ranges, pace)
}

/// Whether a Hopf point lies on a curve already known.
fn lies_on(curve: &HopfBoundary, hopf: &Hopf, plane: &ParameterPlane) -> bool {
    let unit = |j: usize, v: f64| v / (plane.ranges[j].to - plane.ranges[j].from);
    let scaled = |at: [f64; 2]| [unit(0, at[0]), unit(1, at[1])];
    let point = scaled([0, 1].map(|j| hopf.steady.p[plane.ranges[j].parameter]));
    curve.points.windows(2).any(|pair| {
        let (a, b) = (scaled(pair[0].at), scaled(pair[1].at));
        let d = [b[0] - a[0], b[1] - a[1]];
        let length = d[0].hypot(d[1]).max(1e-300);
        let s = (((point[0] - a[0]) * d[0] + (point[1] - a[1]) * d[1]) / (length * length)).clamp(0.0, 1.0);
        (point[0] - a[0] - s * d[0]).hypot(point[1] - a[1] - s * d[1]) < 2e-3 + 0.02 * length
    })
}

/// Draws curves: red where crossing them makes the motion jump, blue where it grows gently. What lies outside the
/// plot's ranges gets no entry in the legend.
pub fn draw(plot: &mut Plot, curves: &[HopfBoundary]) {
    let ranges = [plot.x.range, plot.y.range];
    let is_shown = |x: f64, y: f64| {
        let within = |r: Option<[f64; 2]>, v: f64| r.map_or(v.is_finite(), |[a, b]| v >= a && v <= b);
        within(ranges[0], x) && within(ranges[1], y)
    };
    for (wanted, label, colour) in
        [(true, "onset, subcritical: not safe", "bad"), (false, "onset, supercritical: gentle", "accent")]
    {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for curve in curves {
            // Each kind also draws the generalised points at its ends, so that no gap opens.
            let mut points: Vec<(&BoundaryPoint, bool)> =
                curve.points.iter().map(|b| (b, b.l1 > 0.0)).collect();
            for mark in &curve.generalised {
                let place = nearest_segment(&curve.points, mark);
                let is_after = |(b, _): &(&BoundaryPoint, bool)| std::ptr::eq(*b, &curve.points[place + 1]);
                if let Some(k) = points.iter().position(is_after) {
                    points.insert(k, (mark, wanted));
                }
            }
            for (point, kind) in points {
                let keep = kind == wanted;
                x.push(if keep { point.at[0] } else { f64::NAN });
                y.push(if keep { point.at[1] } else { f64::NAN });
            }
            x.push(f64::NAN);
            y.push(f64::NAN);
        }
        if x.iter().zip(&y).any(|(x, y)| is_shown(*x, *y)) {
            plot.push(Line { colour: colour.to_owned(), width: 2.2, ..Line::new(label, x, y) });
        }
    }
    let (x, y): (Vec<f64>, Vec<f64>) = curves
        .iter()
        .flat_map(|c| &c.generalised)
        .map(|b| (b.at[0], b.at[1]))
        .filter(|b| is_shown(b.0, b.1))
        .unzip();
    if !x.is_empty() {
        let base = Scatter::new("generalised Hopf", x, y);
        plot.push(Scatter { marker: Marker::Diamond, colour: "ink".to_owned(), ..base });
    }
    plot.caption =
        "Onset of vibration; where it is subcritical a cycle coexists with stable sliding".to_owned();
}

/// The piece of the curve on which `l₁` changes sign at this point.
fn nearest_segment(points: &[BoundaryPoint], mark: &BoundaryPoint) -> usize {
    let gap = |k: &usize| {
        let (a, b) = (&points[*k], &points[*k + 1]);
        let changes = a.l1 * b.l1 <= 0.0;
        let d = (a.at[0] - mark.at[0]).abs() + (b.at[0] - mark.at[0]).abs();
        if changes { d } else { f64::INFINITY }
    };
    (0..points.len().saturating_sub(1)).min_by(|a, b| gap(a).total_cmp(&gap(b))).unwrap_or(0)
}

/// What the curves say, the verdict first.
pub(crate) fn facts(plane: &ParameterPlane, found: &Onsets) -> Vec<Fact> {
    let curves = &found.curves;
    let points: Vec<&BoundaryPoint> = curves.iter().flat_map(|c| &c.points).collect();
    if points.is_empty() {
        return nothing(found);
    }
    let unsafe_count = points.iter().filter(|b| b.l1 > 0.0).count();
    let (words, tone) = if unsafe_count == points.len() {
        ("subcritical along all of it: the local boundary is not safe, a cycle coexists with stable sliding".to_owned(), Tone::Bad)
    } else if unsafe_count == 0 {
        ("supercritical along all of it: vibration grows gently from the boundary".to_owned(), Tone::Warn)
    } else {
        let share = 100.0 * unsafe_count as f64 / points.len() as f64;
        (format!("subcritical, and so not safe, along {share:.0} % of its computed points"), Tone::Bad)
    };
    let mut facts = vec![Fact::verdict("boundary", words, tone)];
    for mark in curves.iter().flat_map(|c| &c.generalised) {
        let [x, y] = &plane.places;
        let words = format!(
            "`{}` = {}, `{}` = {}",
            x.path,
            with_unit(mark.at[0], &x.unit),
            y.path,
            with_unit(mark.at[1], &y.unit)
        );
        let mut fact = Fact::new("generalised Hopf point", words);
        fact.note =
            format!("criticality changes there; frequency {} Hz", say(mark.omega / std::f64::consts::TAU));
        facts.push(fact);
    }
    if found.lost > 0 {
        facts.push(Fact::number("onsets that could not be followed", found.lost as f64, ""));
    }
    facts
}

/// No onset is an answer too: how fast disturbances grow or decay wherever was looked.
fn nothing(found: &Onsets) -> Vec<Fact> {
    let rates = found.lines.iter().flat_map(|(_, line)| &line.points);
    let rates: Vec<f64> = rates.filter_map(|s| s.eigen.first().map(|e| e.value.re)).collect();
    let largest = rates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let (words, tone) = silence(&rates, found.lost, found.blind);
    let mut facts = vec![Fact::verdict("boundary", words, tone)];
    if !rates.is_empty() {
        let label = |word: &str| format!("{word} growth rate on the lines looked along");
        facts.push(Fact::number(label("largest"), largest, "1/s").named("growth_rate_largest"));
        facts.push(Fact::number(label("smallest"), smallest, "1/s").named("growth_rate_smallest"));
    }
    facts
}

/// What it means that no onset was found, from the growth rates on the lines looked along.
fn silence(rates: &[f64], lost: usize, blind: usize) -> (&'static str, Tone) {
    let all = |is: fn(f64) -> bool| rates.iter().all(|rate| is(*rate));
    match (rates.is_empty(), lost, blind) {
        (true, ..) => ("no steady state was found on the lines looked along", Tone::Warn),
        (_, 1.., _) => ("onsets were met, but none could be followed", Tone::Warn),
        (_, _, 1..) if all(|rate| rate < 0.0) => (
            "no onset of vibration was met, but part of the plane has no steady state to look at",
            Tone::Warn,
        ),
        _ if all(|rate| rate < 0.0) => {
            ("no onset of vibration in this plane: stable wherever was looked", Tone::Good)
        }
        _ if all(|rate| rate > 0.0) => {
            ("no onset of vibration in this plane: unstable wherever was looked", Tone::Bad)
        }
        _ => ("no onset of vibration in this plane, yet stability changes in another way", Tone::Warn),
    }
}

fn generalised(plane: &ParameterPlane, curves: &[HopfBoundary]) -> Option<Table> {
    let marks: Vec<_> = curves.iter().flat_map(|c| &c.generalised).collect();
    let [x, y] = &plane.places;
    let columns = [(x.path.as_str(), x.unit.as_str()), (y.path.as_str(), y.unit.as_str()), ("$ω$", "rad/s")];
    let mut table = Table::new("Generalised Hopf points", &columns);
    for mark in &marks {
        table.row([mark.at[0], mark.at[1], mark.omega].map(|value| Cell::Number { value, digits: 11 }));
    }
    (!marks.is_empty()).then_some(table)
}

/// A dozen points along the curves.
pub(crate) fn table(plane: &ParameterPlane, curves: &[HopfBoundary]) -> Table {
    let [x, y] = &plane.places;
    let columns = [
        (x.path.as_str(), x.unit.as_str()),
        (y.path.as_str(), y.unit.as_str()),
        ("$ω$", "rad/s"),
        ("$l_1$", ""),
        ("criticality", ""),
    ];
    let mut table = Table::new("Points of the boundary", &columns);
    let points: Vec<&BoundaryPoint> = curves.iter().flat_map(|c| &c.points).collect();
    for point in points.iter().step_by((points.len() / 12).max(1)) {
        let number = |value| Cell::Number { value, digits: 9 };
        let word = if point.l1 > 0.0 { "subcritical" } else { "supercritical" };
        table.row([
            number(point.at[0]),
            number(point.at[1]),
            number(point.omega),
            number(point.l1),
            word.into(),
        ]);
    }
    table
}

fn data(plane: &ParameterPlane, curves: &[HopfBoundary]) -> Data {
    let mut data = Data::default();
    let of =
        |f: &dyn Fn(&BoundaryPoint) -> f64| curves.iter().flat_map(|c| &c.points).map(f).collect::<Vec<_>>();
    data.push(&plane.places[0].path, &plane.places[0].unit, of(&|b| b.at[0]));
    data.push(&plane.places[1].path, &plane.places[1].unit, of(&|b| b.at[1]));
    data.push("omega", "rad/s", of(&|b| b.omega));
    data.push("l1", "1", of(&|b| b.l1));
    data
}

#[cfg(test)]
mod boundary_tests {
    use super::*;

    /// Only decay everywhere, along whole lines, with nothing lost, is stable.
    #[test]
    fn a_plane_is_not_called_stable_by_what_was_not_looked_at() {
        let tone = |rates: &[f64], lost, blind| silence(rates, lost, blind).1;
        assert_eq!(tone(&[-1.0, -0.1], 0, 0), Tone::Good);
        assert_eq!(tone(&[-1.0, -0.1], 1, 0), Tone::Warn, "an onset that could not be followed");
        assert_eq!(tone(&[-1.0, -0.1], 0, 1), Tone::Warn, "a line that ended early");
        assert_eq!(tone(&[-1.0, 0.0], 0, 0), Tone::Warn, "neither grows nor decays");
        assert_eq!(tone(&[-1.0, f64::NAN], 0, 0), Tone::Warn, "a rate that is no number");
        assert_eq!(tone(&[-1.0, 0.1], 0, 0), Tone::Warn, "stable here, unstable there");
        assert_eq!(tone(&[1.0, 0.1], 0, 0), Tone::Bad);
        assert_eq!(tone(&[], 0, 0), Tone::Warn, "nothing to go by");
    }
}
