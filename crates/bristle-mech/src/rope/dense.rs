//! Full matrices of a few rows, eliminated with rows exchanged.

/// Eliminates with rows exchanged; false where it is singular.
pub(super) fn factorise(m: &mut [f64], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| m[a * n + k].abs().total_cmp(&m[b * n + k].abs())).unwrap_or(k);
        pivots[k] = pivot;
        if pivot != k {
            for j in 0..n {
                m.swap(k * n + j, pivot * n + j);
            }
        }
        let diagonal = m[k * n + k];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return false;
        }
        for i in k + 1..n {
            let factor = m[i * n + k] / diagonal;
            m[i * n + k] = factor;
            if factor != 0.0 {
                for j in k + 1..n {
                    m[i * n + j] -= factor * m[k * n + j];
                }
            }
        }
    }
    true
}

/// Solves with the factors, in place.
pub(super) fn substitute(m: &[f64], pivots: &[usize], b: &mut [f64]) {
    let n = pivots.len();
    for k in 0..n {
        b.swap(k, pivots[k]);
    }
    for k in 0..n {
        for i in k + 1..n {
            b[i] -= m[i * n + k] * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= m[k * n + j] * b[j];
        }
        b[k] /= m[k * n + k];
    }
}
