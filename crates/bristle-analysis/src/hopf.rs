//! What happens beyond a Hopf point: first Lyapunov coefficient, curvature of the cycle branch, verdict.
//!
//! ```text
//! l₁ = Re[⟨p, C(q,q,q̄)⟩ − 2⟨p, B(q, A⁻¹B(q,q̄))⟩ + ⟨p, B(q̄, (2iω − A)⁻¹B(q,q))⟩] / (2ω)
//! ```
//!
//! with `A q = iω q`, `⟨q,q⟩ = ⟨p,q⟩ = 1` over the active states in SI units; `B` and `C` are the second and third
//! derivatives of the rates, taken exactly. The size of `l₁` depends on that normalisation; its sign and the
//! curvature `κ` do not. Source: kuznetsov2004, eq. 5.62.

use crate::AnalysisError;
use crate::active_states::{ActiveStates, StateDirection};
use crate::linear::C64;
use crate::steady::SteadyState;
use bristle_solve::Dynamics;
use nalgebra::{DMatrix, DVector};
use std::fmt;

/// What is born at a Hopf point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criticality {
    /// A stable cycle of small amplitude takes over from the equilibrium.
    Supercritical,
    /// An unstable cycle surrounds the stable equilibrium; beyond the boundary the motion jumps.
    Subcritical,
    /// The third derivatives do not decide.
    Degenerate,
}

impl fmt::Display for Criticality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Supercritical => {
                "supercritical: a small stable cycle grows gently from the boundary, which is safe to cross"
            }
            Self::Subcritical => {
                "subcritical: the local boundary is not safe; a large cycle coexists with the stable equilibrium"
            }
            Self::Degenerate => "degenerate: the third derivatives do not decide",
        })
    }
}

/// A Hopf point and its normal form.
#[derive(Clone, Debug)]
pub struct Hopf {
    /// The equilibrium.
    pub steady: SteadyState,
    /// Index of the parameter that was varied.
    pub parameter: usize,
    /// Angular frequency of the neutral pair.
    pub omega: f64,
    /// First Lyapunov coefficient, with the critical vector of unit norm in SI units.
    pub l1: f64,
    /// Rate at which the real part crosses the axis, per unit of the parameter.
    pub crossing: f64,
    /// `κ` in `p = p_H + κ A²` for each full state, where `A` is the amplitude of that state on the cycle;
    /// infinite for a state that does not swing at first order.
    pub curvature: Vec<f64>,
    /// What it means.
    pub verdict: Criticality,
}

/// Index of the complex pair nearest the imaginary axis, taken with positive frequency.
pub(crate) fn critical(steady: &SteadyState) -> Option<usize> {
    let pairs = steady.eigen.iter().enumerate().filter(|(_, e)| e.value.im > 0.0);
    pairs.min_by(|(_, a), (_, b)| a.value.re.abs().total_cmp(&b.value.re.abs())).map(|(i, _)| i)
}

/// Normal form of the Hopf point at an equilibrium whose critical pair lies on the imaginary axis.
pub fn hopf<D: Dynamics>(
    dynamics: &D,
    steady: &SteadyState,
    parameter: usize,
) -> Result<Hopf, AnalysisError> {
    let scope = ActiveStates::new(dynamics, &steady.p, &steady.x)?;
    let index = critical(steady).ok_or(AnalysisError::NoHopf)?;
    let x: Vec<f64> = scope.active.iter().map(|&i| steady.x[i]).collect();
    let (q, omega) = (&steady.eigen[index].right, steady.eigen[index].value.im);
    let l1 = lyapunov(&scope, steady, &x, index)?;
    let crossing = crossing_speed(&scope, steady, &x, index, parameter)?;
    let mut curvature = vec![f64::INFINITY; steady.x.len()];
    for (k, &i) in scope.active.iter().enumerate() {
        if q[k].norm() > 1e-14 {
            curvature[i] = -omega * l1 / (4.0 * q[k].norm_sqr() * crossing);
        }
    }
    Ok(Hopf { steady: steady.clone(), parameter, omega, l1, crossing, curvature, verdict: verdict(l1) })
}

/// The meaning of the sign of a first Lyapunov coefficient.
pub(crate) fn verdict(l1: f64) -> Criticality {
    if l1 > 0.0 {
        Criticality::Subcritical
    } else if l1 < 0.0 {
        Criticality::Supercritical
    } else {
        Criticality::Degenerate
    }
}

/// The first Lyapunov coefficient.
pub(crate) fn lyapunov<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    steady: &SteadyState,
    x: &[f64],
    index: usize,
) -> Result<f64, AnalysisError> {
    let p = &steady.p;
    let pair = &steady.eigen[index];
    let omega = pair.value.im;
    let (q, w) = (&pair.right, &pair.left);
    let (a, b) = (q.map(|v| v.re), q.map(|v| v.im));
    let bilinear = |u: &DVector<C64>, v: &DVector<C64>| complex_second(scope, p, x, u, v);
    let n = scope.dim();
    let matrix = steady.jacobian.map(|v| C64::new(v, 0.0));
    let conjugate = q.map(|v| v.conj());

    let (da, db) = (direction(&a), direction(&b));
    let third = |u: &StateDirection, v: &StateDirection, w: &StateDirection| scope.third(p, x, u, v, w);
    // C(q, q, q̄) = C(a,a,a) + C(a,b,b) + i (C(a,a,b) + C(b,b,b)) for q = a + ib.
    let real = third(&da, &da, &da) + third(&da, &db, &db);
    let imaginary = third(&da, &da, &db) + third(&db, &db, &db);
    let cubic = real.zip_map(&imaginary, C64::new);

    let steady_part = solve(&matrix, &bilinear(q, &conjugate), &scope.scale)?;
    let shifted = DMatrix::from_diagonal_element(n, n, C64::new(0.0, 2.0 * omega)) - matrix;
    let harmonic = solve(&shifted, &bilinear(q, q), &scope.scale)?;
    let sum =
        w.dotc(&cubic) - w.dotc(&bilinear(q, &steady_part)) * 2.0 + w.dotc(&bilinear(&conjugate, &harmonic));
    Ok(sum.re / (2.0 * omega))
}

/// `d Re λ/dp` along the equilibrium branch: `Re ⟨w, (A_p + B(·, x_p)) q⟩`.
fn crossing_speed<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    steady: &SteadyState,
    x: &[f64],
    index: usize,
    parameter: usize,
) -> Result<f64, AnalysisError> {
    let slope = scope.slope(&steady.p, x, parameter).map(|v| C64::new(-v, 0.0));
    let shift = solve(&steady.jacobian.map(|v| C64::new(v, 0.0)), &slope, &scope.scale)?;
    let along = StateDirection { x: shift.iter().map(|v| v.re).collect(), p: vec![(parameter, 1.0)] };
    Ok(drift(scope, steady, x, index, &along).re)
}

/// The rate of change of one eigenvalue when state and parameters move along a direction.
pub(crate) fn drift<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    steady: &SteadyState,
    x: &[f64],
    index: usize,
    along: &StateDirection,
) -> C64 {
    let pair = &steady.eigen[index];
    let part = |u: DVector<f64>| scope.second(&steady.p, x, &direction(&u), along);
    let moved = part(pair.right.map(|v| v.re)).zip_map(&part(pair.right.map(|v| v.im)), C64::new);
    pair.left.dotc(&moved)
}

fn direction(u: &DVector<f64>) -> StateDirection {
    StateDirection::of(u.iter().copied())
}

/// `B(u, v)` of two complex vectors.
fn complex_second<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    p: &[f64],
    x: &[f64],
    u: &DVector<C64>,
    v: &DVector<C64>,
) -> DVector<C64> {
    let (ur, ui) = (direction(&u.map(|c| c.re)), direction(&u.map(|c| c.im)));
    let (vr, vi) = (direction(&v.map(|c| c.re)), direction(&v.map(|c| c.im)));
    let b = |s: &StateDirection, t: &StateDirection| scope.second(p, x, s, t);
    (b(&ur, &vr) - b(&ui, &vi)).zip_map(&(b(&ur, &vi) + b(&ui, &vr)), C64::new)
}

/// Solves a complex system after scaling rows and columns with the state magnitudes.
fn solve(a: &DMatrix<C64>, b: &DVector<C64>, scale: &[f64]) -> Result<DVector<C64>, AnalysisError> {
    let n = a.nrows();
    let scaled = DMatrix::from_fn(n, n, |i, j| a[(i, j)] * (scale[j] / scale[i]));
    let right = DVector::from_fn(n, |i, _| b[i] / scale[i]);
    let y = scaled.lu().solve(&right).ok_or(AnalysisError::Singular)?;
    Ok(DVector::from_fn(n, |i, _| y[i] * scale[i]))
}
