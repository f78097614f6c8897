//! Sobol's indices from the runs of Saltelli's scheme.
//!
//! ```text
//! S_i = ⟨f_B (f_ABi − f_A)⟩/V,    T_i = ⟨(f_A − f_ABi)²⟩/(2V)
//! ```
//!
//! Saltelli et al., Comput. Phys. Commun. 181 (2010) 259, with Jansen's estimator of the total index.

use crate::noise::{below, bits};
use crate::statistics::normal_width;

/// An index and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexEstimate {
    /// The index.
    pub value: f64,
    /// Half the width of its interval.
    pub doubt: f64,
}

/// What one parameter does to a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SobolIndices {
    /// Share of the variance that the parameter makes alone.
    pub first: IndexEstimate,
    /// The same together with all others.
    pub total: IndexEstimate,
}

/// Resamples for the intervals.
const RESAMPLES: u64 = 200;

/// Indices of `parameters` from the values of all runs, in their order; base points with a run that failed are left out. Nothing
/// where fewer than eight are left, or nothing varies.
pub fn indices(values: &[f64], parameters: usize, confidence: f64) -> Option<Vec<SobolIndices>> {
    let width = parameters + 2;
    let blocks: Vec<&[f64]> =
        values.chunks_exact(width).filter(|block| block.iter().all(|v| v.is_finite())).collect();
    if blocks.len() < 8 {
        return None;
    }
    let both = || blocks.iter().flat_map(|b| [b[0], b[1]]);
    let mean = both().sum::<f64>() / (2 * blocks.len()) as f64;
    let largest = both().fold(0.0, |m: f64, v| m.max((v - mean).abs()));
    if largest <= 1e-12 * mean.abs() {
        return None;
    }
    let found = (0..parameters).map(|i| {
        let all: Vec<u32> = (0..blocks.len() as u32).collect();
        let [first, total] = estimate(&blocks, &all, mean, i);
        let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
        for sample in 0..RESAMPLES {
            let chosen: Vec<u32> = (0..blocks.len())
                .map(|k| below(bits(0x5a17, sample, k as u64), blocks.len() as u64) as u32)
                .collect();
            for (j, value) in estimate(&blocks, &chosen, mean, i).into_iter().enumerate() {
                sums[j] += value;
                squares[j] += value * value;
            }
        }
        let n = RESAMPLES as f64;
        let doubt = |j: usize| {
            let variance = (squares[j] - sums[j] * sums[j] / n) / (n - 1.0);
            normal_width(confidence) * variance.max(0.0).sqrt()
        };
        SobolIndices {
            first: IndexEstimate { value: first, doubt: doubt(0) },
            total: IndexEstimate { value: total, doubt: doubt(1) },
        }
    });
    Some(found.collect())
}

/// Both indices of parameter `i` over the chosen base points. Values are taken from their mean, which loses no digits.
fn estimate(blocks: &[&[f64]], chosen: &[u32], mean: f64, i: usize) -> [f64; 2] {
    let (mut sum, mut square, mut first, mut total) = (0.0, 0.0, 0.0, 0.0);
    for &k in chosen {
        let block = blocks[k as usize];
        let [a, b, mixed] = [block[0] - mean, block[1] - mean, block[2 + i] - mean];
        sum += a + b;
        square += a * a + b * b;
        first += b * (mixed - a);
        total += (a - mixed) * (a - mixed);
    }
    let n = chosen.len() as f64;
    let centre = sum / (2.0 * n);
    let variance = square / (2.0 * n) - centre * centre;
    [first / n / variance, total / n / (2.0 * variance)]
}

#[cfg(test)]
mod saltelli_tests {
    use super::*;
    use crate::{Design, DesignKind, Marginal};
    use std::f64::consts::PI;

    /// Ishigami's function, whose indices are known in closed form.
    #[test]
    fn the_indices_of_ishigamis_function() {
        let uniform = Marginal::Uniform { low: -PI, high: PI };
        let design = Design::new(DesignKind::Saltelli, vec![uniform; 3], None, 2048, 11).unwrap();
        let (a, b) = (7.0, 0.1);
        let mut x = [0.0; 3];
        let values: Vec<f64> = (0..design.count())
            .map(|i| {
                design.point(i, &mut x);
                x[0].sin() + a * x[1].sin().powi(2) + b * x[2].powi(4) * x[0].sin()
            })
            .collect();
        let v1 = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
        let v2 = a * a / 8.0;
        let v13 = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let v = v1 + v2 + v13;
        let found = indices(&values, 3, 0.95).unwrap();
        let exact = [(v1 / v, (v1 + v13) / v), (v2 / v, v2 / v), (0.0, v13 / v)];
        for (found, (first, total)) in found.iter().zip(exact) {
            assert!((found.first.value - first).abs() < found.first.doubt.max(0.01), "{found:?} {first}");
            assert!((found.total.value - total).abs() < found.total.doubt.max(0.01), "{found:?} {total}");
            assert!(found.first.doubt < 0.1 && found.total.doubt < 0.1, "{found:?}");
        }
    }

    #[test]
    fn failed_runs_and_constants_say_nothing() {
        assert_eq!(indices(&[1.0; 400], 2, 0.95), None);
        let mut values: Vec<f64> = (0..400).map(|i| f64::from(i % 7)).collect();
        values[3] = f64::NAN;
        assert!(indices(&values, 2, 0.95).is_some());
        assert_eq!(indices(&values[..16], 2, 0.95), None);
    }
}
