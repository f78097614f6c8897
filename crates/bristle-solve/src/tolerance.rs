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
    /// The largest weight of each state at present; empty where there is none.
    pub caps: Vec<f64>,
}

/// Keeps a state of scale zero that rests at zero from dividing by zero.
const TINY: f64 = 1e-300;

impl Tolerance {
    pub(crate) fn new(rtol: f64, atol: f64, scales: &[f64]) -> Self {
        Tolerance { rtol, absolute: scales.iter().map(|s| atol * s.abs()).collect(), caps: Vec::new() }
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
        let weight = self.absolute[i] + self.rtol * x0.abs().max(x1.abs()) + TINY;
        self.caps.get(i).map_or(weight, |cap| weight.min(*cap))
    }

    /// The norm of `error`, at most one for an acceptable step.
    #[inline]
    pub(crate) fn norm(&self, error: &[f64], x0: &[f64], x1: &[f64]) -> f64 {
        let n = self.absolute.len();
        let mut sum = 0.0;
        for i in 0..n {
            let ratio = error[i] / self.weight(i, x0[i], x1[i]);
            sum += ratio * ratio;
        }
        (sum / n as f64).sqrt()
    }

    /// The same for a number of states known to the compiler.
    #[inline(always)]
    pub(crate) fn norm_of<const N: usize>(&self, error: &[f64; N], x0: &[f64; N], x1: &[f64; N]) -> f64 {
        let Some(absolute) = self.absolute.first_chunk::<N>() else { return f64::NAN };
        let mut squares = [0.0; N];
        for i in 0..N {
            let ratio = error[i] / (absolute[i] + self.rtol * x0[i].abs().max(x1[i].abs()) + TINY);
            squares[i] = ratio * ratio;
        }
        (squares.iter().sum::<f64>() * (1.0 / N as f64)).sqrt()
    }

    /// The state with the largest weighted error.
    pub(crate) fn worst(&self, error: &[f64], x: &[f64]) -> usize {
        let ratio = |i: usize| error[i].abs() / self.weight(i, x[i], x[i]);
        (0..error.len()).max_by(|&a, &b| ratio(a).total_cmp(&ratio(b))).unwrap_or(0)
    }
}
