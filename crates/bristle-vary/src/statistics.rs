//! What many numbers say together.

use crate::marginal::standard;
use statrs::distribution::ContinuousCDF;
use statrs::function::beta::inv_beta_reg;

/// The percentile `q` (from 0 to 1) of sorted values, straight between two of them.
pub fn percentile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The finite values, in rising order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    all.sort_unstable_by(f64::total_cmp);
    all
}

/// Mean and standard deviation of a sample.
pub fn moments(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    [mean, (square / (n - 1.0)).sqrt()]
}

/// Ranks from 1; equal values share the mean of theirs.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let mut end = first + 1;
        while end < order.len() && values[order[end]] == values[order[first]] {
            end += 1;
        }
        for &place in &order[first..end] {
            ranks[place] = 0.5 * (first + 1 + end) as f64;
        }
        first = end;
    }
    ranks
}

/// Spearman's rank correlation; not a number where one of both is constant.
pub fn rank_correlation(x: &[f64], y: &[f64]) -> f64 {
    let (x, y) = (ranks(x), ranks(y));
    let mean = (x.len() as f64 + 1.0) / 2.0;
    let sum = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    sum(&x, &y) / (sum(&x, &x) * sum(&y, &y)).sqrt()
}

/// Its interval of 95 per cent, by Fisher's transformation.
pub fn correlation_interval(r: f64, count: usize) -> [f64; 2] {
    let width = 1.959_963_984_540_054 / (count as f64 - 3.0).max(1.0).sqrt();
    [(r.atanh() - width).tanh(), (r.atanh() + width).tanh()]
}

/// The interval of a probability of which `hits` of `count` were seen, exact for independent runs (Clopper and Pearson 1934).
pub fn probability_interval(hits: usize, count: usize, confidence: f64) -> [f64; 2] {
    let (k, n, tail) = (hits as f64, count as f64, 0.5 * (1.0 - confidence));
    if count == 0 {
        return [0.0, 1.0];
    }
    let low = if hits == 0 { 0.0 } else { inv_beta_reg(k, n - k + 1.0, tail) };
    let high = if hits == count { 1.0 } else { inv_beta_reg(k + 1.0, n - k, 1.0 - tail) };
    [low, high]
}

/// How many standard deviations hold the share `confidence` of a normal distribution.
pub fn normal_width(confidence: f64) -> f64 {
    standard().inverse_cdf(0.5 + 0.5 * confidence)
}

#[cfg(test)]
mod statistics_tests {
    use super::*;

    #[test]
    fn small_examples_by_hand() {
        let values = sorted(&[4.0, 1.0, f64::NAN, 3.0, 2.0]);
        assert_eq!(
            (percentile(&values, 0.5), percentile(&values, 0.0), percentile(&values, 1.0)),
            (2.5, 1.0, 4.0)
        );
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 9.0]), 1.0);
        assert!(rank_correlation(&[1.0, 2.0], &[5.0, 5.0]).is_nan());
        // Clopper and Pearson for 2 of 10, as R's binom.test prints it.
        let [low, high] = probability_interval(2, 10, 0.95);
        assert!((low - 0.025_210_73).abs() < 1e-7 && (high - 0.556_095_5).abs() < 1e-6, "{low} {high}");
        let [low, high] = probability_interval(0, 100, 0.95);
        assert!(low == 0.0 && (high - (1.0 - 0.025f64.powf(0.01))).abs() < 1e-9, "{high}");
    }
}
