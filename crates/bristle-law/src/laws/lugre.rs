use crate::law::{At, Law};
use bristle_core::{Card, Scalar};

/// LuGre: elastic bristles that bend before they slip.
///
/// ```text
/// ż = v − σ₀ |v| z / (n g(v))
/// F = σ₀ z + σ₁ ż + σ₂ v
/// g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)
/// ```
///
/// Gives presliding stiffness, break-away that falls with the rate of loading, and frictional lag. It drifts
/// under small oscillating loads; use `elasto_plastic` where that matters. It is passive only if σ₁ is small
/// enough at high speed.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "lugre", state("z", "m"), cite = "canudas1995", tags("bristle"))]
pub struct LuGre<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", unit = "1", default = 0.3, min = 0.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", unit = "1", default = 0.4, min = 0.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", unit = "m/s", default = 1e-2, min = 1e-9)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", unit = "N/m", default = 1e5, min = 1e-3)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", unit = "N s/m", default = 3e2, min = 0.0)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", unit = "N s/m", default = 0.0, min = 0.0)]
    pub sigma2: S,
}

impl<S: Scalar> Law<S> for LuGre<S> {
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let fall = (-(at.speed() / self.v_s).pow(self.gamma)).exp();
        let g = at.n * (self.mu_d + (self.mu_s - self.mu_d) * fall);
        dz[0] = at.v - self.sigma0 * at.speed() * z[0] / g;
        self.sigma0 * z[0] + self.sigma1 * dz[0] + self.sigma2 * at.v
    }

    fn elements(&self) -> usize {
        1
    }
}
