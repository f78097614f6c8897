//! Periodic orbits over a parameter: folds, flips, grazing, stability.
//!
//! Pseudo-arclength continuation of fixed points of the return map. Where an orbit begins to touch the surface on
//! which a contact switches, the map keeps its first derivative but not its second; steps shrink there and grow
//! again, and no sequence of stick and slip phases is prescribed.

use crate::AnalysisError;
use crate::continuation::{
    ContinuationSettings, CurveEnd, CurvePoint, SolutionCurve, StepControl, first_knot, locate,
};
use crate::linear::C64;
use crate::orbit::PeriodicOrbit;
use crate::range::{Range, units};
use crate::shooting::{Return, ReturnMap};
use bristle_solve::{Dynamics, State};
use nalgebra::{DMatrix, DVector};

/// What happens at a special orbit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrbitKind {
    /// The branch turns back: two orbits meet and vanish.
    Fold,
    /// A multiplier passes −1: the period doubles.
    Flip,
    /// A multiplier passes +1 without a turn: branches meet.
    BranchPoint,
    /// A complex pair passes the unit circle.
    Torus,
}

/// An orbit at which the character of a branch changes.
#[derive(Clone, Debug)]
pub struct SpecialOrbit {
    /// The orbit.
    pub orbit: PeriodicOrbit,
    /// What happens there.
    pub kind: OrbitKind,
}

/// A branch of periodic orbits.
#[derive(Clone, Debug)]
pub struct OrbitBranch {
    /// Index of the parameter that was varied.
    pub parameter: usize,
    /// The orbits, in order along the branch.
    pub points: Vec<PeriodicOrbit>,
    /// The special ones, in order along the branch.
    pub special: Vec<SpecialOrbit>,
    /// Why it ends.
    pub end: CurveEnd,
}

impl OrbitBranch {
    /// Parameter values at the special orbits of one kind.
    pub fn at(&self, kind: OrbitKind) -> Vec<f64> {
        let of_kind = self.special.iter().filter(|s| s.kind == kind);
        of_kind.map(|s| s.orbit.p[self.parameter]).collect()
    }
}

/// Fixed points of the return map: unknowns are the section coordinates and the parameter.
struct Fixed<'m, 'a, D> {
    map: &'m ReturnMap<'a, D>,
    p: Vec<f64>,
    range: Range,
    multiplicity: usize,
    like: State,
    last: Option<(Vec<f64>, Return)>,
}

impl<D: Dynamics> Fixed<'_, '_, D> {
    fn image(&mut self, y: &[f64]) -> Result<Return, AnalysisError> {
        // The point just corrected is asked for again when it is described.
        if let Some((at, image)) = &self.last
            && at == y
        {
            return Ok(image.clone());
        }
        let m = self.map.dim();
        self.p[self.range.parameter] = y[m];
        let state = self.map.state_at(&y[..m], &self.like);
        let image = self.map.run(&self.p, &state, self.multiplicity, Some(self.range.parameter))?;
        self.last = Some((y.to_vec(), image.clone()));
        Ok(image)
    }

    fn orbit(&mut self, knot: &CurvePoint) -> Result<PeriodicOrbit, AnalysisError> {
        let image = self.image(&knot.y)?;
        self.p[self.range.parameter] = knot.y[self.map.dim()];
        let state = self.map.state_at(&knot.y[..self.map.dim()], &self.like);
        let residual = self.map.miss(&state, &image).norm();
        if let Some(end) = image.hits.last() {
            self.like.mode.clone_from(&end.mode);
        }
        self.map.describe(&self.p, &state, image, residual)
    }
}

impl<D: Dynamics> SolutionCurve for Fixed<'_, '_, D> {
    fn eval(&mut self, y: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let m = self.map.dim();
        let image = self.image(y)?;
        let state = self.map.state_at(&y[..m], &self.like);
        let residual = self.map.miss(&state, &image);
        let matrix = DMatrix::from_fn(m, m + 1, |i, j| {
            if j == m {
                image.slope[i]
            } else {
                (image.jacobian[(i, j)] - f64::from(u8::from(i == j))) / self.map.scale[j]
            }
        });
        Ok((residual, matrix))
    }

    fn units(&self, y: &[f64]) -> Vec<f64> {
        units(&self.map.scale, &[self.range], y)
    }

    fn tolerance(&self) -> f64 {
        1e-10
    }
}

/// Products over the multipliers that change sign at a flip, at a multiplier of one, and at a torus.
fn tests(orbit: &PeriodicOrbit) -> [f64; 3] {
    let one = C64::new(1.0, 0.0);
    let multipliers = &orbit.multipliers;
    let flip = multipliers.iter().fold(one, |product, m| product * (one + m)).re;
    let unit = multipliers.iter().fold(one, |product, m| product * (one - m)).re;
    let mut torus = 1.0;
    for (i, a) in multipliers.iter().enumerate() {
        for b in &multipliers[i + 1..] {
            if a.im != 0.0 && (a - b.conj()).norm() < 1e-9 * a.norm() {
                torus *= 1.0 - a.norm_sqr();
            }
        }
    }
    [flip, unit, torus]
}

/// Follows a periodic orbit in a parameter from where it is, first in the direction of `range.to`.
pub fn cycles<D: Dynamics>(
    map: &ReturnMap<'_, D>,
    start: &PeriodicOrbit,
    range: Range,
    pace: ContinuationSettings,
) -> Result<OrbitBranch, AnalysisError> {
    range.check(&start.p)?;
    let m = map.dim();
    let mut y = map.coordinates_of(&start.hits[0]);
    y.push(start.p[range.parameter]);
    let mut curve = Fixed {
        map,
        p: start.p.clone(),
        range,
        multiplicity: start.multiplicity,
        like: start.hits[0].clone(),
        last: None,
    };
    let mut knot = first_knot(&mut curve, &y, m, (range.to - range.from).signum())?;
    let mut point = curve.orbit(&knot)?;
    let mut result = OrbitBranch {
        parameter: range.parameter,
        points: vec![point.clone()],
        special: Vec::new(),
        end: CurveEnd::Points,
    };
    let mut stride = StepControl::new(pace);
    while result.points.len() < pace.points {
        let Ok((next, taken)) = stride.next(&mut curve, &knot) else {
            result.end = CurveEnd::Stalled;
            break;
        };
        if !range.contains(next.y[m]) {
            let end = range.nearest(next.y[m]);
            let ends = [(0.0, knot.y[m] - end), (taken, next.y[m] - end)];
            if ends[0].1 != 0.0 {
                let last = locate(&mut curve, &knot, ends, 1e-10, |_, k| Ok(k.y[m] - end))?;
                let reached = curve.orbit(&last)?;
                // What happens within the last, shortened step counts as well.
                let taken = knot.along(&last);
                special(&mut curve, (&knot, &point), (&last, &reached), taken, &mut result.special)?;
                result.points.push(reached);
            }
            result.end = CurveEnd::Range;
            break;
        }
        let reached = curve.orbit(&next)?;
        special(&mut curve, (&knot, &point), (&next, &reached), taken, &mut result.special)?;
        result.points.push(reached.clone());
        (knot, point) = (next, reached);
    }
    Ok(result)
}

/// Locates what happened between two orbits.
fn special<D: Dynamics>(
    curve: &mut Fixed<'_, '_, D>,
    (knot, a): (&CurvePoint, &PeriodicOrbit),
    (next, b): (&CurvePoint, &PeriodicOrbit),
    taken: f64,
    found: &mut Vec<SpecialOrbit>,
) -> Result<(), AnalysisError> {
    let m = curve.map.dim();
    let turns = [(0.0, knot.tangent[m]), (taken, next.tangent[m])];
    let is_fold = turns[0].1 * turns[1].1 < 0.0;
    if is_fold {
        let at = locate(curve, knot, turns, 1e-10, |_, k| Ok(k.tangent[m]))?;
        found.push(SpecialOrbit { orbit: curve.orbit(&at)?, kind: OrbitKind::Fold });
    }
    let (before, after) = (tests(a), tests(b));
    for (index, kind) in [OrbitKind::Flip, OrbitKind::BranchPoint, OrbitKind::Torus].into_iter().enumerate() {
        if before[index] * after[index] >= 0.0 || (is_fold && kind == OrbitKind::BranchPoint) {
            continue;
        }
        let ends = [(0.0, before[index]), (taken, after[index])];
        let at = locate(curve, knot, ends, 1e-10, |c, k| Ok(tests(&c.orbit(k)?)[index]))?;
        found.push(SpecialOrbit { orbit: curve.orbit(&at)?, kind });
    }
    Ok(())
}

/// The small orbit near a Hopf point, at distance `amplitude` in state `index`, from the normal form; the seed of
/// the branch of cycles that is born there.
pub fn from_hopf<D: Dynamics>(
    map: &ReturnMap<'_, D>,
    hopf: &crate::hopf::Hopf,
    index: usize,
    amplitude: f64,
) -> Result<PeriodicOrbit, AnalysisError> {
    let critical = crate::hopf::critical(&hopf.steady).ok_or(AnalysisError::NoHopf)?;
    let slot = hopf.steady.active.iter().position(|&i| i == index).ok_or(AnalysisError::NoHopf)?;
    let q = &hopf.steady.eigen[critical].right;
    if q[slot].norm() == 0.0 || !hopf.curvature[index].is_finite() {
        return Err(AnalysisError::NoHopf);
    }
    let mut p = hopf.steady.p.clone();
    p[hopf.parameter] += hopf.curvature[index] * amplitude * amplitude;
    // x(θ) = x_H + A Re(q e^{iθ}/q_i); the phase at which the height falls through zero is on the section.
    let at = |theta: f64| {
        let mut x = hopf.steady.x.clone();
        for (k, &i) in hopf.steady.active.iter().enumerate() {
            x[i] += amplitude * (q[k] / q[slot] * C64::from_polar(1.0, theta)).re;
        }
        x
    };
    // The grid is offset so that no grid point falls on the section of a turning point.
    let steps = 720;
    let angle = |k: f64| (k + 0.37) * std::f64::consts::TAU / f64::from(steps);
    let height = |k: i32| map.section.height(&at(angle(f64::from(k))));
    let phase =
        (0..steps).find(|&k| height(k) > 0.0 && height(k + 1) <= 0.0).ok_or(AnalysisError::Tangent)?;
    let (h0, h1) = (height(phase), height(phase + 1));
    let theta = angle(f64::from(phase) + h0 / (h0 - h1));
    let like = State { t: 0.0, x: at(theta), mode: hopf.steady.mode.clone() };
    let xi = map.coordinates_of(&like);
    map.orbit(&p, &map.state_at(&xi, &like), 1)
}
