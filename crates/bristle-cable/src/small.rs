//! Small dense systems: the inverse of a block, the solution of a border.

use bristle_solve::inverse_columns;

/// A square block.
pub type SquareBlock<const B: usize> = [[f64; B]; B];

/// The inverse in place.
#[inline]
pub fn invert<const B: usize>(m: &mut SquareBlock<B>) -> Result<(), ()> {
    let columns = inverse_columns(*m).ok_or(())?;
    for i in 0..B {
        for j in 0..B {
            m[i][j] = columns[j][i];
        }
    }
    Ok(())
}

/// Solves a small dense system in place with row exchange: `m` is `n × n` by rows, `x` the right-hand side.
pub fn dense(m: &mut [f64], x: &mut [f64]) -> Result<(), ()> {
    let n = x.len();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[p * n + k].abs() {
                p = i;
            }
        }
        if p != k {
            let (head, tail) = m.split_at_mut(p * n);
            head[k * n..k * n + n].swap_with_slice(&mut tail[..n]);
            x.swap(k, p);
        }
        let pivot = m[k * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return Err(());
        }
        let (head, tail) = m.split_at_mut((k + 1) * n);
        let row = &head[k * n + k + 1..];
        for i in k + 1..n {
            let other = &mut tail[(i - k - 1) * n..(i - k) * n];
            let factor = other[k] / pivot;
            if factor != 0.0 {
                for (y, z) in other[k + 1..].iter_mut().zip(row) {
                    *y -= factor * z;
                }
                x[i] -= factor * x[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = m[k * n + k + 1..(k + 1) * n].iter().zip(&x[k + 1..]).map(|(a, b)| a * b).sum();
        x[k] = (x[k] - sum) / m[k * n + k];
    }
    Ok(())
}
