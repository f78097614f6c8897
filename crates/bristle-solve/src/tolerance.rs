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
}

impl Tolerance {
    pub(crate) fn new(rtol: f64, atol: f64, scales: &[f64]) -> Self {
        Tolerance { rtol, absolute: scales.iter().map(|s| atol * s.abs()).collect() }
    }

    pub(crate) fn set(&mut self, rtol: f64, atol: f64, scales: &[f64]) {
        self.rtol = rtol;
        for (slot, scale) in self.absolute.iter_mut().zip(scales) {
            *slot = atol * scale.abs();
        }
    }

    /// `s_i` for a state that moves from `x0` to `x1`.
    #[inline]
    pub(crate) fn weight(&self, i: usize, x0: f64, x1: f64) -> f64 {
        // The tiny constant keeps a state of scale zero that rests at zero from dividing by zero.
        self.absolute[i] + self.rtol * x0.abs().max(x1.abs()) + 1e-300
    }

    /// The norm of `error`, at most one for an acceptable step.
    #[inline]
    pub(crate) fn norm(&self, error: &[f64], x0: &[f64], x1: &[f64]) -> f64 {
        let n = self.absolute.len();
        let (error, x0, x1) = (&error[..n], &x0[..n], &x1[..n]);
        let mut sum = 0.0;
        for i in 0..n {
            let ratio = error[i] / self.weight(i, x0[i], x1[i]);
            sum += ratio * ratio;
        }
        (sum / n as f64).sqrt()
    }

    /// The state with the largest weighted error.
    pub(crate) fn worst(&self, error: &[f64], x: &[f64]) -> usize {
        let ratio = |i: usize| error[i].abs() / self.weight(i, x[i], x[i]);
        (0..error.len()).max_by(|&a, &b| ratio(a).total_cmp(&ratio(b))).unwrap_or(0)
    }
}
