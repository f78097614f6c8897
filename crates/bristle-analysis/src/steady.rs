//! Equilibria, their modes and their margins of stability.

use crate::AnalysisError;
use crate::active_states::ActiveStates;
use crate::linear::{self, C64, Eigen};
use bristle_core::Mode;
use bristle_solve::{Cancel, Dynamics};
use nalgebra::{DMatrix, DVector};

/// How an equilibrium is looked for: Newton's method, damped as long as the next correction would be longer than
/// the present one.
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    /// Most steps.
    pub iterations: usize,
    /// Length of the last correction, in units of the state scales, at which the search ends.
    pub tolerance: f64,
}

impl Default for Newton {
    fn default() -> Self {
        Self { iterations: 60, tolerance: 1e-13 }
    }
}

/// A state in which everything that matters is constant.
///
/// Cyclic states (see [`ActiveStates`]) may still move: sliding at constant speed on a belt is steady.
#[derive(Clone, Debug)]
pub struct SteadyState {
    /// Parameters.
    pub p: Vec<f64>,
    /// Full state.
    pub x: Vec<f64>,
    /// Modes.
    pub mode: Vec<Mode>,
    /// Indices of the states that take part.
    pub active: Vec<usize>,
    /// Jacobian over the active states.
    pub jacobian: DMatrix<f64>,
    /// Eigenvalues and modes of motion, the least stable first.
    pub eigen: Vec<Eigen>,
}

/// Finds the equilibrium near `guess` and linearises there.
pub fn steady<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    guess: &[f64],
    newton: Newton,
) -> Result<SteadyState, AnalysisError> {
    let scope = ActiveStates::new(dynamics, p, guess)?;
    let x = solve(&scope, p, &scope.start(), newton)?;
    SteadyState::at(&scope, p, &x)
}

/// Newton's method over the active states.
pub(crate) fn solve<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    p: &[f64],
    guess: &[f64],
    newton: Newton,
) -> Result<Vec<f64>, AnalysisError> {
    let n = scope.dim();
    let mut x = guess.to_vec();
    let mut damping = 1.0;
    let mut previous = f64::INFINITY;
    let mut size = f64::INFINITY;
    for iteration in 0..newton.iterations {
        let step = correction(scope, p, &x)?;
        size = norm(step.as_slice(), &scope.scale);
        let level = 1.0 + norm(&x, &scope.scale);
        let has_stalled = iteration > 2 && size < 1e-9 * level && size >= 0.5 * previous;
        if size <= newton.tolerance * level || has_stalled {
            for k in 0..n {
                x[k] += step[k];
            }
            return Ok(x);
        }
        // The simplified correction with the old Jacobian would be cheaper; small systems can afford a new one.
        loop {
            let trial: Vec<f64> = (0..n).map(|k| x[k] + damping * step[k]).collect();
            let next =
                correction(scope, p, &trial).map_or(f64::INFINITY, |s| norm(s.as_slice(), &scope.scale));
            if next <= (1.0 - 0.25 * damping) * size || size < 1e-10 * level {
                x = trial;
                damping = (2.0 * damping).min(1.0);
                break;
            }
            damping *= 0.5;
            // Rounding of stiff bristles can keep the last corrections from shrinking.
            if damping < 1e-8 && size < 1e-8 * level {
                for k in 0..n {
                    x[k] += step[k];
                }
                return Ok(x);
            }
            if damping < 1e-8 {
                return Err(AnalysisError::Newton { iterations: iteration + 1, correction: size });
            }
        }
        previous = size;
    }
    Err(AnalysisError::Newton { iterations: newton.iterations, correction: size })
}

/// The full Newton correction `−J⁻¹ f`.
fn correction<D: Dynamics>(
    scope: &ActiveStates<'_, D>,
    p: &[f64],
    x: &[f64],
) -> Result<DVector<f64>, AnalysisError> {
    Cancel::check()?;
    let n = scope.dim();
    let mut rates = vec![0.0; n];
    scope.rates(p, x, &mut rates);
    let scale = &scope.scale;
    let jacobian = scope.jacobian(p, x);
    scope.finite(&rates, &jacobian)?;
    let scaled = DMatrix::from_fn(n, n, |i, j| jacobian[(i, j)] * scale[j] / scale[i]);
    let right = DVector::from_fn(n, |i, _| -rates[i] / scale[i]);
    let step = scaled.lu().solve(&right).ok_or(AnalysisError::Singular)?;
    Ok(DVector::from_fn(n, |i, _| step[i] * scale[i]))
}

/// Root mean square in units of the scales.
pub(crate) fn norm(x: &[f64], scale: &[f64]) -> f64 {
    let sum: f64 = x.iter().zip(scale).map(|(x, s)| (x / s).powi(2)).sum();
    (sum / x.len().max(1) as f64).sqrt()
}

impl SteadyState {
    /// Linearises at a known equilibrium.
    pub(crate) fn at<D: Dynamics>(
        scope: &ActiveStates<'_, D>,
        p: &[f64],
        x: &[f64],
    ) -> Result<Self, AnalysisError> {
        let jacobian = scope.jacobian(p, x);
        scope.finite(&[], &jacobian)?;
        let eigen = linear::eigen(&jacobian, &scope.scale)?;
        let (x, mode) = (scope.expand(x), scope.base.mode.clone());
        Ok(Self { p: p.to_vec(), x, mode, active: scope.active.clone(), jacobian, eigen })
    }

    /// Eigenvalues, the least stable first.
    pub fn eigenvalues(&self) -> Vec<C64> {
        self.eigen.iter().map(|e| e.value).collect()
    }

    /// All eigenvalues lie to the left of the imaginary axis.
    pub fn is_stable(&self) -> bool {
        self.eigen.iter().all(|e| e.value.re < 0.0)
    }

    /// Number of eigenvalues to the right of the imaginary axis.
    pub fn unstable(&self) -> usize {
        self.eigen.iter().filter(|e| e.value.re > 0.0).count()
    }

    /// Coefficients `b₀ … b_{n−1}` of the characteristic polynomial `λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀`.
    pub fn polynomial(&self) -> Vec<f64> {
        linear::polynomial_of_roots(&self.eigenvalues())
    }

    /// Hurwitz determinants `Δ₁ … Δ_n`; all are positive where the equilibrium is stable.
    pub fn hurwitz(&self) -> Vec<f64> {
        linear::hurwitz(&self.polynomial())
    }
}

impl Eigen {
    /// Damping ratio `−Re λ/|λ|`: 1 and above decays without ringing, negative grows.
    pub fn damping(&self) -> f64 {
        -self.value.re / self.value.norm()
    }

    /// Angular frequency of the ringing.
    pub fn frequency(&self) -> f64 {
        self.value.im.abs()
    }
}
