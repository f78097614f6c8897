//! Sums over stages, unrolled for small systems.
//!
//! Most friction problems have two to sixteen states; with the length known to the compiler the sums stay in registers.

/// Lengths up to this are known to the compiler.
pub(crate) const FIXED: usize = 8;

/// Calls a function for the length `n`, known to the compiler up to [`FIXED`].
macro_rules! by_length {
    ($n:expr, $($fixed:ident)::+, $free:ident, ($($argument:expr),*)) => {
        match $n {
            1 => $($fixed)::+::<1>($($argument),*),
            2 => $($fixed)::+::<2>($($argument),*),
            3 => $($fixed)::+::<3>($($argument),*),
            4 => $($fixed)::+::<4>($($argument),*),
            5 => $($fixed)::+::<5>($($argument),*),
            6 => $($fixed)::+::<6>($($argument),*),
            7 => $($fixed)::+::<7>($($argument),*),
            8 => $($fixed)::+::<8>($($argument),*),
            _ => $free($($argument),*),
        }
    };
}
pub(crate) use by_length;

/// `a b + c`: one operation where the program is compiled for a processor that has it, two roundings elsewhere.
#[inline(always)]
pub(crate) fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// `out = x + scale Σ a_j u_j`, with the columns `u_j` one after the other.
#[inline]
pub(crate) fn combine(out: &mut [f64], x: &[f64], scale: f64, a: &[f64], u: &[f64]) {
    by_length!(out.len(), combine_fixed, combine_free, (out, x, scale, a, u));
}

/// `out = scale Σ a_j u_j`.
pub(crate) fn sum(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    by_length!(out.len(), sum_fixed, sum_free, (out, scale, a, u));
}

fn sum_fixed<const N: usize>(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    combine_fixed::<N>(out, &[0.0; N], scale, a, u);
}

fn sum_free(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    out.fill(0.0);
    add_free(out, scale, a, u);
}

fn combine_fixed<const N: usize>(out: &mut [f64], x: &[f64], scale: f64, a: &[f64], u: &[f64]) {
    let (columns, _) = u.as_chunks::<N>();
    let mut sum = [0.0; N];
    for j in 0..a.len().min(columns.len()) {
        for k in 0..N {
            sum[k] = fma(a[j], columns[j][k], sum[k]);
        }
    }
    let (Some(out), Some(x)) = (out.first_chunk_mut::<N>(), x.first_chunk::<N>()) else { return };
    for k in 0..N {
        out[k] = fma(scale, sum[k], x[k]);
    }
}

fn combine_free(out: &mut [f64], x: &[f64], scale: f64, a: &[f64], u: &[f64]) {
    out.copy_from_slice(x);
    add_free(out, scale, a, u);
}

/// Adds `scale Σ a_j u_j`; the sums of up to sixteen states stay in registers.
fn add_free(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    match out.len() {
        9 => add_short::<9>(out, scale, a, u),
        10 => add_short::<10>(out, scale, a, u),
        11 => add_short::<11>(out, scale, a, u),
        12 => add_short::<12>(out, scale, a, u),
        13 => add_short::<13>(out, scale, a, u),
        14 => add_short::<14>(out, scale, a, u),
        15 => add_short::<15>(out, scale, a, u),
        16 => add_short::<16>(out, scale, a, u),
        _ => add_long(out, scale, a, u),
    }
}

fn add_short<const N: usize>(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    let Some(out) = out.first_chunk_mut::<N>() else { return };
    let (mut sum, (columns, _)) = (*out, u.as_chunks::<N>());
    // In the order of long systems, two columns at a time.
    for (weights, columns) in a.chunks(2).zip(columns.chunks(2)) {
        if let ([one, two], [first, second]) = (weights, columns) {
            let (one, two) = (scale * one, scale * two);
            for k in 0..N {
                sum[k] = fma(one, first[k], fma(two, second[k], sum[k]));
            }
        } else if let ([weight], [column, ..]) = (weights, columns) {
            let weight = scale * weight;
            for k in 0..N {
                sum[k] = fma(weight, column[k], sum[k]);
            }
        }
    }
    *out = sum;
}

fn add_long(out: &mut [f64], scale: f64, a: &[f64], u: &[f64]) {
    let n = out.len();
    let mut pairs = a.chunks_exact(2).zip(u.chunks_exact(2 * n));
    // Two columns at a time halve the traffic of long systems.
    for (weights, columns) in &mut pairs {
        let (first, second) = columns.split_at(n);
        let (one, two) = (scale * weights[0], scale * weights[1]);
        for ((slot, a), b) in out.iter_mut().zip(first).zip(second) {
            *slot = fma(one, *a, fma(two, *b, *slot));
        }
    }
    if a.len() % 2 == 1 {
        let last = a.len() - 1;
        let weight = scale * a[last];
        for (slot, value) in out.iter_mut().zip(&u[last * n..(last + 1) * n]) {
            *slot = fma(weight, *value, *slot);
        }
    }
}

#[cfg(test)]
mod small_tests {
    use super::*;

    #[test]
    fn sums_agree_for_all_lengths() {
        for n in 1..20 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let u: Vec<f64> = (0..7 * n).map(|i| f64::from(i).sin()).collect();
            for count in 0..7 {
                let a: Vec<f64> = (0..count).map(|j| 1.0 + f64::from(j)).collect();
                let mut out = vec![0.0; n as usize];
                combine(&mut out, &x, 0.5, &a, &u);
                for k in 0..n as usize {
                    let sum: f64 = a.iter().enumerate().map(|(j, a)| a * u[j * n as usize + k]).sum();
                    assert!((out[k] - x[k] - 0.5 * sum).abs() < 1e-13);
                }
            }
        }
    }
}
