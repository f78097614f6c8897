use crate::law::{At, Law};
use crate::step;
use bristle_core::{Card, Mode, Scalar};

/// The stick-slip law of contact codes: below a threshold speed the force follows the displacement.
///
/// ```text
/// |v| > v_t:  F = μ_d n sgn v,                                  Δ̇ = 0
/// |v| ≤ v_t:  F = (1 − b) μ_s n S(Δ/Δ_max) + b μ_d n sgn v,     Δ̇ = v
/// b = S(|v|/v_t),  S(u) = u(3 − u²)/2 clipped,  Δ := 0 at each entry into |v| ≤ v_t
/// ```
///
/// A reconstruction from published descriptions, not the vendor's code. The displacement `Δ` counts from the
/// entry into the band, a reset at an event; the force is continuous there. With a load between the kinetic and
/// the static level its damping is negative along `Δ` and positive against it, so the instant of break-away is
/// decided by a self-excited micro-oscillation: compare ranges, not trajectories.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "stick_slip",
    state("delta", "m", Deflection),
    cite = "pennestri2016",
    tags("hybrid", "emulation", "holds-load")
)]
pub struct StickSlip<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Threshold speed of the band.
    #[param(symbol = "v_t", role = RestVelocity, unit = "m/s", default = 1e-2, min = 1e-9, max = 1e3)]
    pub v_t: S,
    /// Displacement at which the static level is reached.
    #[param(symbol = "Δ_max", role = SaturationDeflection, unit = "m", default = 1e-5, min = 1e-12, max = 1.0)]
    pub d_max: S,
}

impl<S: Scalar> Law<S> for StickSlip<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (speed, direction) = (at.speed(), at.direction());
        let kinetic = self.mu_d * direction;
        let inside = || {
            let b = step::odd_cubic(speed / self.v_t);
            (-b + 1.0) * self.mu_s * step::odd_cubic(z[0] / self.d_max) + b * kinetic
        };
        let (coefficient, rate) = match at.mode.get(1) {
            Some(Mode::Stick) => (inside(), at.v),
            Some(_) => (kinetic, S::zero()),
            None => {
                let beyond = self.v_t.lt(speed);
                (S::choose(beyond, || kinetic, inside), S::select(beyond, S::zero(), at.v))
            }
        };
        dz[0] = rate;
        at.load() * coefficient
    }

    fn elements(&self) -> usize {
        2
    }

    fn guards(&self, at: &At<S>, _z: &[S], g: &mut [S]) {
        // The direction flips inside the band only; beyond it the speed has to come back first.
        let is_inside = at.mode[1] == Mode::Stick;
        g[0] = at.v * at.mode[0].sign();
        g[1] = if is_inside { self.v_t - at.speed() } else { at.speed() - self.v_t };
    }

    fn switch(&self, fired: usize, _at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired == 0 {
            mode[0] = mode[0].reversed();
        } else if mode[1] == Mode::Stick {
            mode[1] = Mode::Forward;
        } else {
            mode[1] = Mode::Stick;
            z[0] = 0.0;
        }
    }

    fn start(&self, at: &At<f64>, _z: &[f64], mode: &mut [Mode]) {
        mode[0] = Mode::of(at.v);
        mode[1] = if at.v.abs() > self.v_t.value() { Mode::Forward } else { Mode::Stick };
    }

    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale[0] = self.d_max.value();
    }
}

#[cfg(test)]
mod stick_slip_tests {
    use super::*;

    const LAW: StickSlip<f64> = StickSlip { mu_d: 0.3, mu_s: 0.4, v_t: 1e-2, d_max: 1e-5 };

    #[test]
    fn the_force_is_continuous_across_the_reset() {
        for delta in [0.0, 3e-6, -1.0] {
            let force = |mode| {
                let mode = [Mode::Forward, mode];
                LAW.eval(&At { mode: &mode, ..At::sliding(1e-2, 10.0) }, &[delta], &mut [0.0])
            };
            assert!((force(Mode::Stick) - 3.0).abs() < 1e-15 && force(Mode::Forward) == 3.0);
        }
    }

    #[test]
    fn entering_the_band_drops_the_anchor() {
        let (mut z, mut mode) = ([7e-6], [Mode::Forward, Mode::Forward]);
        LAW.switch(1, &At::sliding(1e-2, 10.0), &mut z, &mut mode);
        assert_eq!((z[0], mode), (0.0, [Mode::Forward, Mode::Stick]));
        LAW.switch(0, &At::sliding(0.0, 10.0), &mut z, &mut mode);
        assert_eq!(mode, [Mode::Backward, Mode::Stick]);
    }

    #[test]
    fn at_rest_the_displacement_bears_up_to_the_static_level() {
        let force = |delta| LAW.eval(&At::sliding(0.0, 10.0), &[delta], &mut [0.0]);
        assert_eq!((force(1e-5), force(-2e-5)), (4.0, -4.0));
        assert!((force(5e-6) - 4.0 * 0.6875).abs() < 1e-15);
    }
}
