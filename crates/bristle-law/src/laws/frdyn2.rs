use crate::law::{At, Law, deflection};
use crate::piecewise;
use crate::plane::{InPlane, length};
use crate::stribeck;
use bristle_core::{Card, Mode, Scalar};

/// FrDyn2: a bristle with mass, and a shift that makes a regularised curve hold.
///
/// ```text
/// F₀ = σ₀ z + σ₁ v,  F_s = μ_s n
/// δ = sgn(F₀) v_s (1 − √max(0, 1 − |F₀|/F_s))
/// w = v − ż + δ
/// F = n sgn(w) μ(|w|)         μ as in `regularised`
/// z̈ = (F − σ₀ z − σ₁ ż)/m_b,  m_b = σ₁²/(4 σ₀)
/// ```
///
/// One law for stick and slip: on `ż = v` the force is `F₀` exactly, so a load below the static level is held for
/// good. Break-away is an event, since the slope of δ is unbounded there; that slope is limited in derivatives
/// only, never in the force. The bristle mass is not small, so fast transients differ from a massless bristle;
/// repeated pulses below break-away walk the body backwards by nanometres. Without load the bristle swings free.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "frdyn2",
    state("z", "m", Deflection),
    state("zdot", "m/s", DeflectionRate),
    cite = "rill2023",
    tags("bristle", "holds-load")
)]
pub struct FrDyn2<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Static velocity, at which the peak is reached.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Dynamic velocity, from which the kinetic level holds.
    #[param(symbol = "v_d", role = KineticVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_d: S,
    /// Bristle stiffness.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e6, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Bristle damping; the authors take `2 √(σ₀ F_ref/g)` with a typical load `F_ref`.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 1e3, min = 1e-3, max = 1e9)]
    pub sigma1: S,
}

/// The square root of what is left to break-away; its derivative is that at 1e-6 from there on, since a step
/// that linearises an unbounded slope goes astray.
#[inline]
fn root<S: Scalar>(rest: S) -> S {
    const FLOOR: f64 = 1e-6;
    // Not the root of zero itself, whose slope times nothing would be no number.
    let near = || rest.frozen().max(S::from(1e-300)).sqrt() + (rest - rest.frozen()) * (0.5 / FLOOR.sqrt());
    let above = || S::choose(rest.lt(S::from(FLOOR)), near, || rest.sqrt());
    S::choose(rest.lt(S::zero()), S::zero, above)
}

impl<S: Scalar> FrDyn2<S> {
    /// The share of the static level that the bristle force `F₀` takes.
    #[inline]
    fn used(&self, at: &At<S>, z: &[S]) -> S {
        (self.sigma0 * z[0] + self.sigma1 * at.v) / (self.mu_s * at.load_floored())
    }

    /// `F₀` in plain numbers.
    fn force0(&self, at: &At<f64>, z: &[f64]) -> f64 {
        self.sigma0.value() * z[0] + self.sigma1.value() * at.v
    }

    /// `δ/v_s` for a share `q` of the static level: what the mode says, else by the value of `q`.
    #[inline]
    fn shift(&self, q: S, mode: &[Mode]) -> S {
        match mode.first() {
            Some(Mode::Forward) => S::one(),
            Some(Mode::Backward) => -S::one(),
            // 1 − √(1 − q) = q/(1 + √(1 − q)): without sgn(F₀), so that the slope at rest comes out.
            _ => q.clamp_to(-S::one(), S::one()) / (root(-q.abs() + 1.0) + 1.0),
        }
    }
}

impl<S: Scalar> Law<S> for FrDyn2<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let used = self.used(at, z);
        let shift = self.v_s * self.shift(used, at.mode);
        let w = at.v - z[1] + shift;
        let force = at.load() * stribeck::regularised(w, self.mu_s, self.v_s, self.mu_d, self.v_d);
        dz[0] = z[1];
        dz[1] = (force - self.sigma0 * z[0] - self.sigma1 * z[1]) * self.sigma0 * 4.0
            / (self.sigma1 * self.sigma1);
        force
    }

    /// All vectors, and without an event at break-away:
    ///
    /// ```text
    /// F₀ = σ₀ z + σ₁ v,   δ = v_s F₀/(F_s (1 + √(1 − |F₀|/F_s))), beyond F_s: v_s F₀/|F₀|
    /// w = v − ż + δ,      F = n w μ(|w|)/|w|
    /// ```
    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (v, zdot, along) = (at.v, [z[2], z[3]], at.along());
        let limit = self.mu_s * along.load_floored();
        let used = [0, 1].map(|i| (self.sigma0 * z[i] + self.sigma1 * v[i]) / limit);
        let share = length(used);
        let reach = S::choose(share.lt(S::one()), || root(-share + 1.0) + 1.0, || share);
        let w = [0, 1].map(|i| v[i] - zdot[i] + self.v_s * used[i] / reach);
        let speed = length(w);
        // μ(|w|)/|w| without 0/0.
        let inside = || self.mu_s * (-speed / self.v_s + 2.0) / self.v_s;
        let outside = || stribeck::regularised(speed, self.mu_s, self.v_s, self.mu_d, self.v_d) / speed;
        let slope = along.load() * S::choose(self.v_s.lt(speed), outside, inside);
        let force = w.map(|w| w * slope);
        let inverse_mass = self.sigma0 * 4.0 / (self.sigma1 * self.sigma1);
        for i in 0..2 {
            dz[i] = zdot[i];
            dz[i + 2] = (force[i] - self.sigma0 * z[i] - self.sigma1 * zdot[i]) * inverse_mass;
        }
        force
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    /// Remembers whether the bristle force is within the static level (`Stick`) or has broken away.
    fn elements(&self) -> usize {
        1
    }

    fn keeps_direction(&self) -> bool {
        false
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        for (g, mode) in g.iter_mut().zip(at.mode) {
            *g = piecewise::guard(self.used(at, z), *mode);
        }
    }

    fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        mode[fired] = piecewise::crossed(self.force0(at, z), mode[fired]);
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        mode.fill(piecewise::of(self.force0(at, z) / (self.mu_s.value() * at.load_floored())));
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
        scale[1] = self.v_s.value();
    }

    fn fault(&self) -> Option<&'static str> {
        (self.v_d.value() <= self.v_s.value())
            .then_some("the dynamic velocity must lie above the static velocity")
    }

    fn peak_width(&self) -> Option<f64> {
        Some(self.v_s.value())
    }
}

#[cfg(test)]
mod frdyn2_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    const LAW: FrDyn2<f64> =
        FrDyn2 { mu_d: 0.3, mu_s: 0.6, v_s: 1e-3, v_d: 1e-2, sigma0: 5e6, sigma1: 3192.75 };

    /// On the manifold `ż = v` the shift alone drives the curve, and `μ(δ)` inverts it.
    #[test]
    fn sticking_transmits_exactly_the_bristle_force() {
        for (z, v) in [(0.0, 0.0), (1.1e-6, 0.0), (-4e-7, 1e-5), (1.17e-6, 1e-9)] {
            let f0 = 5e6 * z + 3192.75 * v;
            let force = LAW.eval(&At::sliding(v, 9.81), &[z, v], &mut [0.0; 2]);
            assert!((force - f0).abs() < 1e-12, "{force} {f0}");
        }
    }

    /// The slope at break-away is `v_s/(2√r)` with `r` floored at 1e-6; the force keeps its full accuracy.
    #[test]
    fn the_root_is_floored_in_its_derivative_only() {
        for (rest, slope) in [(0.25, 1.0), (1e-8, 0.5e3), (0.0, 0.5e3), (-1e-3, 0.0)] {
            let y: Dual<1> = root(seed(rest, 0));
            assert!((y.value() - f64::max(rest, 0.0).sqrt()).abs() < 1e-16);
            assert!((partial(&y, 0) - slope).abs() < 1e-9 * f64::max(slope, 1.0));
        }
    }

    /// Along any direction the vector form is the scalar law, across it there is nothing.
    #[test]
    fn the_plane_form_knows_no_direction() {
        for (v, z, zdot) in
            [(0.0, 0.0, 0.0), (2e-5, 1.1e-6, 1e-5), (5e-4, 1.17e-6, -3e-4), (-0.3, -4e-7, 1e-3)]
        {
            let mut dz = [0.0; 2];
            let scalar = LAW.eval(&At::sliding(v, 9.81), &[z, zdot], &mut dz);
            for angle in [0.0f64, 0.3, 0.25 * std::f64::consts::PI, 2.4, 4.0] {
                let along = |a: f64| [a * angle.cos(), a * angle.sin()];
                let bent = [along(z), along(zdot)].concat();
                let mut rates = [0.0; 4];
                let force = LAW.in_plane(&InPlane { v: along(v), n: 9.81 }, &bent, &mut rates);
                let pull = [rates[2], rates[3]];
                for i in 0..2 {
                    assert!((force[i] - along(scalar)[i]).abs() < 1e-13 * 5.886);
                    assert!((pull[i] - along(dz[1])[i]).abs() < 1e-12 * dz[1].abs().max(1.0));
                }
            }
        }
    }

    #[test]
    fn at_forty_five_degrees_the_plane_form_bears_no_more() {
        let mut largest: f64 = 0.0;
        for i in 0..4000 {
            let z = 1e-9 * f64::from(i);
            let force = LAW.in_plane(&InPlane { v: [0.0; 2], n: 9.81 }, &[z, z, 0.0, 0.0], &mut [0.0; 4]);
            largest = largest.max(force[0].hypot(force[1]));
        }
        assert!(largest <= 5.886 * (1.0 + 1e-15) && largest > 5.8859);
    }

    #[test]
    fn without_load_the_bristle_swings_free() {
        let mut dz = [0.0; 2];
        assert_eq!(LAW.eval(&At::sliding(0.3, -1.0), &[1e-6, 1e-3], &mut dz), 0.0);
        let mass = 3192.75f64 * 3192.75 / (4.0 * 5e6);
        assert!((dz[1] * mass + 5.0 + 3.19275).abs() < 1e-12);
    }
}
