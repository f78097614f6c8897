//! Filters without a shift in time, as the inverse dynamics of machines are estimated with.
//!
//! ```text
//! y = B(z)/A(z) forwards, then backwards, over a record continued oddly at both ends by three times its order
//! ```
//!
//! The low-pass is that of Butterworth (1930); before values are thinned out a Chebyshev filter of order eight with a ripple of 0.05 dB
//! takes out what lies above four fifths of the new limit: the two steps of MATLAB's `filtfilt` and `decimate`.

use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::PI;

/// A filter `B(z)/A(z)`, `a[0] = 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    b: Vec<f64>,
    a: Vec<f64>,
}

impl Filter {
    /// A Butterworth low-pass of so high an order; `limit` is a share of half the rate of the samples.
    pub fn butterworth(order: usize, limit: f64) -> Filter {
        let poles = (0..order).map(|k| {
            let angle = PI * (2 * k + 1 + order) as f64 / (2 * order) as f64;
            Complex::from_polar(1.0, angle)
        });
        Filter::low_pass(poles.collect(), limit, 1.0)
    }

    /// A Chebyshev low-pass of the first kind whose ripple is so many decibel.
    pub fn chebyshev(order: usize, ripple: f64, limit: f64) -> Filter {
        let epsilon = (10.0_f64.powf(ripple / 10.0) - 1.0).sqrt();
        let mu = (1.0 / epsilon).asinh() / order as f64;
        let poles = (0..order).map(|k| {
            let angle = PI * (2 * k + 1) as f64 / (2 * order) as f64;
            Complex::new(-mu.sinh() * angle.sin(), mu.cosh() * angle.cos())
        });
        let first = if order.is_multiple_of(2) { 1.0 / (1.0 + epsilon * epsilon).sqrt() } else { 1.0 };
        Filter::low_pass(poles.collect(), limit, first)
    }

    /// From poles of a low-pass with the limit 1, by the bilinear transform; at rest it passes `first`.
    fn low_pass(poles: Vec<Complex<f64>>, limit: f64, first: f64) -> Filter {
        let warped = 4.0 * (PI * limit / 2.0).tan();
        let mapped = poles.iter().map(|p| (p * warped + 4.0) / (-p * warped + 4.0));
        let a = product(mapped);
        let zeros = product(poles.iter().map(|_| Complex::new(-1.0, 0.0)));
        let gain = first * a.iter().sum::<f64>() / zeros.iter().sum::<f64>();
        Filter { b: zeros.iter().map(|z| z * gain).collect(), a }
    }

    /// The states in which a constant of one passes as if it had always been.
    fn settled(&self) -> Vec<f64> {
        let n = self.a.len() - 1;
        // (I − Aᵀ) z = b − a b₀ with the companion matrix A.
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let companion = if j == 0 {
                -self.a[i + 1]
            } else if j == i + 1 {
                1.0
            } else {
                0.0
            };
            f64::from(u8::from(i == j)) - companion
        });
        let right = DVector::from_fn(n, |i, _| self.b[i + 1] - self.a[i + 1] * self.b[0]);
        matrix.lu().solve(&right).map_or_else(|| vec![0.0; n], |z| z.as_slice().to_vec())
    }

    /// Once through, from the state that belongs to the first value.
    fn pass(&self, x: &[f64], settled: &[f64]) -> Vec<f64> {
        let n = settled.len();
        let mut z: Vec<f64> = settled.iter().map(|s| s * x[0]).collect();
        let one = |&x: &f64| {
            let y = self.b[0] * x + z[0];
            for i in 0..n {
                let next = if i + 1 < n { z[i + 1] } else { 0.0 };
                z[i] = self.b[i + 1] * x + next - self.a[i + 1] * y;
            }
            y
        };
        x.iter().map(one).collect()
    }

    /// Forwards and backwards, so that nothing is shifted in time.
    pub fn both_ways(&self, x: &[f64]) -> Vec<f64> {
        let edge = (3 * (self.a.len() - 1)).min(x.len().saturating_sub(1));
        let last = x.len() - 1;
        let before = (1..=edge).rev().map(|i| 2.0 * x[0] - x[i]);
        let after = (1..=edge).map(|i| 2.0 * x[last] - x[last - i]);
        let whole: Vec<f64> = before.chain(x.iter().copied()).chain(after).collect();
        let settled = self.settled();
        let mut there = self.pass(&whole, &settled);
        there.reverse();
        let mut back = self.pass(&there, &settled);
        back.reverse();
        back[edge..edge + x.len()].to_vec()
    }
}

/// The coefficients of a polynomial with these roots, the highest power first.
fn product(roots: impl Iterator<Item = Complex<f64>>) -> Vec<f64> {
    let mut all = vec![Complex::new(1.0, 0.0)];
    for root in roots {
        all.push(Complex::new(0.0, 0.0));
        for i in (1..all.len()).rev() {
            let before = all[i - 1];
            all[i] -= root * before;
        }
    }
    all.into_iter().map(|c| c.re).collect()
}

/// The index of the first value that is kept when of `count` values every `every`th is, so that the last is among them.
pub fn thinned_from(count: usize, every: usize) -> usize {
    every - 1 - (every * count.div_ceil(every) - count)
}

/// Every `every`th value behind the filter that takes out what these could not show.
pub fn thinned(x: &[f64], every: usize) -> Vec<f64> {
    if every < 2 || x.is_empty() {
        return x.to_vec();
    }
    let smooth = Filter::chebyshev(8, 0.05, 0.8 / every as f64).both_ways(x);
    smooth.into_iter().skip(thinned_from(x.len(), every)).step_by(every).collect()
}

/// The rate by central differences over even steps `h`, by one-sided ones at both ends.
pub fn difference(x: &[f64], h: f64) -> Vec<f64> {
    let last = x.len().saturating_sub(1);
    let rate = |i: usize| {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
        (x[after] - x[before]) / ((after - before).max(1) as f64 * h)
    };
    (0..x.len()).map(rate).collect()
}

#[cfg(test)]
mod filter_tests {
    use super::*;

    /// Order two at half of the limit: b = (1, 2, 1)/(2 + √2), a = (1, 0, (2 − √2)/(2 + √2)); in closed form.
    #[test]
    fn butterworth_of_order_two_has_its_closed_form() {
        let filter = Filter::butterworth(2, 0.5);
        let whole = 2.0 + 2.0_f64.sqrt();
        for (found, known) in filter.b.iter().zip([1.0 / whole, 2.0 / whole, 1.0 / whole]) {
            assert!((found - known).abs() < 1e-14, "{filter:?}");
        }
        assert!((filter.a[2] - (2.0 - 2.0_f64.sqrt()) / whole).abs() < 1e-14, "{filter:?}");
    }

    /// At its limit a Chebyshev filter has fallen by its ripple, and at rest too where its order is even.
    #[test]
    fn chebyshev_falls_by_its_ripple_at_its_limit() {
        let filter = Filter::chebyshev(8, 0.05, 0.08);
        let at = |share: f64| {
            let z = Complex::from_polar(1.0, -PI * share);
            let sum = |c: &[f64]| c.iter().rev().fold(Complex::new(0.0, 0.0), |sum, &c| sum * z + c);
            20.0 * (sum(&filter.b) / sum(&filter.a)).norm().log10()
        };
        assert!((at(0.0) + 0.05).abs() < 1e-6 && (at(0.08) + 0.05).abs() < 1e-4, "{} {}", at(0.0), at(0.08));
        assert!(at(0.16) < -60.0);
    }

    /// A line has its slope everywhere, and a parabola inside; a single value does not move.
    #[test]
    fn differences_are_central_inside_and_one_sided_at_the_ends() {
        assert_eq!(difference(&[1.0, 3.0, 5.0, 7.0], 0.5), [4.0; 4]);
        assert_eq!(difference(&[0.0, 1.0, 4.0, 9.0], 1.0), [1.0, 2.0, 4.0, 5.0]);
        assert_eq!(difference(&[2.0], 1.0), [0.0]);
        assert!(difference(&[], 1.0).is_empty());
    }

    /// What is constant passes as it is, and far from its ends a straight line does, without a shift.
    #[test]
    fn a_straight_line_passes_both_ways() {
        let filter = Filter::butterworth(4, 0.1);
        let line: Vec<f64> = (0..500).map(|i| 3.0 - 0.02 * f64::from(i)).collect();
        let out = filter.both_ways(&line);
        assert!((150..350).all(|i| (line[i] - out[i]).abs() < 1e-9));
        assert!(filter.both_ways(&[2.5; 60]).iter().all(|y| (y - 2.5).abs() < 1e-11));
        assert_eq!(thinned(&line, 10).len(), 50);
    }
}
