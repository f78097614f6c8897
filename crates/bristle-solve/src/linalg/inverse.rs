//! The inverse of a small matrix.
//!
//! A step of a Rosenbrock method solves eight systems with one matrix: for a few unknowns eight products with the inverse take
//! less time than eight substitutions, each of which waits for the result before.

use crate::small::fma;

/// The columns of the inverse of a matrix of up to nine rows, given row by row; nothing if it has none, or for more rows.
///
/// By Gauss and Jordan's elimination with pivots; of two rows by their determinant, with one division instead of two that wait
/// for each other.
#[inline(always)]
pub fn inverse_columns<const N: usize>(mut rows: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    if N == 2 {
        return columns_of_two(&rows);
    }
    let mut places: [usize; N] = std::array::from_fn(|i| i);
    let (a, p) = (&mut rows, &mut places);
    let is_regular = N <= 9
        && eliminate::<N, 0>(a, p)
        && eliminate::<N, 1>(a, p)
        && eliminate::<N, 2>(a, p)
        && eliminate::<N, 3>(a, p)
        && eliminate::<N, 4>(a, p)
        && eliminate::<N, 5>(a, p)
        && eliminate::<N, 6>(a, p)
        && eliminate::<N, 7>(a, p)
        && eliminate::<N, 8>(a, p);
    // What row `j` served as a pivot for is column `places[j]`.
    let mut columns = [[0.0; N]; N];
    for (j, &place) in places.iter().enumerate() {
        for i in 0..N {
            columns[place][i] = rows[i][j];
        }
    }
    is_regular.then_some(columns)
}

#[inline(always)]
fn columns_of_two<const N: usize>(rows: &[[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let [a, b, c, d] = [rows[0][0], rows[0][1], rows[1][0], rows[1][1]];
    let determinant = a * d - b * c;
    let inverse = 1.0 / determinant;
    if !(inverse.is_finite() && determinant.is_finite()) {
        return None;
    }
    let mut columns = [[0.0; N]; N];
    (columns[0][0], columns[0][1]) = (d * inverse, -c * inverse);
    (columns[1][0], columns[1][1]) = (-b * inverse, a * inverse);
    Some(columns)
}

/// Turns column `K` into one of the unit matrix, and what was there before into one of the inverse; false without a pivot.
///
/// Rows are exchanged pair by pair, so that every index is known to the compiler and few rows stay in registers.
#[inline(always)]
fn eliminate<const N: usize, const K: usize>(a: &mut [[f64; N]; N], places: &mut [usize; N]) -> bool {
    if K >= N {
        return true;
    }
    for i in K + 1..N {
        if a[i][K].abs() > a[K][K].abs() {
            a.swap(i, K);
            places.swap(i, K);
        }
    }
    let diagonal = a[K][K];
    if diagonal == 0.0 || !diagonal.is_finite() {
        return false;
    }
    let inverse = 1.0 / diagonal;
    a[K][K] = 1.0;
    a[K] = a[K].map(|value| value * inverse);
    let top = a[K];
    for i in 0..N {
        if i != K {
            let factor = a[i][K];
            a[i][K] = 0.0;
            for j in 0..N {
                a[i][j] = fma(-factor, top[j], a[i][j]);
            }
        }
    }
    true
}

#[cfg(test)]
mod inverse_tests {
    use super::*;

    fn largest_miss<const N: usize>() -> f64 {
        let matrix: [[f64; N]; N] = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                ((1 + i * 31 + j * 17 + i * j * 7) as f64 * 12.9898).sin() - f64::from(u8::from(i == j + 1))
            })
        });
        let columns = inverse_columns(matrix).unwrap();
        let mut miss: f64 = 0.0;
        for i in 0..N {
            for j in 0..N {
                let unit = f64::from(u8::from(i == j));
                let left: f64 = (0..N).map(|k| columns[k][i] * matrix[k][j]).sum();
                let right: f64 = (0..N).map(|k| matrix[i][k] * columns[j][k]).sum();
                miss = miss.max((left - unit).abs()).max((right - unit).abs());
            }
        }
        miss
    }

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let misses = [
            largest_miss::<1>(),
            largest_miss::<2>(),
            largest_miss::<3>(),
            largest_miss::<4>(),
            largest_miss::<5>(),
            largest_miss::<6>(),
            largest_miss::<7>(),
            largest_miss::<8>(),
            largest_miss::<9>(),
        ];
        assert!(misses.iter().all(|miss| *miss < 1e-12), "{misses:?}");
    }

    #[test]
    fn a_matrix_without_an_inverse_has_none() {
        assert!(inverse_columns([[1.0, 2.0], [2.0, 4.0]]).is_none());
        assert!(inverse_columns([[f64::NAN]]).is_none());
    }
}
