//! Elimination, characteristic polynomials and Routh's array in lanes.
//!
//! Matrices are row-major. Every lane chooses its pivots by itself: rows are exchanged in those lanes that need it.

use bristle_core::{LaneMask, Lanes, Scalar};

/// Exchanges `a[i]` and `a[j]` where the mask holds.
#[inline(always)]
pub(crate) fn exchange<const N: usize>(a: &mut [Lanes<N>], i: usize, j: usize, mask: LaneMask<N>) {
    let (x, y) = (a[i], a[j]);
    a[i] = Lanes::select(mask, y, x);
    a[j] = Lanes::select(mask, x, y);
}

/// Solves `A y = b` in place; lanes in which `A` is singular get what is not a number.
#[inline(always)]
pub(super) fn solve<const N: usize>(a: &mut [Lanes<N>], n: usize, b: &mut [Lanes<N>]) {
    for k in 0..n {
        for i in k + 1..n {
            let is_smaller = a[k * n + k].abs().lt(a[i * n + k].abs());
            if is_smaller.any() {
                for j in k..n {
                    exchange(a, k * n + j, i * n + j, is_smaller);
                }
                exchange(b, k, i, is_smaller);
            }
        }
        let inverse = Lanes::splat(1.0) / a[k * n + k];
        for i in k + 1..n {
            let factor = -(a[i * n + k] * inverse);
            for j in k + 1..n {
                a[i * n + j] = factor.times_plus(a[k * n + j], a[i * n + j]);
            }
            b[i] = factor.times_plus(b[k], b[i]);
        }
        a[k * n + k] = inverse;
    }
    for i in (0..n).rev() {
        let mut sum = b[i];
        for j in i + 1..n {
            sum = (-a[i * n + j]).times_plus(b[j], sum);
        }
        b[i] = sum * a[i * n + i];
    }
}

/// Elimination to Hessenberg form.
#[inline(always)]
fn hessenberg<const N: usize>(a: &mut [Lanes<N>], n: usize) {
    let zero = Lanes::splat(0.0);
    for m in 1..n.saturating_sub(1) {
        for i in m + 1..n {
            let is_smaller = a[m * n + m - 1].abs().lt(a[i * n + m - 1].abs());
            if is_smaller.any() {
                for j in 0..n {
                    exchange(a, m * n + j, i * n + j, is_smaller);
                }
                for j in 0..n {
                    exchange(a, j * n + m, j * n + i, is_smaller);
                }
            }
        }
        let pivot = a[m * n + m - 1];
        let inverse = Lanes::select(zero.lt(pivot.abs()), Lanes::splat(1.0) / pivot, zero);
        for i in m + 1..n {
            let factor = a[i * n + m - 1] * inverse;
            for j in m - 1..n {
                a[i * n + j] = (-factor).times_plus(a[m * n + j], a[i * n + j]);
            }
            for k in 0..n {
                a[k * n + m] = factor.times_plus(a[k * n + i], a[k * n + m]);
            }
        }
    }
}

/// Characteristic polynomial by La Budde's recurrence; `table` is scratch space of `(n + 1)²` and holds `b₀ … b_{n−1}`
/// in its last row. The matrix is destroyed.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(a: &mut [Lanes<N>], n: usize, table: &mut [Lanes<N>]) {
    hessenberg(a, n);
    let (width, zero) = (n + 1, Lanes::splat(0.0));
    table[..width * width].fill(zero);
    table[0] = Lanes::splat(1.0);
    for k in 1..=n {
        let row = k - 1;
        let diagonal = -a[row * n + row];
        for power in 0..k {
            let lower = table[row * width + power];
            table[k * width + power + 1] += lower;
            table[k * width + power] = diagonal.times_plus(lower, table[k * width + power]);
        }
        let mut product = Lanes::splat(1.0);
        for j in (0..row).rev() {
            product = product * a[(j + 1) * n + j];
            let factor = -(a[j * n + row] * product);
            for power in 0..=j {
                table[k * width + power] =
                    factor.times_plus(table[j * width + power], table[k * width + power]);
            }
        }
    }
}

/// In which lanes do all roots of `λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀` lie to the left? Routh's array.
#[inline(always)]
pub(super) fn is_hurwitz<const N: usize>(b: &[Lanes<N>]) -> LaneMask<N> {
    let (n, zero) = (b.len(), Lanes::splat(0.0));
    // Two rows of the array; row `k` has `(n − k)/2 + 1` entries.
    let mut upper = [zero; super::MOST];
    let mut lower = [zero; super::MOST];
    for i in 0..=n {
        let coefficient = if i == 0 { Lanes::splat(1.0) } else { b[n - i] };
        if i % 2 == 0 { upper[i / 2] = coefficient } else { lower[i / 2] = coefficient }
    }
    let mut stable = LaneMask([u64::MAX; N]);
    for k in 1..=n {
        stable = stable.and(zero.lt(lower[0]));
        let ratio = upper[0] / lower[0];
        let count = (n - k) / 2 + 1;
        for i in 0..count {
            let next = upper[i + 1] - ratio * lower[i + 1];
            upper[i] = lower[i];
            lower[i] = next;
        }
        upper[count] = zero;
        lower[count] = zero;
    }
    stable
}
