//! Diagrams of a branch.

use super::super::drawing::by_stability;
use super::super::subject::Subject;
use super::Onset;
use crate::analysis::ParamPlace;
use bristle_analysis::branch::{EquilibriumBranch, SpecialKind};
use bristle_analysis::cycles::{OrbitBranch, OrbitKind};
use bristle_analysis::orbit::{PeriodicOrbit, extremes};
use bristle_record::{Axis, Line, Marker, Plot, Rule, Scatter, Span};
use bristle_solve::{Method, Solver};

/// The bifurcation diagram: the equilibrium, the extremes of the cycles, the bistable band.
pub(super) fn diagram(
    subject: &Subject,
    place: &ParamPlace,
    found: &EquilibriumBranch,
    onsets: &[Onset],
) -> Plot {
    let (q, name, unit) = subject.shown();
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("diagram"), "", axis, Axis::new(format!("position `{name}`"), unit));
    for onset in onsets {
        if let (Some(reach), true) = (onset.reach(), onset.hopf.l1 > 0.0) {
            let at = onset.hopf.steady.p[onset.hopf.parameter];
            let span = Span {
                from: at,
                to: reach,
                label: "two attractors".to_owned(),
                colour: "warn".to_owned(),
                ..Span::default()
            };
            plot.push(span);
        }
    }
    let x: Vec<f64> = found.points.iter().map(|s| s.p[found.parameter]).collect();
    let y: Vec<f64> = found.points.iter().map(|s| s.x[q]).collect();
    let is_stable: Vec<bool> = found.points.iter().map(|s| s.is_stable()).collect();
    for line in by_stability("equilibrium", "ink", &x, &y, &is_stable) {
        plot.push(line);
    }
    for onset in onsets {
        if let Some(cycles) = &onset.cycles {
            let at = &onset.hopf.steady;
            for line in cycle_lines(subject, cycles, q, (at.p[cycles.parameter], at.x[q])) {
                plot.push(line);
            }
        }
    }
    for (label, marker, wanted) in
        [("Hopf", Marker::Circle, 0), ("fold", Marker::Diamond, 1), ("neutral saddle", Marker::Cross, 2)]
    {
        let of_kind = found.special.iter().filter(|s| match s.kind {
            SpecialKind::Hopf(_) => wanted == 0,
            SpecialKind::Fold | SpecialKind::BranchPoint => wanted == 1,
            SpecialKind::NeutralSaddle => wanted == 2,
        });
        let (x, y): (Vec<f64>, Vec<f64>) =
            of_kind.map(|s| (s.steady.p[found.parameter], s.steady.x[q])).unzip();
        if !x.is_empty() {
            plot.push(Scatter { marker, colour: "bad".to_owned(), ..Scatter::new(label, x, y) });
        }
    }
    plot.caption =
        "Solid is stable, dashed unstable; cycles are drawn by their largest and smallest position"
            .to_owned();
    plot
}

/// Largest and smallest position of each cycle, as far as drawing needs it.
pub(crate) fn swing(subject: &Subject, orbit: &PeriodicOrbit, q: usize) -> Option<(f64, f64)> {
    let solver = Solver { method: Method::Auto, rtol: 1e-7, atol: 1e-7, ..Solver::default() };
    let samples = orbit.profile(subject.system, &solver, 240).ok()?;
    extremes(&samples).get(q).copied()
}

/// The branch begins with a cycle of no size at the onset.
fn cycle_lines(subject: &Subject, cycles: &OrbitBranch, q: usize, onset: (f64, f64)) -> Vec<Line> {
    let parameter = cycles.parameter;
    let stride = (cycles.points.len() / 150).max(1);
    let kept: Vec<&PeriodicOrbit> = cycles.points.iter().step_by(stride).collect();
    let born = kept.first().is_some_and(|o| o.is_stable());
    let rows = kept
        .iter()
        .filter_map(|o| swing(subject, o, q).map(|(low, high)| (o.p[parameter], o.is_stable(), low, high)));
    let rows: Vec<(f64, bool, f64, f64)> =
        std::iter::once((onset.0, born, onset.1, onset.1)).chain(rows).collect();
    let x: Vec<f64> = rows.iter().map(|r| r.0).collect();
    let is_stable: Vec<bool> = rows.iter().map(|r| r.1).collect();
    let low: Vec<f64> = rows.iter().map(|r| r.2).collect();
    let high: Vec<f64> = rows.iter().map(|r| r.3).collect();
    let mut lines = by_stability("cycle", "accent", &x, &high, &is_stable);
    lines.extend(by_stability("", "accent", &x, &low, &is_stable));
    lines
}

/// Growth rate of the least stable mode along the branch.
pub(crate) fn growth(subject: &Subject, place: &ParamPlace, found: &EquilibriumBranch) -> Plot {
    let axis = Axis::new(place.label(), place.unit.clone());
    let mut plot = Plot::new(subject.id("growth"), "", axis, Axis::new("largest real part", "1/s"));
    let x: Vec<f64> = found.points.iter().map(|s| s.p[found.parameter]).collect();
    let y = found.points.iter().map(|s| s.eigen.first().map_or(f64::NAN, |e| e.value.re)).collect();
    plot.push(Rule::horizontal(0.0, ""));
    plot.push(Line::new("", x, y));
    plot.caption = "Growth rate of the least stable mode; sliding is stable where it is negative".to_owned();
    plot
}

/// Kinds of special orbits, for markers.
pub(crate) fn special_marks(cycles: &OrbitBranch, at: impl Fn(&PeriodicOrbit) -> f64) -> Vec<Scatter> {
    [(OrbitKind::Fold, "fold of cycles", Marker::Diamond), (OrbitKind::Flip, "flip", Marker::Triangle)]
        .into_iter()
        .filter_map(|(kind, label, marker)| {
            let (x, y): (Vec<f64>, Vec<f64>) = cycles
                .special
                .iter()
                .filter(|s| s.kind == kind)
                .map(|s| (s.orbit.p[cycles.parameter], at(&s.orbit)))
                .unzip();
            (!x.is_empty()).then(|| Scatter { marker, colour: "bad".to_owned(), ..Scatter::new(label, x, y) })
        })
        .collect()
}
