//! What counts as a small error.

/// Weights of the error norm.
///
/// ```text
/// ‖e‖ = √( 1/n Σ (e_i / s_i)² ),   s_i = atol·scale_i + rtol·max(|x_i|, |x_i'|)
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Tolerance {
    rtol: f64,
    absolute: Vec<f64>,
    /// Differences of states to be followed more closely at present.
    pub fine: Vec<FineDifference>,
}

/// The difference of two states, or one alone, of which no larger error may pass than `most`: where rates turn within less than
/// the tolerance of either.
#[derive(Clone, Copy, Debug)]
pub struct FineDifference {
    /// One state.
    pub of: usize,
    /// The other, if it is one that has errors.
    pub from: Option<usize>,
    /// The largest error of their difference.
    pub most: f64,
}

impl FineDifference {
    /// The error of the difference, in units of the largest.
    fn ratio(&self, error: &[f64]) -> f64 {
        (error[self.of] - self.from.map_or(0.0, |i| error[i])) / self.most
    }
}

/// Keeps a state of scale zero that rests at zero from dividing by zero.
const TINY: f64 = 1e-300;

impl Tolerance {
    pub(crate) fn new(rtol: f64, atol: f64, scales: &[f64]) -> Self {
        Tolerance { rtol, absolute: scales.iter().map(|s| atol * s.abs()).collect(), fine: Vec::new() }
    }

    pub(crate) fn set(&mut self, rtol: f64, atol: f64, scales: &[f64]) {
        self.rtol = rtol;
        for (slot, scale) in self.absolute.iter_mut().zip(scales) {
            *slot = atol * scale.abs();
        }
    }

    /// The least absolute tolerance of the states from `first` on.
    pub(crate) fn least_from(&self, first: usize) -> f64 {
        self.absolute[first..].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// `s_i` for a state that moves from `x0` to `x1`.
    #[inline]
    pub(crate) fn weight(&self, i: usize, x0: f64, x1: f64) -> f64 {
        self.absolute[i] + self.rtol * x0.abs().max(x1.abs()) + TINY
    }

    /// What the differences add to the sum of squares: each counts as if all states had its error.
    #[inline]
    pub(crate) fn squares_of_differences(&self, error: &[f64]) -> f64 {
        let squares: f64 = self.fine.iter().map(|d| d.ratio(error).powi(2)).sum();
        squares * self.absolute.len() as f64
    }

    /// The norm of `error`, at most one for an acceptable step.
    #[inline]
    pub(crate) fn norm(&self, error: &[f64], x0: &[f64], x1: &[f64]) -> f64 {
        let n = self.absolute.len();
        let mut sum = self.squares_of_differences(error);
        for i in 0..n {
            let ratio = error[i] / self.weight(i, x0[i], x1[i]);
            sum += ratio * ratio;
        }
        (sum / n as f64).sqrt()
    }

    /// The state with the largest weighted error.
    pub(crate) fn worst(&self, error: &[f64], x: &[f64]) -> usize {
        let fine = |i: usize| self.fine.iter().filter(move |c| c.of == i).map(|c| c.ratio(error).abs());
        let ratio = |i: usize| fine(i).fold(error[i].abs() / self.weight(i, x[i], x[i]), f64::max);
        (0..error.len()).max_by(|&a, &b| ratio(a).total_cmp(&ratio(b))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tolerance_tests {
    use super::*;

    /// Two states may both be off by their tolerance, their difference by far less: only what differs counts.
    #[test]
    fn a_difference_is_followed_more_closely_than_its_states() {
        let mut tolerance = Tolerance::new(0.0, 1e-6, &[1.0, 1.0]);
        tolerance.fine.push(FineDifference { of: 0, from: Some(1), most: 1e-14 });
        let norm = |error: [f64; 2]| tolerance.norm(&error, &[0.0; 2], &[0.0; 2]);
        assert!((norm([1e-6, 1e-6]) - 1.0).abs() < 1e-12);
        assert!((norm([0.0, 3e-14]) - 3.0).abs() < 1e-12, "not diluted by the other states");
        let alone =
            Tolerance { fine: vec![FineDifference { of: 1, from: None, most: 1e-14 }], ..tolerance.clone() };
        assert!((alone.norm(&[0.0, 2e-14], &[0.0; 2], &[0.0; 2]) - 2.0).abs() < 1e-12);
        assert_eq!(alone.worst(&[5e-7, 1e-13], &[0.0; 2]), 1);
        assert_eq!(alone.worst(&[5e-7, 0.0], &[0.0; 2]), 0);
    }
}
