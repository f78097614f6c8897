//! Bounded least squares after Levenberg and Marquardt.
//!
//! ```text
//! min ‖r(u)‖²,  l ≤ u ≤ h:   (JᵀJ + λ D²) δ = −Jᵀr  over the coordinates that no bound holds back
//! ```
//!
//! `D` holds the largest column norms met (Moré 1978), `λ` follows the ratio of the decrease found to the one foreseen (Nielsen 1999).
//! A long descent bends its steps along the valley it is in, by the second derivative along the step (Transtrum and Sethna 2011). A
//! coordinate on its bound that the gradient pushes outwards is left out of the step; every other is clipped at its bound.

use crate::error::FitError;
use crate::objective::{Linearised, Objective};
use nalgebra::{DMatrix, DVector};

/// A place and what it costs.
#[derive(Clone, Debug)]
pub struct DescentPlace {
    /// Coordinates.
    pub u: Vec<f64>,
    /// Sum of squares.
    pub cost: f64,
    /// Whether the descent came to its end there.
    pub is_settled: bool,
}

/// Steps that change the sum of squares by less than this, or coordinates by less, end the descent.
const COST_CHANGE: f64 = 1e-10;
const STEP: f64 = 1e-9;

/// The longest last step.
const POLISH: f64 = 1e-3;

/// So many steps of a descent are straight; most have arrived by then.
const STRAIGHT: usize = 10;

/// Goes down from a place, for so many steps at most.
///
/// # Errors
/// [`FitError::Lost`] if there is no motion at the start. A wish to stop ends it where it is.
pub fn descend(objective: &Objective, start: &[f64], most: usize) -> Result<DescentPlace, FitError> {
    descend_among(objective, start, most, &vec![true; start.len()])
}

/// The same with some of the coordinates held.
///
/// # Errors
/// As [`descend`].
pub fn descend_among(
    objective: &Objective,
    start: &[f64],
    most: usize,
    is_moving: &[bool],
) -> Result<DescentPlace, FitError> {
    let (low, high) = (&objective.coordinates.low, &objective.coordinates.high);
    let mut u: Vec<f64> = start.iter().zip(low.iter().zip(high)).map(|(u, (l, h))| u.clamp(*l, *h)).collect();
    let mut here = objective.linearised(&u)?;
    let mut cost = here.residuals.norm_squared();
    let (mut damping, mut growth) = (1e-3, 2.0);
    let mut scale = vec![0.0_f64; u.len()];
    let mut is_settled = false;
    'descent: for turn in 0..most {
        let gradient = here.jacobian.tr_mul(&here.residuals);
        let normal = here.jacobian.tr_mul(&here.jacobian);
        for k in 0..u.len() {
            scale[k] = scale[k].max(normal[(k, k)].sqrt());
        }
        let free: Vec<usize> = (0..u.len())
            .filter(|&k| is_moving[k] && scale[k] > 0.0)
            .filter(|&k| !(u[k] <= low[k] && gradient[k] > 0.0 || u[k] >= high[k] && gradient[k] < 0.0))
            .collect();
        if free.is_empty() {
            is_settled = true;
            break;
        }
        loop {
            let Some(step) = damped(&normal, &gradient, &scale, &free, damping) else {
                damping *= growth;
                growth *= 2.0;
                if damping > 1e20 {
                    break 'descent;
                }
                continue;
            };
            let mut next = u.clone();
            for (&k, step) in free.iter().zip(&step) {
                // A long jump in a logarithm is believed by nobody.
                next[k] = (u[k] + step.clamp(-2.5, 2.5)).clamp(low[k], high[k]);
            }
            let moved = DVector::from_iterator(u.len(), next.iter().zip(&u).map(|(a, b)| a - b));
            let foreseen = -(2.0 * gradient.dot(&moved) + (&normal * &moved).dot(&moved));
            let bend = (turn >= STRAIGHT).then(|| second(objective, &here, &u, &moved)).flatten();
            let bend = bend
                .and_then(|second| damped(&normal, &here.jacobian.tr_mul(&second), &scale, &free, damping));
            if let Some(bend) = bend.filter(|bend| is_gentle(bend, &moved, &scale, &free)) {
                for (&k, bend) in free.iter().zip(&bend) {
                    next[k] = (next[k] + 0.5 * bend).clamp(low[k], high[k]);
                }
            }
            let found = match objective.cost(&next) {
                Ok(found) => found,
                Err(_) => break 'descent,
            };
            let gain = cost - found;
            let is_small = moved.amax() < STEP || foreseen.abs() <= COST_CHANGE * cost;
            if gain > 0.0 {
                let ratio = gain / foreseen.max(f64::MIN_POSITIVE);
                damping = (damping * (1.0 - (2.0 * ratio - 1.0).powi(3)).max(1.0 / 3.0)).max(1e-15);
                growth = 2.0;
                u = next;
                match objective.linearised(&u) {
                    Ok(lin) => here = lin,
                    Err(_) => break 'descent,
                }
                cost = found;
                if is_small || gain <= COST_CHANGE * cost {
                    is_settled = true;
                    break 'descent;
                }
                break;
            }
            if is_small || damping > 1e15 {
                is_settled = true;
                break 'descent;
            }
            damping *= growth;
            growth *= 2.0;
        }
    }
    if is_settled {
        (u, cost) = polished(objective, &here, u, cost, is_moving);
    }
    Ok(DescentPlace { u, cost, is_settled })
}

/// The place after one more step without damping, if it costs no more: what a descent leaves when it hardly gains is a thousandth of an
/// error, and digits of a problem that is nearly linear.
fn polished(
    objective: &Objective,
    here: &Linearised,
    u: Vec<f64>,
    cost: f64,
    is_moving: &[bool],
) -> (Vec<f64>, f64) {
    let (low, high) = (&objective.coordinates.low, &objective.coordinates.high);
    let gradient = here.jacobian.tr_mul(&here.residuals);
    let normal = here.jacobian.tr_mul(&here.jacobian);
    let scale: Vec<f64> = (0..u.len()).map(|k| normal[(k, k)].sqrt()).collect();
    let inside = |k: &usize| is_moving[*k] && scale[*k] > 0.0 && u[*k] > low[*k] && u[*k] < high[*k];
    let free: Vec<usize> = (0..u.len()).filter(inside).collect();
    let Some(step) = damped(&normal, &gradient, &scale, &free, 0.0) else { return (u, cost) };
    let mut next = u.clone();
    for (&k, step) in free.iter().zip(&step) {
        // Along what the record does not tell, a step without damping leads anywhere.
        if step.abs() > POLISH {
            return (u, cost);
        }
        next[k] = (u[k] + step).clamp(low[k], high[k]);
    }
    match objective.cost(&next) {
        Ok(found) if found < cost => (next, found),
        _ => (u, cost),
    }
}

/// The second derivative of the residuals along a step, from where a tenth of it leads.
fn second(objective: &Objective, here: &Linearised, u: &[f64], moved: &DVector<f64>) -> Option<DVector<f64>> {
    const PART: f64 = 0.1;
    let probe: Vec<f64> = u.iter().zip(moved.iter()).map(|(u, d)| u + PART * d).collect();
    let there = objective.residuals(&probe).ok()?;
    Some(((there - &here.residuals) / PART - &here.jacobian * moved) * (2.0 / PART))
}

/// Whether a step bends little beside its length.
fn is_gentle(bend: &[f64], moved: &DVector<f64>, scale: &[f64], free: &[usize]) -> bool {
    let bent: f64 = bend.iter().zip(free).map(|(b, &k)| (b * scale[k]).powi(2)).sum();
    let straight: f64 = free.iter().map(|&k| (moved[k] * scale[k]).powi(2)).sum();
    2.0 * bent.sqrt() <= 0.75 * straight.sqrt()
}

/// The damped step over the free coordinates, in the scale of the columns.
fn damped(
    normal: &DMatrix<f64>,
    gradient: &DVector<f64>,
    scale: &[f64],
    free: &[usize],
    damping: f64,
) -> Option<Vec<f64>> {
    let count = free.len();
    let mut matrix = DMatrix::zeros(count, count);
    let mut right = DVector::zeros(count);
    for (a, &i) in free.iter().enumerate() {
        right[a] = -gradient[i] / scale[i];
        for (b, &j) in free.iter().enumerate() {
            matrix[(a, b)] = normal[(i, j)] / (scale[i] * scale[j]);
        }
        matrix[(a, a)] += damping;
    }
    let step = matrix.cholesky()?.solve(&right);
    step.iter().all(|s| s.is_finite()).then(|| step.iter().zip(free).map(|(s, &k)| s / scale[k]).collect())
}
