//! Small dense linear algebra: eigenvalues of badly scaled matrices, characteristic polynomials, Hurwitz
//! determinants.

use crate::AnalysisError;
use crate::active_states::Row;
use crate::eigenvalues;
use bristle_solve::Cancel;
use nalgebra::{Complex, DMatrix, DVector, linalg::Schur, linalg::balancing};

/// A complex number.
pub type C64 = Complex<f64>;

/// An eigenvalue with its right and left eigenvectors.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// The eigenvalue.
    pub value: C64,
    /// Right eigenvector `A q = λ q`, of unit norm.
    pub right: DVector<C64>,
    /// Left eigenvector `wᴴ A = λ wᴴ`, with `wᴴ q = 1`.
    pub left: DVector<C64>,
}

/// Eigenvalues and eigenvectors, the largest real part first, of a matrix whose states have the given magnitudes.
///
/// Scaling and balancing come first, so that a bristle rate of 10⁴ 1/s does not swamp a mode of 0.1 1/s; each
/// pair is then refined by a two-sided Rayleigh quotient.
pub fn eigen(a: &DMatrix<f64>, scale: &[f64]) -> Result<Vec<Eigen>, AnalysisError> {
    let n = a.nrows();
    let (balanced, d, size) = balance(a, scale)?;
    let mut pairs: Vec<Eigen> = Vec::with_capacity(n);
    for value in raw_eigenvalues(&balanced)? {
        // Complex values come in conjugate pairs; the second is the mirror of the first.
        if value.im < 0.0 {
            continue;
        }
        // Two decompositions each: long for hundreds of states.
        Cancel::check()?;
        let mut pair = refine(&balanced, value)?;
        pair.value *= size;
        for i in 0..n {
            pair.right[i] *= d[i];
            pair.left[i] /= d[i];
        }
        let norm = pair.right.norm();
        pair.right.unscale_mut(norm);
        pair.left.scale_mut(norm);
        if pair.value.im > 0.0 {
            let mirror = Eigen {
                value: pair.value.conj(),
                right: pair.right.map(|v| v.conj()),
                left: pair.left.map(|v| v.conj()),
            };
            pairs.extend([pair, mirror]);
        } else {
            pairs.push(pair);
        }
    }
    pairs.sort_by(|a, b| b.value.re.total_cmp(&a.value.re).then(b.value.im.total_cmp(&a.value.im)));
    Ok(pairs)
}

/// Eigenvalues alone, the largest real part first.
pub fn eigenvalues(a: &DMatrix<f64>, scale: &[f64]) -> Result<Vec<C64>, AnalysisError> {
    let (balanced, _, size) = balance(a, scale)?;
    let mut values: Vec<C64> = raw_eigenvalues(&balanced)?.into_iter().map(|v| v * size).collect();
    values.sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
    Ok(values)
}

/// The largest real part of the eigenvalues of a row-major matrix, which is destroyed; `None` where the iteration fails.
pub(crate) fn largest_real_part(a: &mut [f64], n: usize) -> Option<f64> {
    eigenvalues::balance(a, n);
    eigenvalues::hessenberg(a, n);
    let mut largest = f64::NEG_INFINITY;
    eigenvalues::eigenvalues(a, n, |value| largest = largest.max(value.re))?;
    Some(largest)
}

/// `D⁻¹ A D / s`, the diagonal of `D` and `s`.
///
/// The size `s` is a power of two near the largest entry: what follows squares entries, and balancing never ends once
/// that overflows.
fn balance(a: &DMatrix<f64>, scale: &[f64]) -> Result<(DMatrix<f64>, Vec<f64>, f64), AnalysisError> {
    let n = a.nrows();
    let mut scaled = DMatrix::from_fn(n, n, |i, j| a[(i, j)] * scale[j] / scale[i]);
    if scaled.iter().any(|v| !v.is_finite()) {
        return Err(AnalysisError::Eigenvalues { size: n });
    }
    let size = scaled.amax().log2().floor().clamp(-1000.0, 1000.0).exp2();
    scaled.unscale_mut(size);
    let d = balancing::balance_parlett_reinsch(&mut scaled);
    // The definition of D is recomputed rather than trusted: what matters is that both belong together.
    let d: Vec<f64> = (0..n).map(|i| scale[i] * d[i]).collect();
    Ok((DMatrix::from_fn(n, n, |i, j| a[(i, j)] / size * d[j] / d[i]), d, size))
}

fn raw_eigenvalues(a: &DMatrix<f64>) -> Result<Vec<C64>, AnalysisError> {
    let n = a.nrows();
    if n == 0 {
        return Ok(Vec::new());
    }
    if a.iter().any(|v| !v.is_finite()) {
        return Err(AnalysisError::Eigenvalues { size: n });
    }
    let schur = Schur::try_new(a.clone(), f64::EPSILON, 300 * n);
    let schur = schur.ok_or(AnalysisError::Eigenvalues { size: n })?;
    Ok(schur.complex_eigenvalues().iter().copied().collect())
}

/// Inverse iteration for both vectors, then `λ ← λ + wᴴ(A q − λ q)/wᴴ q`.
fn refine(a: &DMatrix<f64>, value: C64) -> Result<Eigen, AnalysisError> {
    let n = a.nrows();
    let complex = a.map(|v| C64::new(v, 0.0));
    let nudge = f64::EPSILON * a.norm().max(f64::MIN_POSITIVE);
    let shifted = &complex - DMatrix::from_diagonal_element(n, n, value + C64::new(nudge, nudge));
    let right = inverse_iteration(shifted.clone())?;
    let left = inverse_iteration(shifted.adjoint())?;
    let product = left.dotc(&right);
    // A defective eigenvalue has orthogonal vectors; it is left as the iteration found it.
    if product.norm() < 1e-8 {
        return Ok(Eigen { value, right, left });
    }
    let residual = &complex * &right - right.map(|v| v * value);
    let mut refined = value + left.dotc(&residual) / product;
    if value.im == 0.0 {
        refined.im = 0.0;
    }
    let left = left.map(|v| v / product.conj());
    Ok(Eigen { value: refined, right, left })
}

fn inverse_iteration(shifted: DMatrix<C64>) -> Result<DVector<C64>, AnalysisError> {
    let n = shifted.nrows();
    let lu = shifted.full_piv_lu();
    let mut v = DVector::from_fn(n, |i, _| C64::new(1.0, 0.1 * (i as f64 + 1.0)));
    for _ in 0..3 {
        v = lu.solve(&v).ok_or(AnalysisError::Eigenvalues { size: n })?;
        let norm = v.norm();
        v.unscale_mut(norm);
    }
    Ok(v)
}

/// Coefficients `b₀ … b_{n−1}` of `λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀` from its roots.
pub fn polynomial_of_roots(roots: &[C64]) -> Vec<f64> {
    let mut c = vec![C64::new(1.0, 0.0)];
    for root in roots {
        c.push(C64::new(0.0, 0.0));
        for i in (1..c.len()).rev() {
            let lower = c[i - 1];
            c[i] -= root * lower;
        }
    }
    c[1..].iter().rev().map(|v| v.re).collect()
}

/// Characteristic polynomial `b₀ … b_{n−1}` of a row-major matrix, which is destroyed: elimination to Hessenberg
/// form, then La Budde's recurrence. Needs no eigenvalues and, for up to eight states, no memory.
pub(crate) fn polynomial(a: &mut [f64], n: usize) -> Row<f64> {
    eigenvalues::hessenberg(a, n);
    // Row k of the table holds the polynomial of the leading k × k block, lowest power first.
    let width = n + 1;
    let mut table: smallvec::SmallVec<[f64; 81]> = std::iter::repeat_n(0.0, width * width).collect();
    table[0] = 1.0;
    for k in 1..=n {
        let row = k - 1;
        for power in 0..k {
            let lower = table[row * width + power];
            table[k * width + power + 1] += lower;
            table[k * width + power] -= a[row * n + row] * lower;
        }
        let mut product = 1.0;
        for j in (0..row).rev() {
            product *= a[(j + 1) * n + j];
            let factor = a[j * n + row] * product;
            for power in 0..=j {
                table[k * width + power] -= factor * table[j * width + power];
            }
        }
    }
    table[n * width..n * width + n].iter().copied().collect()
}

/// Hurwitz determinants `Δ₁ … Δ_n` of `λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀`; all positive means stable.
pub fn hurwitz(b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let coefficient = |i: isize| match i {
        0 => 1.0,
        i if i > 0 && i as usize <= n => b[n - i as usize],
        _ => 0.0,
    };
    let matrix =
        DMatrix::from_fn(n, n, |row, column| coefficient(2 * (column as isize + 1) - (row as isize + 1)));
    (1..=n).map(|k| matrix.view((0, 0), (k, k)).clone_owned().determinant()).collect()
}

/// The first column of Routh's array is positive: all roots of `λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀` lie to the left.
pub(crate) fn is_hurwitz(b: &[f64]) -> bool {
    let n = b.len();
    let coefficient = |i: usize| if i == 0 { 1.0 } else { b[n - i] };
    let mut upper: Row<f64> = (0..=n).step_by(2).map(coefficient).collect();
    let mut lower: Row<f64> = (1..=n).step_by(2).map(coefficient).collect();
    while !lower.is_empty() {
        if lower[0].is_nan() || lower[0] <= 0.0 {
            return false;
        }
        let ratio = upper[0] / lower[0];
        let next: Row<f64> =
            (1..upper.len()).map(|i| upper[i] - ratio * lower.get(i).copied().unwrap_or(0.0)).collect();
        upper = std::mem::replace(&mut lower, next);
    }
    true
}

/// Solves `A y = b` in place by elimination with pivoting; `false` where `A` is singular. `A` is row-major.
pub(crate) fn solve_in_place(a: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if a[pivot * n + k] == 0.0 || !a[pivot * n + k].is_finite() {
            return false;
        }
        if pivot != k {
            for j in 0..n {
                a.swap(pivot * n + j, k * n + j);
            }
            b.swap(pivot, k);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] /= a[i * n + i];
    }
    true
}

#[cfg(test)]
mod linear_tests {
    use super::*;

    /// `(λ + 1)(λ + 2)(λ² + 2λ + 5) = λ⁴ + 5λ³ + 13λ² + 19λ + 10`.
    #[test]
    fn both_routes_give_the_same_polynomial() {
        let expected = [10.0, 19.0, 13.0, 5.0];
        let roots = [C64::new(-1.0, 0.0), C64::new(-2.0, 0.0), C64::new(-1.0, 2.0), C64::new(-1.0, -2.0)];
        let diagonal = DMatrix::from_row_slice(
            4,
            4,
            &[-1.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, -1.0, 2.0, 0.0, 0.0, -2.0, -1.0],
        );
        let mix =
            DMatrix::from_fn(4, 4, |i, j| if i == j { 2.0 } else { 1.0 / (1.0 + i as f64 + 2.0 * j as f64) });
        let full = &mix * diagonal * mix.clone().try_inverse().unwrap();
        let mut rows: Vec<f64> = full.transpose().iter().copied().collect();
        let direct = polynomial(&mut rows, 4);
        for (k, c) in polynomial_of_roots(&roots).into_iter().enumerate() {
            assert!((c - expected[k]).abs() < 1e-12);
            assert!((direct[k] - expected[k]).abs() < 1e-10, "{direct:?}");
        }
        let found = eigenvalues(&full, &[1.0; 4]).unwrap();
        for root in roots {
            assert!(found.iter().any(|v| (v - root).norm() < 1e-10), "{found:?} lacks {root}");
        }
    }

    /// Two poles on the right give determinants of mixed sign, and a stable polynomial none.
    #[test]
    fn hurwitz_and_routh_agree() {
        assert!(hurwitz(&[10.0, 19.0, 13.0, 5.0]).iter().all(|d| *d > 0.0));
        assert!(is_hurwitz(&[10.0, 19.0, 13.0, 5.0]));
        assert!(!is_hurwitz(&[5.0, -1.0, 1.0]));
        assert!(hurwitz(&[5.0, -1.0, 1.0]).iter().any(|d| *d < 0.0));
    }

    /// Eigenvalues scale with the matrix, whatever the square of an entry would be; what has overflowed is refused.
    #[test]
    fn matrices_beyond_the_root_of_the_largest_number_end_too() {
        for factor in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
            let a = DMatrix::from_row_slice(2, 2, &[0.0, 1e4, -1e-4, -0.2]) * factor;
            let found = eigenvalues(&a, &[1.0; 2]).unwrap();
            let expected = C64::new(-0.1, 0.99f64.sqrt()) * factor;
            assert!((found[0] - expected).norm() < 1e-14 * factor, "{factor:e}: {found:?}");
        }
        for bad in [f64::INFINITY, f64::NAN] {
            let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, bad, 0.0]);
            assert!(eigen(&a, &[1.0; 2]).is_err() && eigenvalues(&a, &[1.0; 2]).is_err());
        }
    }

    #[test]
    fn elimination_solves_with_pivoting() {
        let mut a = [0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, 1.0];
        let mut b = [7.0, 6.0, 7.0];
        assert!(solve_in_place(&mut a, 3, &mut b));
        assert!((b[0] - 1.0).abs() + (b[1] - 2.0).abs() + (b[2] - 3.0).abs() < 1e-14);
        assert!(!solve_in_place(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 2.0]));
    }
}
