//! The states of a written law in steady sliding, which tell how large they are.

use super::read::{Contents, MOST_STATES};
use crate::law::At;
use bristle_core::Dual;

/// The states of steady sliding, by Newton's method.
pub(super) fn steady(law: &Contents, p: &[f64], v: f64, n: f64) -> Option<Vec<f64>> {
    let count = law.states.len();
    let lifted: Vec<Dual<MOST_STATES>> = p.iter().map(|p| Dual::from(*p)).collect();
    let at = At::sliding(Dual::from(v), Dual::from(n));
    let mut z: Vec<f64> = law.states.iter().map(|s| s.initial).collect();
    for _ in 0..60 {
        let seeded: Vec<Dual<MOST_STATES>> =
            z.iter().enumerate().map(|(i, z)| bristle_core::seed(*z, i)).collect();
        let values = law.code.run(&lifted, &at, &[], &seeded);
        let mut rows: Vec<Vec<f64>> = law
            .rates
            .iter()
            .map(|place| {
                let rate = values[*place as usize];
                rate.eps[..count].iter().copied().chain([-rate.re]).collect()
            })
            .collect();
        let step = solve(&mut rows)?;
        let size: f64 =
            z.iter().zip(&step).map(|(z, d)| (d / (z + d).abs().max(1e-300)).abs()).fold(0.0, f64::max);
        z.iter_mut().zip(&step).for_each(|(z, d)| *z += d);
        if !z.iter().all(|z| z.is_finite()) {
            return None;
        }
        if size < 1e-6 {
            return Some(z);
        }
    }
    None
}

/// Elimination with pivots; the last entry of each row is its right-hand side.
fn solve(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k] == 0.0 || !rows[k][k].is_finite() {
            return None;
        }
        for i in 0..n {
            if i != k {
                let factor = rows[i][k] / rows[k][k];
                for j in k..=n {
                    rows[i][j] -= factor * rows[k][j];
                }
            }
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}
