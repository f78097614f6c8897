//! Friction of a body that slides in a plane: what laws need for vectors.
//!
//! A law without states bears its force at the speed, against the slip rate. A law with bristles bends them as vectors; the law per axis
//! instead would bear √2 times its limit at 45°.

use crate::law::At;
use bristle_core::{Card, Scalar};

/// Where a contact is that slides in a plane.
#[derive(Clone, Copy, Debug)]
pub struct InPlane<S> {
    /// Slip rate: velocity of the body minus velocity of its counter-surface.
    pub v: [S; 2],
    /// Normal load.
    pub n: S,
}

/// Below this slip rate, m/s, the force of a curve is in proportion to it.
const NEAR: f64 = 1e-12;

/// The length of a plane vector; its derivative at zero counts as zero, since only multiples of the vector follow.
#[inline]
pub fn length<S: Scalar>(a: [S; 2]) -> S {
    let square = dot(a, a);
    S::choose(S::zero().lt(square), || square.sqrt(), S::zero)
}

/// The product of two plane vectors.
#[inline]
pub fn dot<S: Scalar>(a: [S; 2], b: [S; 2]) -> S {
    a[0] * b[0] + a[1] * b[1]
}

/// A vector shortened to a length where it is longer.
#[inline]
pub(crate) fn clip<S: Scalar>(a: [S; 2], most: S) -> [S; 2] {
    let size = length(a);
    let factor = S::choose(most.lt(size), || most / size, S::one);
    a.map(|a| a * factor)
}

impl<S: Scalar> InPlane<S> {
    /// The speed.
    #[inline]
    pub fn speed(&self) -> S {
        length(self.v)
    }

    /// The same along a line: at the speed, under the load.
    #[inline]
    pub fn along(&self) -> At<'static, S> {
        At::sliding(self.speed(), self.n)
    }

    /// The force of a law without states: that at the speed, against the slip rate.
    #[inline]
    pub(crate) fn curve(&self, force: impl FnOnce(&At<S>) -> S) -> [S; 2] {
        let speed = self.speed();
        let held = S::choose(speed.lt(S::from(NEAR)), || S::from(NEAR), || speed);
        let slope = force(&At::sliding(held, self.n)) / held;
        self.v.map(|v| v * slope)
    }

    /// LuGre's bristle, whose level is `g`: its rate under load, and the force of bristle and viscous friction.
    #[inline]
    pub(crate) fn bend(&self, z: [S; 2], by: S, sigma0: S, sigma1: S, dz: &mut [S]) -> [S; 2] {
        let at = self.along();
        let rate = [0, 1].map(|i| self.v[i] - by * z[i]);
        for i in 0..2 {
            dz[i] = at.bristle(rate[i], z[i], sigma0, sigma1);
        }
        rate
    }
}

/// Names and units of the states of a law in the plane: deflections and their rates are vectors.
pub fn states_in_plane(card: &Card) -> Vec<(String, &'static str)> {
    let mut list = Vec::new();
    for state in card.states {
        let axes: &[&str] = if state.role.is_vector() { &["x", "y"] } else { &[""] };
        list.extend(axes.iter().map(|axis| (format!("{}{axis}", state.name), state.unit)));
    }
    list
}

#[cfg(test)]
mod plane_tests {
    use super::*;
    use crate::{AnyLaw, LawKind};
    use bristle_core::Choice;

    fn laws() -> impl Iterator<Item = (&'static str, AnyLaw<f64>)> {
        LawKind::ALL.iter().filter_map(|kind| {
            let card = kind.card();
            let law = kind.build(&card.defaults(), &[Choice(0); 4]);
            law.slides_in_plane().then_some((card.name, law))
        })
    }

    fn turned(a: [f64; 2], by: f64) -> [f64; 2] {
        let (s, c) = by.sin_cos();
        [c * a[0] - s * a[1], s * a[0] + c * a[1]]
    }

    /// The forms that this catalogue promises.
    #[test]
    fn these_laws_slide_in_the_plane() {
        let names: Vec<&str> = laws().map(|(name, _)| name).collect();
        for name in [
            "coulomb",
            "benson",
            "regularised",
            "velocity_based",
            "dahl",
            "lugre",
            "lugre_dwell",
            "elasto_plastic",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        for name in
            ["gonthier", "bouc_wen", "maxwell_slip", "kikuuwe", "frdyn2", "makkar", "hollars", "threlfall"]
        {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(!names.contains(&"karnopp") && !names.contains(&"quinn") && !names.contains(&"gms"));
    }

    /// Along any one direction a law in the plane is the law along a line.
    #[test]
    fn along_one_direction_it_is_the_law_along_a_line() {
        for (name, law) in laws() {
            let card = law.kind().card();
            let count = card.states.len();
            for (v, part, angle) in [(0.02, 0.4, 0.3), (-0.003, 0.7, 2.0), (0.5, -0.5, 4.0), (1e-4, 0.9, 5.5)]
            {
                let mut scale = vec![0.0; count];
                law.scales(10.0, &mut scale);
                let z: Vec<f64> = scale.iter().map(|s| s * part).collect();
                let mut dz = vec![0.0; count];
                let force = law.eval(&At::sliding(v, 10.0), &z, &mut dz);
                let spread = |values: &[f64]| -> Vec<f64> {
                    let each = values.iter().zip(card.states).flat_map(|(value, state)| {
                        if state.role.is_vector() {
                            turned([*value, 0.0], angle).to_vec()
                        } else {
                            vec![*value]
                        }
                    });
                    each.collect()
                };
                let (wide, expected) = (spread(&z), spread(&dz));
                let mut rates = vec![0.0; wide.len()];
                let at = InPlane { v: turned([v, 0.0], angle), n: 10.0 };
                let found = law.in_plane(&at, &wide, &mut rates);
                let force = turned([force, 0.0], angle);
                for i in 0..2 {
                    assert!(
                        (found[i] - force[i]).abs() < 1e-11 * (1.0 + force[i].abs()),
                        "{name} at {v}: {found:?} {force:?}"
                    );
                }
                for (a, b) in rates.iter().zip(&expected) {
                    assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{name} at {v}: {rates:?} {expected:?}");
                }
            }
        }
    }

    /// Turned by any angle, slip rate and bristles give the same force, turned.
    #[test]
    fn no_direction_is_preferred() {
        for (name, law) in laws() {
            let card = law.kind().card();
            let states = states_in_plane(&card);
            let mut scale = vec![0.0; card.states.len()];
            law.scales(10.0, &mut scale);
            let (v, bent) = ([0.013, -0.004], [0.5, 0.6]);
            let at_angle = |angle: f64| {
                let mut z = Vec::new();
                for (state, scale) in card.states.iter().zip(&scale) {
                    if state.role.is_vector() {
                        z.extend(turned(bent.map(|b| b * scale), angle));
                    } else {
                        z.push(0.3 * scale);
                    }
                }
                let mut dz = vec![0.0; states.len()];
                let force = law.in_plane(&InPlane { v: turned(v, angle), n: 10.0 }, &z, &mut dz);
                turned(force, -angle)
            };
            let first = at_angle(0.0);
            for i in 1..24 {
                let other = at_angle(f64::from(i) * std::f64::consts::TAU / 24.0);
                let apart = (first[0] - other[0]).hypot(first[1] - other[1]);
                assert!(apart < 1e-12 * (1.0 + first[0].hypot(first[1])), "{name}: {first:?} {other:?}");
            }
        }
    }
}
