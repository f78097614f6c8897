//! Pseudo-arclength continuation: a curve of solutions of `m` equations in `m + 1` unknowns.
//!
//! Lengths are measured in units of the present point: each unknown counts relative to the larger of its scale
//! and its value. Unscaled, a bristle deflection of 10⁻⁴ m would be invisible beside a spring force.

use crate::AnalysisError;
use bristle_solve::{Bracket, Cancel};
use nalgebra::{DMatrix, DVector};

/// How far and how finely a curve is followed.
#[derive(Clone, Copy, Debug)]
pub struct ContinuationSettings {
    /// First step, in relative units.
    pub step: f64,
    /// Largest step.
    pub max_step: f64,
    /// Smallest step; the curve ends where even this fails.
    pub min_step: f64,
    /// Most points.
    pub points: usize,
}

impl Default for ContinuationSettings {
    fn default() -> Self {
        Self { step: 0.01, max_step: 0.1, min_step: 1e-10, points: 2000 }
    }
}

/// Why a curve ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveEnd {
    /// It left the range asked for.
    Range,
    /// It has as many points as were allowed.
    Points,
    /// It returned to its start.
    Closed,
    /// The modes no longer hold there: a contact would stop or break away.
    Mode,
    /// The smallest step failed.
    Stalled,
}

/// `m` equations in `m + 1` unknowns.
pub(crate) trait SolutionCurve {
    /// Residuals (in comparable units) and their derivatives at `y`.
    fn eval(&mut self, y: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError>;

    /// The unit in which each unknown is measured near `y`.
    fn units(&self, y: &[f64]) -> Vec<f64>;

    /// Correction, in units, below which a point counts as solved.
    fn tolerance(&self) -> f64 {
        1e-11
    }

    /// Largest first correction, in units of the step, that still counts as following the same curve.
    fn stray(&self) -> f64 {
        1.0
    }
}

/// A point on a curve with its unit tangent in relative units.
#[derive(Clone, Debug)]
pub(crate) struct CurvePoint {
    pub y: Vec<f64>,
    pub units: Vec<f64>,
    pub tangent: DVector<f64>,
}

impl CurvePoint {
    /// How far along the tangent another knot lies.
    pub fn along(&self, other: &CurvePoint) -> f64 {
        let part = |i: usize| (other.y[i] - self.y[i]) / self.units[i] * self.tangent[i];
        (0..self.y.len()).map(part).sum()
    }
}

/// The tangent at `y` along which `along` grows: a component index with the sign wanted.
pub(crate) fn first_knot<C: SolutionCurve>(
    curve: &mut C,
    y: &[f64],
    along: usize,
    sign: f64,
) -> Result<CurvePoint, AnalysisError> {
    let units = curve.units(y);
    let (_, jacobian) = curve.eval(y)?;
    let mut guess = DVector::zeros(y.len());
    guess[along] = sign;
    let tangent = tangent(&scaled(&jacobian, &units), &guess)?;
    Ok(CurvePoint { y: y.to_vec(), units, tangent })
}

fn scaled(jacobian: &DMatrix<f64>, units: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| jacobian[(i, j)] * units[j])
}

/// Adds a last row and gives each row a length of one, so that pivoting compares like with like.
fn bordered(jacobian: &DMatrix<f64>, row: &DVector<f64>) -> (DMatrix<f64>, Vec<f64>) {
    let m = jacobian.nrows();
    let lengths: Vec<f64> =
        (0..m).map(|i| jacobian.row(i).norm().max(f64::MIN_POSITIVE)).chain([1.0]).collect();
    let matrix =
        DMatrix::from_fn(m + 1, m + 1, |i, j| if i < m { jacobian[(i, j)] / lengths[i] } else { row[j] });
    (matrix, lengths)
}

fn tangent(jacobian: &DMatrix<f64>, previous: &DVector<f64>) -> Result<DVector<f64>, AnalysisError> {
    let m = jacobian.nrows();
    let (matrix, _) = bordered(jacobian, previous);
    let mut right = DVector::zeros(m + 1);
    right[m] = 1.0;
    let mut t = matrix.lu().solve(&right).ok_or(AnalysisError::Singular)?;
    let norm = t.norm();
    if !norm.is_finite() || norm == 0.0 {
        return Err(AnalysisError::Singular);
    }
    t.unscale_mut(norm);
    Ok(t)
}

/// Most corrections of one step.
const MOST: usize = 14;

/// Goes a step of length `h` from a knot and corrects back to the curve. Returns the knot and how hard it was:
/// the number of corrections.
pub(crate) fn advance<C: SolutionCurve>(
    curve: &mut C,
    from: &CurvePoint,
    h: f64,
) -> Result<(CurvePoint, usize), AnalysisError> {
    let m = from.y.len() - 1;
    let mut u: DVector<f64> = from.tangent.scale(h);
    let mut size = f64::INFINITY;
    for iteration in 1..=MOST {
        Cancel::check()?;
        let y: Vec<f64> = (0..=m).map(|i| from.y[i] + u[i] * from.units[i]).collect();
        let (residual, jacobian) = curve.eval(&y)?;
        let jacobian = scaled(&jacobian, &from.units);
        let (matrix, lengths) = bordered(&jacobian, &from.tangent);
        let right =
            DVector::from_fn(
                m + 1,
                |i, _| {
                    if i < m { -residual[i] / lengths[i] } else { h - from.tangent.dot(&u) }
                },
            );
        let step = matrix.lu().solve(&right).ok_or(AnalysisError::Singular)?;
        let previous = size;
        size = step.norm();
        let is_wild = !size.is_finite() || (iteration == 1 && size > curve.stray() * h.abs());
        // Short steps must be resolved too; rounding sets a floor, where the correction stops shrinking.
        let tolerance = curve.tolerance().min(1e-3 * h.abs());
        let has_stalled = iteration > 2 && size > 0.5 * previous;
        if is_wild || (has_stalled && size > 1e2 * tolerance) {
            return Err(AnalysisError::Newton { iterations: iteration, correction: size });
        }
        u += &step;
        if size < tolerance || has_stalled {
            let y: Vec<f64> = (0..=m).map(|i| from.y[i] + u[i] * from.units[i]).collect();
            // The new tangent is wanted in the units of the new point.
            let units = curve.units(&y);
            let unscaled = DMatrix::from_fn(m, m + 1, |i, j| jacobian[(i, j)] / from.units[j] * units[j]);
            let mut previous = DVector::from_fn(m + 1, |i, _| from.tangent[i] * from.units[i] / units[i]);
            let norm = previous.norm();
            previous.unscale_mut(norm);
            let tangent = tangent(&unscaled, &previous)?;
            return Ok((CurvePoint { y, units, tangent }, iteration));
        }
    }
    Err(AnalysisError::Newton { iterations: MOST, correction: size })
}

/// Cosine of the largest turn a step may make, and of the largest that counts as easy.
const BEND: f64 = 0.98;
const EASY: f64 = 0.997;

/// A step that adapts: halves after a failure or a sharp bend, grows after an easy success.
pub(crate) struct StepControl {
    pub h: f64,
    pace: ContinuationSettings,
    /// The last attempt failed: growing at once would fail again.
    is_cautious: bool,
}

impl StepControl {
    pub fn new(pace: ContinuationSettings) -> Self {
        Self { h: pace.step.min(pace.max_step), pace, is_cautious: false }
    }

    /// The next knot, and the step that led there.
    pub fn next<C: SolutionCurve>(
        &mut self,
        curve: &mut C,
        from: &CurvePoint,
    ) -> Result<(CurvePoint, f64), AnalysisError> {
        loop {
            let taken = self.h;
            match advance(curve, from, taken) {
                Ok((knot, iterations)) if alignment(from, &knot) > BEND || taken <= self.pace.min_step => {
                    let is_easy = iterations <= 4 && alignment(from, &knot) > EASY;
                    let factor = if !is_easy {
                        0.9
                    } else if self.is_cautious {
                        1.0
                    } else {
                        1.6
                    };
                    self.is_cautious = false;
                    self.h = (taken * factor).clamp(self.pace.min_step, self.pace.max_step);
                    return Ok((knot, taken));
                }
                Err(error) if taken <= self.pace.min_step => return Err(error),
                _ => {
                    self.h = (0.3 * taken).max(self.pace.min_step);
                    self.is_cautious = true;
                }
            }
        }
    }

    /// Tries again with less than half of the step just taken; `false` at the smallest.
    pub fn shorten(&mut self, taken: f64) -> bool {
        self.h = (0.4 * taken).max(self.pace.min_step);
        taken > self.pace.min_step
    }
}

/// Cosine of the angle between the tangents of two knots.
fn alignment(a: &CurvePoint, b: &CurvePoint) -> f64 {
    let turned = DVector::from_fn(a.tangent.len(), |i, _| b.tangent[i] * b.units[i] / a.units[i]);
    a.tangent.dot(&turned) / turned.norm()
}

/// The step in `(0, h]` at which `test` vanishes, given its values at both ends; a bisection is thrown in
/// every fourth time.
pub(crate) fn locate<C: SolutionCurve>(
    curve: &mut C,
    from: &CurvePoint,
    ends: [(f64, f64); 2],
    tolerance: f64,
    mut test: impl FnMut(&mut C, &CurvePoint) -> Result<f64, AnalysisError>,
) -> Result<CurvePoint, AnalysisError> {
    let mut bracket = Bracket::new(ends[0], ends[1]);
    let mut best = None;
    for iteration in 0..80 {
        let share = bracket.share();
        let inside = share > 0.0 && share < 1.0;
        let middle = bracket.at(0.5);
        let h = if iteration % 4 == 3 || !inside { middle } else { bracket.at(share) };
        // Beside a grazing orbit rounding may spoil one point but not its neighbour.
        let near = [h, middle, bracket.at(0.4), bracket.at(0.7)];
        let reached = near.into_iter().find_map(|h| advance(curve, from, h).ok().map(|(knot, _)| (h, knot)));
        let Some((h, knot)) = reached else { break };
        let f = test(curve, &knot)?;
        best = Some(knot);
        if f == 0.0 {
            break;
        }
        bracket.narrow(h, f);
        if bracket.width() < tolerance {
            break;
        }
    }
    best.ok_or(AnalysisError::Singular)
}
