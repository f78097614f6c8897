//! The Hopf curve in two parameters, with criticality along it and generalised Hopf points.

use crate::AnalysisError;
use crate::active_states::{ActiveStates, StateDirection};
use crate::continuation::{
    ContinuationSettings, CurveEnd, CurvePoint, SolutionCurve, StepControl, first_knot, locate,
};
use crate::hopf::{self, Criticality, Hopf};
use crate::range::{Range, units};
use crate::steady::SteadyState;
use bristle_solve::Dynamics;
use nalgebra::{DMatrix, DVector};

/// One point of the stability boundary.
#[derive(Clone, Debug)]
pub struct BoundaryPoint {
    /// Values of the two parameters.
    pub at: [f64; 2],
    /// The equilibrium.
    pub steady: SteadyState,
    /// Angular frequency of the neutral pair.
    pub omega: f64,
    /// First Lyapunov coefficient.
    pub l1: f64,
    /// What is born when the boundary is crossed here.
    pub verdict: Criticality,
}

/// A curve of Hopf points in two parameters.
#[derive(Clone, Debug)]
pub struct HopfBoundary {
    /// The points, in order along the curve.
    pub points: Vec<BoundaryPoint>,
    /// Points where the first Lyapunov coefficient changes sign.
    pub generalised: Vec<BoundaryPoint>,
    /// Why the two ends are where they are.
    pub ends: [CurveEnd; 2],
}

/// Unknowns are the active states and two parameters; equations are the rates and `Re λ = 0`.
struct HopfCurve<'s, 'a, D> {
    scope: &'s ActiveStates<'a, D>,
    p: Vec<f64>,
    ranges: [Range; 2],
    omega: f64,
}

impl<D: Dynamics> HopfCurve<'_, '_, D> {
    fn steady(&self, y: &[f64]) -> Result<(SteadyState, usize), AnalysisError> {
        let n = self.scope.dim();
        let mut p = self.p.clone();
        p[self.ranges[0].parameter] = y[n];
        p[self.ranges[1].parameter] = y[n + 1];
        let steady = SteadyState::at(self.scope, &p, &y[..n])?;
        // The same pair as at the last point: the one nearest its frequency on the imaginary axis.
        let distance = |i: &usize| {
            let v = steady.eigen[*i].value;
            v.re.hypot(v.im - self.omega)
        };
        let pairs = (0..steady.eigen.len()).filter(|&i| steady.eigen[i].value.im > 0.0);
        let index = pairs.min_by(|i, j| distance(i).total_cmp(&distance(j))).ok_or(AnalysisError::NoHopf)?;
        Ok((steady, index))
    }

    fn describe(&self, knot: &CurvePoint) -> Result<BoundaryPoint, AnalysisError> {
        let n = self.scope.dim();
        let (steady, index) = self.steady(&knot.y)?;
        let l1 = hopf::lyapunov(self.scope, &steady, &knot.y[..n], index)?;
        let omega = steady.eigen[index].value.im;
        Ok(BoundaryPoint { at: [knot.y[n], knot.y[n + 1]], steady, omega, l1, verdict: hopf::verdict(l1) })
    }
}

impl<D: Dynamics> SolutionCurve for HopfCurve<'_, '_, D> {
    fn eval(&mut self, y: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let n = self.scope.dim();
        let (steady, index) = self.steady(y)?;
        let x = &y[..n];
        let mut residual = DVector::zeros(n + 1);
        self.scope.rates(&steady.p, x, &mut residual.as_mut_slice()[..n]);
        residual[n] = steady.eigen[index].value.re;
        let slopes = self.ranges.map(|r| self.scope.slope(&steady.p, x, r.parameter));
        let mut matrix = DMatrix::zeros(n + 1, n + 2);
        for j in 0..n + 2 {
            let mut along = StateDirection { x: vec![0.0; n], p: Vec::new() };
            if j < n {
                along.x[j] = 1.0;
            } else {
                along.p.push((self.ranges[j - n].parameter, 1.0));
            }
            for i in 0..n {
                matrix[(i, j)] = if j < n { steady.jacobian[(i, j)] } else { slopes[j - n][i] };
            }
            matrix[(n, j)] = hopf::drift(self.scope, &steady, x, index, &along).re;
        }
        Ok((residual, matrix))
    }

    fn units(&self, y: &[f64]) -> Vec<f64> {
        units(&self.scope.scale, &self.ranges, y)
    }
}

/// Follows the Hopf curve both ways from a Hopf point until it leaves the rectangle of the two ranges.
pub fn boundary<D: Dynamics>(
    dynamics: &D,
    start: &Hopf,
    ranges: [Range; 2],
    pace: ContinuationSettings,
) -> Result<HopfBoundary, AnalysisError> {
    for range in &ranges {
        range.check(&start.steady.p)?;
    }
    let scope = ActiveStates::new(dynamics, &start.steady.p, &start.steady.x)?;
    let mut y = scope.start();
    y.extend(ranges.iter().map(|r| start.steady.p[r.parameter]));
    let half = |sign: f64| {
        let mut curve = HopfCurve { scope: &scope, p: start.steady.p.clone(), ranges, omega: start.omega };
        follow(&mut curve, &y, sign, pace)
    };
    let (back, forth) = (half(-1.0)?, half(1.0)?);
    let mut points: Vec<BoundaryPoint> = back.0.into_iter().rev().collect();
    points.extend(forth.0.into_iter().skip(1));
    let mut generalised: Vec<BoundaryPoint> = back.1.into_iter().rev().collect();
    generalised.extend(forth.1);
    Ok(HopfBoundary { points, generalised, ends: [back.2, forth.2] })
}

type Half = (Vec<BoundaryPoint>, Vec<BoundaryPoint>, CurveEnd);

fn follow<D: Dynamics>(
    curve: &mut HopfCurve<'_, '_, D>,
    y: &[f64],
    sign: f64,
    pace: ContinuationSettings,
) -> Result<Half, AnalysisError> {
    let n = curve.scope.dim();
    let mut knot = first_knot(curve, y, n + 1, sign)?;
    let mut point = curve.describe(&knot)?;
    let (mut points, mut generalised) = (vec![point.clone()], Vec::new());
    let mut stride = StepControl::new(pace);
    while points.len() < pace.points {
        let Ok((next, taken)) = stride.next(curve, &knot) else {
            return Ok((points, generalised, CurveEnd::Stalled));
        };
        let Ok(reached) = curve.describe(&next) else {
            return Ok((points, generalised, CurveEnd::Stalled));
        };
        let is_inside = (0..2).all(|j| curve.ranges[j].contains(next.y[n + j]));
        if !is_inside {
            let last = clip(curve, &knot, &next, taken)?;
            points.push(curve.describe(&last)?);
            return Ok((points, generalised, CurveEnd::Range));
        }
        if point.l1 * reached.l1 < 0.0 {
            let ends = [(0.0, point.l1), (taken, reached.l1)];
            let at = locate(curve, &knot, ends, 1e-11, |c, k| Ok(c.describe(k)?.l1))?;
            generalised.push(curve.describe(&at)?);
        }
        curve.omega = reached.omega;
        points.push(reached.clone());
        (knot, point) = (next, reached);
    }
    Ok((points, generalised, CurveEnd::Points))
}

/// The point where the curve leaves the rectangle.
fn clip<D: Dynamics>(
    curve: &mut HopfCurve<'_, '_, D>,
    knot: &CurvePoint,
    next: &CurvePoint,
    taken: f64,
) -> Result<CurvePoint, AnalysisError> {
    let n = curve.scope.dim();
    let ranges = curve.ranges;
    // Distance to the nearest side, negative outside.
    let margin = |y: &[f64]| {
        let side = |j: usize| {
            let (low, high) = (ranges[j].from.min(ranges[j].to), ranges[j].from.max(ranges[j].to));
            ((y[n + j] - low).min(high - y[n + j])) / (high - low)
        };
        side(0).min(side(1))
    };
    let ends = [(0.0, margin(&knot.y)), (taken, margin(&next.y))];
    if ends[0].1 <= 0.0 {
        return Ok(knot.clone());
    }
    locate(curve, knot, ends, 1e-11, |_, k| Ok(margin(&k.y)))
}
