//! Eigenvalues of small dense matrices without memory of their own: balancing, elimination to Hessenberg form and Francis'
//! double-shift iteration (Golub & Van Loan, Matrix Computations, ch. 7). Matrices are row-major.

use crate::linear::C64;

/// Scales by powers of two until rows and columns are of similar size (Parlett & Reinsch 1969).
pub(crate) fn balance(a: &mut [f64], n: usize) {
    for _ in 0..20 {
        let mut is_balanced = true;
        for i in 0..n {
            let others = || (0..n).filter(move |j| *j != i);
            let mut column: f64 = others().map(|j| a[j * n + i].abs()).sum();
            let row: f64 = others().map(|j| a[i * n + j].abs()).sum();
            if column == 0.0 || row == 0.0 || !(column + row).is_finite() {
                continue;
            }
            let (mut factor, sum) = (1.0, column + row);
            while column < 0.5 * row {
                column *= 4.0;
                factor *= 2.0;
            }
            while column >= 2.0 * row {
                column *= 0.25;
                factor *= 0.5;
            }
            if column + row < 0.95 * sum * factor {
                is_balanced = false;
                for j in 0..n {
                    a[i * n + j] /= factor;
                }
                for j in 0..n {
                    a[j * n + i] *= factor;
                }
            }
        }
        if is_balanced {
            return;
        }
    }
}

/// Elimination with pivoting to Hessenberg form; what lies below the subdiagonal becomes zero.
pub(crate) fn hessenberg(a: &mut [f64], n: usize) {
    for m in 1..n.saturating_sub(1) {
        let pivot = (m..n).max_by(|&i, &j| a[i * n + m - 1].abs().total_cmp(&a[j * n + m - 1].abs()));
        let pivot = pivot.unwrap_or(m);
        if a[pivot * n + m - 1] == 0.0 {
            continue;
        }
        if pivot != m {
            for j in 0..n {
                a.swap(pivot * n + j, m * n + j);
            }
            for i in 0..n {
                a.swap(i * n + pivot, i * n + m);
            }
        }
        for i in m + 1..n {
            let factor = a[i * n + m - 1] / a[m * n + m - 1];
            if factor != 0.0 {
                for j in m - 1..n {
                    a[i * n + j] -= factor * a[m * n + j];
                }
                for k in 0..n {
                    a[k * n + m] += factor * a[k * n + i];
                }
            }
        }
    }
}

/// Hands out the eigenvalues of a Hessenberg matrix, which is destroyed; `None` where the iteration does not converge.
pub(crate) fn eigenvalues(a: &mut [f64], n: usize, mut found: impl FnMut(C64)) -> Option<()> {
    let norm: f64 = a.iter().map(|v| v.abs()).sum();
    if !norm.is_finite() {
        return None;
    }
    let mut end = n;
    let mut count = 0;
    while end > 0 {
        let low = split(a, n, end, norm);
        match end - low {
            1 => {
                found(C64::new(a[low * n + low], 0.0));
                (end, count) = (low, 0);
            }
            2 => {
                let at = low * n + low;
                pair([a[at], a[at + 1], a[at + n], a[at + n + 1]], &mut found);
                (end, count) = (low, 0);
            }
            _ if count == 60 => return None,
            _ => {
                count += 1;
                sweep(a, n, low, end, count % 10 == 0);
            }
        }
    }
    Some(())
}

/// The first row of the last block that does not fall apart.
fn split(a: &mut [f64], n: usize, end: usize, norm: f64) -> usize {
    for k in (1..end).rev() {
        let size = a[(k - 1) * n + k - 1].abs() + a[k * n + k].abs();
        let size = if size == 0.0 { norm } else { size };
        if a[k * n + k - 1].abs() <= f64::EPSILON * size {
            a[k * n + k - 1] = 0.0;
            return k;
        }
    }
    0
}

/// The eigenvalues of a matrix of two rows.
fn pair([a, b, c, d]: [f64; 4], found: &mut impl FnMut(C64)) {
    let (half, product) = (0.5 * (a - d), b * c);
    let square = half * half + product;
    if square < 0.0 {
        let root = (-square).sqrt();
        found(C64::new(0.5 * (a + d), root));
        found(C64::new(0.5 * (a + d), -root));
    } else {
        // The larger part first, the other from the product of both: no difference of nearly equal numbers.
        let part = half + square.sqrt().copysign(half);
        found(C64::new(d + part, 0.0));
        found(C64::new(if part == 0.0 { d } else { d - product / part }, 0.0));
    }
}

/// One double step on rows `low … end`.
fn sweep(a: &mut [f64], n: usize, low: usize, end: usize, is_exceptional: bool) {
    let at = |i: usize, j: usize| i * n + j;
    let last = end - 1;
    let (mut sum, mut product) = (
        a[at(last - 1, last - 1)] + a[at(last, last)],
        a[at(last - 1, last - 1)] * a[at(last, last)] - a[at(last - 1, last)] * a[at(last, last - 1)],
    );
    if is_exceptional {
        let size = a[at(last, last - 1)].abs() + a[at(last - 1, last - 2)].abs();
        (sum, product) = (1.5 * size, size * size);
    }
    let (h00, h10) = (a[at(low, low)], a[at(low + 1, low)]);
    let mut v = [
        h00 * (h00 - sum) + a[at(low, low + 1)] * h10 + product,
        h10 * (h00 + a[at(low + 1, low + 1)] - sum),
        h10 * a[at(low + 2, low + 1)],
    ];
    for k in low..last {
        let size = if k + 2 <= last { 3 } else { 2 };
        if k > low {
            for i in 0..size {
                v[i] = a[at(k + i, k - 1)];
            }
        }
        reflect(a, n, (low, end), k, &v[..size]);
    }
}

/// Applies the reflection that turns `v` into a multiple of its first axis to rows and columns `k …`.
fn reflect(a: &mut [f64], n: usize, (low, end): (usize, usize), k: usize, v: &[f64]) {
    let size = v.len();
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm == 0.0 {
        return;
    }
    let alpha = -norm.copysign(v[0]);
    let mut w = [v[0] - alpha, v[1], if size == 3 { v[2] } else { 0.0 }];
    let scale = 1.0 / w[0];
    w = [1.0, w[1] * scale, w[2] * scale];
    let tau = -(v[0] - alpha) / alpha;
    if k > low {
        a[k * n + k - 1] = alpha;
        for i in 1..size {
            a[(k + i) * n + k - 1] = 0.0;
        }
    }
    for j in k..end {
        let sum: f64 = (0..size).map(|i| w[i] * a[(k + i) * n + j]).sum::<f64>() * tau;
        for i in 0..size {
            a[(k + i) * n + j] -= sum * w[i];
        }
    }
    for i in low..end.min(k + 4) {
        let sum: f64 = (0..size).map(|j| w[j] * a[i * n + k + j]).sum::<f64>() * tau;
        for j in 0..size {
            a[i * n + k + j] -= sum * w[j];
        }
    }
}

#[cfg(test)]
mod eigenvalues_tests {
    use super::*;
    use crate::linear;
    use nalgebra::DMatrix;

    /// Random matrices of every small size, badly scaled on purpose, against the library's Schur form.
    #[test]
    fn eigenvalues_are_those_of_the_library() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for n in 1..9_usize {
            for _ in 0..200 {
                let scale: Vec<f64> = (0..n).map(|_| 10_f64.powf(6.0 * random())).collect();
                let full = DMatrix::from_fn(n, n, |i, j| random() * scale[i] / scale[j]);
                let expected = linear::eigenvalues(&full, &vec![1.0; n]).unwrap();
                let mut rows: Vec<f64> = full.transpose().iter().copied().collect();
                balance(&mut rows, n);
                hessenberg(&mut rows, n);
                let mut values = Vec::new();
                eigenvalues(&mut rows, n, |v| values.push(v)).unwrap();
                assert_eq!(values.len(), n);
                for value in expected {
                    let nearest = values.iter().map(|v| (v - value).norm()).fold(f64::INFINITY, f64::min);
                    assert!(nearest < 1e-9, "{n}: {value} is {nearest:e} away from {values:?}");
                }
            }
        }
    }
}
