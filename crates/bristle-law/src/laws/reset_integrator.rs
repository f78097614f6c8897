use crate::law::{At, Law, deflection};
use bristle_core::{Card, Mode, Scalar};

/// Haessig and Friedland's reset integrator: the slip is integrated up to a bond length, and no further.
///
/// ```text
/// stick:   ṗ = v, F = (μ_s/μ_d) σ₀ p + σ₁ v;   slips once |σ₀ p| > μ_d n, towards sgn p
/// slip s:  ṗ = 0, F = s μ_d n;                  sticks once s v < 0, with p = s μ_d n/σ₀
/// ```
///
/// One of the first bristles made for fast simulation. The stiction gradient `1 + a = μ_s/μ_d` acts while the bond
/// stretches and is dropped with the damping when it breaks, so the force falls by a jump there and rises by one
/// when the slip rate reverses. Slip is decided by the bond alone: fast loads can pass the static level through
/// the damper. Held loads do not creep.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "reset_integrator",
    state("p", "m"),
    cite = "haessig1991",
    cite = "olsson1998",
    tags("bristle", "hybrid", "holds-load")
)]
pub struct ResetIntegrator<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", unit = "1", default = 0.4, min = 1e-6, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Stiffness that belongs to the kinetic level; while sticking it is larger by `μ_s/μ_d`.
    #[param(symbol = "σ₀", unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// Damping while sticking.
    #[param(symbol = "σ₁", unit = "N s/m", default = 3e2, min = 0.0, max = 1e9)]
    pub sigma1: S,
}

impl<S: Scalar> Law<S> for ResetIntegrator<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (spring, level) = (self.sigma0 * z[0], self.mu_d * at.load());
        let stick = spring * self.mu_s / self.mu_d + self.sigma1 * at.v;
        let (force, rate) = match at.mode.first() {
            Some(Mode::Stick) => (stick, at.v),
            Some(slip) => (level * slip.sign(), S::zero()),
            None => {
                let slips = level.lt(spring.abs());
                (S::select(slips, level * z[0].sign(), stick), S::select(slips, S::zero(), at.v))
            }
        };
        dz[0] = at.bristle(rate, z[0], self.sigma0, self.sigma1);
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
            Mode::Stick => self.mu_d * at.load() - (self.sigma0 * z[0]).abs(),
            slip => at.v * slip.sign(),
        };
    }

    fn switch(&self, _fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if mode[0] == Mode::Stick {
            mode[0] = Mode::of(z[0]);
        } else {
            z[0] = mode[0].sign() * self.mu_d.value() * at.load() / self.sigma0.value();
            mode[0] = Mode::Stick;
        }
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let slips = self.sigma0.value() * z[0].abs() > self.mu_d.value() * at.load();
        mode[0] = if slips { Mode::of(z[0]) } else { Mode::Stick };
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = deflection(self.mu_d, n, self.sigma0);
    }

    fn fault(&self) -> Option<&'static str> {
        (self.mu_s.value() < self.mu_d.value()).then_some("the static level lies below the kinetic one")
    }
}

#[cfg(test)]
mod reset_integrator_tests {
    use super::*;

    const LAW: ResetIntegrator<f64> = ResetIntegrator { mu_d: 0.3, mu_s: 0.4, sigma0: 1e5, sigma1: 300.0 };

    #[test]
    fn the_bond_bears_the_static_level_and_breaks_to_the_kinetic_one() {
        let force =
            |z: f64, mode| LAW.eval(&At { mode: &[mode], ..At::sliding(0.0, 10.0) }, &[z], &mut [0.0]);
        assert!((force(3e-5, Mode::Stick) - 4.0).abs() < 1e-14);
        assert_eq!(force(3e-5, Mode::Forward), 3.0);
        assert_eq!(force(-1.0, Mode::Backward), -3.0);
    }

    #[test]
    fn a_reversal_takes_the_bond_up_where_it_broke() {
        let (mut z, mut mode) = ([-3.1e-5], [Mode::Stick]);
        LAW.switch(0, &At::sliding(-0.1, 10.0), &mut z, &mut mode);
        assert_eq!((z[0], mode[0]), (-3.1e-5, Mode::Backward));
        LAW.switch(0, &At::sliding(0.0, 10.0), &mut z, &mut mode);
        assert!((z[0] + 3e-5).abs() < 1e-19 && mode[0] == Mode::Stick);
    }
}
