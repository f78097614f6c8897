use crate::law::{At, Law};
use crate::maxwell::{ELEMENTS, Shares};
use crate::plane::{InPlane, clip, dot, length};
use bristle_core::{Card, Mode, Scalar};

/// Maxwell slip: springs behind Coulomb sliders, in parallel.
///
/// ```text
/// F = Σ F_i,   F_i = k_i z_i,   k_i = σ₀ κ_i/Σκ,   i = 1 … 4
/// element i sticks:  ż_i = v;             slips once F_i reaches ±μ_d n α_i/Σα
/// element i slips:   F_i stays there;     sticks once v reverses
/// ```
///
/// Hysteresis with non-local memory: minor loops close, and a load that no element yields to leaves nothing behind.
/// The virgin curve is a polygon with a corner where each element yields; with equal `α_i/κ_i` all yield at once, as
/// one. Rate-independent, without static peak or Stribeck fall. A slipping element follows its level when the load
/// changes. Without load the springs go back within a millisecond.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "maxwell_slip",
    state("z1", "m", Deflection),
    state("z2", "m", Deflection),
    state("z3", "m", Deflection),
    state("z4", "m", Deflection),
    cite = "iwan1966",
    cite = "albender2005",
    tags("bristle", "hybrid", "holds-load")
)]
pub struct MaxwellSlip<S> {
    /// Friction coefficient of all elements together.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Stiffness of all elements together.
    #[param(symbol = "σ₀", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3, max = 1e12)]
    pub sigma0: S,
    /// The elements.
    #[nest]
    pub shares: Shares<S>,
}

impl<S: Scalar> MaxwellSlip<S> {
    /// The level of each element per load.
    #[inline]
    pub(crate) fn levels(&self) -> [S; ELEMENTS] {
        self.shares.levels(self.mu_d)
    }

    /// The stiffness of each element.
    #[inline]
    pub(crate) fn stiffness(&self) -> [S; ELEMENTS] {
        self.shares.stiffness(self.sigma0)
    }
}

impl<S: Scalar> Law<S> for MaxwellSlip<S> {
    #[inline]
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let (levels, stiffness, direction) = (self.levels(), self.stiffness(), at.direction());
        let mut sum = S::zero();
        for i in 0..ELEMENTS {
            let (level, spring) = (levels[i] * at.load(), stiffness[i] * z[i]);
            let along = spring * direction;
            // A spring that a falling load has left beyond its level cannot push back with more than the level.
            let held = S::select(along.lt(-level), -level * direction, spring);
            let (force, rate) = match at.mode.get(i + 1) {
                Some(Mode::Stick) => (held, at.v),
                Some(_) => (level * direction, S::zero()),
                None => {
                    let slips = level.lt(along);
                    (S::select(slips, level * direction, held), S::select(slips, S::zero(), at.v))
                }
            };
            dz[i] = at.bristle(rate, z[i], stiffness[i], S::zero());
            sum += force;
        }
        at.closed(sum)
    }

    /// An element that has reached its level slips along its slip rate as far as that bends it further; the corners are left to the step
    /// control.
    #[inline]
    fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        let (levels, stiffness, along) = (self.levels(), self.stiffness(), at.along());
        let mut sum = [S::zero(); 2];
        for i in 0..ELEMENTS {
            let bent = [z[2 * i], z[2 * i + 1]];
            let (level, size, bends) = (levels[i] * along.load(), length(bent), dot(bent, at.v));
            let square = S::choose(S::zero().lt(size), || size.squared(), S::one);
            let yields = || S::choose(S::zero().lt(bends), || bends / square, S::zero);
            let by = S::choose(level.lt(stiffness[i] * size), yields, S::zero);
            at.bend(bent, by, stiffness[i], S::zero(), &mut dz[2 * i..2 * i + 2]);
            let force = clip(bent.map(|z| stiffness[i] * z), level);
            (0..2).for_each(|k| sum[k] += force[k]);
        }
        sum.map(|force| along.closed(force))
    }

    fn bends_in_plane(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        1 + ELEMENTS
    }

    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        let (levels, stiffness) = (self.levels(), self.stiffness());
        g[0] = at.v * at.mode[0].sign();
        for i in 0..ELEMENTS {
            let left = levels[i] * at.load() - stiffness[i] * z[i] * at.direction();
            // A slipping element waits for the reversal, which is element 0.
            g[i + 1] = if at.mode[i + 1] == Mode::Stick { left } else { S::one() };
        }
    }

    fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired > 0 {
            mode[fired] = Mode::Forward;
            return;
        }
        let (levels, stiffness) = (self.levels(), self.stiffness());
        for i in (0..ELEMENTS).filter(|i| mode[i + 1] != Mode::Stick) {
            z[i] = mode[0].sign() * levels[i].value() * at.load() / stiffness[i].value();
        }
        mode[0] = mode[0].reversed();
        mode[1..].fill(Mode::Stick);
    }

    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let (levels, stiffness) = (self.levels(), self.stiffness());
        mode[0] = Mode::of(at.v);
        for i in 0..ELEMENTS {
            let slips = levels[i].value() * at.load() < stiffness[i].value() * z[i] * mode[0].sign();
            mode[i + 1] = if slips { Mode::Forward } else { Mode::Stick };
        }
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        self.shares.scales(self.mu_d, n, self.sigma0, scale);
    }
}

#[cfg(test)]
mod maxwell_slip_tests {
    use super::*;
    use bristle_core::{Described, Params};

    fn law() -> MaxwellSlip<f64> {
        Params::from_slices(&MaxwellSlip::<f64>::CARD.defaults(), &[])
    }

    /// The virgin curve is `Σ min(k_i x, α_i μ n)`; with the defaults the elements yield at 7.5, 20, 45 and 120 µm.
    #[test]
    fn the_virgin_curve_is_a_polygon() {
        for (x, expected) in [(5e-6, 0.5), (7.5e-6, 0.75), (2e-5, 0.3 + 0.6 * 2.0), (1e-3, 3.0)] {
            let z = [7.5e-6f64, 2e-5, 4.5e-5, 1.2e-4].map(|limit| limit.min(x));
            let force = law().eval(&At::sliding(0.1, 10.0), &z, &mut [0.0; 4]);
            assert!((force - expected).abs() < 1e-14, "{x}: {force}");
        }
    }

    #[test]
    fn a_reversal_sticks_every_element_and_keeps_the_force() {
        let law = law();
        let (mut z, mut mode) = ([7.5e-6, 2e-5, 4.5e-5, 9e-5], [Mode::Forward; 5]);
        mode[4] = Mode::Stick;
        let force =
            |v, z: &[f64], mode: &[Mode]| law.eval(&At { mode, ..At::sliding(v, 10.0) }, z, &mut [0.0; 4]);
        let before = force(1e-9, &z, &mode);
        law.switch(0, &At::sliding(0.0, 10.0), &mut z, &mut mode);
        assert_eq!(mode, [Mode::Backward, Mode::Stick, Mode::Stick, Mode::Stick, Mode::Stick]);
        assert!((force(-1e-9, &z, &mode) - before).abs() < 1e-14);
        assert!((before - 2.7).abs() < 1e-14);
    }
}
