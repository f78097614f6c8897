use crate::law::{At, Law, deflection};
use crate::plane::{InPlane, dot, length};
use crate::stribeck;
use bristle_core::{Card, Mode, Scalar};
use std::f64::consts::PI;

/// The elasto-plastic bristle: purely elastic up to break-away, so that it does not drift.
///
/// ```text
/// ż = v − α σ₀ |v| z / (n g(v))
/// F = σ₀ z + σ₁ ż + σ₂ v,   g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)
/// α = 0    z v ≤ 0 or |z| < z_ba
///     1    |z| ≥ z_max = n g(v)/σ₀
///     ½ + ½ sin(π (|z| − (z_max + z_ba)/2)/(z_max − z_ba))   else
/// ```
///
/// LuGre with a truly elastic range: a load that keeps the bristle below `z_ba` leaves no displacement behind. The
/// end of that range is an event. With `z_ba` above `μ_d n/σ₀` plasticity is a step at speed: the bristle then stays
/// at `z_ba`, and integrators that do not locate the event fail or err. Without load the bristle springs back at the
/// rate `σ₀/σ₁`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "elasto_plastic",
    state("z", "m", Deflection),
    cite = "dupont2002",
    cite = "pennestri2016",
    tags("bristle", "holds-load")
)]
pub struct ElastoPlastic<S> {
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
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 3e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// Viscous friction.
    #[param(symbol = "σ₂", role = ViscousCoefficient, unit = "N s/m", default = 0.0, min = 0.0, max = 1e6)]
    pub sigma2: S,
    /// Deflection up to which the bristle is purely elastic.
    #[param(symbol = "z_ba", role = ElasticDeflection, unit = "m", default = 1e-6, min = 0.0, max = 1.0)]
    pub z_ba: S,
}

/// A sine this narrow, relative to the deflection, is a step: the force cannot tell.
const STEP: f64 = 1e-9;

impl<S: Scalar> ElastoPlastic<S> {
    /// How plastic the bristle is, from 0 to 1.
    #[inline]
    fn plasticity(&self, along: S, size: S, z_max: S) -> S {
        S::choose(S::zero().lt(along), || self.bending(size, z_max), S::zero)
    }

    /// The same on the way to break-away.
    #[inline]
    fn bending(&self, size: S, z_max: S) -> S {
        let middle = || {
            let phase = (size - (z_max + self.z_ba) * 0.5) / (z_max - self.z_ba);
            (phase * PI).sin() * 0.5 + 0.5
        };
        // Saturation is asked before the sine: it also covers z_max ≤ z_ba, where the sine means nothing.
        let bent = || S::choose(size.lt(z_max), middle, || S::one());
        S::choose(size.lt(self.z_ba), S::zero, bent)
    }

    /// Whether the bristle is beyond its elastic range, sliding in the direction `mode`.
    fn range(&self, z: &[f64], mode: Mode) -> Mode {
        if z[0] * mode.sign() >= self.z_ba.value() { Mode::Forward } else { Mode::Stick }
    }
}

impl<S: Scalar> Law<S> for ElastoPlastic<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let speed = at.speed();
        let g = at.load_floored() * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        let (along, size, z_max) = (z[0] * at.direction(), z[0].abs(), g / self.sigma0);
        let slide = |alpha: S| at.v - alpha * self.sigma0 * speed * z[0] / g;
        let rate = match at.mode.get(1) {
            Some(Mode::Stick) => at.v,
            Some(_) => {
                let bent = || slide(self.bending(size, z_max));
                // Elastic below z_ba and falling back above it: the bristle stays there.
                let edge = self.z_ba * (1.0 + STEP);
                let pinned = || S::choose(edge.lt(along), bent, S::zero);
                S::choose(edge.lt(z_max), bent, pinned)
            }
            None => slide(self.plasticity(along, size, z_max)),
        };
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
        at.closed(self.sigma0 * z[0] + self.sigma1 * rate + self.sigma2 * at.v)
    }

    /// Elastic while the slip unbends the bristle; where plasticity sets in is left to the step control.
    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (along, speed, bent) = (at.along(), at.speed(), [z[0], z[1]]);
        let g = along.load_floored() * stribeck::level(speed, self.mu_d, self.mu_s, self.v_s, self.gamma);
        let alpha = self.plasticity(dot(bent, at.v), length(bent), g / self.sigma0);
        let rate = at.bend(bent, alpha * self.sigma0 * speed / g, self.sigma0, self.sigma1, dz);
        [0, 1].map(|i| along.closed(self.sigma0 * z[i] + self.sigma1 * rate[i] + self.sigma2 * at.v[i]))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    /// The direction, and whether the bristle is in its elastic range (`Stick`) or beyond.
    fn elements(&self) -> usize {
        2
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        g[0] = at.v * at.mode[0].sign();
        let is_elastic = at.mode[1] == Mode::Stick;
        g[1] = if is_elastic { self.z_ba - z[0] * at.mode[0].sign() } else { self.z_ba + 1.0 };
    }

    fn switch(&self, fired: usize, _at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired == 0 {
            mode[0] = mode[0].reversed();
            mode[1] = self.range(z, mode[0]);
        } else {
            mode[1] = Mode::Forward;
        }
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        mode[0] = Mode::of(at.v);
        mode[1] = self.range(z, mode[0]);
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
    }

    fn caution(&self, n: f64) -> Option<&'static str> {
        (n > 0.0 && self.z_ba.value() * self.sigma0.value() > 0.9 * self.mu_d.value() * n)
            .then_some("z_ba lies above 0.9 F_d/sigma0: plasticity sets in as a step, and solvers suffer")
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod elasto_plastic_tests {
    use super::*;

    const LAW: ElastoPlastic<f64> = ElastoPlastic {
        mu_d: 0.3,
        mu_s: 0.4,
        v_s: 1e-2,
        gamma: 2.0,
        sigma0: 1e5,
        sigma1: 300.0,
        sigma2: 0.0,
        z_ba: 1e-5,
    };

    #[test]
    fn plasticity_rises_from_elastic_to_sliding_and_vanishes_on_the_way_back() {
        let alpha = |along: f64, size: f64| LAW.plasticity(along, size, 3e-5);
        for (size, value) in [(0.9e-5, 0.0), (1e-5, 0.0), (2e-5, 0.5), (3e-5, 1.0), (9e-5, 1.0)] {
            assert!((alpha(size, size) - value).abs() < 1e-15);
            assert_eq!(alpha(-size, size), 0.0);
        }
    }

    #[test]
    fn a_break_away_deflection_above_saturation_is_a_plain_step() {
        assert_eq!(LAW.plasticity(1e-5, 1e-5, 1e-5), 1.0);
        assert_eq!(LAW.plasticity(2e-5, 2e-5, 0.5e-5), 1.0);
        assert_eq!(LAW.plasticity(0.9e-5, 0.9e-5, 0.5e-5), 0.0);
        // Where plasticity is a step, the bristle neither rises nor falls.
        let mode = [Mode::Forward, Mode::Forward];
        let mut rate = [7.0];
        LAW.eval(&At { mode: &mode, ..At::sliding(1.0, 1.0) }, &[1e-5], &mut rate);
        assert_eq!(rate[0], 0.0);
        assert!(LAW.caution(3.0).is_some() && LAW.caution(10.0).is_none());
    }
}
