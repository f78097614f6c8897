//! Equilibria over a parameter: stability, folds, Hopf points, neutral saddles.

use crate::AnalysisError;
use crate::active_states::ActiveStates;
use crate::continuation::{
    ContinuationSettings, CurveEnd, CurvePoint, SolutionCurve, StepControl, first_knot, locate,
};
use crate::hopf::{self, Hopf};
use crate::linear::C64;
pub use crate::range::Range;
use crate::range::units;
use crate::steady::{self, Newton, SteadyState};
use bristle_solve::{Dynamics, Point};
use nalgebra::{DMatrix, DVector};

/// A point at which the character of a branch changes.
#[derive(Clone, Debug)]
pub struct Special {
    /// The equilibrium.
    pub steady: SteadyState,
    /// What happens there.
    pub kind: SpecialKind,
}

/// What happens at a special point.
#[derive(Clone, Debug)]
pub enum SpecialKind {
    /// The branch turns back.
    Fold,
    /// A real eigenvalue crosses without a turn: branches meet.
    BranchPoint,
    /// A complex pair crosses the imaginary axis.
    Hopf(Box<Hopf>),
    /// Two real eigenvalues add up to zero. The Hurwitz determinant vanishes as at a Hopf point, but nothing
    /// oscillates.
    NeutralSaddle,
}

/// A branch of equilibria: a table and its special points.
#[derive(Clone, Debug)]
pub struct EquilibriumBranch {
    /// Index of the parameter that was varied.
    pub parameter: usize,
    /// The points, in order along the branch.
    pub points: Vec<SteadyState>,
    /// The special points, in order along the branch.
    pub special: Vec<Special>,
    /// Why it ends.
    pub end: CurveEnd,
}

impl EquilibriumBranch {
    /// The Hopf points.
    pub fn hopfs(&self) -> impl Iterator<Item = &Hopf> {
        self.special.iter().filter_map(|s| match &s.kind {
            SpecialKind::Hopf(hopf) => Some(&**hopf),
            _ => None,
        })
    }
}

/// Equilibria over one parameter as a curve: unknowns are the active states and the parameter.
struct Equilibria<'s, 'a, D> {
    scope: &'s ActiveStates<'a, D>,
    p: Vec<f64>,
    range: Range,
}

impl<D: Dynamics> Equilibria<'_, '_, D> {
    fn params(&self, y: &[f64]) -> Vec<f64> {
        let mut p = self.p.clone();
        p[self.range.parameter] = y[y.len() - 1];
        p
    }

    fn steady(&self, knot: &CurvePoint) -> Result<SteadyState, AnalysisError> {
        SteadyState::at(self.scope, &self.params(&knot.y), &knot.y[..self.scope.dim()])
    }
}

impl<D: Dynamics> SolutionCurve for Equilibria<'_, '_, D> {
    fn eval(&mut self, y: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let n = self.scope.dim();
        let (p, x) = (self.params(y), &y[..n]);
        let mut rates = vec![0.0; n];
        self.scope.rates(&p, x, &mut rates);
        let (jacobian, slope) = (self.scope.jacobian(&p, x), self.scope.slope(&p, x, self.range.parameter));
        self.scope.finite(&rates, &jacobian)?;
        let matrix = DMatrix::from_fn(n, n + 1, |i, j| if j < n { jacobian[(i, j)] } else { slope[i] });
        Ok((DVector::from_vec(rates), matrix))
    }

    fn units(&self, y: &[f64]) -> Vec<f64> {
        units(&self.scope.scale, &[self.range], y)
    }
}

/// Follows the equilibrium near `guess` from `range.from` until the parameter leaves the range.
pub fn branch<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    range: Range,
    pace: ContinuationSettings,
) -> Result<EquilibriumBranch, AnalysisError> {
    range.check(p)?;
    let mut p = p.to_vec();
    p[range.parameter] = range.from;
    let scope = ActiveStates::new(dynamics, &p, guess)?;
    let mut y = steady::solve(&scope, &p, &scope.start(), Newton::default())?;
    y.push(range.from);
    let mut curve = Equilibria { scope: &scope, p, range };
    let mut knot = first_knot(&mut curve, &y, scope.dim(), (range.to - range.from).signum())?;
    let mut point = curve.steady(&knot)?;
    let mut result = EquilibriumBranch {
        parameter: range.parameter,
        points: vec![point.clone()],
        special: Vec::new(),
        end: CurveEnd::Points,
    };
    let mut stride = StepControl::new(pace);
    while result.points.len() < pace.points {
        let Ok((mut next, mut taken)) = stride.next(&mut curve, &knot) else {
            result.end = CurveEnd::Stalled;
            break;
        };
        let mut reached = curve.steady(&next)?;
        // Two events within one step hide each other; the count of unstable eigenvalues gives them away.
        if hides_events(&point, &reached, &knot, &next) && stride.shorten(taken) {
            continue;
        }
        let is_last = !range.contains(next.y[scope.dim()]);
        if is_last {
            let n = scope.dim();
            let end = range.nearest(next.y[n]);
            let ends = [(0.0, knot.y[n] - end), (taken, next.y[n] - end)];
            next = locate(&mut curve, &knot, ends, 1e-12, |_, k| Ok(k.y[n] - end))?;
            taken = knot.along(&next);
            reached = curve.steady(&next)?;
        }
        events(&mut curve, (&knot, &point), (&next, &reached), taken, &mut result.special)?;
        let holds = modes_hold(&scope, &reached);
        result.points.push(reached.clone());
        (knot, point) = (next, reached);
        if is_last || !holds {
            result.end = if is_last { CurveEnd::Range } else { CurveEnd::Mode };
            break;
        }
    }
    Ok(result)
}

/// No guard is violated at the equilibrium.
fn modes_hold<D: Dynamics>(scope: &ActiveStates<'_, D>, at: &SteadyState) -> bool {
    let mut guards = vec![0.0; scope.dynamics.guard_count()];
    scope.dynamics.guards(Point { t: scope.base.t, x: &at.x, p: &at.p, mode: &at.mode }, &mut guards);
    guards.iter().all(|g| *g >= -1e-12)
}

/// `Π (λ_i + λ_j)`, each factor relative: changes sign where a pair adds up to zero.
fn pair_product(values: &[C64]) -> f64 {
    let mut product = C64::new(1.0, 0.0);
    for (i, a) in values.iter().enumerate() {
        for b in &values[i + 1..] {
            product *= (a + b) / (a.norm() + b.norm()).max(f64::MIN_POSITIVE);
        }
    }
    product.re
}

/// `Π λ_i`, each factor relative to the largest: changes sign where a real eigenvalue crosses zero.
fn determinant(values: &[C64]) -> f64 {
    let largest = values.iter().map(|v| v.norm()).fold(f64::MIN_POSITIVE, f64::max);
    values.iter().fold(C64::new(1.0, 0.0), |product, v| product * v / largest).re
}

fn hides_events(a: &SteadyState, b: &SteadyState, from: &CurvePoint, to: &CurvePoint) -> bool {
    let (va, vb) = (a.eigenvalues(), b.eigenvalues());
    let pairs = pair_product(&va) * pair_product(&vb) < 0.0;
    let turns = from.tangent[from.tangent.len() - 1] * to.tangent[to.tangent.len() - 1] < 0.0;
    let zero = determinant(&va) * determinant(&vb) < 0.0 || turns;
    match a.unstable().abs_diff(b.unstable()) {
        0 => false,
        1 => !zero,
        2 => !pairs,
        _ => true,
    }
}

/// Locates what happened between two points.
fn events<D: Dynamics>(
    curve: &mut Equilibria<'_, '_, D>,
    (knot, a): (&CurvePoint, &SteadyState),
    (next, b): (&CurvePoint, &SteadyState),
    taken: f64,
    special: &mut Vec<Special>,
) -> Result<(), AnalysisError> {
    let last = knot.y.len() - 1;
    let (va, vb) = (a.eigenvalues(), b.eigenvalues());
    let mut found: Vec<(f64, Special)> = Vec::new();
    let mut keep = |place: &CurvePoint, at: Special| found.push((knot.along(place), at));
    let turns = (knot.tangent[last], next.tangent[last]);
    if turns.0 * turns.1 < 0.0 {
        let ends = [(0.0, turns.0), (taken, turns.1)];
        let at = locate(curve, knot, ends, 1e-11, |_, k| Ok(k.tangent[last]))?;
        keep(&at, Special { steady: curve.steady(&at)?, kind: SpecialKind::Fold });
    } else if determinant(&va) * determinant(&vb) < 0.0 {
        let ends = [(0.0, determinant(&va)), (taken, determinant(&vb))];
        let at = locate(curve, knot, ends, 1e-11, |c, k| Ok(determinant(&c.steady(k)?.eigenvalues())))?;
        keep(&at, Special { steady: curve.steady(&at)?, kind: SpecialKind::BranchPoint });
    }
    let pairs = (pair_product(&va), pair_product(&vb));
    if pairs.0 * pairs.1 < 0.0 {
        let ends = [(0.0, pairs.0), (taken, pairs.1)];
        let at = locate(curve, knot, ends, 1e-9, |c, k| Ok(pair_product(&c.steady(k)?.eigenvalues())))?;
        keep(&at, name_pair(curve, &at)?);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    special.extend(found.into_iter().map(|(_, s)| s));
    Ok(())
}

/// Tells a Hopf point from a neutral saddle by the kind of the pair that adds up to zero, and describes it.
fn name_pair<D: Dynamics>(
    curve: &Equilibria<'_, '_, D>,
    knot: &CurvePoint,
) -> Result<Special, AnalysisError> {
    let steady = curve.steady(knot)?;
    let values = steady.eigenvalues();
    let mut nearest = (f64::INFINITY, true);
    for (i, a) in values.iter().enumerate() {
        for b in &values[i + 1..] {
            let distance = (a + b).norm() / (a.norm() + b.norm());
            if distance < nearest.0 {
                nearest = (distance, a.im != 0.0);
            }
        }
    }
    if !nearest.1 {
        return Ok(Special { steady, kind: SpecialKind::NeutralSaddle });
    }
    let hopf = polish(curve.scope, steady, curve.range.parameter)?;
    Ok(Special { steady: hopf.steady.clone(), kind: SpecialKind::Hopf(Box::new(hopf)) })
}

/// Newton's method on `Re λ(p) = 0` with the exact slope.
fn polish<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    start: SteadyState,
    parameter: usize,
) -> Result<Hopf, AnalysisError> {
    let mut at = hopf::hopf(scope.dynamics, &start, parameter)?;
    let mut previous = f64::INFINITY;
    for _ in 0..8 {
        let index = hopf::critical(&at.steady).ok_or(AnalysisError::NoHopf)?;
        let real = at.steady.eigen[index].value.re;
        if real.abs() >= previous || real == 0.0 {
            break;
        }
        previous = real.abs();
        let mut p = at.steady.p.clone();
        p[parameter] -= real / at.crossing;
        let guess: Vec<f64> = scope.active.iter().map(|&i| at.steady.x[i]).collect();
        let x = steady::solve(scope, &p, &guess, Newton::default())?;
        at = hopf::hopf(scope.dynamics, &SteadyState::at(scope, &p, &x)?, parameter)?;
    }
    Ok(at)
}

/// The Hopf point nearest a given equilibrium when one parameter is varied, by Newton's method on the real part
/// of the critical pair.
pub fn hopf_near<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    parameter: usize,
) -> Result<Hopf, AnalysisError> {
    let start = steady::steady(dynamics, p, guess, Newton::default())?;
    let scope = ActiveStates::new(dynamics, p, &start.x)?;
    let at = polish(&scope, start, parameter)?;
    let index = hopf::critical(&at.steady).ok_or(AnalysisError::NoHopf)?;
    if at.steady.eigen[index].value.re.abs() > 1e-8 * at.omega {
        return Err(AnalysisError::NoHopf);
    }
    Ok(at)
}
