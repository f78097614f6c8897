use crate::law::{At, Law};
use bristle_core::{Card, Scalar};
use std::f64::consts::{FRAC_PI_2, PI};

/// The magic formula of tyre models as a friction curve.
///
/// ```text
/// F = μ_s n sin{C atan[B v − E (B v − atan B v)]}
/// ```
///
/// Smooth everywhere, with a peak `μ_s n` and an asymptote `μ_s n sin(C π/2)`; [`MagicFormula::shape`] gives `B`
/// and `C` from the kinetic level and the velocity of the peak. Creeps like every curve through the origin.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "magic_formula", cite = "pacejka2012", cite = "pennestri2016", tags("static", "creeps"))]
pub struct MagicFormula<S> {
    /// Peak friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stiffness factor; the default puts the peak at 1 cm/s.
    #[param(symbol = "B", role = Steepness, unit = "s/m", default = 185.2499, min = 1e-6, max = 1e9)]
    pub b: S,
    /// Shape factor; the default makes the asymptote three quarters of the peak.
    #[param(symbol = "C", role = Shape, unit = "1", default = 1.4601069, min = 0.1, max = 2.0)]
    pub c: S,
    /// Curvature factor; at most 1, else the force could change sign.
    #[param(symbol = "E", role = Shape, unit = "1", default = 0.0, min = -10.0, max = 1.0)]
    pub e: S,
}

impl<S> MagicFormula<S> {
    /// `(B, C)` with `E = 0` for a peak at `v_s` and an asymptote at `ratio = μ_d/μ_s` of the peak.
    ///
    /// ```text
    /// sin(C π/2) = μ_d/μ_s  on the obtuse branch,   B = tan(π/2C)/v_s
    /// ```
    ///
    /// A ratio of 1 has no peak at finite velocity and one below 0 no obtuse branch; both give numbers that are
    /// not finite or a `C` above 2, which the card's range refuses.
    pub fn shape(ratio: f64, v_s: f64) -> (f64, f64) {
        let c = (PI - ratio.asin()) / FRAC_PI_2;
        ((FRAC_PI_2 / c).tan() / v_s, c)
    }
}

impl<S: Scalar> Law<S> for MagicFormula<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let u = self.b * at.v;
        let bent = u - self.e * (u - u.atan());
        self.mu_s * at.load() * (self.c * bent.atan()).sin()
    }
}

#[cfg(test)]
mod magic_formula_tests {
    use super::*;

    /// The constants of the Rabinowicz benchmark: levels 98.1 N and 117.72 N, peak at 0.01 m/s.
    #[test]
    fn the_shape_follows_from_peak_and_asymptote() {
        let (b, c) = MagicFormula::<f64>::shape(98.1 / 117.72, 0.01);
        assert!((b - 220.005891352).abs() < 1e-9 && (c - 1.37285899735).abs() < 1e-11);
        let law = MagicFormula { mu_s: 117.72, b, c, e: 0.0 };
        let force = |v| law.eval(&At::sliding(v, 1.0), &[], &mut []);
        assert!((force(0.01) - 117.72).abs() < 1e-12);
        assert!((force(1e9) - 98.1).abs() < 1e-6);
    }

    #[test]
    fn the_defaults_put_the_peak_at_one_centimetre_per_second() {
        use bristle_core::Described;
        let (b, c) = MagicFormula::<f64>::shape(0.75, 0.01);
        let defaults = MagicFormula::<f64>::CARD.defaults();
        assert!((defaults[1] - b).abs() < 1e-6 * b && (defaults[2] - c).abs() < 1e-6 * c);
    }
}
