//! The sigmoid that turns a holding force and a slip speed into a capped friction force.

use crate::error::CableError;
use bristle_core::Scalar;

/// An odd sigmoid: the identity up to `α`, a cubic up to `β`, one beyond.
///
/// ```text
/// h(x) = x                                  |x| ≤ α
///      = α + w [s + (3m−2) s² − (2m−1) s³]   α < x < β,  w = β − α,  s = (x − α)/w,  m = (1 − α)/w
///      = 1                                   x ≥ β,  h odd
/// ```
///
/// With `α = β = 1` it is the clamp of Quinn's law; with `β = 2 − α` the cubic is a parabola (Westin & Irani
/// 2020, eq. 9). It rises monotonically and stays at or below one iff `β ≤ 3 − 2α`, and never exceeds the force
/// that holds iff `β ≥ (3 − α)/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    alpha: f64,
    beta: f64,
}

impl Sigmoid {
    /// The clamp to `[−1, 1]` (Quinn).
    pub const CLAMP: Sigmoid = Sigmoid { alpha: 1.0, beta: 1.0 };

    /// A sigmoid with these bounds, if it is monotone.
    pub fn new(alpha: f64, beta: f64) -> Result<Sigmoid, CableError> {
        let clamp = alpha == 1.0 && beta == 1.0;
        let open = (0.0..1.0).contains(&alpha) && beta > 1.0 && beta <= 3.0 - 2.0 * alpha + 1e-12;
        if clamp || open {
            Ok(Sigmoid { alpha, beta })
        } else {
            Err(CableError::Sigmoid { alpha, beta, beta_max: 3.0 - 2.0 * alpha })
        }
    }

    /// The sigmoid with `β = 2 − α`.
    pub fn parabolic(alpha: f64) -> Result<Sigmoid, CableError> {
        Sigmoid::new(alpha, 2.0 - alpha)
    }

    /// End of the identity.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Start of saturation.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Whether the sigmoid never exceeds its argument, so that friction never pushes harder than what it holds.
    pub fn is_below_identity(&self) -> bool {
        self.beta >= (3.0 - self.alpha) / 2.0 - 1e-12
    }

    /// `h(x)`.
    #[inline]
    pub fn value<S: Scalar>(&self, x: S) -> S {
        let w = self.beta - self.alpha;
        if w <= 0.0 {
            return x.clamp_to(S::from(-1.0), S::one());
        }
        cubic(self.alpha, w, x)
    }

    /// `h⁻¹(y)` for `|y| ≤ 1`; at `|y| = 1` the end of the rise.
    pub fn inverse(&self, y: f64) -> f64 {
        let target = y.abs().min(1.0);
        if target <= self.alpha {
            return y;
        }
        if target >= 1.0 {
            return self.beta.copysign(y);
        }
        let (mut low, mut high) = (self.alpha, self.beta);
        // Bisection: the slope vanishes at the upper end, where Newton steps would overshoot.
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.value(middle) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        (0.5 * (low + high)).copysign(y)
    }

    /// The speed, over the regularisation speed, at which a contact creeps that must hold `x = F/(μ N)`.
    ///
    /// ```text
    /// v_c/ε = h⁻¹(x) − h(x)
    /// ```
    ///
    /// Zero for `|x| ≤ α`. Nothing holds `|x| > 1`: there the contact slips, and the answer is infinite.
    pub fn creep(&self, x: f64) -> f64 {
        if x.abs() > 1.0 { f64::INFINITY.copysign(x) } else { self.inverse(x) - self.value(x) }
    }
}

/// The sigmoid without its admissibility check: what an inadmissible pair would give.
pub fn cubic<S: Scalar>(alpha: f64, w: f64, x: S) -> S {
    let m = (1.0 - alpha) / w;
    let size = x.abs();
    let s = ((size - alpha) / w).clamp_to(S::zero(), S::one());
    let rise = ((S::from(3.0 * m - 2.0) - s * (2.0 * m - 1.0)) * s + 1.0) * s * w + alpha;
    S::select(S::from(alpha).lt(size), rise * x.sign(), x)
}
