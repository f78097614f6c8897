use crate::law::{At, Law};
use crate::maxwell::{ELEMENTS, Shares};
use crate::stribeck;
use bristle_core::{Card, Mode, Scalar};

/// Generalised Maxwell slip: elements that slip towards a Stribeck curve with a lag.
///
/// ```text
/// F = Σ (F_i + c_i ż_i) + σ₂ v,   F_i = k_i z_i,   [k_i, c_i] = [σ₀, σ₁] κ_i/Σκ,   i = 1 … 4
/// element i sticks:  Ḟ_i = k_i v;                           slips once |F_i| = a_i s(v)
/// element i slips:   Ḟ_i = sgn(v) C (a_i − |F_i|/s(v));     sticks once v reverses
/// a_i = α_i/Σα,   s(v) = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)]
/// ```
///
/// The memory of Maxwell slip in presliding, a Stribeck curve in sliding, and between them the frictional lag that
/// `C` sets: the level is forgotten over the time `s/C`. It does not drift under loads that no element yields to.
/// Events at every yield and reversal make it dearer than one bristle; with `σ₁ = 0` it rings on after every
/// stick. Where an element yields its damper lets go, and the force falls by `c_i v`. Without load the springs go
/// back within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "gms",
    state("z1", "m", Deflection),
    state("z2", "m", Deflection),
    state("z3", "m", Deflection),
    state("z4", "m", Deflection),
    cite = "albender2005",
    cite = "albender2004",
    tags("bristle", "hybrid", "holds-load")
)]
pub struct Gms<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Stribeck exponent.
    #[param(symbol = "γ", role = StribeckExponent, unit = "1", default = 2.0, min = 0.1, max = 10.0)]
    pub gamma: S,
    /// Stiffness of all elements together.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Damping of all elements together.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 1e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Attraction to the Stribeck curve.
    #[param(symbol = "C", role = Other, unit = "N/s", default = 300.0, min = 1e-6, max = 1e9)]
    pub attraction: S,
    /// The elements.
    #[nest]
    pub shares: Shares<S>,
}

impl<S: Scalar> Gms<S> {
    /// The share of each element in the level.
    #[inline]
    pub(crate) fn levels(&self) -> [S; ELEMENTS] {
        self.shares.levels(S::one())
    }

    /// The stiffness of each element.
    #[inline]
    pub(crate) fn stiffness(&self) -> [S; ELEMENTS] {
        self.shares.stiffness(self.sigma0)
    }

    /// The Stribeck curve `s(v)`.
    #[inline]
    pub(crate) fn curve(&self, at: &At<S>) -> S {
        at.load_floored() * stribeck::level(at.speed(), self.mu_d, self.mu_s, self.v_s, self.gamma)
    }
}

impl<S: Scalar> Law<S> for Gms<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (levels, stiffness, curve) = (self.levels(), self.stiffness(), self.curve(at));
        let direction = at.direction();
        let mut sum = self.sigma2 * at.v;
        for i in 0..ELEMENTS {
            let force = stiffness[i] * z[i];
            let along = force * direction;
            let lag = || self.attraction * direction * (levels[i] - along / curve) / stiffness[i];
            let rate = match at.mode.get(i + 1) {
                Some(Mode::Stick) => at.v,
                Some(_) => lag(),
                None => S::choose((levels[i] * curve).lt(along), lag, || at.v),
            };
            dz[i] = at.bristle(rate, z[i], stiffness[i], S::zero());
            sum += force + self.sigma1 * stiffness[i] / self.sigma0 * rate;
        }
        at.closed(sum)
    }

    fn elements(&self) -> usize {
        1 + ELEMENTS
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        let (levels, stiffness, curve) = (self.levels(), self.stiffness(), self.curve(at));
        g[0] = at.v * at.mode[0].sign();
        for i in 0..ELEMENTS {
            let left = levels[i] * curve - stiffness[i] * z[i] * at.direction();
            // A slipping element waits for the reversal, which is element 0.
            g[i + 1] = if at.mode[i + 1] == Mode::Stick { left } else { S::one() };
        }
    }

    fn switch(&self, fired: usize, _at: &At<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        if fired > 0 {
            mode[fired] = Mode::Forward;
        } else {
            mode[0] = mode[0].reversed();
            mode[1..].fill(Mode::Stick);
        }
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let (levels, stiffness) = (self.levels(), self.stiffness());
        let curve = self.curve(&At::sliding(S::from(at.v), S::from(at.n))).value();
        mode[0] = Mode::of(at.v);
        for i in 0..ELEMENTS {
            let slips = levels[i].value() * curve < stiffness[i].value() * z[i] * mode[0].sign();
            mode[i + 1] = if slips { Mode::Forward } else { Mode::Stick };
        }
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        self.shares.scales(self.mu_s, n, self.sigma0, scale);
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod gms_tests {
    use super::*;
    use bristle_core::{Described, Params};

    const N: f64 = 10.0;

    fn law() -> Gms<f64> {
        Params::from_slices(&Gms::<f64>::CARD.defaults(), &[])
    }

    /// Slipping elements settle where `|F_i| = a_i s(v)`, so that `F = s(v) sgn v + σ₂ v`.
    #[test]
    fn steady_sliding_follows_the_stribeck_curve() {
        let (law, v) = (law(), -0.01);
        let curve = N * (0.3 + 0.1 * (-1.0f64).exp());
        let (levels, stiffness) = (law.levels(), law.stiffness());
        let z = [0, 1, 2, 3].map(|i| -levels[i] * curve / stiffness[i]);
        let mode = [Mode::Backward, Mode::Forward, Mode::Forward, Mode::Forward, Mode::Forward];
        let mut dz = [f64::NAN; 4];
        let force = law.eval(&At { mode: &mode, ..At::sliding(v, N) }, &z, &mut dz);
        assert!((force + curve).abs() < 1e-13 && dz.iter().all(|dz| dz.abs() < 1e-15), "{force} {dz:?}");
    }

    /// After a step in speed a slipping element follows `F_i = a_i s + (F_i(0) − a_i s) e^{−Ct/s}`.
    #[test]
    fn the_lag_has_the_time_constant_of_the_card() {
        let (law, z) = (law(), [1e-5, 0.0, 0.0, 0.0]);
        let mode = [Mode::Forward, Mode::Forward, Mode::Stick, Mode::Stick, Mode::Stick];
        let at = At { mode: &mode, ..At::sliding(1.0, N) };
        let (curve, mut dz) = (law.curve(&at), [f64::NAN; 4]);
        law.eval(&at, &z, &mut dz);
        let distance = law.levels()[0] * curve - law.stiffness()[0] * z[0];
        assert!((law.stiffness()[0] * dz[0] - distance * 300.0 / curve).abs() < 1e-12);
        assert_eq!(dz[1..], [1.0; 3]);
    }
}
