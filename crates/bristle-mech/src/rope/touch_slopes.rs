//! Derivatives of what happens where a point of a rope touches a drum.
//!
//! Depth, normal force and slip rate are differentiated by hand, friction by the exact derivatives of its law with
//! slip rate, load and states; the chain rule does the rest.

use super::touch::{DrumMotion, LAG, PointTouch, Surface};
use bristle_cable::Friction;
use bristle_core::{Dual, Mode, partial, seed};
use bristle_law::{AnyLaw, At};

/// Derivatives that a law is asked for at a time: slip rate, load and its states.
pub(super) const W: usize = 8;

/// Friction states of a point, at most.
pub(super) const STATES: usize = 4;
/// What a touching point depends on: its place and slope, their velocities, its states; centre, velocity and spin of the drum.
pub(super) const INPUTS: usize = 8 + STATES + 5;
const Z: usize = 8;
const CENTRE: usize = Z + STATES;

/// Derivatives with everything that a touching point depends on.
pub(super) type TouchRow = [f64; INPUTS];

/// One touching point: derivatives of what it makes.
#[derive(Clone, Debug)]
pub(super) struct TouchSlopes {
    /// Which of the kernel's points.
    pub(super) point: usize,
    /// Where its states stand.
    pub(super) z: usize,
    pub(super) drum: usize,
    /// Surface speed along the rope per angular speed.
    pub(super) reach: f64,
    /// Of the force on the rope.
    pub(super) force: [TouchRow; 2],
    /// Of friction along the rope.
    pub(super) friction: TouchRow,
    /// Of the power lost to friction, and to the damping of the contact.
    pub(super) rubbed: TouchRow,
    pub(super) damped: TouchRow,
    /// Of the rates of its states.
    pub(super) rates: [TouchRow; STATES],
    /// Of the guards of a law with a dead band.
    pub(super) guards: [TouchRow; 2],
    /// `(s − ∂ż/∂z)⁻¹`, once the shift is known.
    pub(super) inverse: [[f64; STATES]; STATES],
}

/// Which point touches which drum.
pub(super) struct TouchPlace {
    /// The point, in the order along the rope.
    pub(super) point: usize,
    /// Where its friction states stand.
    pub(super) z: usize,
    /// The drum, in the order of the rope's.
    pub(super) drum: usize,
    /// Its share of the stiffness of a node.
    pub(super) share: f64,
}

/// Friction along the rope and the rates of its states: derivatives with slip rate, load and states.
struct FrictionSlopes {
    force: [f64; 2 + STATES],
    rates: [[f64; 2 + STATES]; STATES],
    guards: [[f64; 2 + STATES]; 2],
}

impl TouchSlopes {
    /// Of a point at place and slope `q`, velocity `v` and friction states `z`, whose contact was found to be `touch`.
    pub(super) fn new(
        TouchPlace { point, z: place, drum, share }: TouchPlace,
        surface: &Surface,
        motion: &DrumMotion<f64>,
        (law, mode, z): (Option<&AnyLaw<Dual<W>>>, &[Mode], &[f64]),
        [q, v]: [&[f64; 4]; 2],
        touch: &PointTouch<f64>,
    ) -> TouchSlopes {
        let PointTouch { normal, outward: u, along: t, slip, friction, depth, .. } = *touch;
        let w = [v[0] - motion.velocity[0], v[1] - motion.velocity[1]];
        let distance = surface.radius - depth;
        let out = u[0] * w[0] + u[1] * w[1];
        let elastic = surface.elastic(share, depth);
        // Where a contact begins there is nothing to divide by.
        let rise = if depth > 0.0 { surface.exponent * elastic / depth } else { 0.0 };
        // Depth, the speed of sinking in, the elastic force, the normal force.
        let sinking = row([0, 1].map(|c| -(w[c] - u[c] * out) / distance), u.map(|u| -u));
        let stored = row(u.map(|u| -rise * u), [0.0; 2]);
        let touches = normal > 0.0;
        let gain = if touches { 1.0 - surface.damping * out } else { 0.0 };
        let drag = if touches { surface.damping * elastic } else { 0.0 };
        let load = sum([(gain, &stored), (drag, &sinking)]);
        let reach = surface.sense.sign() * surface.radius;
        let size = q[2].hypot(q[3]);
        let ahead = t[0] * w[0] + t[1] * w[1];
        let mut slide = row([0.0; 2], t);
        (0..2).for_each(|c| slide[2 + c] = (w[c] - t[c] * ahead) / size);
        slide[CENTRE + 4] = -reach;
        let by = surface.friction_slopes((law, mode), touches, [slip, normal], z);
        let chain = |by: &[f64; 2 + STATES]| {
            let mut out = sum([(by[0], &slide), (by[1], &load)]);
            out[Z..Z + STATES].copy_from_slice(&by[2..]);
            out
        };
        let rubbing = chain(&by.force);
        let force = [0, 1].map(|c| {
            let mut out = sum([(u[c], &load), (t[c], &rubbing)]);
            for k in 0..2 {
                let unit = if c == k { 1.0 } else { 0.0 };
                let turn = normal * (unit - u[c] * u[k]) / distance;
                out[k] += turn;
                out[CENTRE + k] -= turn;
                out[2 + k] += friction * (unit - t[c] * t[k]) / size;
            }
            out
        });
        let dashpot = sum([(1.0, &load), (-1.0, &stored)]);
        TouchSlopes {
            point,
            z: place,
            drum,
            reach,
            force,
            friction: rubbing,
            rubbed: sum([(-slip, &rubbing), (-friction, &slide)]),
            damped: sum([(-out, &dashpot), (normal - elastic, &sinking)]),
            rates: by.rates.each_ref().map(chain),
            guards: by.guards.each_ref().map(chain),
            inverse: [[0.0; STATES]; STATES],
        }
    }

    /// Finds how the states follow: `(s − ∂ż/∂z)⁻¹`; false where it is singular.
    pub(super) fn eliminate(&mut self, shift: f64) -> bool {
        let matrix: [[f64; STATES]; STATES] = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { shift } else { 0.0 } - self.rates[i][Z + j])
        });
        let columns = bristle_solve::inverse_columns(matrix);
        let Some(columns) = columns else { return false };
        self.inverse = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
        true
    }

    /// Derivatives of the force with place, slope and their velocities once the states have followed.
    pub(super) fn eliminated(&self, states: usize) -> [[f64; 8]; 2] {
        let mut out = [[0.0; 8]; 2];
        for r in 0..2 {
            out[r].copy_from_slice(&self.force[r][..8]);
        }
        for i in 0..states {
            for j in 0..states {
                for r in 0..2 {
                    let weight = self.force[r][Z + i] * self.inverse[i][j];
                    for c in 0..8 {
                        out[r][c] += weight * self.rates[j][c];
                    }
                }
            }
        }
        out
    }

    /// Writes the increments of the states that follow from the others, and from what is prescribed for them.
    #[inline]
    pub(super) fn follow(&self, states: usize, prescribed: &[f64], inputs: &mut TouchRow) {
        inputs[Z..Z + STATES].fill(0.0);
        let mut right = [0.0; STATES];
        for i in 0..states {
            right[i] = dot(&self.rates[i], inputs) + prescribed.get(i).copied().unwrap_or(0.0);
        }
        for i in 0..states {
            for j in 0..states {
                inputs[Z + i] += self.inverse[i][j] * right[j];
            }
        }
    }
}

impl Surface {
    fn friction_slopes(
        &self,
        (law, mode): (Option<&AnyLaw<Dual<W>>>, &[Mode]),
        touches: bool,
        [slip, normal]: [f64; 2],
        z: &[f64],
    ) -> FrictionSlopes {
        let none = [0.0; 2 + STATES];
        let mut out = FrictionSlopes { force: none, rates: [none; STATES], guards: [none; 2] };
        match (&self.friction, law) {
            (Friction::Quinn { .. }, _) if touches => {
                let pull = self.friction.pull(slip, normal, z[0], None);
                (out.force[0], out.force[1], out.force[2]) = (pull.by_speed, pull.by_load, pull.by_hold);
                out.rates[0] = out.force.map(|by| -by / LAG);
                out.rates[0][2] -= 1.0 / LAG;
            }
            (Friction::Quinn { .. }, _) => out.rates[0][2] = -1.0 / LAG,
            (Friction::Karnopp { .. }, Some(law)) if touches => {
                let here = [seed(slip, 0), seed(normal, 1)];
                let states = [seed(z[0], 2), seed(z[1], 3)];
                let mut rates = [Dual::<W>::from(0.0); 2];
                let force = self.band_force(law, here, mode, &states, &mut rates);
                let by = |of: &Dual<W>| std::array::from_fn(|k| partial(of, k));
                out.force = by(&force);
                (out.rates[0], out.rates[1]) = (by(&rates[0]), by(&rates[1]));
                out.guards = self.band_guards(law, here[0], mode, &states).each_ref().map(by);
            }
            (Friction::Karnopp { .. }, _) => out.rates[0][2] = -1.0 / LAG,
            (_, Some(law)) if touches => {
                let count = self.states();
                let states: [Dual<W>; STATES] =
                    std::array::from_fn(|i| z.get(i).map_or(Dual::from(0.0), |z| seed(*z, 2 + i)));
                let mut rates = [Dual::<W>::from(0.0); STATES];
                let at = At::sliding(seed(slip, 0), seed(normal, 1));
                let force = -law.eval(&at, &states[..count], &mut rates[..count]);
                out.force = std::array::from_fn(|k| partial(&force, k));
                out.rates = rates.map(|rate| std::array::from_fn(|k| partial(&rate, k)));
            }
            _ => {}
        }
        // The slope of a root at rest: the error control of the step judges the consequence.
        for by in out.rates.iter_mut().chain([&mut out.force]).flatten() {
            *by = if by.is_finite() { *by } else { 0.0 };
        }
        out
    }
}

/// Derivatives of what depends on the place relative to the drum, and on the velocity relative to it.
fn row(by_place: [f64; 2], by_speed: [f64; 2]) -> TouchRow {
    let mut out = [0.0; INPUTS];
    for c in 0..2 {
        (out[c], out[CENTRE + c]) = (by_place[c], -by_place[c]);
        (out[4 + c], out[CENTRE + 2 + c]) = (by_speed[c], -by_speed[c]);
    }
    out
}

fn sum([(a, x), (b, y)]: [(f64, &TouchRow); 2]) -> TouchRow {
    let mut out = [0.0; INPUTS];
    for i in 0..INPUTS {
        out[i] = a * x[i] + b * y[i];
    }
    out
}

/// What increments of all inputs do to something made.
#[inline]
pub(super) fn dot(by: &TouchRow, inputs: &TouchRow) -> f64 {
    let mut sum = 0.0;
    for i in 0..INPUTS {
        sum += by[i] * inputs[i];
    }
    sum
}
