use crate::law::{At, Law};
use crate::step;
use bristle_core::{Card, Mode, Scalar};

/// An Adams-like joint friction: a limited displacement at rest, a velocity curve in sliding.
///
/// ```text
/// F = n [(1 − b) μ_s S(x/D) + b sgn(v) μ_v(|v|)],   b = |S(v/v_s)|
/// ẋ = v, but 0 while |x| = D and x v > 0
/// S(q) = q(15 − 10q² + 3q⁴)/8 clipped to ±1
/// μ_v = μ_s below v_s, quintic to μ_d at v_d
/// ```
///
/// A reconstruction from published results, not the vendor's code. The stop at `±D` is an event, so nothing hides
/// in the rates. It holds up to the static level; unloading is damped far more strongly than loading, so an
/// overshoot comes back slowly.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "adams_like",
    state("x", "m", Deflection),
    cite = "rill2023",
    tags("hybrid", "emulation", "holds-load")
)]
pub struct AdamsLike<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Static velocity, below which the displacement takes part.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_s: S,
    /// Dynamic velocity, from which the kinetic level holds.
    #[param(symbol = "v_d", role = KineticVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_d: S,
    /// Largest displacement at rest.
    #[param(symbol = "D", role = SaturationDeflection, unit = "m", default = 1e-6, min = 1e-12, max = 1.0)]
    pub d_max: S,
}

impl<S: Scalar> Law<S> for AdamsLike<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (speed, direction) = (at.speed(), at.direction());
        let b = step::odd_quintic(speed / self.v_s);
        let drop = step::quintic((speed - self.v_s) / (self.v_d - self.v_s));
        let sliding = self.mu_s - (self.mu_s - self.mu_d) * drop;
        dz[0] = match at.mode.get(1) {
            // The stop acts only on motion towards it; a direction settled otherwise frees the displacement.
            Some(Mode::Stick) => at.v,
            Some(stop) if at.mode[0] == stop.reversed() => at.v,
            Some(_) => S::zero(),
            None => S::select((z[0] * direction).lt(self.d_max), at.v, S::zero()),
        };
        let resting = self.mu_s * step::odd_quintic(z[0] / self.d_max);
        at.load() * ((-b + 1.0) * resting + b * direction * sliding)
    }

    fn elements(&self) -> usize {
        2
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        g[0] = at.v * at.mode[0].sign();
        // Only the stop ahead can be reached. At a stop nothing is watched: it is left when the slip reverses.
        g[1] = if at.mode[1] != Mode::Stick && at.mode[1] != at.mode[0].reversed() {
            S::one()
        } else if at.mode[0] == Mode::Stick {
            self.d_max - z[0].abs()
        } else {
            self.d_max - z[0] * at.mode[0].sign()
        };
    }

    fn switch(&self, fired: usize, _at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired == 0 {
            mode[0] = mode[0].reversed();
            mode[1] = Mode::Stick;
        } else {
            mode[1] = Mode::of(z[0]);
            z[0] = self.d_max.value() * mode[1].sign();
        }
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        mode[0] = Mode::of(at.v);
        let is_at_stop = z[0].abs() >= self.d_max.value() && z[0] * at.v > 0.0;
        mode[1] = if is_at_stop { Mode::of(z[0]) } else { Mode::Stick };
    }

    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale[0] = self.d_max.value();
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
mod adams_like_tests {
    use super::*;

    const LAW: AdamsLike<f64> = AdamsLike { mu_d: 0.3, mu_s: 0.6, v_s: 1e-3, v_d: 1e-2, d_max: 1e-6 };

    /// Rill & Schuderer: 95 % of the static level rests at 0.71 µm.
    #[test]
    fn a_held_load_rests_at_the_published_displacement() {
        let force = LAW.eval(&At::sliding(0.0, 9.81), &[7.067344007306536e-7], &mut [0.0]);
        assert!((force - 0.95 * 5.886).abs() < 1e-13);
    }

    #[test]
    fn the_displacement_stops_and_is_freed_by_reversal() {
        let (mut z, mut mode) = ([1e-6 + 1e-16], [Mode::Forward, Mode::Stick]);
        LAW.switch(1, &At::sliding(0.1, 9.81), &mut z, &mut mode);
        assert_eq!((z[0], mode), (1e-6, [Mode::Forward, Mode::Forward]));
        let mut dz = [1.0];
        LAW.eval(&At { mode: &mode, ..At::sliding(0.1, 9.81) }, &z, &mut dz);
        assert_eq!(dz[0], 0.0);
        LAW.switch(0, &At::sliding(0.0, 9.81), &mut z, &mut mode);
        let at = At { mode: &mode, ..At::sliding(-0.1, 9.81) };
        LAW.eval(&at, &z, &mut dz);
        let mut g = [0.0; 2];
        LAW.guards(&at, &z, &mut g);
        assert_eq!((dz[0], g), (-0.1, [0.1, 2e-6]));
    }
}
