use crate::law::{At, Law, deflection};
use bristle_core::{Card, Choice, Mode, Scalar};

/// A Simpack-like hybrid: a spring and damper while sticking, Coulomb friction while slipping.
///
/// ```text
/// stick:   ż = v, F = σ₀ z + σ₁ v;   slips once |σ₀ z| > μ_s n, towards sgn z
/// slip s:  ż = 0, F = s μ_d n;       sticks once s v < 0, with z := 0 or z := s μ_d n/σ₀
/// ```
///
/// A reconstruction from published results, not the vendor's code. Slip is triggered by the spring alone, so the
/// force may pass the static level on a fast load. It jumps at both transitions, at re-sticking unless
/// `restick = "continuous"`. It starts out sticking whatever its slip rate, and a moving one slips at once.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "simpack_like",
    state("z", "m", Deflection),
    cite = "rill2023",
    tags("hybrid", "emulation", "holds-load")
)]
pub struct SimpackLike<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stiffness while sticking.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e6, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Damping while sticking.
    #[param(symbol = "σ₁", role = BristleDamping, unit = "N s/m", default = 1e3, min = 0.0, max = 1e9)]
    pub sigma1: S,
    /// The deflection after re-sticking: none, or the one that keeps the force.
    #[choice("zero", "continuous")]
    pub restick: Choice,
}

impl<S: Scalar> Law<S> for SimpackLike<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let spring = self.sigma0 * z[0];
        let stick = spring + self.sigma1 * at.v;
        let level = self.mu_d * at.load();
        let (force, rate) = match at.mode.first() {
            Some(Mode::Stick) => (stick, at.v),
            Some(slip) => (level * slip.sign(), S::zero()),
            None => {
                let slips = (self.mu_s * at.load()).lt(spring.abs());
                (S::select(slips, level * z[0].sign(), stick), S::select(slips, S::zero(), at.v))
            }
        };
        dz[0] = rate;
        at.closed(force)
    }

    fn keeps_direction(&self) -> bool {
        false
    }

    fn elements(&self) -> usize {
        1
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        g[0] = match at.mode[0] {
            Mode::Stick => self.mu_s * at.load() - (self.sigma0 * z[0]).abs(),
            slip => at.v * slip.sign(),
        };
    }

    fn switch(&self, _fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if mode[0] == Mode::Stick {
            mode[0] = Mode::of(z[0]);
        } else {
            let kept = mode[0].sign() * self.mu_d.value() * at.load() / self.sigma0.value();
            z[0] = if self.restick == Choice(1) { kept } else { 0.0 };
            mode[0] = Mode::Stick;
        }
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let slips = self.sigma0.value() * z[0].abs() > self.mu_s.value() * at.load();
        mode[0] = if slips { Mode::of(z[0]) } else { Mode::Stick };
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_s, n, self.sigma0);
    }

    fn fault(&self) -> Option<&'static str> {
        (self.mu_s.value() < self.mu_d.value()).then_some("the static level lies below the kinetic one")
    }
}

#[cfg(test)]
mod simpack_like_tests {
    use super::*;

    const LAW: SimpackLike<f64> =
        SimpackLike { mu_d: 0.3, mu_s: 0.6, sigma0: 5e6, sigma1: 3192.75, restick: Choice(1) };

    /// On the bench of Rill & Schuderer the force passes the static level of 5.886 N without slip.
    #[test]
    fn the_spring_alone_decides_when_to_slip() {
        let at = At { mode: &[Mode::Stick], ..At::sliding(5e-4, 9.81) };
        let (z, mut g) = ([1.1e-6], [0.0]);
        LAW.guards(&at, &z, &mut g);
        assert!(LAW.eval(&at, &z, &mut [0.0]) > 5.886 && (g[0] - 0.386).abs() < 1e-12);
    }

    #[test]
    fn a_cycle_of_slip_and_stick_keeps_the_force_if_asked() {
        let at = At::sliding(0.0, 9.81);
        let (mut z, mut mode) = ([-1.1772e-6], [Mode::Stick]);
        LAW.switch(0, &at, &mut z, &mut mode);
        assert_eq!(mode[0], Mode::Backward);
        let force = |z: &[f64], mode| LAW.eval(&At { mode: &[mode], ..at }, z, &mut [0.0]);
        assert!((force(&z, mode[0]) + 2.943).abs() < 1e-15);
        LAW.switch(0, &at, &mut z, &mut mode);
        assert!(mode[0] == Mode::Stick && (force(&z, mode[0]) + 2.943).abs() < 1e-14);
        let mut dropped = [1.0];
        let zero = SimpackLike { restick: Choice(0), ..LAW };
        zero.switch(0, &at, &mut dropped, &mut [Mode::Forward]);
        assert_eq!(dropped, [0.0]);
    }
}
